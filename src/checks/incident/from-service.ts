import { deliveriesSince, pagesOf } from "../../api/client/delivery-search.js";
import { ID_PREFIX, rawId } from "../../base/kernel/ids.js";
import { type AnyObject, isJsonObject } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import { iso } from "../../base/kernel/time.js";
import { readFields } from "../../base/pix/br-code.js";
import type { MedCaseRow } from "../../service/features/med/store.js";
import type { RefundRow } from "../../service/features/refunds/store.js";
import { hasMethod } from "../../service/features/transactions/catalogue.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { CapturedCharge } from "./file.js";
import { IncidentError } from "./incident-error.js";
import { type Change, webhookRows } from "./service-webhooks.js";
import {
  caseIn,
  deliveryIn,
  endpointIn,
  NOT_SHOWN,
  refundIn,
  type ShownDelivery,
  transactionIn,
  withCharge,
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

/** A host of the service, which is read by GET alone. */
export interface IncidentHost {
  readonly address: string;
  readonly mode: "test" | "live";
  /** Returns the answer to a GET of this path. Throws for a refusal. */
  read(path: string): Promise<unknown>;
  /** True if a refusal means that the host does not have this route, or not in this form. */
  isLacking(error: unknown): boolean;
}

/** A host, and the facts that it did not show. */
interface HostReader extends IncidentHost {
  readonly missing: string[];
}

/** Reads facts that a host may lack. Returns null where it lacks them, and notes that. */
async function readOptional({ read, isLacking, missing }: HostReader, what: string, path: string): Promise<unknown> {
  try {
    return await read(path);
  } catch (error) {
    if (!isLacking(error)) throw error;
    missing.push(`${what}, which the host does not show`);
    return null;
  }
}

/** Returns the objects of a list that become rows, and notes those that cannot. */
function collectRows<Shape>(
  answer: unknown,
  what: string,
  missing: string[],
  shape: (one: AnyObject) => Shape | null,
): Shape[] {
  const data = isJsonObject(answer) ? answer.data : answer;
  const all: readonly unknown[] = Array.isArray(data) ? data : [];
  const shaped = all.map((one) => (isJsonObject(one) ? shape(one) : null));
  const left = shaped.filter((one) => one === null).length;
  if (left > 0) missing.push(`${left} of ${all.length} ${what}, in another form than is known here`);
  return shaped.filter((one) => one !== null);
}

function unexpectedAnswer({ address }: HostReader, what: string): IncidentError {
  const hint = "`qa-pay conform` says what differs there.";
  return new IncidentError("unexpected_answer", `${address} answered with ${what}.`, hint);
}

/** The UUID of the charge that an id names. A MED case names its charge; a refund alone does not. */
async function chargeOf(reader: HostReader, id: string): Promise<string> {
  const raw = rawId(id, ID_PREFIX.charge, ID_PREFIX.transaction, "");
  if (raw !== null) return raw;
  if (!id.startsWith(ID_PREFIX.medCase)) {
    const kinds = "a charge, a payment or a MED case";
    throw new IncidentError("usage", `${reader.address} is no emulator, so ${id} must be the id of ${kinds}.`);
  }
  const charge = pick(await reader.read(`/v1/med/cases/${encodeURIComponent(id)}`), "charge_id");
  const of = rawId(String(charge), ID_PREFIX.charge, ID_PREFIX.transaction, "");
  if (of === null) throw unexpectedAnswer(reader, "a MED case that names no charge");
  return of;
}

/** Numbers a list that comes newest first by the order in which its items were created. */
function numberOldestFirst<Made>(newestFirst: readonly Made[]): (Made & { readonly seq: number })[] {
  return [...newestFirst].reverse().map((one, place) => ({ seq: place + 1, ...one }));
}

/** The known events with their instants, oldest first. */
function changesOf(charge: TransactionRow, refunds: readonly RefundRow[], cases: readonly MedCaseRow[]): Change[] {
  const { id: subject, paid_at: at, paid_with: method } = charge;
  const creation = (noun: Change["noun"], one: Pick<RefundRow, "id" | "created_at">, to: string): Change => ({
    noun,
    subject: one.id,
    move: "create",
    to,
    at: one.created_at,
    text: `${noun.replace("med_case", "MED case")} ${one.id} was created`,
  });
  const way = method === "CREDIT_CARD" ? { move: "approve", to: "APPROVED" } : { move: "settle", to: "PAID" };
  const all: Change[] = [
    creation("transaction", charge, "WAITING_PAYMENT"),
    ...(at === null ? [] : [{ noun: "transaction" as const, subject, at, text: "it was paid", ...way }]),
    ...refunds.map((one) => creation("refund", one, one.status)),
    ...cases.map((one) => creation("med_case", one, one.status)),
  ];
  return all.sort((one, other) => one.at - other.at);
}

function merchantIn(code: unknown): { readonly name: string; readonly city: string } {
  const fields = new Map(typeof code === "string" ? readFields(code).fields : []);
  return { name: fields.get("59") ?? NOT_SHOWN, city: fields.get("60") ?? NOT_SHOWN };
}

const NOBODYS_KEY = "00000000-0000-0000-0000-000000000000";

/** The most pages of deliveries that are searched. */
const MOST_PAGES = 300;

/** The deliveries of the charge, oldest first. */
async function deliveriesOf(
  { read, isLacking, missing }: HostReader,
  raw: string,
  since: number,
): Promise<ShownDelivery[]> {
  const isWanted = ({ payload }: AnyObject) => JSON.stringify(payload ?? null).includes(raw);
  try {
    const { found, unseen } = await deliveriesSince(pagesOf<AnyObject>(read), since, {
      isWanted,
      mostPages: MOST_PAGES,
    });
    if (unseen !== null) missing.push(`deliveries after ${iso(unseen)}`);
    return collectRows(found, "deliveries", missing, (one) => deliveryIn(raw, one));
  } catch (error) {
    if (!isLacking(error)) throw error;
    missing.push("webhooks, which the host does not show");
    return [];
  }
}

/** Reads the story of a charge. Throws IncidentError, and the errors of `read` for a refusal. */
export async function storyFromService(host: IncidentHost, id: string): Promise<CapturedCharge> {
  const reader: HostReader = { ...host, missing: [...MISSING] };
  const { missing, mode } = reader;
  const raw = await chargeOf(reader, id);
  const answer = await reader.read(`/v1/payments/${encodeURIComponent(raw)}`);
  const payment = isJsonObject(answer) ? transactionIn(raw, answer) : null;
  if (payment === null)
    throw unexpectedAnswer(reader, "a payment without a status, an amount or an instant that are known here");
  const { created_at: created, amount } = payment;
  const isPix = hasMethod(payment, "PIX");
  const charge = isPix ? await readOptional(reader, "the Pix code", `/v1/charges/${ID_PREFIX.charge}${raw}`) : null;
  const list = async <Shape>(what: string, path: string, shape: (one: AnyObject) => Shape | null) =>
    collectRows(await readOptional(reader, what, path), what, missing, shape);
  const refunds = numberOldestFirst(
    await list("refunds", `/v1/payments/${encodeURIComponent(raw)}/refunds`, (one) => refundIn(raw, one)),
  );
  const ofCharge = `/v1/med/cases?limit=100&charge_id=${ID_PREFIX.charge}${raw}`;
  const cases = numberOldestFirst(await list("MED cases", ofCharge, (one) => caseIn(raw, one)));
  const endpoints = await list("endpoints", "/v1/webhooks/endpoints", (one) => endpointIn(created, one));
  const done = refunds.filter(({ status }) => status === "REFUNDED").reduce((sum, one) => sum + one.amount, 0);
  const transaction = {
    ...(isJsonObject(charge) ? withCharge(payment, charge) : payment),
    refunded_amount: Math.min(done, amount),
  };
  const shown = await deliveriesOf(reader, raw, created);
  const changes = changesOf(transaction, refunds, cases);
  const account = `${ID_PREFIX.account}${raw}`;
  const webhooks = webhookRows(raw, { endpoints, shown, changes, created });
  return {
    kind: "service",
    shows: "of the charge what /v1 answers",
    missing,
    subject: (id.startsWith(ID_PREFIX.transaction) ? ID_PREFIX.transaction : ID_PREFIX.charge) + raw,
    summary: [...changes, ...webhooks.changes]
      .sort((one, other) => one.at - other.at)
      .map(({ at, text }) => `${iso(at)} ${text}`),
    rows: {
      accounts: [
        {
          id: account,
          ...merchantIn(pick(charge, "pix.br_code")),
          pix_key: NOBODYS_KEY,
          signing_secret: "0".repeat(64),
          created_at: created,
        },
      ],
      books: [{ id: 1, account_id: account, mode }],
      transactions: [transaction],
      refunds,
      med_cases: cases,
      ...webhooks.rows,
    },
  };
}
