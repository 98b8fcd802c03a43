import { ID_PREFIX } from "../../kernel/ids.js";
import { type Message, type Params, textOf } from "../../kernel/message.js";
import type { AccountRow, ApiKeyRow } from "../access/store.js";
import type { UserRow } from "../access/user-store.js";
import type { EmailRow } from "../emails/store.js";
import type { EvidenceRow, MedCaseRow } from "../med/store.js";
import type { PayoutRow } from "../payouts/store.js";
import type { RefundRow } from "../refunds/store.js";
import { FOUND_TEXTS, type FoundCode } from "../service-texts.js";
import { hasMethod } from "../transactions/catalogue.js";
import { PUBLIC_STATUS } from "../transactions/machine.js";
import type { TransactionRow } from "../transactions/store.js";
import type { EndpointRow, EventRow } from "../webhooks/store.js";
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

export type Part = Message<FoundCode>;

export interface SearchResult {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  /** The last ones say what has matched. */
  readonly parts: readonly Part[];
  /** Who pays it, as the last part; null when a name is among the parts already. */
  readonly person?: Part | null;
  /** Emulated milliseconds, to sort by. */
  readonly at: number;
}

export const partText = (part: Part): string => textOf(FOUND_TEXTS, part);

export function partsOf({ parts, person = null }: Pick<SearchResult, "parts" | "person">): readonly Part[] {
  return person === null ? parts : [...parts, person];
}

export function foundText(one: Pick<SearchResult, "parts" | "person">): string {
  return partsOf(one).map(partText).join(", ");
}

interface Row {
  readonly id: string;
  readonly created_at: number;
}

/** An object of a kind. The first part names it; the others say more of it, a text of its own or a part. */
function resultOf(
  [kind, prefix]: readonly [kind: SearchResult["kind"], prefix: string],
  row: Row,
  params: Params,
  ...more: (string | Part | null | undefined)[]
): SearchResult {
  const parts = more.flatMap((one): Part[] => {
    if (typeof one !== "string") return one ? [one] : [];
    return one === "" ? [] : [{ code: "value", params: { value: one } }];
  });
  return { kind, id: prefix + row.id, parts: [{ code: kind, params }, ...parts], at: row.created_at };
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
const P = ID_PREFIX;

/** An object of each kind as it is told. `why` says what has matched. */
export const found = {
  transaction(row: TransactionRow, why?: Part): SearchResult {
    const [kind, prefix] = hasMethod(row, "PIX")
      ? (["charge", P.charge] as const)
      : (["payment", P.transaction] as const);
    const person = why !== undefined && PERSONS.has(why.code) ? null : personOf(row);
    return { ...resultOf([kind, prefix], row, sum(row), PUBLIC_STATUS[row.status], why), person };
  },
  refund: (row: RefundRow, why?: Part) => resultOf(["refund", P.refund], row, sum(row), row.status, why),
  payout: (row: PayoutRow, why?: Part) => resultOf(["payout", P.payout], row, sum(row), row.status, why),
  case(row: MedCaseRow, words?: readonly string[]): SearchResult {
    const charge: Part = { code: "about_charge", params: { charge: P.charge + row.transaction_id } };
    return resultOf(
      ["med_case", P.medCase],
      row,
      sum(row),
      row.status,
      charge,
      words && excerpt(row.reason ?? "", words),
    );
  },
  evidence: (row: EvidenceRow) =>
    resultOf(["evidence", P.evidence], row, { name: row.file_name, case: P.medCase + row.case_id }),
  email: (row: EmailRow) => resultOf(["email", P.email], row, { recipient: row.recipient }, row.subject),
  event: (row: EventRow) => resultOf(["event", P.event], row, { type: row.type }),
  delivery: (row: FoundDelivery) => resultOf(["delivery", P.delivery], row, { type: row.type }, row.status),
  endpoint: (row: EndpointRow) => resultOf(["endpoint", P.endpoint], row, { url: row.url }, row.status),
  /** The key itself is never shown; its first characters are what the list of keys shows, too. */
  key: (row: ApiKeyRow, why?: Part) => resultOf(["api_key", ""], row, { prefix: row.prefix }, row.label, why),
  account: (row: AccountRow) => resultOf(["account", ""], row, { name: row.name }),
  user: (row: UserRow) => resultOf(["user", ""], row, { name: row.name }, row.email, row.role),
};
