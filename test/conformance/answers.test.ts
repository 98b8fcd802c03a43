import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/features/operation.js";
import { ERROR_CATALOGUE, type ErrorCode } from "../../src/kernel/errors.js";
import { registry } from "../../src/registry.js";
import { createRuntime } from "../../src/runtime.js";
import { bearer, issue, postLogin, tokenOf, userOf } from "../support/access.js";
import { DOCUMENTS, strictly } from "../support/charges.js";
import {
  type Answer,
  type CallOptions,
  freshKey,
  type Loose,
  startEmulator,
  type TestEmulator,
} from "../support/emulator.js";
import { overQuota, overVelocity } from "../support/guards.js";
import {
  APPEAL,
  addEvidence,
  caseIn,
  openCase,
  postComplete,
  ticketFor,
  upload,
  uploadInChunks,
} from "../support/med.js";
import { payment, postPayment, REQUESTS } from "../support/payments.js";
import { paidPayment, postRefund, refund } from "../support/refunds.js";
import { expectRefused } from "../support/refusals.js";

/** Every operation, called once for real: its answer has what the contract declares, and not a field more. */

let emulator: TestEmulator;
let endpoint: Loose;
let delivery: Loose;
let broken = false;

beforeAll(async () => {
  const runtime = createRuntime({ warn: () => undefined, error: () => undefined });
  const random = {
    ...runtime.random,
    alphanumeric(length: number) {
      if (broken) throw new Error("broken on purpose");
      return runtime.random.alphanumeric(length);
    },
  };
  emulator = await startEmulator({
    frozen: true,
    settings: { previews: new Set(["charge-list"]) },
    runtime: { ...runtime, random },
  });
  const events = ["charge.created", "charge.paid", "payment.completed"];
  // Port 9 answers nobody: the delivery is there to be listed and sent again.
  const answer = await emulator.call("POST", "/v1/webhooks/endpoints", {
    body: { url: "http://127.0.0.1:9/", events },
  });
  endpoint = answer.body;
  await rich();
  await emulator.sandbox("/clock/advance", { seconds: 0 });
  delivery = (await emulator.call("GET", "/v1/webhooks/deliveries")).body.data[0];
});
afterAll(() => emulator.close());

/** A charge with every optional part that a charge can have. */
function rich(): Promise<Loose> {
  return emulator.charge({
    description: "Order 42",
    customer: { name: "Maria", document: DOCUMENTS.cpf, email: "m@example.com", phone: "+5511999990000" },
    expected_payer_tax_id: DOCUMENTS.cpf,
    metadata: { order: 42 },
  });
}

type Call = CallOptions & { readonly id?: string; readonly evidence?: string; readonly query?: string };
const idempotent = () => ({ "idempotency-key": freshKey() });
const held = async () => {
  const { id } = await rich();
  await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
  return id;
};

/** A payment with as much in its fields as there can be, paid. */
const rewarded = () =>
  paidPayment(emulator, {
    paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"],
    customerId: "user-7",
    customerName: "Maria",
    customerDocument: DOCUMENTS.cpf,
    customerEmail: "m@example.com",
    metadata: { order: 42, description: "Order 42" },
  });
const payout = () => emulator.sandbox("/payouts", { amount: 100, pix_key: "maria@example.com" });

/** How each operation is called so that it succeeds with as much in its answer as there can be. */
const CALLS: Record<(typeof registry)[number]["contract"]["id"], () => Call | Promise<Call>> = {
  "charges.create": () => ({ body: { amount: 100, payment_method: "pix" }, headers: idempotent() }),
  "pix.charges.create": () => ({
    body: { amount: 100, metadata: { _sandbox: { fail: "AC06" } } },
    headers: idempotent(),
  }),
  "charges.get": async () => {
    const { id } = await rich();
    await emulator.sandbox(`/charges/${id}/pay`);
    return { id };
  },
  "charges.list": () => ({ query: "?limit=2" }),
  "wallets.balance": () => ({}),
  "wallets.list": () => ({}),
  "payments.create": () => ({
    body: { ...REQUESTS.MBWAY, amount: 100, customerName: "Maria", idempotencyKey: freshKey() },
  }),
  "payments.list": () => ({ query: "?limit=2" }),
  "payments.stats": () => ({ query: "?days=2" }),
  "payments.metrics": () => ({ query: "?days=2" }),
  "payments.get": async () => ({ id: (await rewarded()).id }),
  "payments.refund": async () => ({
    id: (await rewarded()).id,
    body: { idempotencyKey: freshKey(), reason: "broken", strategy: "devolution" },
  }),
  "payments.refunds": async () => {
    const { id } = await rewarded();
    await refund(emulator, id, { amount: 5 });
    return { id };
  },
  "payments.cancel": async () => ({ id: (await payment(emulator)).id }),
  "payments.resend-webhook": async () => ({ id: (await rewarded()).id }),
  "payments.provider-status": async () => ({ id: (await rewarded()).id }),
  "payments.receipt": async () => ({ id: (await rewarded()).id }),
  "webhooks.endpoints.create": () => ({ body: { url: "http://127.0.0.1:9/", events: ["charge.paid"] } }),
  "webhooks.endpoints.list": () => ({}),
  "webhooks.endpoints.update": () => ({ id: endpoint.id, body: { events: ["charge.created"] } }),
  "webhooks.endpoints.delete": async () => {
    const body = { url: "http://127.0.0.1:9/", events: ["charge.paid"] };
    return { id: (await emulator.call("POST", "/v1/webhooks/endpoints", { body })).body.id };
  },
  "webhooks.endpoints.rotate-secret": () => ({ id: endpoint.id }),
  "webhooks.events": () => ({ key: null }),
  "webhooks.deliveries": () => ({}),
  "webhooks.stats": () => ({}),
  "med.list": async () => {
    await caseIn(emulator, "appealed");
    return { query: "?limit=2" };
  },
  "med.get": async () => ({ id: (await caseIn(emulator, "closed")).id }),
  "med.appeal": async () => ({ id: (await openCase(emulator, { reason: "scam" })).id, body: { reason: APPEAL } }),
  "med.accept": async () => ({ id: (await openCase(emulator)).id }),
  "med.evidence.list": async () => {
    const { id } = await openCase(emulator);
    await addEvidence(emulator, id);
    return { id };
  },
  "med.evidence.create": async () => ({
    id: (await openCase(emulator)).id,
    body: { file_name: "nota.pdf", file_size: 5, mime_type: "application/pdf" },
  }),
  "med.evidence.complete": async () => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    await upload(ticket);
    return { id, evidence: ticket.id };
  },
  "api-keys.issue": async () => ({ ...bearer(await tokenOf(emulator)), body: { label: "ci", test: true } }),
  "api-keys.list": async () => bearer(await tokenOf(emulator, "MEMBER")),
  "api-keys.rotate": async () => {
    const token = await tokenOf(emulator, "ADMIN");
    return { ...bearer(token), id: (await issue(emulator, token)).id, body: { label: "next" } };
  },
  "api-keys.revoke": async () => {
    const token = await tokenOf(emulator);
    return { ...bearer(token), id: (await issue(emulator, token)).id };
  },
  "auth.login": () => ({ key: null, body: userOf(emulator) }),
  "auth.logout": async () => bearer(await tokenOf(emulator)),
  "sandbox.show": () => ({}),
  "sandbox.charges.pay": async () => ({ id: (await rich()).id }),
  "sandbox.charges.fail": async () => ({ id: (await rich()).id, body: { provider_error_code: "AC06" } }),
  "sandbox.charges.expire": async () => ({ id: (await rich()).id }),
  "sandbox.charges.review": async () => ({ id: await held(), body: { decision: "approve" } }),
  "sandbox.refunds.advance": async () => {
    const { id } = await rewarded();
    return { id: (await refund(emulator, id)).id, body: { to: "FAILED" } };
  },
  "sandbox.med.open": async () => ({
    body: { charge_id: (await rewarded()).id, type: "chargeback", amount: 5, reason: "scam", method: "scam" },
  }),
  "sandbox.med.decide": async () => ({ id: (await openCase(emulator)).id, body: { outcome: "upheld" } }),
  "sandbox.med.withdraw": async () => ({ id: (await openCase(emulator)).id }),
  "sandbox.med.request-evidence": async () => ({ id: (await openCase(emulator)).id }),
  "sandbox.payouts.create": () => ({ body: { amount: 100, pix_key: DOCUMENTS.cpf, pix_key_type: "CPF" } }),
  "sandbox.payouts.pay": async () => ({ id: (await payout()).id }),
  "sandbox.payouts.fail": async () => ({ id: (await payout()).id, body: { reason: "account closed" } }),
  "sandbox.clock.show": () => ({}),
  "sandbox.clock.advance": () => ({ body: { seconds: 0 } }),
  "sandbox.clock.freeze": () => ({}),
  "sandbox.clock.resume": () => ({}),
  "sandbox.deliveries.resend": () => ({ id: delivery.id }),
  "sandbox.events": () => ({ query: "?limit=5" }),
  "sandbox.requests": () => ({ query: "?limit=5" }),
  "sandbox.emails": async () => {
    await openCase(emulator);
    return { query: "?limit=5&mime=true" };
  },
  "sandbox.audit": async () => {
    await issue(emulator, await tokenOf(emulator));
    return { query: "?limit=5" };
  },
  "sandbox.account": () => ({}),
  "sandbox.accounts.create": () => ({ body: { name: "Second Shop" } }),
  "sandbox.reset": () => ({}),
};

const operations: readonly AnyOperation[] = registry;

describe("a success has exactly what its contract declares", () => {
  it.each(operations.map(({ contract }) => contract))("$id", async ({ id, method, path, success }) => {
    const { id: named = "", evidence = "", query = "", ...options } = await CALLS[id as keyof typeof CALLS]();
    const address = path.replace("{id}", named).replace("{evidence_id}", evidence);
    const answer = await emulator.call(method, address + query, options);
    expect(answer.status).toBe(success.status);
    const result = strictly(success.schema).safeParse(answer.body ?? undefined);
    expect(result.error?.message ?? "").toBe("");
    if (Array.isArray(answer.body?.data)) expect(answer.body.data.length).toBeGreaterThan(0);
  });

  it("or this test would tell", async () => {
    const { contract } = registry[0];
    const charge = await emulator.charge();
    expect(strictly(contract.success.schema).safeParse(charge).success).toBe(true);
    for (const leak of [
      { ...charge, fee: 1 },
      { ...charge, pix: { ...charge.pix, provider: "x" } },
    ]) {
      expect(strictly(contract.success.schema).safeParse(leak).success).toBe(false);
    }
  });
});

/** One way to each code. Those of a service that stops or cannot be reached are no answer of a running one. */
const REFUSALS: Record<Exclude<ErrorCode, "service_unavailable">, () => Promise<Answer>> = {
  invalid_request: () => emulator.call("POST", "/v1/charges", { raw: "nonsense" }),
  invalid_amount: () => emulator.call("POST", "/v1/charges", { body: { amount: 0, payment_method: "pix" } }),
  unauthorized: () => emulator.call("GET", "/v1/wallets", { key: null }),
  origin_not_allowed: () => emulator.call("GET", "/v1/wallets", { headers: { origin: "https://elsewhere.test" } }),
  API_KEY_ROLE_REQUIRED: async () =>
    emulator.call("POST", "/v1/api-keys", { ...bearer(await tokenOf(emulator, "MEMBER")), body: {} }),
  "fraud.customer_velocity_exceeded": () => overVelocity("fraud.customer_velocity_exceeded", "/v1/charges"),
  "fraud.account_velocity_exceeded": () => overVelocity("fraud.account_velocity_exceeded", "/v1/charges"),
  not_found: () => emulator.call("GET", "/v1/charges/ch_unknown"),
  idempotency_key_reused: async () => {
    const headers = idempotent();
    await emulator.charge({ amount: 1 }, { headers });
    return emulator.call("POST", "/v1/pix/charges", { body: { amount: 2 }, headers });
  },
  payload_too_large: () => emulator.call("POST", "/v1/charges", { raw: "x".repeat(1_048_577) }),
  unprocessable_entity: () => postPayment(emulator, { currency: "EUR" }),
  REFUND_NOT_SUPPORTED: async () => postRefund(emulator, (await paidPayment(emulator, REQUESTS.CRYPTO)).id),
  EVIDENCE_NOT_UPLOADED: async () => {
    const { id } = await openCase(emulator);
    return postComplete(emulator, id, (await ticketFor(emulator, id)).id);
  },
  EVIDENCE_SIZE_MISMATCH: async () => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    await uploadInChunks(ticket, Buffer.from("short"));
    return postComplete(emulator, id, ticket.id);
  },
  rate_limited: overQuota,
  async internal_error() {
    broken = true;
    const body = { amount: 1, payment_method: "pix" };
    const answer = await emulator.call("POST", "/v1/charges", { body, headers: idempotent() });
    broken = false;
    return answer;
  },
};

describe("every code of the catalogue", () => {
  it("is in the table of this test", () => {
    expect(Object.keys(REFUSALS).concat("service_unavailable").sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
  });

  const produced = Object.entries(REFUSALS).map(([code, refuse]) => ({ code, refuse }));
  it.each(produced)("is produced: $code", async ({ code, refuse }) => {
    expectRefused(await refuse(), code);
  });
});

/** How each operation is brought to the refusals that it declares itself. */
const DECLARED: Record<string, (code: ErrorCode) => Promise<Answer>> = {
  "charges.create": (code) =>
    code === "invalid_amount"
      ? emulator.call("POST", "/v1/charges", { body: { amount: -1, payment_method: "pix" } })
      : overVelocity(code, "/v1/charges"),
  "pix.charges.create": (code) =>
    code === "invalid_amount"
      ? emulator.call("POST", "/v1/pix/charges", { body: { amount: -1 } })
      : overVelocity(code, "/v1/pix/charges"),
  "payments.create": (code) => {
    if (code.startsWith("fraud.")) return overVelocity(code, "/v1/payments");
    return postPayment(
      emulator,
      code === "invalid_amount" ? { amount: 0 } : { ...REQUESTS.BOLETO, amount: 999_999_999_999 },
    );
  },
  async "payments.refund"(code) {
    const { id } = await paidPayment(emulator, code === "REFUND_NOT_SUPPORTED" ? REQUESTS.MULTIBANCO : {});
    if (code === "unprocessable_entity") await emulator.sandbox("/clock/advance", { seconds: 91 * 86_400 });
    return postRefund(emulator, id, code === "invalid_amount" ? { amount: 1_991 } : { strategy: "devolution" });
  },
  "payments.receipt": async () => emulator.call("GET", `/v1/payments/${(await payment(emulator)).id}/receipt`),
  "med.evidence.complete": (code) => REFUSALS[code as "EVIDENCE_NOT_UPLOADED"](),
  "auth.login": () => postLogin(emulator, { ...userOf(emulator), password: "guessed" }),
  "sandbox.payouts.create": () => emulator.call("POST", "/_sandbox/payouts", { body: { amount: 0 } }),
  "sandbox.emails": () => emulator.call("GET", "/_sandbox/emails?case_id=med_unknown"),
  async "sandbox.med.open"(code) {
    const { id } = await paidPayment(emulator);
    const body = code === "invalid_amount" ? { charge_id: id, amount: 0 } : { charge_id: "ch_unknown" };
    return emulator.call("POST", "/_sandbox/med-cases", { body });
  },
  "sandbox.charges.pay": async () => {
    const { id } = await emulator.charge();
    return emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body: { amount: 0 } });
  },
  "sandbox.charges.expire": async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/expire`);
    return emulator.call("POST", `/_sandbox/charges/${id}/expire`);
  },
};

describe("a refusal that an operation declares", () => {
  const declared = operations.flatMap(({ contract: { id, errors } }) => errors.map((code) => ({ id, code })));

  it.each(declared)("is produced by it: $id, $code", async ({ id, code }) => {
    const refuse = DECLARED[id];
    if (refuse === undefined) return expect.fail(`say in DECLARED how ${id} comes to ${code}`);
    expectRefused(await refuse(code), code);
  });
});
