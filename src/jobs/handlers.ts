import { isContestable, openCaseWhenDue } from "../features/med/actions.js";
import { advanceRefundWhenDue, canArrive } from "../features/refunds/actions.js";
import {
  awaitsIssue,
  canExpire,
  expireWhenDue,
  finaliseWhenDue,
  isWanted,
  type Payment,
  payWhenDue,
} from "../features/transactions/actions.js";
import { defaultMethod } from "../features/transactions/catalogue.js";
import { isWaiting } from "../features/transactions/machine.js";
import { payerVerdict } from "../features/transactions/rules.js";
import type { NewTransaction } from "../features/transactions/store.js";
import type { Stores, Tx } from "../features/tx.js";
import { releaseTranche } from "../features/wallets/actions.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { formatMoney } from "../kernel/money.js";
import { type JobKind, type JobPayload, readPayload } from "./kinds.js";
import type { JobRow } from "./store.js";

/** What a job would do if it ran at its instant. */
export interface Preview {
  /** The public id of the object that it is about. */
  readonly subject: string;
  /** In plain words. */
  readonly text: string;
}

/** The work of one kind. `subject` is the id of the object that the job is about. */
interface Work<Kind extends JobKind> {
  run(tx: Tx, subject: string, payload: JobPayload<Kind>): void;
  /** Null when the job would change nothing at `at`: what it was made for has happened in another way. */
  preview(stores: Stores, subject: string, payload: JobPayload<Kind>, at: number): Preview | null;
}

/** A preview about a transaction. `textOf` answers null when the job would change nothing. */
function ofTransaction(
  { transactions }: Stores,
  id: string,
  textOf: (row: NewTransaction) => string | null,
): Preview | null {
  const row = transactions.anywhere(id);
  const text = row === null ? null : textOf(row);
  return text === null ? null : { subject: ID_PREFIX.charge + id, text };
}

function paymentText(row: NewTransaction, payment: Payment): string {
  const isPix = (payment.method ?? defaultMethod(row)) === "PIX";
  const document = payment.payerDocument;
  // Without a document in the script, the payer is the expected one.
  const verdict = !isPix || document === undefined ? "settle" : payerVerdict(row.expected_payer_tax_id, document);
  const texts = {
    settle: "charge is paid",
    hold: "charge is paid and held for review: the bank does not report the payer",
    return: "charge is paid by another payer than the expected one, and the money goes back",
  };
  return texts[verdict];
}

const WORK: { readonly [Kind in JobKind]: Work<Kind> } = {
  "med.open": {
    run: openCaseWhenDue,
    preview: (stores, id) =>
      ofTransaction(stores, id, (row) => (isContestable(stores, row) ? "payer's bank opens a MED case" : null)),
  },
  "refund.advance": {
    run: (tx, subject, { from }) => advanceRefundWhenDue(tx, subject, from),
    preview({ refunds }, id, { from }) {
      const refund = refunds.anywhere(id);
      if (refund === null || refund.status !== from) return null;
      const last = canArrive(refund)
        ? "refund moves from in progress to refunded"
        : "refund fails: nobody owns its Pix key";
      return {
        subject: ID_PREFIX.refund + id,
        text: from === "PENDING" ? "refund moves from requested to in progress" : last,
      };
    },
  },
  "transaction.expire": {
    run: expireWhenDue,
    preview: (stores, id) =>
      ofTransaction(stores, id, (row) => {
        if (!canExpire(row)) return null;
        return isWaiting(row.status) ? "charge expires unpaid" : "charge expires: its card payment was not completed";
      }),
  },
  "transaction.finalise": {
    run: finaliseWhenDue,
    preview: (stores, id) =>
      ofTransaction(stores, id, (row) => (awaitsIssue(row) ? "acquirer issues the codes of the charge" : null)),
  },
  "transaction.pay": {
    run: payWhenDue,
    preview: (stores, id, payment, at) =>
      ofTransaction(stores, id, (row) => (isWanted(row, payment, at) ? paymentText(row, payment) : null)),
  },
  "wallet.release": {
    run: releaseTranche,
    preview({ ledger }, id) {
      const tranche = ledger.tranche(Number(id));
      if (tranche === null || tranche.released_at !== null) return null;
      return {
        subject: ID_PREFIX.charge + tranche.transaction_id,
        text: `${formatMoney(tranche.amount, tranche.currency)} of the charge becomes available`,
      };
    },
  },
};

/** Whether this version knows the kind of a job. Another version of qa-pay may have stored the job. */
function isKnown(kind: string): kind is JobKind {
  return Object.hasOwn(WORK, kind);
}

function run<Kind extends JobKind>(tx: Tx, kind: Kind, subject: string, payload: string): void {
  WORK[kind].run(tx, subject, readPayload(kind, payload));
}

/** Does the work of a job. Throws for a kind or payload that this version does not know. */
export function runJob(tx: Tx, { kind, subject, payload }: JobRow): void {
  if (!isKnown(kind)) throw new Error(`no handler for job ${kind}`);
  run(tx, kind, subject, payload);
}

function preview<Kind extends JobKind>(stores: Stores, kind: Kind, job: JobRow, at: number): Preview | null {
  return WORK[kind].preview(stores, job.subject, readPayload(kind, job.payload), at);
}

/**
 * What a job would do at its instant, or now when that is past. Null when it would change nothing, and for a job that
 * this version cannot run.
 */
export function previewJob(stores: Stores & { readonly now: number }, job: JobRow): Preview | null {
  if (!isKnown(job.kind)) return null;
  try {
    return preview(stores, job.kind, job, Math.max(job.due_at, stores.now));
  } catch {
    return null;
  }
}
