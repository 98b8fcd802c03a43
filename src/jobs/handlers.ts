import { openCaseWhenDue } from "../features/med/actions.js";
import { advanceRefundWhenDue } from "../features/refunds/actions.js";
import type { RefundStatus } from "../features/refunds/machine.js";
import { expireWhenDue, finaliseWhenDue, type Payment, payWhenDue } from "../features/transactions/actions.js";
import type { Tx } from "../features/tx.js";
import { releaseTranche } from "../features/wallets/actions.js";

/** What each kind of due work does. A kind is never renamed: rows of it may wait in somebody's database. */
export const JOB_HANDLERS: Readonly<Record<string, (tx: Tx, subject: string, payload: object) => void>> = {
  "med.open": (tx, subject) => openCaseWhenDue(tx, subject),
  "refund.advance": (tx, subject, payload) =>
    advanceRefundWhenDue(tx, subject, (payload as { from: RefundStatus }).from),
  "transaction.expire": (tx, subject) => expireWhenDue(tx, subject),
  "transaction.finalise": (tx, subject) => finaliseWhenDue(tx, subject),
  "transaction.pay": (tx, subject, payload) => payWhenDue(tx, subject, payload as Payment),
  "wallet.release": (tx, subject) => releaseTranche(tx, subject),
};
