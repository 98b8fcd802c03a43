import type { OperationAnswer } from "../../../../api/client/types.js";
import { fill } from "../../../../base/kernel/message.js";
import { medMachine } from "../../../../service/features/med/machine.js";
import { transactionMachine } from "../../../../service/features/transactions/machine.js";
import type { Message } from "../api/live.js";
import { texts } from "../state/language.js";
import { type Due, effectOf, grouped, type Upcoming } from "./due-groups.js";

/** Work that is due on the emulated clock, in words. */

export { type Due, grouped } from "./due-groups.js";

export type Advanced = OperationAnswer<"sandbox.clock.advance">;

const { expire, settle, dispute } = transactionMachine.transitions;

const EVENTS: Readonly<Record<string, readonly string[]>> = {
  "transaction.expire": expire.emits,
  "transaction.pay": settle.emits,
  "med.open": [...medMachine.initial.emits, ...dispute.emits],
};

/** The events that the work will send, if its kind defines them. A payment may have other outcomes. */
export function eventsOf({ kind, code }: Pick<Due, "kind" | "code">): readonly string[] | undefined {
  return kind === "transaction.pay" && code !== "charge_paid" ? undefined : EVENTS[kind];
}

const effects = texts("due_effects");
const done = texts("due_done");

/** The effects of work as one sentence, the most frequent first: `22 charges expire, 14 webhooks retry`. */
export function effectText(entries: readonly Upcoming[], tense: "due" | "done" = "due"): string {
  const table = tense === "due" ? effects.value : done.value;
  return grouped(entries, effectOf)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, { length: count }]) => fill(table[name], { count }))
    .join(", ");
}

/** The reading of due work that several parts of a page share. */
export const DUE = { query: { limit: 100 } } as const;

/** The kinds of messages after which other work may be due. */
export const CHANGES_DUE = ["due", "clock", "transaction", "refund", "payout", "case", "attempt", "event"];

/** The latest emulated instant in the messages: while the clock moves, it is the clock's progress. */
export function reachedBy(before: number, messages: readonly Message[]): number {
  return messages.reduce((latest, { kind, data }) => {
    const at = kind === "due" || typeof data.at !== "string" ? Number.NaN : Date.parse(data.at);
    return Number.isNaN(at) ? latest : Math.max(latest, at);
  }, before);
}
