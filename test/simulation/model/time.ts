import { attemptDue, nextAttempt } from "./reporting.js";
import type { Book, World } from "./state.js";
import { isSettled, refundable, walletOf } from "./state.js";
import { advanceRefund, expire, hasOpenCase, openCase, settle } from "./transactions.js";

/** Everything that happens by itself when the clock moves on. */

/** Something that is due at an instant. */
interface Due {
  readonly at: number;
  readonly run: () => void;
}

function dueOf(book: Book, now: number): Due[] {
  const due: Due[] = [];
  for (const one of book.transactions) {
    const { payAt, expiresAt, medAt } = one;
    if (one.status === "WAITING_PAYMENT") {
      if (payAt !== null) due.push({ at: payAt, run: () => settle(book, payAt, one, one.methods[0] ?? "PIX") });
      due.push({ at: expiresAt, run: () => expire(book, expiresAt, one) });
    }
    if (medAt !== null) due.push({ at: medAt, run: () => openWhenDue(book, one, medAt) });
  }
  for (const one of book.refunds) {
    const { nextAt } = one;
    const end = one.isLost ? "FAILED" : "REFUNDED";
    const to = one.status === "PENDING" ? "IN_PROGRESS" : end;
    if (nextAt !== null) due.push({ at: nextAt, run: () => advanceRefund(book, nextAt, one, to) });
  }
  for (const one of book.holds) due.push({ at: one.at, run: () => release(book, one) });
  const attempt = nextAttempt(book);
  // A delivery that waited for its endpoint is overdue: it is attempted now.
  if (attempt !== null) due.push({ at: attempt, run: () => attemptDue(book, Math.max(now, attempt)) });
  return due;
}

type Transaction = Book["transactions"][number];

/** The id of a case that a scenario opens is read from the service, once it is there. */
function openWhenDue(book: Book, one: Transaction, at: number): void {
  one.medAt = null;
  // Money that is refunded, or is about to be, cannot be contested.
  if (isSettled(one) && refundable(book, one) > 0 && !hasOpenCase(book, one))
    openCase(book, at, `unseen ${one.id}`, one, "med");
}

function release(book: Book, hold: Book["holds"][number]): void {
  const wallet = walletOf(book, hold.currency);
  wallet.pending -= hold.amount;
  wallet.available += hold.amount;
  book.holds.splice(book.holds.indexOf(hold), 1);
}

/** Moves the clock to `to`; whatever is due on the way happens at its own instant. */
export function moveTo(world: World, to: number): void {
  for (;;) {
    const due = world.books.flatMap((book) => dueOf(book, world.now)).filter(({ at }) => at <= to);
    const first = due.reduce<Due | null>(
      (soonest, one) => (soonest === null || one.at < soonest.at ? one : soonest),
      null,
    );
    if (first === null) break;
    world.now = Math.max(world.now, first.at);
    first.run();
  }
  world.now = to;
}
