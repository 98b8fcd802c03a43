import { expireWhenDue, type Payment, payWhenDue } from "../features/transactions/actions.js";
import type { Tx } from "../features/tx.js";
import { releaseTranche } from "../features/wallets/actions.js";

/** What each kind of due work does. A kind is never renamed: rows of it may wait in somebody's database. */
export const JOB_HANDLERS: Readonly<Record<string, (tx: Tx, subject: string, payload: object) => void>> = {
  "transaction.expire": (tx, subject) => expireWhenDue(tx, subject),
  "transaction.pay": (tx, subject, payload) => payWhenDue(tx, subject, payload as Payment),
  "wallet.release": (tx, subject) => releaseTranche(tx, subject),
};
