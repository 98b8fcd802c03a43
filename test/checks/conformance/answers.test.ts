import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { ERROR_CATALOGUE, type ErrorCode } from "../../../src/base/kernel/errors.js";
import { MAX_SUM } from "../../../src/base/kernel/money.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { Operation } from "../../../src/service/features/operation.js";
import { createChargeOperation } from "../../../src/service/features/transactions/operations/charges.js";
import { bearer, postLogin, tokenOf, userOf } from "../../support/access.js";
import { addressOf, prepareCall } from "../../support/calls.js";
import { strictly } from "../../support/charges.js";
import { type Answer, freshKey, type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { overQuota, overVelocity } from "../../support/guards.js";
import { type LargeAccount, openLargeAccount } from "../../support/large-account.js";
import { openCase, postComplete, ticketFor, uploadInChunks } from "../../support/med.js";
import { payment, postPayment, REQUESTS } from "../../support/payments.js";
import { paidPayment, postRefund } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { putFile, restoreDamaged } from "../../support/snapshots.js";

/** Every operation is called once: its answer has the fields that its contract declares, and no others. */

let emulator: TestEmulator;
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
    preview: new Set(["charge-list"]),
    runtime: { ...runtime, random },
  });
});
afterAll(() => emulator.close());

const idempotent = () => ({ "idempotency-key": freshKey() });

const operations: readonly Operation[] = registry;

const OF_THE_CONNECTION = new Set(["connection", "content-length", "date", "keep-alive"]);

describe("a success has exactly what its contract declares", () => {
  it.each(operations.map(({ contract }) => contract))("$id", async ({ id, method, path, success }) => {
    const call = await prepareCall(id, emulator);
    const answer = await emulator.call(method, addressOf(path, call), call);
    expect(answer.status).toBe(success.status);
    const result = strictly(success.schema).safeParse(answer.body ?? undefined);
    expect(result.error?.message ?? "").toBe("");
    if (Array.isArray(answer.body?.data)) expect(answer.body.data.length).toBeGreaterThan(0);
    if (success.file !== undefined) return;
    const headers = [...answer.headers.keys()].filter((name) => !OF_THE_CONNECTION.has(name));
    expect(headers).toEqual([...(answer.body === null ? [] : ["content-type"]), "x-request-id"]);
    expect(answer.headers.get("content-type")).toBe(answer.body === null ? null : "application/json");
  });

  it("and an additional field fails this test", async () => {
    const { contract } = createChargeOperation;
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

/** One way to get each code, except the codes of a service that stops or cannot be reached. */
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
  unsupported_media_type: () =>
    emulator.call("POST", "/v1/charges", { raw: "{}", headers: { "content-encoding": "gzip" } }),
  headers_too_large: () => emulator.call("GET", "/v1/wallets", { headers: { "x-request-id": "x".repeat(20_000) } }),
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
  it("is in the table of this file", () => {
    expect(Object.keys(REFUSALS).concat("service_unavailable").sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
  });

  const produced = Object.entries(REFUSALS).map(([code, refuse]) => ({ code, refuse }));
  it.each(produced)("is produced: $code", async ({ code, refuse }) => {
    expectRefused(await refuse(), code);
  });
});

async function withLargeAccount(use: (account: LargeAccount) => Promise<Answer>): Promise<Answer> {
  const account = await openLargeAccount();
  try {
    return await use(account);
  } finally {
    await account.close();
  }
}

/** How to make operations give the refusals that they declare. A refusal of the amount 0 needs no entry. */
const DECLARED: Record<string, (code: ErrorCode) => Promise<Answer>> = {
  "charges.create": (code) => overVelocity(code, "/v1/charges"),
  "pix.charges.create": (code) => overVelocity(code, "/v1/pix/charges"),
  "payments.create": (code) => {
    if (code.startsWith("fraud.")) return overVelocity(code, "/v1/payments");
    return postPayment(emulator, { ...REQUESTS.BOLETO, amount: 999_999_999_999 });
  },
  async "payments.refund"(code) {
    const { id } = await paidPayment(emulator, code === "REFUND_NOT_SUPPORTED" ? REQUESTS.MULTIBANCO : {});
    if (code === "unprocessable_entity") await emulator.sandbox("/clock/advance", { seconds: 91 * 86_400 });
    return postRefund(emulator, id, { strategy: "devolution" });
  },
  "payments.receipt": async () => emulator.call("GET", `/v1/payments/${(await payment(emulator)).id}/receipt`),
  "med.evidence.complete": (code) => REFUSALS[code as "EVIDENCE_NOT_UPLOADED"](),
  "auth.login": () => postLogin(emulator, { ...userOf(emulator), password: "guessed" }),
  "sandbox.refunds.list": () =>
    emulator.call("GET", "/_sandbox/refunds?charge=ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa"),
  "sandbox.payouts.create": () =>
    emulator.call("POST", "/_sandbox/payouts", { body: { amount: 999_999_999_999, overdraw: false } }),
  "sandbox.emails": () => emulator.call("GET", "/_sandbox/emails?case_id=med_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa"),
  "sandbox.charges.pay": () =>
    withLargeAccount(async (account) => {
      await account.receive(MAX_SUM);
      const { id } = await account.emulator.charge();
      return account.emulator.call("POST", `/_sandbox/charges/${id}/pay`);
    }),
  "sandbox.med.open": (code) => {
    const open = (id: string, { call } = emulator) => call("POST", "/_sandbox/med-cases", { body: { charge_id: id } });
    if (code === "not_found") return open("ch_unknown");
    return withLargeAccount(async (account) => {
      const { id } = await account.emulator.charge();
      await account.emulator.sandbox(`/charges/${id}/pay`);
      await account.lack(MAX_SUM);
      return open(id, account.emulator);
    });
  },
  "sandbox.snapshots.restore": restoreDamaged,
  "sandbox.snapshots.import": () => putFile(emulator, "nonsense", "no database"),
  "sandbox.receivers.test": () =>
    emulator.call("POST", "/_sandbox/webhooks/test", { body: { endpoint: "we_unknown" } }),
  async "sandbox.console.link"() {
    const closed = await startEmulator({ console: false });
    try {
      return await closed.call("POST", "/_sandbox/console/links");
    } finally {
      await closed.close();
    }
  },
  "sandbox.charges.expire": async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/expire`);
    return emulator.call("POST", `/_sandbox/charges/${id}/expire`);
  },
};

/** The call that succeeds, but for its amount. */
async function withoutAmount({ id, method, path }: Operation["contract"]): Promise<Answer> {
  const call = await prepareCall(id, emulator);
  return emulator.call(method, addressOf(path, call), { ...call, body: { ...(call.body as Loose), amount: 0 } });
}

describe("a refusal that an operation declares", () => {
  const declared = operations.flatMap(({ contract }) =>
    contract.errors.map((code) => ({ contract, id: contract.id, code })),
  );

  it.each(declared)("is produced by it: $id, $code", async ({ contract, id, code }) => {
    const refuse = code === "invalid_amount" ? () => withoutAmount(contract) : DECLARED[id];
    if (refuse === undefined) return expect.fail(`say in DECLARED how ${id} comes to ${code}`);
    expectRefused(await refuse(code), code);
  });
});
