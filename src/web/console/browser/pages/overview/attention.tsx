import type { ComponentChildren } from "preact";
import { fill } from "../../../../../base/kernel/message.js";
import { Actions } from "../../parts/action.js";
import { Section, Show } from "../../parts/page.js";
import { Countdown, Money, Status, type Tone } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { withBook } from "../../state/book.js";
import { isFrozen } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import { byDeadline } from "./figures.js";
import type { Readings } from "./readings.js";

/** The facts that need attention. Each line leads to its page, or has the button that it needs. */

const words = texts("overview");

const MOST_ERRORS = 4;

interface Line {
  readonly tone: Tone;
  readonly mark: string | number;
  readonly text: ComponentChildren;
  /** The address inside the console. */
  readonly to: string;
  readonly action?: ComponentChildren;
}

/** The open cases in one line: their number, their amount, and the nearest deadline. */
function casesLine(of: readonly { id: string; amount: number; response_deadline: string | null }[]): Line[] {
  const [first] = byDeadline(of);
  if (first === undefined) return [];
  const { id, response_deadline: deadline } = first;
  const text = (
    <>
      {fill(words.value.cases, { count: of.length })} <Money amount={of.reduce((sum, { amount }) => sum + amount, 0)} />{" "}
      {deadline === null ? (
        words.value.no_deadline
      ) : (
        <>
          {words.value.answer_by} <Countdown to={deadline} />
        </>
      )}
    </>
  );
  return [{ tone: "warn", mark: of.length, text, to: of.length === 1 ? `med/${id}` : "med?status=open" }];
}

function linesOf({ deliveries, open, held, errors }: Readings): readonly Line[] {
  const { value } = words;
  const counted = (count: number, line: Omit<Line, "mark">): Line[] => (count > 0 ? [{ mark: count, ...line }] : []);
  const { FAILED: failed = 0, PENDING: waiting = 0 } = deliveries.data ?? {};
  const reviews = held.data?.total ?? 0;
  return [
    ...counted(failed, { tone: "bad", text: fill(value.failed, { count: failed }), to: "deliveries?status=FAILED" }),
    ...casesLine(open.data?.data ?? []),
    ...counted(reviews, {
      tone: "warn",
      text: fill(value.reviews, { count: reviews }),
      to: "charges?status=PROCESSING",
    }),
    ...(errors.data?.data ?? [])
      .slice(0, MOST_ERRORS)
      .map(({ method, route, status, code, count, last_number }): Line => {
        const text = (
          <>
            {fill(value.times, { count })} {code} <code>{`${method} ${route}`}</code>
          </>
        );
        return { tone: "bad", mark: status || "—", text, to: `requests/${last_number}` };
      }),
    // With a frozen clock they wait until somebody moves it.
    ...counted(waiting, {
      tone: "wait",
      text: [fill(value.waiting, { count: waiting }), " ", isFrozen.value ? value.frozen : null],
      to: "deliveries?status=PENDING",
      action:
        isFrozen.value && act("sandbox.clock.advance", { label: value.run_next, kind: "small", body: { to: "next" } }),
    }),
  ];
}

/** "All is well" is shown only after everything was read. */
function AllFine({ of: { deliveries, open, held, errors } }: { of: Readings }) {
  const unread = [deliveries, open, held, errors].find(({ data }) => data === null);
  if (unread !== undefined) return <Show<unknown> of={unread}>{() => null}</Show>;
  return <p class="hint">{words.value.all_fine}</p>;
}

export function Attention({ of }: { of: Readings }) {
  const lines = linesOf(of);
  return (
    <Section title={words.value.attention}>
      {lines.length === 0 ? (
        <AllFine of={of} />
      ) : (
        <Actions>
          <ul class="plain lines">
            {lines.map(({ tone, mark, text, to, action }, index) => (
              <li key={index}>
                <Status status={String(mark)} tone={tone} />
                <span class="about">{text}</span>
                <a class="button small" href={withBook(`/console/${to}`)}>
                  {words.value.see}
                </a>
                {action}
              </li>
            ))}
          </ul>
        </Actions>
      )}
    </Section>
  );
}
