import type { OperationAnswer } from "../../../../api/client/types.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import { medMachine } from "../../../../service/features/med/machine.js";
import { transactionMachine } from "../../../../service/features/transactions/machine.js";
import type { Message } from "../api/live.js";
import { texts } from "../state/language.js";

/** Work that is due on the emulated clock, in words. */

export type Due = OperationAnswer<"sandbox.clock.due">["data"][number];
export type Advanced = OperationAnswer<"sandbox.clock.advance">;

const kinds = texts("clock_due_kinds");

/** The kind of due work in words; an unknown kind of a newer server keeps its name. */
export function kindWords(kind: string): string {
  return isNameOf(kinds.value, kind) ? kinds.value[kind] : kind;
}

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

/** The entries grouped by `keyOf`, in the order of their first appearance. */
export function grouped<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return [...groups];
}

/** The kinds of messages after which other work may be due. */
export const CHANGES_DUE = ["due", "clock", "transaction", "refund", "payout", "case", "attempt", "event"];

/** The latest emulated instant in the messages: while the clock moves, it is the clock's progress. */
export function reachedBy(before: number, messages: readonly Message[]): number {
  return messages.reduce((latest, { kind, data }) => {
    const at = kind === "due" || typeof data.at !== "string" ? Number.NaN : Date.parse(data.at);
    return Number.isNaN(at) ? latest : Math.max(latest, at);
  }, before);
}
