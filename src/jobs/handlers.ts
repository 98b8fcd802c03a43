import { openCaseWhenDue } from "../features/med/actions.js";
import { advanceRefundWhenDue } from "../features/refunds/actions.js";
import { expireWhenDue, finaliseWhenDue, payWhenDue } from "../features/transactions/actions.js";
import type { Tx } from "../features/tx.js";
import { releaseTranche } from "../features/wallets/actions.js";
import { type JobKind, type JobPayload, readPayload } from "./kinds.js";
import type { JobRow } from "./store.js";

/** The work of each kind. `subject` is the id of the object that the job is about. */
const HANDLERS: { readonly [Kind in JobKind]: (tx: Tx, subject: string, payload: JobPayload<Kind>) => void } = {
  "med.open": openCaseWhenDue,
  "refund.advance": (tx, subject, { from }) => advanceRefundWhenDue(tx, subject, from),
  "transaction.expire": expireWhenDue,
  "transaction.finalise": finaliseWhenDue,
  "transaction.pay": payWhenDue,
  "wallet.release": releaseTranche,
};

function run<Kind extends JobKind>(tx: Tx, kind: Kind, subject: string, payload: string): void {
  HANDLERS[kind](tx, subject, readPayload(kind, payload));
}

/** Does the work of a job. Throws for a kind or payload that this version does not know. */
export function runJob(tx: Tx, { kind, subject, payload }: JobRow): void {
  // The row may come from another version of qa-pay.
  if (!Object.hasOwn(HANDLERS, kind)) throw new Error(`no handler for job ${kind}`);
  run(tx, kind, subject, payload);
}
