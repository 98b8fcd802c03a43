import { iso } from "../../../base/kernel/time.js";
import type { Tx } from "../tx.js";
import type { ClockMove, HistoryRow } from "./store.js";

/** One event of a unit of work. Its instant and its cause are those of the unit. */
export type NewHistoryEntry = Pick<HistoryRow, "book_id" | "noun" | "subject" | "move"> & {
  readonly from?: string | null;
  readonly to?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** Adds a change of this unit of work to the history. Returns the `seq`, to which all its effects refer. */
export function record(tx: Tx, { from = null, to = null, data, ...about }: NewHistoryEntry): number {
  const { text, request, command, parent, trace = null } = tx.cause;
  const { book_id, noun, subject, move } = about;
  const row = {
    book_id,
    noun,
    subject,
    move,
    from_status: from,
    to_status: to,
    data: data === undefined ? null : JSON.stringify(data),
    cause: text,
    request,
    command,
    parent,
    trace,
    at: tx.now,
  };
  const seq = tx.history.insert(row);
  tx.notify.onHistory(seq, row);
  return seq;
}

interface RecordedMove {
  readonly move: string;
  readonly from: string | null;
}

/** Adds a move of an object to the history. `row` is the object after the move, and `from` its status before. */
export function recordMove(
  tx: Tx,
  noun: HistoryRow["noun"],
  { book_id, id, status }: { readonly book_id: number; readonly id: string; readonly status: string },
  { move, from }: RecordedMove,
): number {
  return record(tx, { book_id, noun, subject: id, move, from, to: status });
}

interface ClockChange {
  /** Emulated milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** Of a change of its speed. */
  readonly factor?: number;
}

/** Adds a change of the clock to the history, from one instant to another. */
export function recordClock(tx: Tx, move: ClockMove, { from = tx.now, to = tx.now, ...more }: ClockChange = {}): void {
  record(tx, { book_id: null, noun: "clock", subject: "", move, data: { from: iso(from), to: iso(to), ...more } });
}
