import { beforeEach, describe, expect, it } from "vitest";
import { type Answer, type CallOptions, freshKey, type Loose } from "../../support/emulator.js";
import { payment } from "../../support/payments.js";
import { send } from "../../support/raw-http.js";
import { advanceRefund, paidPayment, refundsOf } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

/** Something that a client creates under a key, so that a request that is sent again creates nothing. */
interface Kind {
  readonly what: string;
  /** Where the key is given: a header, or a field of the body. */
  readonly param: "Idempotency-Key" | "idempotencyKey";
  /** Where the request goes, once what it needs is there in the book of that API key. */
  readonly path: (as: string) => Promise<string>;
  readonly body: Loose;
  /** The body with its members in another order. */
  readonly reordered: string;
  /** How many there are. */
  readonly count: (path: string) => Promise<number>;
  /** Later changes of the object. */
  readonly change: (made: Loose) => Promise<unknown>;
  readonly lengths: readonly number[];
  /** Keys that are not the same. */
  readonly keys: readonly string[];
  /** Bodies of other requests, by how they differ. */
  readonly others: readonly (readonly [string, object])[];
  /** Bodies that are refused, by what refuses them. */
  readonly refused: readonly (readonly [string, object])[];
}

const total = async () => (await emulator.call("GET", "/v1/payments")).body.total;

const BODY = { amount: 100, payment_method: "pix", description: "Order 42", metadata: { a: 1, b: { c: [1, 2] } } };

const KINDS: readonly Kind[] = [
  {
    what: "charge",
    param: "Idempotency-Key",
    path: async () => "/v1/charges",
    body: BODY,
    reordered: `{"metadata":{"b":{"c":[1,2]},"a":1},"description":"Order 42",\n "payment_method":"pix", "amount":1e2}`,
    count: total,
    change: ({ id }) => emulator.sandbox(`/charges/${id}/pay`),
    lengths: [8, 128],
    keys: ["order:42/á {\"x\"}, 'y'", "ORDER:42/Á {\"X\"}, 'Y'"],
    others: [
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
    ],
    refused: [
      ["its schema", { amount: 0 }],
      ["a rule", { customer: { document: "111" } }],
      ["its directives", { metadata: { _sandbox: { nonsense: 1 } } }],
    ],
  },
  {
    what: "payment",
    param: "idempotencyKey",
    path: async () => "/v1/payments",
    body: { amount: 1990, paymentMethods: ["PIX"], metadata: { b: 1, a: { d: 1, c: 2 } } },
    reordered: `{"metadata":{"a":{"c":2,"d":1},"b":1},"paymentMethods":["PIX"], "amount":1990}`,
    count: total,
    change: ({ id }) => emulator.sandbox(`/charges/${id}/expire`),
    lengths: [1, 7, 8, 128, 255],
    keys: ["pedido/42 á😀", "PEDIDO/42 á😀", " pedido/42 á😀", "pedido/42 á😀 "],
    others: [
      ["another amount", { amount: 1991 }],
      ["other methods", { paymentMethods: ["BOLETO"] }],
      ["more methods", { paymentMethods: ["PIX", "BOLETO"] }],
      ["a customer", { customerName: "João" }],
      ["other metadata", { metadata: { order: 43 } }],
      ["hidden metadata", { metadata: { _sandbox: { pay_after: 1 } } }],
      ["a webhook URL", { webhookUrl: "https://shop.example/hooks" }],
      ["a default spelled out", { currency: "BRL" }],
      ["null for nothing", { customerId: null }],
      ["an empty object for nothing", { items: {} }],
      ["a field that nobody reads", { items: [{ sku: "A1" }] }],
    ],
    refused: [
      ["its schema", { amount: 0 }],
      ["its currency", { currency: "EUR" }],
      ["its method", { paymentMethods: ["MBWAY"], currency: "EUR" }],
    ],
  },
  {
    what: "refund",
    param: "idempotencyKey",
    path: async (as) => `/v1/payments/${(await paidPayment(emulator, { amount: 1000 }, {}, { key: as })).id}/refund`,
    body: { amount: 100, reason: "twice" },
    reordered: `{ "reason": "twice", "amount": 100}`,
    count: async (path) => (await refundsOf(emulator, path.split("/")[3] ?? "")).length,
    change: ({ id }) => advanceRefund(emulator, id, "REFUNDED"),
    lengths: [8, 128],
    keys: ["a key of mine", " a key of mine", "A KEY OF MINE"],
    others: [
      ["another amount", { amount: 101 }],
      ["no amount", { amount: undefined }],
      ["another reason", { reason: "x" }],
      ["a strategy", { strategy: "cashout" }],
      ["a default spelled out", { passFeeToTenant: false }],
      ["null for a text", { reason: null }],
      ["a field that nobody reads", { note: 1 }],
    ],
    refused: [
      ["its schema", { amount: "x" }],
      ["what is left", { amount: 1001 }],
    ],
  },
];

const isReplay = ({ headers }: Answer) => headers.get("idempotent-replayed");

describe.each(KINDS)("the idempotency key of a $what", (kind) => {
  let key: string;
  let path: string;
  beforeEach(async () => {
    key = freshKey();
    path = await kind.path(emulator.key);
  });

  function send(change: object = {}, options: CallOptions = {}): Promise<Answer> {
    const body = { ...kind.body, ...change };
    if (kind.param === "idempotencyKey") {
      return emulator.call("POST", path, { ...options, body: { idempotencyKey: key, ...body } });
    }
    return emulator.call("POST", path, { ...options, body, headers: { "idempotency-key": key } });
  }

  it(`is ${kind.param}, and is required there`, async () => {
    const elsewhere = kind.param === "idempotencyKey" ? { headers: { "idempotency-key": key } } : {};
    const body = kind.param === "idempotencyKey" ? kind.body : { ...kind.body, idempotencyKey: key };
    expectRefused(await emulator.call("POST", path, { ...elsewhere, body }), "invalid_request", kind.param);
  });

  it.each(kind.lengths)("may have %d characters", async (length) => {
    key = freshKey().repeat(40).slice(-length);
    const first = await send();
    expect([first.status, (await send()).body.id]).toEqual([201, first.body.id]);
  });

  it("may have any characters, and is compared as it is", async () => {
    const ids = new Set<string>();
    for (key of kind.keys) ids.add((await send()).body.id);
    expect(ids.size).toBe(kind.keys.length);
  });

  it("gets the first answer again, marked as such, and creates nothing", async () => {
    const first = await send();
    expect([first.status, isReplay(first)]).toEqual([201, null]);
    const before = [await kind.count(path), (await emulator.sandbox("/events?limit=1")).data[0].id];
    const members = kind.param === "idempotencyKey" ? `,"idempotencyKey":"${key}"}` : "}";
    const raw = kind.reordered.replace(/\}$/, members);
    for (const again of [
      await send(),
      await emulator.call("POST", path, { raw, headers: { "idempotency-key": key } }),
    ]) {
      expect([again.status, isReplay(again)]).toEqual([201, "true"]);
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
    expect([await kind.count(path), (await emulator.sandbox("/events?limit=1")).data[0].id]).toEqual(before);
  });

  it("gets the first answer, whatever has happened since, until a reset", async () => {
    const first = await send();
    await kind.change(first.body);
    await emulator.sandbox("/clock/advance", { seconds: 366 * 86_400 });
    expect((await send()).body).toEqual(first.body);
    await emulator.sandbox("/reset");
    path = await kind.path(emulator.key);
    const anew = await send();
    expect([anew.status, isReplay(anew)]).toEqual([201, null]);
  });

  it.each(kind.others)("is refused for another request: %s", async (_what, change) => {
    const first = await send();
    const before = await kind.count(path);
    expectRefused(await send(change), "idempotency_key_reused");
    expect(await kind.count(path)).toBe(before);
    expect((await send()).body).toEqual(first.body);
  });

  it.each(kind.refused)("is unused after a request that is refused by %s", async (_what, change) => {
    expect((await send(change)).status).toBeGreaterThanOrEqual(400);
    const answer = await send();
    expect([answer.status, isReplay(answer)]).toEqual([201, null]);
  });

  it("creates one object for twenty equal requests at the same moment", async () => {
    const before = await kind.count(path);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(19);
    expect(await kind.count(path)).toBe(before + 1);
  });

  it("creates one object for twenty different requests at the same moment; the others are conflicts", async () => {
    const before = await kind.count(path);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send({ amount: 100 + index })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await kind.count(path)).toBe(before + 1);
  });

  it.each(["first", "last"])("is of one account and mode, also when the oldest book comes %s", async (which) => {
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    const books = [emulator.key, emulator.live, second.test_key, second.live_key];
    const made = new Map<string, Answer>();
    for (const book of which === "first" ? books : books.toReversed()) {
      path = await kind.path(book);
      const first = await send({}, { key: book });
      expect([first.status, isReplay(first)]).toEqual([201, null]);
      expect(isReplay(await send({}, { key: book }))).toBe("true");
      made.set(first.body.id, first);
    }
    expect(made.size).toBe(4);
  });
});

it("of one kind is unused for the others", async () => {
  const key = freshKey();
  for (const kind of KINDS) {
    const body = { idempotencyKey: key, ...kind.body };
    const path = await kind.path(emulator.key);
    const answer = await emulator.call("POST", path, { body, headers: { "idempotency-key": key } });
    expect([kind.what, answer.status, isReplay(answer)]).toEqual([kind.what, 201, null]);
  }
});

describe("the key of a refund", () => {
  it("is the same whichever id names the payment, and is refused for another payment", async () => {
    const [one, two] = [await paidPayment(emulator), await paidPayment(emulator)];
    const body = { idempotencyKey: freshKey(), amount: 10 };
    const ask = (id: string) => emulator.call("POST", `/v1/payments/${id}/refund`, { body });
    const first = await ask(one.id);
    const again = await ask(`tx_${one.id}`);
    expect([isReplay(again), again.body]).toEqual(["true", first.body]);
    for (const name of [two.id, `tx_${two.id}`]) expectRefused(await ask(name), "idempotency_key_reused");
    expect(await refundsOf(emulator, two.id)).toEqual([]);
  });

  it("is unused after a payment that was not paid yet, or that is none", async () => {
    const { id } = await payment(emulator);
    const body = { idempotencyKey: freshKey() };
    const ask = (name: string) => emulator.call("POST", `/v1/payments/${name}/refund`, { body });
    expectRefused(await ask(id), "invalid_request");
    expectRefused(await ask("unknown"), "not_found");
    await emulator.sandbox(`/charges/${id}/pay`);
    const answer = await ask(id);
    expect([answer.status, isReplay(answer)]).toEqual([201, null]);
  });
});

describe("the key of a charge", () => {
  let key: string;
  beforeEach(() => {
    key = freshKey();
  });
  const create = (body: unknown, options: Loose = {}) =>
    emulator.call("POST", options.path ?? "/v1/charges", {
      ...options,
      body,
      headers: { "idempotency-key": key, ...options.headers },
    });
  const raw = (text: string) =>
    emulator.call("POST", "/v1/charges", { raw: text, headers: { "idempotency-key": key } });

  it("is required on the Pix shortcut route too", async () => {
    const answer = await emulator.call("POST", "/v1/pix/charges", { body: { amount: 100 } });
    expectRefused(answer, "invalid_request", "Idempotency-Key");
  });

  it.each([0, 1, 7, 129, 1_000])("of %d characters is refused", async (length) => {
    key = "k".repeat(length);
    const before = await total();
    expectRefused(await create(BODY), "invalid_request", "Idempotency-Key");
    expect(await total()).toBe(before);
  });

  it.each([
    ["of the same value", () => [key, key]],
    ["of two values", () => [key, freshKey()]],
    ["of two halves that are too short alone", () => ["abcd", "efgh"]],
    ["of an empty value and one", () => ["", key]],
    ["three times", () => [key, key, key]],
  ])("in two headers %s is refused, on both routes, and nothing is created", async (_what, keys) => {
    const before = await total();
    for (const path of ["/v1/charges", "/v1/pix/charges"]) {
      const headers = { host: new URL(emulator.url).host, apikey: emulator.key, "idempotency-key": keys() };
      const body = JSON.stringify(BODY);
      const answer = await send(`${emulator.url}${path}`, { method: "POST", headers, body });
      expectRefused(answer, "invalid_request", "Idempotency-Key");
    }
    expect(await total()).toBe(before);
    expect(isReplay(await create(BODY))).toBe(null);
  });

  it("gets the answer of a charge that failed when it was created", async () => {
    const body = { ...BODY, metadata: { _sandbox: { fail: "AC06" } } };
    const [first, again] = [await create(body), await create(body)];
    expect([first.status, first.body.status]).toEqual([201, "failed"]);
    expect([again.body, isReplay(again)]).toEqual([first.body, "true"]);
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

  it("does not hide that the next request is invalid", async () => {
    await create(BODY);
    expectRefused(await create({ ...BODY, amount: 0 }), "invalid_amount", "amount");
  });

  it.each<[string, Loose]>([
    ["by its JSON", { raw: "{" }],
    ["for its API key", { body: BODY, key: "qa_test_wrong-key-0123456789" }],
    ["for its origin", { body: BODY, headers: { origin: "https://evil.test" } }],
  ])("is unused after a request that is refused %s", async (_why, { headers = {}, ...options }) => {
    const given = { ...options, headers: { "idempotency-key": key, ...headers } };
    expect((await emulator.call("POST", "/v1/charges", given)).status).toBeGreaterThanOrEqual(400);
    const answer = await create(BODY);
    expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });
});
