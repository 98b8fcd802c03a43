import { beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import type { Operation } from "../../../src/service/features/operation.js";
import { tokenOf } from "../../support/access.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import { type CallOptions, freshKey, type Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { payment } from "../../support/payments.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { shared, sharedEmulator } from "../../support/shared.js";
import { firstOf, openFile } from "../../support/sqlite.js";
import { settle } from "../../support/webhooks.js";

/** Bodies that the contract does not allow are refused by every operation that writes, also when it needs no body. */

const folder = shared(newFolder);
const emulator = sharedEmulator(() => ({ db: folder.db, frozen: true }));
beforeAll(async () => {
  // The users of a start are stored before the first login is answered.
  await tokenOf(emulator);
});

/** Operations that take JSON. A file has tests of its own. */
const operations = (registry as readonly Operation[]).filter(({ contract }) => contract.upload === undefined);
const writes: readonly Contract[] = operations.map(({ contract }) => contract).filter(({ method }) => method !== "GET");
/** An operation that needs a body, and one that needs none. */
const BOTH = writes.filter(({ id }) => ["charges.create", "payments.cancel"].includes(id));

/** Waits until all due deliveries have been attempted, so that only a request can change the state afterwards. */
async function settledState(): Promise<Loose> {
  await settle(emulator);
  return state();
}

/** Says whether something was written to the database since the last call. */
const watcher = shared(() => openFile(folder.db, true));

/** Everything that a request can change: the database, and the state in memory. */
async function state(): Promise<Loose> {
  const written = firstOf(watcher, "PRAGMA data_version");
  const [clock, faults, snapshots] = await Promise.all(
    ["/clock", "/faults", "/snapshots"].map((path) => emulator.sandbox(path)),
  );
  const chaos = await emulator.sandbox("/webhooks/chaos", {});
  return { written, clock, faults, snapshots, chaos };
}

/** One body of each kind: no JSON, and JSON that is no object. All operations read their bodies in one place. */
const MALFORMED = ["{bad", "[1]", "null"];
/** More of both kinds. The last ones are JSON for lenient readers alone. */
const ALSO_MALFORMED = [
  ...['"x"', "42", "true", "{}{}", '{"a":1', "\ufeff\ufeff{}", "a=1&b=2"],
  ...['{"a":1,}', "{'a':1}", '{"a":1/* b */}', '{"a":NaN}'],
];

const CODINGS = ["gzip", "br", "identity, deflate"];

describe("a body that is not a JSON object, or is encoded", () => {
  const routes = writes
    .flatMap(({ id, method, path, aliases = [], success }) =>
      [path, ...aliases].map((route) => ({ id, method, route, status: success.status })),
    )
    .map((route, index) => ({ ...route, coding: CODINGS[index % CODINGS.length] ?? "" }));

  it.each(routes)("is refused and nothing changes: $method $route", async ({ id, method, route, status, coding }) => {
    const call: Call = await prepareCall(id, emulator);
    const { body: _good, ...rest } = call;
    const before = await settledState();
    for (const raw of MALFORMED) {
      const answer = await emulator.call(method, addressOf(route, call), { ...rest, raw });
      expect([raw, answer.status]).toEqual([raw, 400]);
      expectRefused(answer, "invalid_request");
    }
    const encoded = { ...call, headers: { ...call.headers, "content-encoding": coding } };
    const answer = await emulator.call(method, addressOf(route, call), encoded);
    const { message } = expectRefused(answer, "unsupported_media_type", "Content-Encoding");
    expect([answer.status, message]).toEqual([415, expect.stringContaining(coding)]);
    expect(await state()).toEqual(before);
    // The same call with a good body shows that only the body was wrong.
    const good = { ...call, headers: { ...call.headers, "content-encoding": "Identity" } };
    expect((await emulator.call(method, addressOf(route, call), good)).status).toBe(status);
    await emulator.sandbox("/clock/freeze");
  });

  it.each(BOTH)("is refused whatever it is: $id", async ({ id, method, path }) => {
    const call = await prepareCall(id, emulator);
    for (const raw of ALSO_MALFORMED) {
      const answer = await emulator.call(method, addressOf(path, call), { headers: call.headers ?? {}, raw });
      expect([raw, answer.body.error?.code]).toEqual([raw, "invalid_request"]);
    }
  });

  it("is refused before the object of the path is looked for", async () => {
    for (const path of ["/v1/payments/tx_unknown/cancel", "/v1/med/cases/med_unknown/accept"]) {
      expectRefused(await emulator.call("POST", path, { raw: "{bad" }), "invalid_request");
    }
  });
});

describe("an operation that needs no body", () => {
  const needless = writes.filter(
    // An advance of the clock must say by how many seconds, or to which instant; a test must name its receiver.
    ({ id, body }) =>
      !["sandbox.clock.advance", "sandbox.receivers.test"].includes(id) &&
      (body === undefined || body.safeParse({}).success),
  );

  it("is one that only changes the state of an object, ends it, or has optional fields only", () => {
    const ids = needless.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["payments.cancel", "payments.resend-webhook", "med.accept"]));
    expect(ids).toEqual(expect.arrayContaining(["med.evidence.complete", "api-keys.revoke", "auth.logout"]));
    expect(ids).toEqual(expect.arrayContaining(["sandbox.charges.expire", "sandbox.faults.clear", "sandbox.reset"]));
  });

  async function expectTaken({ id, method, path, success }: Contract, bodies: readonly CallOptions[]): Promise<void> {
    for (const given of bodies) {
      const call: Call = await prepareCall(id, emulator);
      const { body: _good, ...rest } = call;
      const headers = { ...rest.headers, ...given.headers };
      const answer = await emulator.call(method, addressOf(path, call), { ...rest, ...given, headers });
      expect([given, answer.status]).toEqual([given, success.status]);
    }
    await emulator.sandbox("/clock/freeze");
  }

  it.each(needless)("takes no body, and fields that nobody reads: $id", async (contract) => {
    await expectTaken(contract, [{}, { raw: '{"a_field_that_nobody_reads":[1]}' }]);
  });

  it.each(needless.slice(0, 1))("takes an empty body, white space and {}: $id", async (contract) => {
    await expectTaken(contract, [
      { raw: "", headers: { "content-type": "text/plain" } },
      { raw: " \n" },
      { raw: "{}", headers: { "content-type": "" } },
    ]);
  });
});

describe("a byte order mark", () => {
  it("at the beginning of a body is skipped, and the request is the same as without it", async () => {
    const text = JSON.stringify({ amount: 100, payment_method: "pix" });
    const headers = { "idempotency-key": freshKey() };
    const first = await emulator.call("POST", "/v1/charges", { raw: `\ufeff${text}`, headers });
    expect([first.status, first.body.amount]).toEqual([201, 100]);
    const again = await emulator.call("POST", "/v1/charges", { raw: text, headers });
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
  });

  it("alone is an empty body", async () => {
    const { id } = await emulator.charge();
    expect((await emulator.call("POST", `/_sandbox/charges/${id}/pay`, { raw: "\ufeff" })).status).toBe(200);
    expect((await emulator.call("POST", "/v1/charges", { raw: "\ufeff" })).status).toBe(400);
  });
});

describe("the Content-Type of a body", () => {
  const post = (type: string, path = "/v1/charges", body: object = { amount: 100, payment_method: "pix" }) => {
    const headers = { "content-type": type, "idempotency-key": freshKey() };
    return emulator.call("POST", path, { raw: JSON.stringify(body), headers });
  };

  it.each([
    ["one and the same", ["application/json", "application/json"]],
    ["JSON and a form", ["application/json", "application/x-www-form-urlencoded"]],
    ["a form and JSON", ["application/x-www-form-urlencoded", "application/json"]],
  ])("is refused twice, as %s", async (_what, types) => {
    const before = (await emulator.call("GET", "/v1/payments")).body.total;
    const host = new URL(emulator.url).host;
    const headers = { host, apikey: emulator.key, "content-type": types, "idempotency-key": freshKey() };
    const body = JSON.stringify({ amount: 100, payment_method: "pix" });
    const answer = await send(`${emulator.url}/v1/charges`, { method: "POST", headers, body });
    expectRefused(answer, "invalid_request", "Content-Type");
    expect((await emulator.call("GET", "/v1/payments")).body.total).toBe(before);
  });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
    "application/json ; x=y",
    "application/problem+json",
    "application/vnd.api+json; ext=a",
    "application/vnd.shop.order-1.2+JSON",
    "",
  ])("is accepted as %o", async (type) => {
    expect((await post(type)).status).toBe(201);
  });

  it.each([
    "text/plain",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "application/x-json",
    "application/+json",
    "application/json+xml",
    "text/json",
    "application/problem+json+xml",
    "json",
    "application/jsonx; application/json",
    "*/*",
    `application/${"x".repeat(4_000)}`,
  ])("is refused as %o", async (type) => {
    const before = await settledState();
    const error = expectRefused(await post(type), "invalid_request", "Content-Type");
    expect(error.message).toContain("application/json");
    expect(error.message.length).toBeLessThan(300);
    expect(await state()).toEqual(before);
  });

  it("is checked also where the body is optional, but not when there is no body", async () => {
    const { id } = await payment(emulator);
    const cancel = `/v1/payments/${id}/cancel`;
    expectRefused(await post("text/plain", cancel, {}), "invalid_request", "Content-Type");
    const answer = await emulator.call("POST", cancel, { raw: "", headers: { "content-type": "text/plain" } });
    expect([answer.status, answer.body.status]).toEqual([200, "CANCELLED"]);
  });

  it("is checked before the JSON: a form is refused for its type", async () => {
    const given = { raw: "amount=100", headers: { "content-type": "application/x-www-form-urlencoded" } };
    expectRefused(await emulator.call("POST", "/v1/charges", given), "invalid_request", "Content-Type");
  });
});

it("a text that must not be empty is refused as the name of an account when it is only white space", async () => {
  const before = await settledState();
  const answer = await emulator.call("POST", "/_sandbox/accounts", { body: { name: " \t" } });
  expectRefused(answer, "invalid_request", "name");
  expect(await state()).toEqual(before);
});
