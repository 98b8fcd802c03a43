import type { ApiKeyRow } from "../../features/access/store.js";
import type { EvidenceRow, MedCaseRow } from "../../features/med/store.js";
import type { EmailRow } from "../../features/notices/store.js";
import type { PayoutRow } from "../../features/payouts/store.js";
import type { RefundRow } from "../../features/refunds/store.js";
import type { FoundDelivery } from "../../features/search/store.js";
import { hasMethod } from "../../features/transactions/catalogue.js";
import { PUBLIC_STATUS } from "../../features/transactions/machine.js";
import type { TransactionRow } from "../../features/transactions/store.js";
import type { EndpointRow, EventRow } from "../../features/webhooks/store.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { formatMoney } from "../../kernel/money.js";

/** What a search finds, with a sentence for people. */

export const FOUND_KINDS = [
  "charge",
  "payment",
  "refund",
  "payout",
  "med_case",
  "evidence",
  "email",
  "event",
  "delivery",
  "endpoint",
  "api_key",
  "user",
  "account",
] as const;

export interface Found {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  readonly text: string;
  /** Emulated milliseconds, to sort by. */
  readonly at: number;
}

const joined = (...parts: readonly (string | null)[]) =>
  parts.filter((part) => part !== null && part !== "").join(", ");

export function foundTransaction(row: TransactionRow, why = ""): Found {
  const kind = hasMethod(row, "PIX") ? "charge" : "payment";
  // A name that is already shown as the reason is not repeated.
  const name =
    row.payer_name !== null ? `payer ${row.payer_name}` : row.customer_name && `customer ${row.customer_name}`;
  const person = why.startsWith("payer ") || why.startsWith("customer ") ? "" : name;
  return {
    kind,
    id: (kind === "charge" ? ID_PREFIX.charge : ID_PREFIX.transaction) + row.id,
    text: joined(`${kind} of ${formatMoney(row.amount, row.currency)}`, PUBLIC_STATUS[row.status], person, why),
    at: row.created_at,
  };
}

export function foundRefund(row: RefundRow, why = ""): Found {
  const text = joined(`refund of ${formatMoney(row.amount, row.currency)}`, row.status, why);
  return { kind: "refund", id: ID_PREFIX.refund + row.id, text, at: row.created_at };
}

export function foundPayout(row: PayoutRow, why = ""): Found {
  const text = joined(`payout of ${formatMoney(row.amount, row.currency)}`, row.status, why);
  return { kind: "payout", id: ID_PREFIX.payout + row.id, text, at: row.created_at };
}

export function foundCase(row: MedCaseRow, why = ""): Found {
  const charge = `about ${ID_PREFIX.charge}${row.transaction_id}`;
  const text = joined(`MED case over ${formatMoney(row.amount, row.currency)}`, row.status, charge, why);
  return { kind: "med_case", id: ID_PREFIX.medCase + row.id, text, at: row.created_at };
}

export function foundEvidence(row: EvidenceRow): Found {
  const text = `evidence ${row.file_name} of ${ID_PREFIX.medCase}${row.case_id}`;
  return { kind: "evidence", id: ID_PREFIX.evidence + row.id, text, at: row.created_at };
}

export function foundEmail(row: EmailRow): Found {
  const text = `e-mail to ${row.recipient}, ${row.subject}`;
  return { kind: "email", id: ID_PREFIX.email + row.id, text, at: row.created_at };
}

export function foundEvent(row: EventRow): Found {
  return { kind: "event", id: ID_PREFIX.event + row.id, text: `event ${row.type}`, at: row.created_at };
}

export function foundDelivery(row: FoundDelivery): Found {
  const text = `delivery of ${row.type}, ${row.status}`;
  return { kind: "delivery", id: ID_PREFIX.delivery + row.id, text, at: row.created_at };
}

export function foundEndpoint(row: EndpointRow): Found {
  const text = `webhook endpoint ${row.url}, ${row.status}`;
  return { kind: "endpoint", id: ID_PREFIX.endpoint + row.id, text, at: row.created_at };
}

/** The key itself is never shown; its first characters are what the list of keys shows, too. */
export function foundKey(row: ApiKeyRow): Found {
  const text = joined(`API key ${row.prefix}…`, row.label);
  return { kind: "api_key", id: row.id, text, at: row.created_at };
}
