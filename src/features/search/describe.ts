import { ID_PREFIX } from "../../kernel/ids.js";
import { type Message, type Params, textOf } from "../../kernel/message.js";
import type { AccountRow, ApiKeyRow } from "../access/store.js";
import type { UserRow } from "../access/user-store.js";
import type { EmailRow } from "../emails/store.js";
import type { EvidenceRow, MedCaseRow } from "../med/store.js";
import type { PayoutRow } from "../payouts/store.js";
import type { RefundRow } from "../refunds/store.js";
import { hasMethod } from "../transactions/catalogue.js";
import { PUBLIC_STATUS } from "../transactions/machine.js";
import type { TransactionRow } from "../transactions/store.js";
import type { EndpointRow, EventRow } from "../webhooks/store.js";
import { FOUND_TEXTS, type FoundCode } from "./found-texts.js";
import type { FoundDelivery } from "./store.js";
import { excerpt } from "./texts.js";

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

/** A part of the text about an object. */
export type Part = Message<FoundCode>;

export interface Found {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  /** The last ones say what has matched. */
  readonly parts: readonly Part[];
  /** Who pays it, as the last part; null when a name is among the parts already. */
  readonly person?: Part | null;
  /** Emulated milliseconds, to sort by. */
  readonly at: number;
}

const partsWith = (...parts: readonly (Part | null)[]) => parts.filter((part) => part !== null);

export const partText = (part: Part): string => textOf(FOUND_TEXTS, part);

export function partsOf({ parts, person = null }: Pick<Found, "parts" | "person">): readonly Part[] {
  return partsWith(...parts, person);
}

export function foundText(one: Pick<Found, "parts" | "person">): string {
  return partsOf(one).map(partText).join(", ");
}

/** A text that stands for itself; null when it is missing. */
function given(value: string | null): Part | null {
  return value === null || value === "" ? null : { code: "value", params: { value } };
}

interface Row {
  readonly id: string;
  readonly created_at: number;
}

/** An object of a kind. The first part names it; the others say more of it. */
function found(kind: Found["kind"], prefix: string, row: Row, params: Params, ...more: (Part | null)[]): Found {
  return { kind, id: prefix + row.id, parts: partsWith({ code: kind, params }, ...more), at: row.created_at };
}

/** The parts that name a person: beside them the payer is not named once more. */
const PERSONS: ReadonlySet<FoundCode> = new Set([
  "payer",
  "customer",
  "customer_id",
  "customer_document",
  "payer_document",
  "expected_payer",
]);

function personOf({ payer_name: payer, customer_name: customer }: TransactionRow): Part | null {
  if (payer) return { code: "payer", params: { text: excerpt(payer) } };
  return customer ? { code: "customer", params: { text: excerpt(customer) } } : null;
}

const sum = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => ({ amount, currency });

export function foundTransaction(row: TransactionRow, why: Part | null = null): Found {
  const [kind, prefix] = hasMethod(row, "PIX")
    ? (["charge", ID_PREFIX.charge] as const)
    : (["payment", ID_PREFIX.transaction] as const);
  const person = why !== null && PERSONS.has(why.code) ? null : personOf(row);
  return { ...found(kind, prefix, row, sum(row), given(PUBLIC_STATUS[row.status]), why), person };
}

export function foundRefund(row: RefundRow, why: Part | null = null): Found {
  return found("refund", ID_PREFIX.refund, row, sum(row), given(row.status), why);
}

export function foundPayout(row: PayoutRow, why: Part | null = null): Found {
  return found("payout", ID_PREFIX.payout, row, sum(row), given(row.status), why);
}

export function foundCase(row: MedCaseRow, words: readonly string[] | null = null): Found {
  const charge: Part = { code: "about_charge", params: { charge: ID_PREFIX.charge + row.transaction_id } };
  const reason = words === null ? null : given(excerpt(row.reason ?? "", words));
  return found("med_case", ID_PREFIX.medCase, row, sum(row), given(row.status), charge, reason);
}

export function foundEvidence(row: EvidenceRow): Found {
  return found("evidence", ID_PREFIX.evidence, row, { name: row.file_name, case: ID_PREFIX.medCase + row.case_id });
}

export function foundEmail(row: EmailRow): Found {
  return found("email", ID_PREFIX.email, row, { recipient: row.recipient }, given(row.subject));
}

export function foundEvent(row: EventRow): Found {
  return found("event", ID_PREFIX.event, row, { type: row.type });
}

export function foundDelivery(row: FoundDelivery): Found {
  return found("delivery", ID_PREFIX.delivery, row, { type: row.type }, given(row.status));
}

export function foundEndpoint(row: EndpointRow): Found {
  return found("endpoint", ID_PREFIX.endpoint, row, { url: row.url }, given(row.status));
}

/** The key itself is never shown; its first characters are what the list of keys shows, too. */
export function foundKey(row: ApiKeyRow, fingerprint: string | null = null): Found {
  const why: Part | null = fingerprint === null ? null : { code: "fingerprint", params: { fingerprint } };
  return found("api_key", "", row, { prefix: row.prefix }, given(row.label), why);
}

export function foundAccount(row: AccountRow): Found {
  return found("account", "", row, { name: row.name });
}

export function foundUser(row: UserRow): Found {
  return found("user", "", row, { name: row.name }, given(row.email), given(row.role));
}
