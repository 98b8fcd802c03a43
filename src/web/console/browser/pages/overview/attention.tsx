import type { ComponentChildren } from "preact";
import { fill } from "../../../../../base/kernel/message.js";
import { Actions } from "../../parts/action.js";
import { Icon } from "../../parts/icon.js";
import { Section } from "../../parts/page.js";
import { SHAPES, type Tone } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { withBook } from "../../state/book.js";
import { isFrozen } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import { OpenCases } from "../med/deadline.js";
import type { Readings } from "./readings.js";

/** The facts that need attention. Each line leads to its page, or has the button that it needs. */

const words = texts("overview");

interface Line {
  readonly tone: Tone;
  readonly text: ComponentChildren;
  /** The address inside the console. */
  readonly to: string;
  readonly action?: ComponentChildren;
}

function casesLine(of: readonly { id: string; amount: number; response_deadline: string | null }[]): Line[] {
  const [first] = of;
  if (first === undefined) return [];
  return [{ tone: "warn", text: <OpenCases of={of} />, to: of.length === 1 ? `med/${first.id}` : "med?status=open" }];
}

/** The refusals that no fault rule of the person made, in one line. */
function errorsLine(groups: readonly { count: number; injected: number; last_number: number }[]): Line[] {
  const own = groups.map((one) => ({ ...one, count: one.count - one.injected })).filter(({ count }) => count > 0);
  const [first] = own;
  if (first === undefined) return [];
  const count = own.reduce((sum, one) => sum + one.count, 0);
  const text = fill(words.value.errors, { kinds: own.length, count });
  return [{ tone: "bad", text, to: own.length === 1 ? `requests/${first.last_number}` : "requests" }];
}

function linesOf({ deliveries, open, payments, errors }: Readings): readonly Line[] {
  const { value } = words;
  const counted = (count: number, line: Line): Line[] => (count > 0 ? [line] : []);
  const { FAILED: failed = 0, PENDING: waiting = 0 } = deliveries.data ?? {};
  const reviews = payments.data?.counts.PROCESSING ?? 0;
  return [
    ...counted(failed, { tone: "bad", text: fill(value.failed, { count: failed }), to: "deliveries?status=FAILED" }),
    ...casesLine(open.data?.data ?? []),
    ...counted(reviews, {
      tone: "warn",
      text: fill(value.reviews, { count: reviews }),
      to: "charges?status=PROCESSING",
    }),
    ...errorsLine(errors.data?.data ?? []),
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

/** `isEmpty`: nothing has happened yet, so that "all is well" would say nothing. */
export function Attention({ of, isEmpty }: { of: Readings; isEmpty: boolean }) {
  const lines = linesOf(of);
  // "All is well" is shown only after everything was read.
  const isKnown = [of.deliveries, of.open, of.payments, of.errors].every(({ data }) => data !== null);
  if ((isEmpty || !isKnown) && lines.length === 0) return null;
  return (
    <Section title={words.value.attention}>
      {lines.length === 0 ? (
        <p class="hint">{words.value.all_fine}</p>
      ) : (
        <Actions>
          <ul class="stack plain lines">
            {lines.map(({ tone, text, to, action }, index) => (
              <li key={index} class={`need-${tone}`}>
                <Icon name={SHAPES[tone]} />
                <a class="about" href={withBook(`/console/${to}`)}>
                  {text}
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
