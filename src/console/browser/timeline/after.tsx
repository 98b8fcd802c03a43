import { medMachine } from "../../../features/med/machine.js";
import { payoutMachine } from "../../../features/payouts/machine.js";
import { refundMachine } from "../../../features/refunds/machine.js";
import { transactionMachine } from "../../../features/transactions/machine.js";
import type { Machine } from "../../../kernel/machine.js";
import { fill } from "../../../kernel/message.js";
import { Action, Actions } from "../parts/action.js";
import { Icon } from "../parts/icon.js";
import { Countdown, ObjectLink, Status, Time } from "../parts/values.js";
import { isFrozen, now } from "../state/clock.js";
import { language, texts } from "../state/language.js";
import { eventsOf } from "../words/due-work.js";
import { dueText } from "../words/service-texts.js";
import { shortTime } from "../words/time.js";
import { statusIn, type TimelineAnswer } from "./model.js";
import { type MovedKind, moveWord } from "./wording.js";

/** What stands below the items of a timeline: the present, what is due, and what the object can still become. */

const words = texts("timeline");

/** The present instant and how the clock goes. */
export function Now({ timeline }: { timeline: TimelineAnswer }) {
  const at = now.value === null ? timeline.now : new Date(now.value).toISOString();
  return (
    <p class="t-now">
      <Icon name={isFrozen.value ? "snowflake" : "clock"} />
      <span>
        {words.value.now} <Time at={at} /> — {isFrozen.value ? words.value.stands : words.value.runs}
      </span>
    </p>
  );
}

/** What will happen by itself, each with a button that moves the clock to that instant. */
export function Due({ timeline }: { timeline: TimelineAnswer }) {
  const { value } = words;
  const at = now.value ?? Date.parse(timeline.now);
  if (timeline.due.length === 0) return <p class="hint">{value.nothing_due}</p>;
  return (
    <Actions label={value.due}>
      <ol class="stack t-due">
        {timeline.due.map((due) => (
          <li key={`${due.at}${due.kind}${due.subject}${due.text}`}>
            <span>
              <Icon name="clock" /> {value.in} <Countdown to={due.at} /> · <Time at={due.at} /> ·{" "}
              {dueText(due, language.value)}
              {due.subject === timeline.subject ? null : (
                <>
                  {" "}
                  <ObjectLink id={due.subject} />
                </>
              )}
            </span>
            <Action
              id="sandbox.clock.advance"
              input={{ body: { to: due.at } }}
              label={fill(value.jump, { time: shortTime(Date.parse(due.at), language.value) })}
              kind="small"
              emits={eventsOf(due)}
              disabled={Date.parse(due.at) < at ? value.is_due : null}
              done={({ ran_count }) => fill(value.jumped, { count: ran_count })}
            />
          </li>
        ))}
      </ol>
    </Actions>
  );
}

type AnyMachine = Machine<string, string, string>;

/** The machine of an object and the kind of its moves, by the prefix of its id. */
function machineOf(subject: string): { readonly machine: AnyMachine; readonly kind: MovedKind } | null {
  const prefix = /^[a-z]+_/.exec(subject)?.[0];
  if (prefix === "rf_") return { machine: refundMachine, kind: "refund" };
  if (prefix === "po_") return { machine: payoutMachine, kind: "payout" };
  if (prefix === "med_") return { machine: medMachine, kind: "med_case" };
  return prefix === "ch_" || prefix === "tx_" ? { machine: transactionMachine, kind: "transition" } : null;
}

/** The moves that the machine has from the state in which the object is. */
export function CanBecome({ timeline }: { timeline: TimelineAnswer }) {
  const found = machineOf(timeline.subject);
  const state = found === null ? null : statusIn(timeline.items, found.kind);
  if (found === null || state === null) return null;
  const moves = Object.entries(found.machine.transitions).filter(([, { from }]) => from.includes(state));
  if (moves.length === 0) return <p class="hint">{words.value.final}</p>;
  return (
    <ul class="stack">
      {moves.map(([move, { to, emits }]) => (
        <li key={move}>
          <Status status={to} /> {moveWord(found.kind, move, language.value)}{" "}
          <span class="hint">{fill(words.value.sends, { events: emits.join(", ") })}</span>
        </li>
      ))}
    </ul>
  );
}
