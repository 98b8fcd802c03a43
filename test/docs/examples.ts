import type { TestEmulator } from "../support/emulator.js";
import { startSteady } from "./session.js";

/**
 * The JSON of docs/service: what a running server answers, with seeded chance and a clock that stands still. A step that
 * is refused where it should not be ends the run, so a page never shows an answer that nobody gets.
 */

export type Examples = Readonly<Record<string, unknown>>;

const CUSTOMER = { name: "Maria Silva", document: "52998224725", email: "maria@example.com" };
const NOBODY = "http://127.0.0.1:9/webhooks";

type Kept = Record<string, unknown>;

/** Sends requests and keeps each answer under the name by which a page shows it. */
function recorder(emulator: TestEmulator, kept: Kept) {
  return async (name: string, status: number, method: string, path: string, options: object = {}) => {
    const answer = await emulator.call(method, path, options);
    if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    kept[name] = answer.body;
    return answer.body;
  };
}

type Recorder = ReturnType<typeof recorder>;

async function charges(record: Recorder): Promise<string> {
  const body = { amount: 1990, payment_method: "pix", description: "Order 42", customer: CUSTOMER, expires_in: 600 };
  const headers = { "idempotency-key": "order-42-charge" };
  const { id } = await record("charge", 201, "POST", "/v1/charges", { body, headers });
  await record("pay", 200, "POST", `/_sandbox/charges/${id}/pay`, { body: {} });
  await record("charge paid", 200, "GET", `/v1/charges/${id}`);
  const bad = { amount: 0, payment_method: "pix" };
  await record("invalid amount", 400, "POST", "/v1/charges", {
    body: bad,
    headers: { "idempotency-key": "order-43-charge" },
  });
  const two = { amount: 1990, payment_method: "card", description: 7 };
  await record("two faults", 400, "POST", "/v1/charges", {
    body: two,
    headers: { "idempotency-key": "order-44-charge" },
  });
  await record("failed", 201, "POST", "/v1/charges", {
    body: { amount: 1990, payment_method: "pix", metadata: { _sandbox: { fail: "AC06" } } },
    headers: { "idempotency-key": "order-45-charge" },
  });
  return id;
}

async function payments(record: Recorder): Promise<void> {
  const body = {
    amount: 5000,
    paymentMethods: ["PIX", "BOLETO"],
    customerName: "Maria Silva",
    idempotencyKey: "order-46",
  };
  const { id } = await record("payment created", 201, "POST", "/v1/payments", { body });
  await record("payment paid", 200, "POST", `/_sandbox/charges/${id}/pay`, { body: { method: "PIX" } });
  await record("payment", 200, "GET", `/v1/payments/${id}`);
  await record("stats", 200, "GET", "/v1/payments/stats?days=1");
  await record("metrics", 200, "GET", "/v1/payments/metrics?days=1");
  await record("provider status", 200, "GET", `/v1/payments/${id}/provider-status`);
  const refund = { idempotencyKey: "order-46-refund", amount: 500, reason: "arrived broken", strategy: "devolution" };
  const { id: refundId } = await record("refund", 201, "POST", `/v1/payments/${id}/refund`, { body: refund });
  await record("refunded", 200, "POST", `/_sandbox/refunds/${refundId}/advance`, { body: { to: "REFUNDED" } });
}

async function webhooks(record: Recorder, kept: Kept): Promise<void> {
  const events = ["charge.created", "payment.created", "med_case.created"];
  await record("endpoint", 201, "POST", "/v1/webhooks/endpoints", { body: { url: NOBODY, events } });
  await record("watched", 201, "POST", "/v1/charges", {
    body: { amount: 700, payment_method: "pix" },
    headers: { "idempotency-key": "order-47-charge" },
  });
  await record("clock", 200, "POST", "/_sandbox/clock/advance", { body: { seconds: 0 } });
  const { data } = await record("deliveries", 200, "GET", "/v1/webhooks/deliveries");
  const [legacy, canonical] = data;
  const { payload: _sent, ...delivery } = canonical;
  Object.assign(kept, { delivery, "canonical event": canonical.payload, "legacy event": legacy.payload });
}

async function cases(record: Recorder, chargeId: string): Promise<void> {
  const opening = { charge_id: chargeId, method: "scam", reason: "The goods never came." };
  const { id } = await record("med case", 201, "POST", "/_sandbox/med-cases", { body: opening });
  await record("charge disputed", 200, "GET", `/v1/charges/${chargeId}`);
  await record("balance", 200, "GET", "/v1/wallets/balance");
  await record("balance of one currency", 200, "GET", "/v1/wallets/balance?currency=BRL");
  await record("wallets", 200, "GET", "/v1/wallets");
  const file = { file_name: "tracking.pdf", file_size: 5, mime_type: "application/pdf" };
  await record("evidence ticket", 201, "POST", `/v1/med/cases/${id}/evidence`, { body: file });
  await record("appealed", 200, "POST", `/v1/med/cases/${id}/appeal`, {
    body: { reason: "Delivered on 3 July, signed for." },
  });
  await record("emails", 200, "GET", "/_sandbox/emails");
}

async function keys(emulator: TestEmulator, record: Recorder): Promise<void> {
  const [owner] = emulator.users;
  const body = { email: owner?.email, password: owner?.password };
  const { token } = await record("login", 200, "POST", "/v1/auth/login", { key: null, body });
  const headers = { authorization: `Bearer ${token}` };
  await record("key", 201, "POST", "/v1/api-keys", { key: null, headers, body: { label: "ci", test: true } });
  await record("keys", 200, "GET", "/v1/api-keys", { key: null, headers });
  await record("audit", 200, "GET", "/_sandbox/audit");
}

async function control(record: Recorder): Promise<void> {
  await record("sandbox", 200, "GET", "/_sandbox");
  await record("payout", 201, "POST", "/_sandbox/payouts", { body: { amount: 300, pix_key: "maria@example.com" } });
  const fault = { match: { path: "/v1/charges*" }, effect: { status: 503 }, times: 2 };
  await record("fault", 201, "POST", "/_sandbox/faults", { body: fault });
  await record("faulted", 503, "GET", "/v1/charges/none");
  await record("chaos", 200, "POST", "/_sandbox/webhooks/chaos", { body: { duplicate: 0.2 } });
}

/** Runs them all against one server. Addresses are those of a server on the usual port. */
export async function runExamples(): Promise<Examples> {
  const emulator = await startSteady();
  const kept: Kept = {};
  const record = recorder(emulator, kept);
  await keys(emulator, record);
  const chargeId = await charges(record);
  await payments(record);
  await webhooks(record, kept);
  await cases(record, chargeId);
  await control(record);
  await emulator.close();
  return JSON.parse(JSON.stringify(kept).replaceAll(new URL(emulator.url).host, "127.0.0.1:4600"));
}
