import { useCall } from "../../api/use-call.js";
import { OPEN_CASES } from "../../shell/badges.js";
import { now } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import { type Due, grouped, kindWords } from "../../words/due-work.js";

/** The next two days as a chart: a line for each kind of work, marked where some is due. The list repeats it. */

const words = texts("clock_hours");

const HOUR_MS = 3_600_000;
const SHOWN_MS = 48 * HOUR_MS;
const TICKS = [24, 48];

/** The outline of a mark around its place. Each kind has its own, so that nobody must distinguish colours. */
const CIRCLE = "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0";
const OUTLINES: Readonly<Record<string, string>> = {
  "delivery.attempt": CIRCLE,
  "transaction.expire": "M0-6l6 6l-6 6l-6-6z",
  "med.deadline": "M0-6l6 11h-12z",
  "wallet.release": "M-5-5h10v10h-10z",
};

type Instant = { readonly kind: string; readonly at: string };

function Lane({ kind, of, from }: { kind: string; of: readonly Instant[]; from: number }) {
  const shares = of.map(({ at }) => (Date.parse(at) - from) / SHOWN_MS);
  const seen = [...new Set(shares.map((share) => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}%`))];
  return (
    <>
      <span>{kind === "med.deadline" ? words.value.deadline : kindWords(kind)}</span>
      <svg class={`lane lane-${kind.replace(".", "-")}`} aria-hidden="true">
        <line x1="0" x2="100%" y1="10" y2="10" />
        {seen.map((x) => (
          <svg key={x} x={x} y="10" overflow="visible" aria-hidden="true">
            <path d={OUTLINES[kind] ?? CIRCLE} />
          </svg>
        ))}
      </svg>
      <span class="hint">{of.length}</span>
    </>
  );
}

export function Hours({ due }: { due: readonly Due[] }) {
  const cases = useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value.data?.data ?? [];
  const from = now.value;
  if (from === null) return null;
  const deadlines = cases.flatMap(({ response_deadline: at }) => (at === null ? [] : [{ kind: "med.deadline", at }]));
  const near = [...due, ...deadlines].filter(({ at }) => Date.parse(at) - from <= SHOWN_MS);
  if (near.length === 0) return <p class="hint">{words.value.nothing}</p>;
  return (
    <figure class="hours" aria-hidden="true">
      <figcaption class="hint">{words.value.next}</figcaption>
      {grouped<Instant>(near, ({ kind }) => kind).map(([kind, of]) => (
        <Lane key={kind} kind={kind} of={of} from={from} />
      ))}
      <span class="hint ticks">
        <span>{words.value.now}</span>
        {TICKS.map((hours) => (
          <span key={hours}>{hours} h</span>
        ))}
      </span>
    </figure>
  );
}
