import { Status, type Tone } from "./values.js";

/** One thing in a strip. Its shape and colour say how it stands, its text says which one it is. */
export interface Mark {
  readonly key: string;
  readonly tone: Tone;
  readonly text: string;
  /** What a screen reader is told behind the short text. */
  readonly more: string;
  readonly isChosen: boolean;
  /** Where it leads; else what a press of it does. */
  readonly href?: string;
  readonly onChoose?: () => void;
}

/** Things of one kind side by side, in their order. One of them is chosen, and shown below. */
export function Strip({ label, of }: { label: string; of: readonly Mark[] }) {
  return (
    <ul class="mark-strip" aria-label={label}>
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
