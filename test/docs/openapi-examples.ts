import { registry } from "../../src/api/registry.js";
import type { Contract } from "../../src/base/kernel/contract.js";
import { ERROR_CATALOGUE, type ErrorCode } from "../../src/base/kernel/errors.js";
import type { DocumentExamples, OperationExample } from "../../src/service/openapi/examples.js";
import { tokenOf } from "../support/access.js";
import { addressOf, type Call, prepareCall } from "../support/calls.js";
import { type Answer, type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { openStream } from "../support/stream.js";
import { seededRuntime, startSteady } from "./session.js";
import { runWebhookExamples } from "./webhook-examples.js";

/**
 * The examples of the OpenAPI document: each operation is called, each refusal is brought about, each webhook is sent. Every
 * call has a server of its own whose chance is seeded and whose clock stands still, so each run gives the same.
 */

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);

/** Where no user is shown, it does not matter whether the first users or a login take their ids first. */
const SHOWS_USERS = /^(?:api-keys|auth|sandbox\.(?:account|audit))/;

async function onSteadyEmulator<Value>(name: string, use: (emulator: TestEmulator) => Promise<Value>): Promise<Value> {
  const { real, ...runtime } = seededRuntime();
  const start = SHOWS_USERS.test(name) ? startSteady : startEmulator;
  const emulator = await start({
    frozen: true,
    runtime: { ...runtime, real: { ...real, monotonic: () => 0 } },
    preview: new Set(["charge-list"]),
  });
  await tokenOf(emulator);
  const value = await use(emulator);
  await emulator.close();
  return JSON.parse(steady(JSON.stringify(value), emulator));
}

/** Nobody listens there. */
const NOBODY = "http://127.0.0.1:9/";

const IN_REAIS = { amount: 1990, currency: "BRL" };
const MARIA = { name: "Maria Silva", document: "52998224725", email: "maria@example.com" };
const OF_MARIA = { customerName: MARIA.name, customerDocument: MARIA.document, customerEmail: MARIA.email };
const PAID_BY_MARIA = { payer_name: MARIA.name, payer_document: MARIA.document };

const CHARGE = {
  ...{ ...IN_REAIS, description: "Pedido 42", expires_in: 3_600 },
  ...{ customer: MARIA, metadata: { order: "42" } },
};

/**
 * The bodies of the usual case, in place of those of the tests, which have every field there is. Tools that read the document
 * send such a body as the first request of a person, so it succeeds and changes nothing that a person does not expect. The two
 * ways to create a charge share their idempotency keys, and so their body.
 */
const USUAL_BODIES: Readonly<Record<string, (body: Loose) => object>> = {
  "charges.create": () => ({ payment_method: "pix", ...CHARGE }),
  "pix.charges.create": () => CHARGE,
  "payments.create": () => ({
    ...{ ...IN_REAIS, paymentMethods: ["PIX"], ...OF_MARIA, metadata: { order: "42" } },
    ...{ webhookUrl: NOBODY, idempotencyKey: "order-42-1" },
  }),
  "payments.refund": () => ({ idempotencyKey: "order-42-1", amount: 500, reason: "Produto com defeito" }),
  "sandbox.charges.pay": () => PAID_BY_MARIA,
  "sandbox.refunds.advance": () => ({ to: "REFUNDED" }),
  "sandbox.med.open": ({ charge_id }) => ({ charge_id, method: "scam", reason: "O produto não chegou" }),
  "sandbox.clock.advance": () => ({ seconds: 3_600 }),
  "sandbox.payouts.create": () => ({ ...IN_REAIS, pix_key: MARIA.email, pix_key_type: "EMAIL", overdraw: true }),
  "sandbox.faults.add": () => ({
    ...{ match: { method: "POST", path: "/v1/charges" }, effect: { status: 503, retry_after: 1 }, times: 1 },
  }),
};

/** The receiver of a shop. */
const SHOP = "https://shop.example/webhooks";

/** Values that differ between machines and releases, as on one of them. */
const STEADY = {
  version: "0.1.0",
  node_version: "24.0.0",
  pid: 4242,
  rss_bytes: 90_000_000,
  heap_bytes: 30_000_000,
  driver: "better-sqlite3",
};

/**
 * Other texts in place of those that differ between runs. A signature is over a body that names the free port. A picture has
 * other bytes where Node has another version of zlib, and is long: its beginning is enough.
 */
function steady(json: string, { url }: TestEmulator): string {
  const keys = new Set(json.match(/test-key-\d{8}/g));
  const numbered = [...keys].reduce((text, key, index) => text.replaceAll(key, `order-42-${index + 1}`), json);
  return (
    numbered
      .replaceAll(new URL(url).host, "127.0.0.1:4600")
      // Webhooks of the recording go where nobody listens, and never to another machine.
      .replace(/http:\/\/127\.0\.0\.1:(?:9|4600\/nowhere)\b\/?(?:webhooks)?/g, SHOP)
      .replace(/\b127\.0\.0\.1:9\b/g, "203.0.113.9:443")
      .replace(/(?<=\bv1=)[0-9a-f]{64}/g, "5f".repeat(32))
      .replace(/"((?:data:image\/png;base64,|JVBERi)[\w+/]{26})[\w+/=]*"/g, '"$1"')
      .replace(/"(\w+)":("[^"]*"|\d+)/g, (whole, name: string) =>
        name in STEADY ? `"${name}":${JSON.stringify(STEADY[name as keyof typeof STEADY])}` : whole,
      )
  );
}

/** The first message of the live stream that the operation also answers. */
async function firstMessage(emulator: TestEmulator, path: string): Promise<string> {
  const stream = await openStream(emulator, path);
  await emulator.charge();
  const message = await stream.next();
  stream.close();
  if (message === null) throw new Error(`${path}: no message`);
  const id = message.id === "" ? "" : `id: ${message.id}\n`;
  return `event: ${message.event}\n${id}data: ${JSON.stringify(message.data)}\n\n`;
}

function expectStatus(answer: Answer, status: number, name: string): Answer {
  if (answer.status === status) return answer;
  throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function operationExample(contract: Contract, emulator: TestEmulator): Promise<OperationExample> {
  const { id: operation, method, path, success } = contract;
  const prepared: Call = await prepareCall(operation, emulator);
  const usual = USUAL_BODIES[operation];
  const call: Call = usual === undefined ? prepared : { ...prepared, body: usual(Object(prepared.body)) };
  const answer = await emulator.call(method, addressOf(path, call), call);
  const { body } = expectStatus(answer, success.status, operation);
  const { id, evidence_id, name, number } = call;
  const sent = { ...Object.fromEntries(new URLSearchParams(call.query)), id, evidence_id, name, number };
  return {
    // JSON leaves out what this path does not have.
    parameters: JSON.parse(JSON.stringify(sent)),
    ...(contract.body === undefined ? {} : { body: call.body ?? {} }),
    ...(success.file !== undefined || body === null ? {} : { answer: body }),
    ...(contract.stream === undefined ? {} : { message: await firstMessage(emulator, path) }),
  };
}

/** Requests whose refusal has more than its code. All other codes are brought about by a fault rule. */
const TELLING: Partial<Record<ErrorCode, (emulator: TestEmulator) => Promise<Answer>>> = {
  invalid_request: (emulator) =>
    emulator.call("POST", "/v1/charges", { body: { amount: 1990, payment_method: "card", description: 7 } }),
  invalid_amount: (emulator) => emulator.call("POST", "/v1/charges", { body: { amount: 0, payment_method: "pix" } }),
  unprocessable_entity: (emulator) =>
    emulator.call("POST", "/v1/payments", {
      body: { amount: 1990, currency: "EUR", paymentMethods: ["PIX"], idempotencyKey: "order-42" },
    }),
};

async function refusal(code: ErrorCode, emulator: TestEmulator): Promise<unknown> {
  const { status, message } = ERROR_CATALOGUE[code];
  const tell = TELLING[code];
  if (tell !== undefined) return expectStatus(await tell(emulator), status, code).body;
  await emulator.sandbox("/faults", { match: {}, effect: { status, code }, times: 1 });
  const { body } = expectStatus(await emulator.call("GET", "/v1/wallets"), status, code);
  // The message of the service itself, which does not name the rule.
  return { ...body, error: { ...body.error, message } };
}

export async function recordExamples(): Promise<DocumentExamples> {
  const operations: Record<string, OperationExample> = {};
  for (const contract of contracts)
    operations[contract.id] = await onSteadyEmulator(contract.id, (emulator) => operationExample(contract, emulator));
  const errors: Record<string, unknown> = {};
  for (const code of Object.keys(ERROR_CATALOGUE) as ErrorCode[])
    errors[code] = await onSteadyEmulator(code, (emulator) => refusal(code, emulator));
  const webhooks = Object.entries(await runWebhookExamples());
  const events = Object.fromEntries(webhooks.map(([name, payload]) => [name.replace("event ", ""), payload]));
  return { errors, events, operations };
}

/** One example a line: a change of one shows as one changed line. */
export function examplesText(examples: DocumentExamples): string {
  const parts = Object.entries(examples).map(([name, members]) => {
    const lines = Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    return `"${name}": {\n${lines.join(",\n")}\n}`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}
