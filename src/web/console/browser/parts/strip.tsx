import { Status, type Tone } from "./values.js";

/** One item of a strip. Its shape and colour show its state, its text names it. */
export interface Mark {
  readonly key: string;
  readonly tone: Tone;
  readonly text: string;
  /** The text for screen readers after the short text. */
  readonly more: string;
  readonly isChosen: boolean;
  /** The address to open; else a press calls the function. */
  readonly href?: string;
  readonly onChoose?: () => void;
}

/** Items of one kind side by side, in their order. The chosen one is shown below. */
export function Strip({ label, of }: { label: string; of: readonly Mark[] }) {
  return (
    <ul class="flow mark-strip" aria-label={label}>
      {of.map(({ key, tone, text, more, isChosen, href, onChoose }) => {
        const inner = (
          <Status status={text} tone={tone}>
            <code>{text}</code> <span class="visually-hidden">{more}</span>
          </Status>
        );
        return (
          <li key={key}>
            {href === undefined ? (
              <button type="button" aria-pressed={isChosen} onClick={onChoose}>
                {inner}
              </button>
            ) : (
              <a href={href} aria-current={isChosen ? "true" : undefined}>
                {inner}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
