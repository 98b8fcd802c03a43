import type { OperationAnswer } from "../../../client/types.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { isJsonObject } from "../../../kernel/json.js";
import { normalizeTaxId } from "../../../kernel/tax-id.js";
import { iso, saoPauloDay } from "../../../kernel/time.js";
import { readFields } from "../../../pix/br-code.js";
import { readFrom } from "../../target/ask-host.js";
import type { Target } from "../../target/door.js";
import { usage } from "../../terminal/failure.js";
import type { Row, Told } from "./file.js";
import { type Change, type Delivery, instant, webhookRows } from "./service-webhooks.js";

/** The story of a charge as `/v1` shows it, in the rows that an emulator would have. */

const MISSING = [
  "movements of money",
  "the payer's name and document",
  "changes that have no instant in an answer",
  "the attempts between the first and the last of a delivery, and what answered them",
  "signatures of webhooks",
  "requests of clients",
  "evidence",
  "e-mails",
];

type Charge = OperationAnswer<"charges.get">;
type Payment = OperationAnswer<"payments.get">;
type Refund = OperationAnswer<"payments.refunds">[number];
type MedCase = OperationAnswer<"med.get">;

const textOf = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

/** The UUID of the charge that an id names. A MED case names its charge; a refund alone does not. */
async function chargeOf(target: Target, id: string): Promise<string> {
  const raw = rawId(id, ID_PREFIX.charge, ID_PREFIX.transaction, "");
  if (raw !== null) return raw;
  if (!id.startsWith(ID_PREFIX.medCase)) {
    throw usage(`${target.baseUrl} is no emulator, so ${id} must be the id of a charge, a payment or a MED case.`);
  }
  const { charge_id } = await readFrom<MedCase>(target, `/v1/med/cases/${encodeURIComponent(id)}`);
  return rawId(charge_id, ID_PREFIX.charge) ?? "";
}

const PAGE = 100;

/** The deliveries about a charge, oldest first. Pages are newest first, and none before the charge is about it. */
async function deliveriesAbout(target: Target, raw: string, since: number): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const path = `/v1/webhooks/deliveries?limit=${PAGE}&offset=${offset}`;
    const { data } = await readFrom<OperationAnswer<"webhooks.deliveries">>(target, path);
    found.push(...data.filter(({ payload }) => JSON.stringify(payload ?? null).includes(raw)));
    if (data.length < PAGE || (instant(data.at(-1)?.createdAt) ?? 0) < since) break;
  }
  // A page moves when something is delivered meanwhile.
  return [...new Map(found.map((one) => [one.id, one])).values()].reverse();
}

/** So short that no text has it by chance. */
const NOT_SHOWN = "-";

function tokenIn(charge: Charge | null): string {
  const url: string = charge?.checkout_url ?? "";
  return (URL.canParse(url) && new URL(url).searchParams.get("k")) || NOT_SHOWN;
}

function transactionRow(raw: string, payment: Payment, charge: Charge | null, refunds: readonly Refund[]): Row {
  const created = instant(payment.createdAt) ?? 0;
  const expires = instant(charge?.pix?.expires_at ?? payment.pixExpiresAt) ?? created + 3_600_000;
  const { failure = null, med = null, ...metadata } = payment.metadata ?? {};
  const document: string | null = payment.customerDocument ?? null;
  const done = refunds.filter(({ status }) => status === "REFUNDED").reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...{ seq: 1, id: raw, book_id: 1, status: payment.status, amount: payment.amount, currency: payment.currency },
    payment_methods: `,${payment.paymentMethods.join()},`,
    ...{ customer_id: null, customer_name: payment.customerName ?? null, customer_document: document },
    customer_tax_id: document === null ? null : normalizeTaxId(document),
    ...{ customer_email: payment.customerEmail ?? null, customer_phone: charge?.customer?.phone ?? null },
    ...{ expected_payer_tax_id: charge?.expected_payer_tax_id ?? null, metadata: JSON.stringify(metadata) },
    ...{ webhook_url: null, script: null, expires_in: Math.ceil((expires - created) / 1_000), expires_at: expires },
    ...{
      txid: charge?.pix?.txid ?? raw.replaceAll("-", ""),
      checkout_token: tokenIn(charge),
      provider_reference: NOT_SHOWN,
    },
    ...{ failure: textOf(failure), held_at: null, paid_with: payment.paidWith, paid_at: instant(payment.paidAt) },
    ...{ end_to_end_id: charge?.settlement?.end_to_end_id ?? null, return_id: null },
    ...{
      payer_name: isJsonObject(med) && typeof med.payerName === "string" ? med.payerName : null,
      payer_document: null,
    },
    ...{ provider_fee: payment.providerFee, platform_fee: payment.platformFee, refunded_amount: done },
    ...{
      med: textOf(med),
      created_at: created,
      updated_at: instant(payment.paidAt) ?? created,
      day: saoPauloDay(created),
    },
  };
}

function refundRow(raw: string, one: Refund, place: number): Row {
  const at = instant(one.createdAt) ?? 0;
  return {
    ...{ seq: place + 1, id: rawId(one.id, ID_PREFIX.refund, "") ?? "", transaction_id: raw, amount: one.amount },
    ...{
      currency: one.currency,
      status: one.status,
      reason: one.reason,
      strategy: one.strategy,
      destination_key: null,
    },
    ...{ fee: 0, failure_reason: one.failureReason, end_to_end_id: one.endToEndId, created_at: at, updated_at: at },
  };
}

function caseRow(raw: string, one: MedCase, place: number): Row {
  return {
    ...{
      seq: place + 1,
      id: rawId(one.id, ID_PREFIX.medCase, "") ?? "",
      book_id: 1,
      transaction_id: raw,
      type: one.type,
    },
    ...{ status: one.status, amount: one.amount, currency: one.currency, reason: one.reason, method: "other", held: 0 },
    response_deadline: instant(one.response_deadline),
    evidence_requested_at: instant(one.evidence_requested_at),
    ...{ appeal_reason: one.appeal_reason, appealed_at: instant(one.appealed_at), money_outcome: one.money_outcome },
    ...{ withdrawn: 0, opened_at: instant(one.opened_at), closed_at: instant(one.closed_at) },
    ...{ created_at: instant(one.created_at), updated_at: instant(one.updated_at) },
  };
}

/** What is known to have happened, with the instant of it, oldest first. */
function changesOf(charge: Row, refunds: readonly Row[], cases: readonly Row[]): Change[] {
  const made = (noun: string, { id, status, created_at }: Row, to = status): Change => ({
    ...{ noun, subject: String(id), move: "create", to: String(to), at: Number(created_at) },
    text: `${noun.replace("med_case", "MED case")} ${id} was made`,
  });
  const paid: Change[] =
    charge.paid_at === null || charge.paid_at === undefined
      ? []
      : [
          {
            ...{ noun: "transaction", subject: String(charge.id), at: Number(charge.paid_at), text: "it was paid" },
            ...(charge.paid_with === "CREDIT_CARD"
              ? { move: "approve", to: "APPROVED" }
              : { move: "settle", to: "PAID" }),
          },
        ];
  const all = [
    made("transaction", charge, "WAITING_PAYMENT"),
    ...paid,
    ...refunds.map((one) => made("refund", one)),
    ...cases.map((one) => made("med_case", one)),
  ];
  return all.sort((one, other) => one.at - other.at);
}

function merchantIn(code: unknown): { readonly name: string; readonly city: string } {
  const fields = new Map(typeof code === "string" ? readFields(code).fields : []);
  return { name: fields.get("59") ?? NOT_SHOWN, city: fields.get("60") ?? NOT_SHOWN };
}

const NOBODYS_KEY = "00000000-0000-0000-0000-000000000000";

/** Reads the story of a charge by GET alone. Throws Failure for a refusal. */
export async function storyFromService(target: Target, id: string): Promise<Told> {
  const raw = await chargeOf(target, id);
  const payment = await readFrom<Payment>(target, `/v1/payments/${encodeURIComponent(raw)}`);
  const isPix = payment.paymentMethods.includes("PIX");
  const charge = isPix ? await readFrom<Charge>(target, `/v1/charges/${ID_PREFIX.charge}${raw}`) : null;
  const returned = await readFrom<Refund[]>(target, `/v1/payments/${encodeURIComponent(raw)}/refunds`);
  const casesPath = `/v1/med/cases?limit=100&charge_id=${ID_PREFIX.charge}${raw}`;
  const { data: disputed } = await readFrom<OperationAnswer<"med.list">>(target, casesPath);
  const { data: endpoints } = await readFrom<OperationAnswer<"webhooks.endpoints.list">>(
    target,
    "/v1/webhooks/endpoints",
  );
  const transaction = transactionRow(raw, payment, charge, returned);
  const refunds = [...returned].reverse().map((one, place) => refundRow(raw, one, place));
  const cases = [...disputed].reverse().map((one, place) => caseRow(raw, one, place));
  const created = Number(transaction.created_at);
  const deliveries = await deliveriesAbout(target, raw, created);
  const changes = changesOf(transaction, refunds, cases);
  const account = `${ID_PREFIX.account}${raw}`;
  const mode = target.apiKey?.startsWith("qa_live_") ? "live" : "test";
  const told = webhookRows(raw, endpoints, deliveries, changes, created);
  return {
    ...{ kind: "service", shows: "of the charge what /v1 answers", missing: MISSING },
    subject: (id.startsWith(ID_PREFIX.transaction) ? ID_PREFIX.transaction : ID_PREFIX.charge) + raw,
    summary: [...changes, ...told.changes]
      .sort((one, other) => one.at - other.at)
      .map(({ at, text }) => `${iso(at)} ${text}`),
    rows: {
      accounts: [
        {
          ...{ id: account, ...merchantIn(charge?.pix?.br_code), pix_key: NOBODYS_KEY },
          ...{ signing_secret: "0".repeat(64), created_at: created },
        },
      ],
      books: [{ id: 1, account_id: account, mode }],
      transactions: [transaction],
      ...{ refunds, med_cases: cases, ...told.rows },
    },
  };
}
