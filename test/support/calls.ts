import { z } from "zod";
import { registry } from "../../src/api/registry.js";
import type { Contract } from "../../src/base/kernel/contract.js";
import { INSTANT_PATTERN } from "../../src/base/kernel/time.js";
import { bearer, issue, tokenOf, userOf } from "./access.js";
import { DOCUMENTS } from "./charges.js";
import { type CallOptions, freshKey, type Loose, type TestEmulator } from "./emulator.js";
import { APPEAL, addEvidence, caseIn, openCase, ticketFor, upload } from "./med.js";
import { payment, REQUESTS, withDeclaredTexts } from "./payments.js";
import { paidPayment, refund } from "./refunds.js";
import { exportSnapshot } from "./snapshots.js";
import { settle, subscribe } from "./webhooks.js";

/** One successful call of every operation, with as many fields in its answer as possible. */

/** The values of the path's parameters, by their names, and the rest of the request. */
export type Call = CallOptions & {
  readonly id?: string;
  readonly evidence_id?: string;
  readonly name?: string;
  readonly number?: string;
  readonly query?: string;
};

type Name = "id" | "evidence_id" | "name" | "number";

/** Path and query of a call, from the path of its contract. */
export function addressOf(path: string, call: Call): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: Name) => call[name] ?? "") + (call.query ?? "");
}

const idempotent = () => ({ "idempotency-key": freshKey() });

/** Every optional part of a charge. */
const DETAILS = withDeclaredTexts("charge", {
  currency: "BRL",
  description: "Pedido nº 42 — “açaí” 🍇",
  expires_in: 600,
  customer: { name: "João da Conceição", document: DOCUMENTS.cpf, email: "j@example.com", phone: "+5511999990000" },
  expected_payer_tax_id: DOCUMENTS.cpf,
  metadata: { order: 42 },
});

/** A charge with as many fields as possible. */
function rich(emulator: TestEmulator): Promise<Loose> {
  return emulator.charge(DETAILS);
}

/** Every optional part of a payment that names its customer. */
const CUSTOMER = withDeclaredTexts("payment", {
  customerId: "user-7",
  customerName: "João da Conceição",
  customerDocument: DOCUMENTS.cpf,
  customerEmail: "j@example.com",
});

async function openHeldCase(emulator: TestEmulator): Promise<string> {
  const { id } = await rich(emulator);
  await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
  return id;
}

/** A paid payment with as many fields as possible. */
function openRewardedCase(emulator: TestEmulator): Promise<Loose> {
  return paidPayment(emulator, {
    paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"],
    ...CUSTOMER,
    metadata: { order: 42, description: "Pedido nº 42" },
  });
}

function payout(emulator: TestEmulator): Promise<Loose> {
  return emulator.sandbox("/payouts", { amount: 100, pix_key: "maria@example.com" });
}

/** A fault rule that applies to no request. */
function fault(emulator: TestEmulator): Promise<Loose> {
  return emulator.sandbox("/faults", { match: { method: "DELETE", path: "/v1/none" }, effect: { drop: "after" } });
}

/** The address of the endpoints. No server listens on port 9; the deliveries are only listed and sent again. */
const NOBODY = "http://127.0.0.1:9/";

/** The endpoint that was registered first, or a new one. */
async function endpoint(emulator: TestEmulator): Promise<Loose> {
  const { data } = (await emulator.call("GET", "/v1/webhooks/endpoints")).body;
  return data.at(-1) ?? subscribe(emulator, NOBODY, ["charge.created", "charge.paid", "payment.completed"]);
}

/** The latest delivery; there is at least one. */
async function delivery(emulator: TestEmulator): Promise<Loose> {
  await endpoint(emulator);
  await rich(emulator);
  await settle(emulator);
  return (await emulator.call("GET", "/v1/webhooks/deliveries?limit=1")).body.data[0];
}

/** A collector that was sent five webhooks. */
async function collector(emulator: TestEmulator): Promise<Loose> {
  const made = await emulator.sandbox("/collectors", { events: ["charge.created"] });
  for (let count = 0; count < 5; count += 1) await emulator.charge();
  await settle(emulator);
  return made;
}

/** The object that a path is about, by the path segment in front of its id. */
const OBJECTS: Readonly<Record<string, (emulator: TestEmulator) => Promise<Loose>>> = {
  "/v1/charges": async (emulator) => {
    const charge = await rich(emulator);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    return charge;
  },
  "/v1/payments": openRewardedCase,
  "/v1/webhooks/endpoints": endpoint,
  "/v1/med/cases": openCase,
  "/v1/api-keys": async (emulator) => issue(emulator, await tokenOf(emulator)),
  ...{ "/_sandbox/charges": rich, "/_sandbox/timeline": rich, "/_sandbox/incidents": rich, "/_sandbox/why": rich },
  "/_sandbox/refunds": async (emulator) => refund(emulator, (await openRewardedCase(emulator)).id),
  "/_sandbox/med-cases": openCase,
  "/_sandbox/payouts": payout,
  "/_sandbox/faults": fault,
  "/_sandbox/collectors": collector,
  "/_sandbox/webhooks/deliveries": delivery,
  "/_sandbox/webhooks/endpoints": endpoint,
  "/_sandbox/accounts": (emulator) => emulator.sandbox("/account"),
  "/_sandbox/events": async (emulator) => {
    await rich(emulator);
    return (await emulator.sandbox("/events?limit=1")).data[0];
  },
  "/_sandbox/emails": async (emulator) => {
    await openCase(emulator);
    return (await emulator.sandbox("/emails?limit=1")).data[0];
  },
};

type Prepare = (emulator: TestEmulator) => Call | Promise<Call>;

/**
 * Calls of operations whose contract alone is not enough: they need a state of their object, a filter, or every optional
 * part. Every call makes the objects that it needs, so that it can be repeated.
 */
const CALLS: Partial<Record<(typeof registry)[number]["contract"]["id"], Prepare>> = {
  "charges.create": () => ({ body: { amount: 100, payment_method: "pix", ...DETAILS }, headers: idempotent() }),
  "pix.charges.create": () => ({
    body: { amount: 100, metadata: { _sandbox: { fail: "AC06" } } },
    headers: idempotent(),
  }),
  "charges.list": async (emulator) => {
    await rich(emulator);
    return { query: "?limit=2&status=pending" };
  },
  "payments.create": () => ({
    body: { ...REQUESTS.MBWAY, ...CUSTOMER, amount: 100, webhookUrl: NOBODY, idempotencyKey: freshKey() },
  }),
  "payments.list": async (emulator) => {
    await openRewardedCase(emulator);
    return { query: "?limit=2&sortBy=amount&sortOrder=asc" };
  },
  "sandbox.search": async (emulator) => {
    await openRewardedCase(emulator);
    return { query: "?q=Conceicao" };
  },
  "payments.stats": () => ({ query: "?days=2" }),
  "payments.metrics": () => ({ query: "?days=2&currency=BRL" }),
  "payments.refund": async (emulator) => ({
    id: (await openRewardedCase(emulator)).id,
    body: {
      idempotencyKey: freshKey(),
      amount: 5,
      reason: "arrived broken",
      strategy: "cashout",
      passFeeToTenant: true,
      destinationKey: "maria@example.com",
    },
  }),
  "payments.refunds": async (emulator) => {
    const { id } = await openRewardedCase(emulator);
    await refund(emulator, id, { amount: 5 });
    return { id };
  },
  "payments.cancel": async (emulator) => ({ id: (await payment(emulator)).id }),
  "webhooks.endpoints.create": () => ({ body: { url: NOBODY, events: ["charge.paid"] } }),
  "webhooks.endpoints.list": async (emulator) => {
    await endpoint(emulator);
    return {};
  },
  "webhooks.endpoints.update": async (emulator) => ({
    id: (await endpoint(emulator)).id,
    body: { url: NOBODY, events: ["charge.created", "charge.paid"], status: "ACTIVE" },
  }),
  "webhooks.endpoints.delete": async (emulator) => {
    const body = { url: NOBODY, events: ["charge.paid"] };
    return { id: (await emulator.call("POST", "/v1/webhooks/endpoints", { body })).body.id };
  },
  "webhooks.deliveries": async (emulator) => {
    await delivery(emulator);
    return { query: "?status=PENDING&eventType=charge.created&limit=2&offset=0" };
  },
  "med.list": async (emulator) => {
    await caseIn(emulator, "appealed");
    return { query: "?limit=2&status=appealed&type=med" };
  },
  "med.get": async (emulator) => ({ id: (await caseIn(emulator, "closed")).id }),
  "med.appeal": async (emulator) => ({
    id: (await openCase(emulator, { reason: "scam" })).id,
    body: { reason: APPEAL },
  }),
  "med.evidence.list": async (emulator) => {
    const { id } = await openCase(emulator);
    await addEvidence(emulator, id);
    return { id };
  },
  "med.evidence.create": async (emulator) => ({
    id: (await openCase(emulator)).id,
    body: { file_name: "nota.pdf", file_size: 5, mime_type: "application/pdf" },
  }),
  "med.evidence.complete": async (emulator) => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    await upload(ticket);
    return { id, evidence_id: ticket.id };
  },
  "api-keys.issue": async (emulator) => ({ ...bearer(await tokenOf(emulator)), body: { label: "ci", test: true } }),
  "api-keys.list": async (emulator) => bearer(await tokenOf(emulator, "MEMBER")),
  "api-keys.rotate": async (emulator) => {
    const token = await tokenOf(emulator, "ADMIN");
    return { ...bearer(token), id: (await issue(emulator, token)).id, body: { label: "next" } };
  },
  "auth.login": (emulator) => ({ key: null, body: userOf(emulator) }),
  "sandbox.charges.pay": async (emulator) => ({
    id: (await rich(emulator)).id,
    body: { amount: 1990, payer_name: "João", payer_document: DOCUMENTS.cpf, method: "PIX" },
  }),
  "sandbox.charges.fail": async (emulator) => ({
    id: (await rich(emulator)).id,
    body: { reason: "account closed", provider_error_code: "AC06" },
  }),
  "sandbox.charges.review": async (emulator) => ({ id: await openHeldCase(emulator), body: { decision: "approve" } }),
  "sandbox.refunds.advance": async (emulator) => {
    const { id } = await openRewardedCase(emulator);
    return { id: (await refund(emulator, id)).id, body: { to: "FAILED" } };
  },
  "sandbox.med.open": async (emulator) => ({
    body: {
      charge_id: (await openRewardedCase(emulator)).id,
      type: "chargeback",
      amount: 5,
      reason: "nothing arrived",
      method: "scam",
      response_deadline: "2100-01-01T00:00:00.000Z",
    },
  }),
  "sandbox.med.decide": async (emulator) => ({ id: (await openCase(emulator)).id, body: { outcome: "upheld" } }),
  "sandbox.payouts.create": () => ({
    body: { amount: 100, currency: "BRL", pix_key: DOCUMENTS.cpf, pix_key_type: "CPF", overdraw: true },
  }),
  "sandbox.payouts.fail": async (emulator) => ({ id: (await payout(emulator)).id, body: { reason: "account closed" } }),
  "sandbox.faults.list": async (emulator) => {
    await fault(emulator);
    return {};
  },
  "sandbox.faults.add": () => ({
    body: { match: { method: "PATCH", path: "/v1/none" }, effect: { status: 503, retry_after: 1 }, times: 1 },
  }),
  // The receiver is this server, which answers 404 to every delivery.
  "sandbox.receivers.test": (emulator) => ({
    body: {
      url: `${emulator.url}/nowhere`,
      old_secret: "old",
      only: ["no-signature", "old-secret"],
      timeout_seconds: 30,
    },
  }),
  "sandbox.console.link": () => ({ body: { id: "ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa" } }),
  "sandbox.clock.advance": () => ({ body: { seconds: 0 } }),
  "sandbox.chaos": () => ({
    body: {
      duplicate: 0,
      reorder: 0,
      delay_ms: 0,
      corrupt_signature: 0,
      stale_timestamp: 0,
      unknown_fields: 0,
      unknown_values: 0,
    },
  }),
  "sandbox.events": async (emulator) => {
    await rich(emulator);
    return { query: "?limit=5&type=charge.created" };
  },
  "sandbox.stream": async (emulator) => {
    const headers = { accept: "application/json" };
    // Messages are kept from the first reader on.
    await emulator.call("GET", "/_sandbox/stream", { headers });
    await rich(emulator);
    return { headers };
  },
  "sandbox.requests.errors": async (emulator) => {
    await emulator.call("GET", "/v1/charges/unknown");
    return {};
  },
  "sandbox.requests.get": async (emulator) => {
    await emulator.call("GET", "/v1/wallets");
    return { number: String((await emulator.sandbox("/requests?limit=1")).data[0].number) };
  },
  "sandbox.requests": async (emulator) => {
    await rich(emulator);
    return { query: "?limit=5&method=POST&path=/v1/charges&status=201" };
  },
  "sandbox.emails": async (emulator) => {
    await openCase(emulator);
    return { query: "?limit=5&mime=true" };
  },
  "sandbox.audit": async (emulator) => {
    await issue(emulator, await tokenOf(emulator));
    return { query: "?limit=5&action=api_key.issued" };
  },
  "sandbox.accounts.create": () => ({ body: { name: "Second Shop" } }),
  "sandbox.snapshots.list": async (emulator) => {
    await emulator.call("POST", "/_sandbox/snapshots", { body: { name: "listed" } });
    return { query: "?limit=5" };
  },
  "sandbox.snapshots.save": () => ({ body: { name: "saved" } }),
  "sandbox.snapshots.restore": async (emulator) => {
    await emulator.call("POST", "/_sandbox/snapshots", { body: { name: "restored" } });
    return { name: "restored" };
  },
  "sandbox.snapshots.delete": async (emulator) => {
    await emulator.call("POST", "/_sandbox/snapshots", { body: { name: "deleted" } });
    return { name: "deleted" };
  },
  "sandbox.snapshots.export": async (emulator) => {
    await emulator.call("POST", "/_sandbox/snapshots", { body: { name: "exported" } });
    return { name: "exported" };
  },
  "sandbox.snapshots.import": async (emulator) => {
    await emulator.call("POST", "/_sandbox/snapshots", { body: { name: "exported" } });
    const raw = await exportSnapshot(emulator, "exported");
    return { name: "imported", raw, headers: { "content-type": "application/octet-stream" } };
  },
};

interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly type?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A valid value for a schema: its first example, when it has one. */
function sample(schema: Schema): unknown {
  const [given] = schema.examples ?? (schema.const === undefined ? (schema.enum ?? []) : [schema.const]);
  if (given !== undefined) return given;
  if (schema.type === "object") return samples(schema);
  if (schema.type === "array") return [sample(schema.items ?? {})];
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return Math.max(schema.minimum ?? 1, 1);
  return schema.pattern === INSTANT_PATTERN ? "2100-01-01T00:00:00.000Z" : "text".padEnd(schema.minLength ?? 0, "s");
}

/** The members that are required or have an example. */
function samples({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const given = Object.entries(properties).filter(([name, { examples }]) => required.includes(name) || examples);
  return Object.fromEntries(given.map(([name, schema]) => [name, sample(schema)]));
}

/** A call that is made from the contract alone: an object for its path, a login if needed, a body. */
async function deriveExample(contract: Contract, emulator: TestEmulator): Promise<Call> {
  const { auth, path, body, idempotency } = contract;
  const [folder = "", rest] = path.split("/{");
  const make = OBJECTS[folder];
  if (rest !== undefined && make === undefined) throw new Error(`say in calls.ts what ${contract.id} is called with`);
  const headers = {
    ...(auth === "jwt" ? bearer(await tokenOf(emulator)).headers : {}),
    ...(idempotency !== undefined && idempotency.field === undefined ? idempotent() : {}),
  };
  const schema = body === undefined ? undefined : z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return {
    headers,
    ...(auth === "key" ? {} : { key: null }),
    ...(make === undefined ? {} : { id: (await make(emulator)).id }),
    ...(schema === undefined ? {} : { body: samples(schema as Schema) }),
  };
}

/** A call of the operation that succeeds. */
export async function prepareCall(id: string, emulator: TestEmulator): Promise<Call> {
  const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);
  const contract = contracts.find((one) => one.id === id);
  if (contract === undefined) throw new Error(`no operation ${id}`);
  const prepare = CALLS[id as keyof typeof CALLS];
  return prepare === undefined ? deriveExample(contract, emulator) : prepare(emulator);
}
