import { describe, expect, it } from "vitest";
import { freshKey } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** Metadata comes back as it was sent: a number that JavaScript cannot hold exactly is refused, never changed. */

const emulator = sharedEmulator({ frozen: true });

/** The three ways to create something with metadata. `fields` are the other fields of the body, as JSON text. */
const ROUTES = {
  "/v1/charges": (fields: string) => `{"amount":100,"payment_method":"pix",${fields}}`,
  "/v1/pix/charges": (fields: string) => `{"amount":100,${fields}}`,
  "/v1/payments": (fields: string) =>
    `{"amount":100,"paymentMethods":["PIX"],"idempotencyKey":"${freshKey()}",${fields}}`,
};
type Route = keyof typeof ROUTES;
const routes = Object.keys(ROUTES) as Route[];

function post(route: Route, fields: string) {
  return emulator.call("POST", route, { raw: ROUTES[route](fields), headers: { "idempotency-key": freshKey() } });
}

const total = async () => (await emulator.call("GET", "/v1/payments")).body.total;

describe.each(routes)("metadata of POST %s", (route) => {
  it.each([
    ['{"order":12345678901234567890}', "metadata.order"],
    ['{"order":1e400}', "metadata.order"],
    ['{"order":-1e400}', "metadata.order"],
    ['{"rate":0.12345678901234567890}', "metadata.rate"],
    ['{"a":"\\u0031","lines":[{"price":1},{"price":9007199254740993}]}', "metadata.lines.1.price"],
    ['{"_sandbox":{"pay_after":1e400}}', "metadata._sandbox.pay_after"],
    ['{"_internal":1e-400}', "metadata._internal"],
  ])("with %s is refused, and nothing is created", async (metadata, param) => {
    const before = await total();
    const { message } = expectRefused(await post(route, `"metadata":${metadata}`), "invalid_request", param);
    expect(message).toBe(`${param} is a number that cannot be kept exactly: send it as a string`);
    expect(await total()).toBe(before);
  });

  it("is refused with the path of every such number", async () => {
    const { status, body } = await post(route, '"metadata":{"a":1e400,"b":[12345678901234567890],"c":1}');
    expect([status, body.error.details.map(({ param }: { param: string }) => param)]).toEqual([
      400,
      ["metadata.a", "metadata.b.0"],
    ]);
  });

  it("comes back with every other number unchanged", async () => {
    const sent = '{"a":0.1,"b":1.10,"c":1e3,"d":9007199254740991,"e":-0,"f":1e21,"g":"12345678901234567890"}';
    const { status, body } = await post(route, `"metadata":${sent}`);
    const kept = { a: 0.1, b: 1.1, c: 1_000, d: 9_007_199_254_740_991, e: 0, f: 1e21, g: "12345678901234567890" };
    expect([status, body.metadata]).toEqual([201, kept]);
    const id = body.id.replace("ch_", "");
    expect((await emulator.call("GET", `/v1/payments/${id}`)).body.metadata).toStrictEqual(kept);
  });

  it("has a rule of its own: other fields keep theirs", async () => {
    const metadata = '"metadata":{"order":1}';
    expectRefused(await post(route, `${metadata},"amount":12345678901234567890`), "invalid_amount", "amount");
    expect((await post(route, `${metadata},"unknown":12345678901234567890`)).status).toBe(201);
  });

  it("and the amount, when both are wrong, are refused as invalid_amount", async () => {
    const { status, body } = await post(route, '"metadata":{"order":1e400},"amount":1e400');
    expect([status, body.error.code]).toEqual([400, "invalid_amount"]);
  });
});

describe.each(routes)("the amount of POST %s", (route) => {
  it.each([
    "1989.99999999999999999999",
    "1990.00000000000000000001",
    "198999.999999999999999999e-2",
    "9007199254740993",
    "1e400",
    "-1e400",
    "1e-400",
    "0.99999999999999999999",
  ])("is no whole number as %s, and nothing is created", async (amount) => {
    const before = await total();
    expectRefused(await post(route, `"amount":${amount}`), "invalid_amount", "amount");
    expect(await total()).toBe(before);
  });

  it.each(["1990.0", "1990.00000000000000000000", "1.99e3", "19900000000000000000000e-19"])(
    "is 1990 as %s",
    async (amount) => {
      const { status, body } = await post(route, `"amount":${amount}`);
      expect([status, body.amount]).toEqual([201, 1990]);
    },
  );
});

it.each([
  ["/_sandbox/webhooks/chaos", '"duplicate":0.10000000000000000000001', "duplicate"],
  ["/_sandbox/clock/advance", '"seconds":0.99999999999999999999', "seconds"],
])("POST %s refuses another number than it would keep: %s", async (path, fields, param) => {
  const { status, body } = await emulator.call("POST", path, { raw: `{${fields}}` });
  expect([status, body.error.param]).toEqual([400, param]);
  expect(body.error.message).toBe(`${param} is a number that cannot be kept exactly`);
});

it("the last of two members of one name counts, whatever the first one was", async () => {
  const { status, body } = await post("/v1/charges", '"amount":1e400,"amount":1990');
  expect([status, body.amount]).toEqual([201, 1990]);
  expectRefused(await post("/v1/charges", '"amount":1990,"amount":1e400'), "invalid_amount", "amount");
});

it("a route without metadata ignores metadata with any content, like every unknown field", async () => {
  const { id } = await emulator.charge();
  await emulator.sandbox(`/charges/${id}/pay`);
  const raw = `{"idempotencyKey":"${freshKey()}","metadata":{"order":12345678901234567890}}`;
  const answer = await emulator.call("POST", `/v1/payments/${id.slice(3)}/refund`, { raw });
  expect([answer.status, answer.body.amount]).toEqual([201, 1990]);
});
