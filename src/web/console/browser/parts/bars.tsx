import { Icon } from "./icon.js";

export interface Bar {
  readonly key: string;
  /** Between 0 and `TALLEST`. */
  readonly height: number;
  /** The meaning of the bar, in words, for pointer, focus and screen readers. */
  readonly text: string;
  /** Above the bar, for the few values that everybody looks for. */
  readonly value?: string;
  /** Below the bar. */
  readonly label?: string;
  /** A bar of something that failed has another colour, and a cross below it. */
  readonly isBad?: boolean;
  readonly href?: string;
}

export const TALLEST = 80;

function Shape({ height, label, value, isBad = false }: Bar) {
  return (
    <>
      {value === undefined ? null : (
        <span class="bar-value" aria-hidden="true">
          {value}
        </span>
      )}
      <svg
        class={isBad ? "bar bar-bad" : "bar"}
        viewBox={`0 0 8 ${TALLEST}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect y={TALLEST - height} width="8" height={height} />
      </svg>
      {isBad ? <Icon name="x" /> : null}
      {label === undefined ? null : (
        <span class="hint" aria-hidden="true">
          {label}
        </span>
      )}
    </>
  );
}

/** Numbers as bars. Bars with addresses are links; else the chart is one picture with the name `label`. */
export function Bars({ of, label }: { of: readonly Bar[]; label: string }) {
  if (of.every(({ href }) => href === undefined)) {
    return (
      <div class="bars" role="img" aria-label={label}>
        {of.map((bar) => (
          <span key={bar.key} title={bar.text}>
            <Shape {...bar} />
          </span>
        ))}
      </div>
    );
  }
  return (
    <ul class="bars" aria-label={label}>
      {of.map((bar) => (
        <li key={bar.key}>
          <a href={bar.href ?? ""}>
            <Shape {...bar} />
            <span class="bar-text">{bar.text}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
