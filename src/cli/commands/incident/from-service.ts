import { deliveriesSince, pagesOf } from "../../../client/delivery-search.js";
import { HOUR } from "../../../kernel/duration.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { type AnyObject, isJsonObject } from "../../../kernel/json.js";
import { pick } from "../../../kernel/pick.js";
import { normalizeTaxId } from "../../../kernel/tax-id.js";
import { iso, saoPauloDay } from "../../../kernel/time.js";
import { readFields } from "../../../pix/br-code.js";
import { readFrom } from "../../target/ask-host.js";
import type { PatientRead } from "../../target/patient.js";
import type { Target } from "../../target/request-policy.js";
import { EXIT, Failure, usage } from "../../terminal/failure.js";
import type { CapturedCharge, Row } from "./file.js";
import { type Change, webhookRows } from "./service-webhooks.js";
import {
  caseIn,
  chargeIn,
  type Delivery,
  deliveryIn,
  endpointIn,
  type MedCase,
  type Payment,
  paymentIn,
  type Refund,
  refundIn,
} from "./shapes.js";

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

const textOf = (value: unknown) => (value === null ? null : JSON.stringify(value));

type Reader = ReturnType<typeof readerOf>;

/** Reads a host by GET alone, and notes what it does not show. */
function readerOf(target: Target, patient: PatientRead) {
  const missing = [...MISSING];
  const read = (path: string): Promise<unknown> => patient((onAnswer) => readFrom(target, path, onAnswer));
  return {
    missing,
    read,
    /** The same for what a host may lack. Null when it does. */
    async readOptional(what: string, path: string): Promise<unknown> {
      try {
        return await read(path);
      } catch (error) {
        if (!isLacking(error)) throw error;
        missing.push(`${what}, which the host does not show`);
        return null;
      }
    },
  };
}

const LACKING: readonly number[] = [EXIT.notFound, EXIT.denied, EXIT.refused];

/** Whether the host has no such route, or another one. */
const isLacking = (error: unknown) =>
  error instanceof Failure && (LACKING.includes(error.exitCode) || error.code === "unexpected_answer");

/** The objects of a list that rows can be made of. What is left out is noted. */
function listed<Shape>(
  answer: unknown,
  what: string,
  missing: string[],
  shape: (one: AnyObject) => Shape | null,
): Shape[] {
  const data = isJsonObject(answer) ? answer.data : answer;
  const all: readonly unknown[] = Array.isArray(data) ? data : [];
  const made = all.map((one) => (isJsonObject(one) ? shape(one) : null));
  const left = made.filter((one) => one === null).length;
  if (left > 0) missing.push(`${left} of ${all.length} ${what}, in another form than is known here`);
  return made.filter((one) => one !== null);
}

function unexpectedAnswer(target: Target, what: string): Failure {
  const message = `${target.baseUrl} answered with ${what}.`;
  return new Failure(EXIT.unreachable, "unexpected_answer", message, "`qa-pay conform` says what differs there.");
}

/** The UUID of the charge that an id names. A MED case names its charge; a refund alone does not. */
async function chargeOf(target: Target, { read }: Reader, id: string): Promise<string> {
  const raw = rawId(id, ID_PREFIX.charge, ID_PREFIX.transaction, "");
  if (raw !== null) return raw;
  if (!id.startsWith(ID_PREFIX.medCase)) {
    throw usage(`${target.baseUrl} is no emulator, so ${id} must be the id of a charge, a payment or a MED case.`);
  }
  const charge = pick(await read(`/v1/med/cases/${encodeURIComponent(id)}`), "charge_id");
  const of = rawId(String(charge), ID_PREFIX.charge, ID_PREFIX.transaction, "");
  if (of === null) throw unexpectedAnswer(target, "a MED case that names no charge");
  return of;
}

/** So short that no text has it by chance. */
const NOT_SHOWN = "-";

function tokenIn(url: string | null): string {
  const token = url !== null && URL.canParse(url) ? new URL(url).searchParams.get("k") : null;
  return token !== null && /^[A-Za-z0-9_-]{1,64}$/.test(token) ? token : NOT_SHOWN;
}

type Charge = ReturnType<typeof chargeIn>;

function transactionRow(raw: string, payment: Payment, charge: Charge | null, refunds: readonly Refund[]): Row {
  const { created, document, paid } = payment;
  const expires = charge?.expires ?? payment.expires ?? created + HOUR;
  const done = refunds.filter(({ status }) => status === "REFUNDED").reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...{ seq: 1, id: raw, book_id: 1, status: payment.status, amount: payment.amount, currency: payment.currency },
    payment_methods: `,${payment.methods.join()},`,
    ...{ customer_id: null, customer_name: payment.name, customer_document: document },
    customer_tax_id: document === null ? null : normalizeTaxId(document),
    ...{ customer_email: payment.email, customer_phone: charge?.phone ?? null },
    ...{ expected_payer_tax_id: charge?.expectedPayer ?? null, metadata: JSON.stringify(payment.metadata) },
    ...{ webhook_url: null, script: null, expires_at: expires },
    expires_in: Math.max(0, Math.ceil((expires - created) / 1_000)),
    ...{ txid: charge?.txid ?? raw.replaceAll("-", ""), checkout_token: tokenIn(charge?.checkout ?? null) },
    provider_reference: NOT_SHOWN,
    ...{ failure: textOf(payment.failure), held_at: null, paid_with: payment.paidWith, paid_at: paid },
    ...{ end_to_end_id: charge?.endToEndId ?? null, return_id: null, payer_document: null },
    payer_name: typeof payment.med?.payerName === "string" ? payment.med.payerName : null,
    ...{ provider_fee: payment.providerFee, platform_fee: payment.platformFee },
    ...{ refunded_amount: Math.min(done, payment.amount), med: textOf(payment.med) },
    ...{ created_at: created, updated_at: paid ?? created, day: saoPauloDay(created) },
  };
}

function refundRow(raw: string, one: Refund, place: number): Row {
  const { id, amount, currency, status, reason, strategy, created: at } = one;
  return {
    ...{ seq: place + 1, id, transaction_id: raw, amount, currency, status, reason, strategy, destination_key: null },
    ...{ fee: 0, failure_reason: one.failureReason, end_to_end_id: one.endToEndId, created_at: at, updated_at: at },
  };
}

function caseRow(raw: string, one: MedCase, place: number): Row {
  const { id, type, status, amount, currency, reason } = one;
  return {
    ...{ seq: place + 1, id, book_id: 1, transaction_id: raw, type, status, amount, currency, reason },
    ...{ method: "other", held: 0, response_deadline: one.deadline, evidence_requested_at: one.asked },
    ...{ appeal_reason: one.appealReason, appealed_at: one.appealed, money_outcome: one.moneyOutcome },
    ...{ withdrawn: 0, opened_at: one.opened, closed_at: one.closed },
    ...{ created_at: one.created, updated_at: one.updated },
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

function merchantIn(code: string | null): { readonly name: string; readonly city: string } {
  const fields = new Map(code === null ? [] : readFields(code).fields);
  return { name: fields.get("59") ?? NOT_SHOWN, city: fields.get("60") ?? NOT_SHOWN };
}

const NOBODYS_KEY = "00000000-0000-0000-0000-000000000000";

/** How many pages of deliveries are looked through. */
const MOST_PAGES = 300;

/** The deliveries of the charge, oldest first. */
async function deliveriesOf({ read, missing }: Reader, raw: string, since: number): Promise<Delivery[]> {
  const isWanted = ({ payload }: AnyObject) => JSON.stringify(payload ?? null).includes(raw);
  try {
    const { found, unseen } = await deliveriesSince(pagesOf<AnyObject>(read), since, {
      isWanted,
      mostPages: MOST_PAGES,
    });
    if (unseen !== null) missing.push(unseen);
    return listed(found, "deliveries", missing, deliveryIn);
  } catch (error) {
    if (!isLacking(error)) throw error;
    missing.push("webhooks, which the host does not show");
    return [];
  }
}

/** Reads the story of a charge by GET alone. Throws Failure for a refusal. */
export async function storyFromService(target: Target, id: string, patient: PatientRead): Promise<CapturedCharge> {
  const reader = readerOf(target, patient);
  const { missing, read, readOptional } = reader;
  const raw = await chargeOf(target, reader, id);
  const answer = await read(`/v1/payments/${encodeURIComponent(raw)}`);
  const payment = isJsonObject(answer) ? paymentIn(answer) : null;
  if (payment === null)
    throw unexpectedAnswer(target, "a payment without a status, an amount or an instant that are known here");
  const isPix = payment.methods.includes("PIX");
  const pixCode = isPix ? await readOptional("the Pix code", `/v1/charges/${ID_PREFIX.charge}${raw}`) : null;
  const charge = isJsonObject(pixCode) ? chargeIn(pixCode) : null;
  const list = async <Shape>(what: string, path: string, shape: (one: AnyObject) => Shape | null) =>
    listed(await readOptional(what, path), what, missing, shape);
  const returned = await list("refunds", `/v1/payments/${encodeURIComponent(raw)}/refunds`, refundIn);
  const disputed = await list("MED cases", `/v1/med/cases?limit=100&charge_id=${ID_PREFIX.charge}${raw}`, caseIn);
  const endpoints = await list("endpoints", "/v1/webhooks/endpoints", endpointIn);
  const transaction = transactionRow(raw, payment, charge, returned);
  const refunds = returned.reverse().map((one, place) => refundRow(raw, one, place));
  const cases = disputed.reverse().map((one, place) => caseRow(raw, one, place));
  const { created } = payment;
  const deliveries = await deliveriesOf(reader, raw, created);
  const changes = changesOf(transaction, refunds, cases);
  const account = `${ID_PREFIX.account}${raw}`;
  const mode = target.apiKey?.startsWith("qa_live_") ? "live" : "test";
  const webhooks = webhookRows(raw, { endpoints, deliveries, changes, created });
  return {
    ...{ kind: "service", shows: "of the charge what /v1 answers", missing },
    subject: (id.startsWith(ID_PREFIX.transaction) ? ID_PREFIX.transaction : ID_PREFIX.charge) + raw,
    summary: [...changes, ...webhooks.changes]
      .sort((one, other) => one.at - other.at)
      .map(({ at, text }) => `${iso(at)} ${text}`),
    rows: {
      accounts: [
        {
          ...{ id: account, ...merchantIn(charge?.code ?? null), pix_key: NOBODYS_KEY },
          ...{ signing_secret: "0".repeat(64), created_at: created },
        },
      ],
      books: [{ id: 1, account_id: account, mode }],
      transactions: [transaction],
      ...{ refunds, med_cases: cases, ...webhooks.rows },
    },
  };
}
