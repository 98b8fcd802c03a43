import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Message } from "../../../base/kernel/message.js";
import { isContestable, openCaseWhenDue } from "../med/actions.js";
import { advanceRefundWhenDue, canArrive } from "../refunds/actions.js";
import type { DueCode } from "../service-texts.js";
import {
  awaitsIssue,
  canExpire,
  expireWhenDue,
  finaliseWhenDue,
  isWanted,
  type Payment,
  payWhenDue,
} from "../transactions/actions.js";
import { defaultMethod } from "../transactions/catalogue.js";
import { isWaiting } from "../transactions/machine.js";
import { payerVerdict } from "../transactions/rules.js";
import type { NewTransaction } from "../transactions/store.js";
import type { Stores, Tx } from "../tx.js";
import { releaseTranche } from "../wallets/actions.js";
import { type JobKind, type JobPayload, readPayload } from "./kinds.js";
import type { JobRow } from "./store.js";

/** What a job would do if it ran at its instant. */
export interface Preview extends Message<DueCode> {
  /** The public id of the object that it is about. */
  readonly subject: string;
}

/** The work of one kind. `subject` is the id of the object that the job is about. */
interface Work<Kind extends JobKind> {
  run(tx: Tx, subject: string, payload: JobPayload<Kind>): void;
  /** Null when the job would change nothing at `at`: what it was made for has happened in another way. */
  preview(stores: Stores, subject: string, payload: JobPayload<Kind>, at: number): Preview | null;
}

/** A preview about a transaction. `codeOf` returns null when the job would change nothing. */
function ofTransaction(
  { transactions }: Stores,
  id: string,
  codeOf: (row: NewTransaction) => DueCode | null,
): Preview | null {
  const row = transactions.anywhere(id);
  const code = row === null ? null : codeOf(row);
  return code === null ? null : { subject: ID_PREFIX.charge + id, code, params: {} };
}

const PAYMENT_CODES = { settle: "charge_paid", hold: "payment_held", return: "payment_returned" } as const;

function paymentCode(row: NewTransaction, payment: Payment): DueCode {
  const isPix = (payment.method ?? defaultMethod(row)) === "PIX";
  const document = payment.payerDocument;
  // Without a document in the scenario, the payer is the expected one.
  const verdict = !isPix || document === undefined ? "settle" : payerVerdict(row.expected_payer_tax_id, document);
  return PAYMENT_CODES[verdict];
}

const WORK: { readonly [Kind in JobKind]: Work<Kind> } = {
  "med.open": {
    run: (tx, subject, { rest }) => openCaseWhenDue(tx, subject, rest),
    preview: (stores, id) => ofTransaction(stores, id, (row) => (isContestable(stores, row) ? "case_opens" : null)),
  },
  "refund.advance": {
    run: (tx, subject, { from }) => advanceRefundWhenDue(tx, subject, from),
    preview({ refunds }, id, { from }) {
      const refund = refunds.anywhere(id);
      if (refund === null || refund.status !== from) return null;
      const last = canArrive(refund) ? "refund_completes" : "refund_fails";
      return { subject: ID_PREFIX.refund + id, code: from === "PENDING" ? "refund_starts" : last, params: {} };
    },
  },
  "transaction.expire": {
    run: expireWhenDue,
    preview: (stores, id) =>
      ofTransaction(stores, id, (row) => {
        if (!canExpire(row)) return null;
        return isWaiting(row.status) ? "charge_expires" : "card_payment_expires";
      }),
  },
  "transaction.finalise": {
    run: finaliseWhenDue,
    preview: (stores, id) => ofTransaction(stores, id, (row) => (awaitsIssue(row) ? "codes_issued" : null)),
  },
  "transaction.pay": {
    run: payWhenDue,
    preview: (stores, id, payment, at) =>
      ofTransaction(stores, id, (row) => (isWanted(row, payment, at) ? paymentCode(row, payment) : null)),
  },
  "wallet.release": {
    run: releaseTranche,
    preview({ ledger }, id) {
      const tranche = ledger.tranche(Number(id));
      if (tranche === null || tranche.released_at !== null) return null;
      return {
        subject: ID_PREFIX.charge + tranche.transaction_id,
        code: "money_released",
        params: { amount: tranche.amount, currency: tranche.currency },
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

/** What a job would do at its instant, or now if that is past. Null for nothing, and for a job of another version. */
export function previewJob(stores: Stores & { readonly now: number }, job: JobRow): Preview | null {
  if (!isKnown(job.kind)) return null;
  try {
    return preview(stores, job.kind, job, Math.max(job.due_at, stores.now));
  } catch {
    return null;
  }
}
