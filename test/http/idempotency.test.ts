import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshKey, type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { expectRefused } from "../support/refusals.js";

let emulator: TestEmulator;
let second: { test_key: string; live_key: string };
let key: string;
beforeAll(async () => {
  emulator = await startEmulator({ settings: { previews: new Set(["charge-list"]) } });
  second = await emulator.sandbox("/accounts", { name: "Second Shop" });
});
afterAll(() => emulator.close());
beforeEach(() => {
  key = freshKey();
});

const BODY = { amount: 100, payment_method: "pix", description: "Order 42", metadata: { a: 1, b: { c: [1, 2] } } };
const create = (body: unknown, options: Loose = {}) =>
  emulator.call("POST", options.path ?? "/v1/charges", {
    ...options,
    body,
    headers: { "idempotency-key": key, ...options.headers },
  });
const raw = (text: string) => emulator.call("POST", "/v1/charges", { raw: text, headers: { "idempotency-key": key } });
const count = async (as?: string) => {
  const answer = await emulator.call("GET", "/v1/charges?limit=100", as === undefined ? {} : { key: as });
  return answer.body.data.length;
};

describe("the Idempotency-Key", () => {
  it("is required on both creation routes", async () => {
    const { amount, ...rest } = BODY;
    for (const path of ["/v1/charges", "/v1/pix/charges"]) {
      const answer = await emulator.call("POST", path, { body: { amount, ...rest } });
      expectRefused(answer, "invalid_request", "Idempotency-Key");
    }
  });

  it.each([0, 1, 7, 129, 1_000])("of %d characters is refused", async (length) => {
    key = "k".repeat(length);
    const before = await count();
    expectRefused(await create(BODY), "invalid_request", "Idempotency-Key");
    expect(await count()).toBe(before);
  });

  it.each([8, 128])("of %d characters is taken", async (length) => {
    key = "K".repeat(length);
    expect((await create(BODY)).status).toBe(201);
  });

  it("can have any printable characters, and keys that differ in case are different", async () => {
    key = "order:42/á {\"x\"}, 'y'";
    const first = await create(BODY);
    expect(first.status).toBe(201);
    expect((await create(BODY)).body).toEqual(first.body);
    key = key.toUpperCase();
    expect((await create(BODY)).body.id).not.toBe(first.body.id);
  });

  it("is not needed by requests that only read", async () => {
    expect((await emulator.call("GET", "/v1/wallets")).status).toBe(200);
  });
});

describe("the same request again", () => {
  it("gets the first answer again, marked as such, and creates nothing", async () => {
    const first = await create(BODY);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    const before = [await count(), (await emulator.sandbox("/events")).data.length];
    const again = await create(BODY);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect([await count(), (await emulator.sandbox("/events")).data.length]).toEqual(before);
  });

  it("has a request id of its own", async () => {
    const [first, again] = [await create(BODY), await create(BODY)];
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  });

  it("gets the first answer even when the charge has changed since", async () => {
    const first = await create(BODY);
    await emulator.sandbox(`/charges/${first.body.id}/pay`);
    const again = await create(BODY);
    expect([again.body.status, again.body.settlement]).toEqual(["pending", {}]);
    expect((await emulator.call("GET", `/v1/charges/${first.body.id}`)).body.status).toBe("paid");
  });

  it("gets the answer of a charge that failed when it was created", async () => {
    const body = { ...BODY, metadata: { _sandbox: { fail: "AC06" } } };
    const [first, again] = [await create(body), await create(body)];
    expect([first.status, first.body.status]).toEqual([201, "failed"]);
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
  });

  it("is the same with its members in another order and with other white space", async () => {
    const first = await raw('{"amount":100,"payment_method":"pix","metadata":{"a":1,"b":{"c":2,"d":[1,2]}}}');
    const again = await raw(
      '{ "metadata": { "b": { "d": [1, 2], "c": 2 }, "a": 1 },\n "payment_method": "pix", "amount": 1e2 }',
    );
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(again.body).toEqual(first.body);
  });

  it("is the same when its numbers and characters are written in another way", async () => {
    const first = await raw('{"amount":100,"payment_method":"pix","metadata":{"a":"ção/","b":1.5,"c":0}}');
    const again = await raw(
      '{"amount":1.00e2,"payment_method":"\\u0070ix","metadata":{"a":"\\u00e7\\u00E3o\\/","b":15e-1,"c":-0}}',
    );
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  });

  it("is the same with a member __proto__, which is dropped, and with a member twice: the last counts", async () => {
    const first = await raw('{"amount":100,"payment_method":"pix","metadata":{"a":1}}');
    for (const text of [
      '{"amount":100,"payment_method":"pix","metadata":{"a":1},"__proto__":{"amount":5}}',
      '{"amount":100,"payment_method":"pix","metadata":{"a":1,"\\u005f_proto__":7}}',
      '{"amount":5,"payment_method":"pix","metadata":{"a":2,"a":1},"amount":100}',
    ]) {
      const again = await raw(text);
      expect([text, again.status, again.body.id]).toEqual([text, 201, first.body.id]);
    }
  });

  it("is the same on the Pix shortcut route and on the general route", async () => {
    const { payment_method, ...rest } = BODY;
    const first = await create(BODY);
    for (const body of [rest, { ...rest, payment_method }]) {
      const again = await create(body, { path: "/v1/pix/charges" });
      expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([201, first.body, "true"]);
    }
    key = freshKey();
    const shortcut = await create(rest, { path: "/v1/pix/charges" });
    expect((await create(BODY)).body).toEqual(shortcut.body);
  });
});

describe("another request with a used idempotency key", () => {
  it.each<[string, object]>([
    ["another amount", { amount: 101 }],
    ["another description", { description: "Order 43" }],
    ["a description less", { description: undefined }],
    ["a field more", { expires_in: 600 }],
    ["other metadata", { metadata: { a: 1, b: { c: [2, 1] } } }],
    ["metadata of another type", { metadata: { a: "1", b: { c: [1, 2] } } }],
    ["metadata that is stripped", { metadata: { ...BODY.metadata, _private: 1 } }],
    ["a customer", { customer: { name: "Maria" } }],
    ["a default spelled out", { currency: "BRL" }],
    ["another default spelled out", { expires_in: 3_600 }],
    ["null for what is optional", { expires_in: null }],
    ["null for an object", { customer: null }],
    ["an empty object", { customer: {} }],
    ["a field that nobody reads", { nobody_reads: "this" }],
    ["a field that nobody reads, null", { nobody_reads: null }],
    ["a field that nobody reads inside another", { metadata: { ...BODY.metadata, b: { c: [1, 2], d: null } } }],
  ])("is a conflict: %s", async (_what, change) => {
    const first = await create(BODY);
    const before = await count();
    expectRefused(await create({ ...BODY, ...change }), "idempotency_key_reused");
    expect(await count()).toBe(before);
    expect((await create(BODY)).body.id).toBe(first.body.id);
  });

  it("is a conflict on the Pix shortcut route too", async () => {
    await create(BODY);
    expectRefused(await create({ amount: 101 }, { path: "/v1/pix/charges" }), "idempotency_key_reused");
    const nothing = { ...BODY, payment_method: null };
    expectRefused(await create(nothing, { path: "/v1/pix/charges" }), "idempotency_key_reused");
  });

  it.each([
    ["12345678901234567890", "12345678901234567891"],
    ["0.1000000000000000001", "0.1"],
    ["1e400", "-1e400"],
    ["1e400", "null"],
    ["1e400", '"1e400"'],
    ["1e-400", "0"],
  ])("is a conflict when it differs in numbers that JavaScript rounds to the same: %s and %s", async (one, other) => {
    const body = (serial: string) => `{"amount":100,"payment_method":"pix","__proto__":1,"serial":[${serial}]}`;
    const first = await raw(body(one));
    expectRefused(await raw(body(other)), "idempotency_key_reused");
    const again = await raw(body(one).replace('"__proto__":1,', "").replace("[", " [ "));
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  });

  it("is a conflict when it has a member __proto__ in the place of another", async () => {
    await raw('{"amount":100,"payment_method":"pix","metadata":{"a":1}}');
    expectRefused(
      await raw('{"amount":100,"payment_method":"pix","metadata":{"__proto__":1}}'),
      "idempotency_key_reused",
    );
  });

  it("that is invalid is refused as invalid", async () => {
    await create(BODY);
    expectRefused(await create({ ...BODY, amount: 0 }), "invalid_amount", "amount");
  });
});

describe("a refused request", () => {
  it.each<[string, Loose]>([
    ["by its schema", { body: { ...BODY, amount: 0 } }],
    ["by a rule", { body: { ...BODY, customer: { document: "111" } } }],
    ["by its directives", { body: { ...BODY, metadata: { _sandbox: { nonsense: 1 } } } }],
    ["by its JSON", { raw: "{" }],
    ["for its key", { body: BODY, key: "qa_test_wrong-key-0123456789" }],
    ["for its origin", { body: BODY, headers: { origin: "https://evil.test" } }],
  ])("%s leaves the key unused", async (_why, { headers = {}, ...options }) => {
    const given = { ...options, headers: { "idempotency-key": key, ...headers } };
    const refused = await emulator.call("POST", "/v1/charges", given);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const answer = await create(BODY);
    expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });
});

describe("requests at the same moment", () => {
  it("with the same key and body make one charge, whichever comes first", async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(BODY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it("with the same key and different bodies make one charge; the others are conflicts", async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ ...BODY, amount: 100 + n })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await count()).toBe(before + 1);
  });

  it("with different keys make one charge each", async () => {
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(BODY, { headers: { "idempotency-key": freshKey() } })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(20);
    expect(await count()).toBe(before + 20);
  });
});

describe("the scope of an idempotency key", () => {
  it.each(["first", "last"])("is the account and the mode, also when the oldest book comes %s", async (which) => {
    const books = [emulator.key, emulator.live, second.test_key, second.live_key];
    const callers = which === "first" ? books : books.reverse();
    const made = new Map<string, string>();
    for (const [index, caller] of callers.entries()) {
      const answer = await create({ ...BODY, amount: 100 + index }, { key: caller });
      expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
      made.set(caller, answer.body.id);
    }
    expect(new Set(made.values()).size).toBe(4);
    for (const [index, caller] of callers.entries()) {
      const answer = await create({ ...BODY, amount: 100 + index }, { key: caller });
      expect([answer.body.id, answer.headers.get("idempotent-replayed")]).toEqual([made.get(caller), "true"]);
    }
  });

  it("lasts until a reset, also over a restart", async () => {
    const { body } = await create(BODY);
    await emulator.sandbox("/clock/advance", { seconds: 366 * 86_400 });
    expect((await create(BODY)).body.id).toBe(body.id);
    await emulator.sandbox("/reset");
    const anew = await create(BODY);
    expect([anew.status, anew.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });
});
