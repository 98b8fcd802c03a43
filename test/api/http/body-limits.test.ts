import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { freshKey } from "../../support/emulator.js";
import { send, sendBytes } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

const LIMIT = 1_048_576;

/** A client of its own process, which sends on while the answer is on its way. It prints the status of four answers. */
const SENDER = `
  const [url, headers] = [process.argv[1] + "/v1/charges", JSON.parse(process.argv[2])];
  const body = Buffer.alloc(${40 * LIMIT}, "x");
  const once = () => new Promise((done) => {
    const request = require("node:http").request(url, { method: "POST", headers, agent: false });
    request.on("response", (response) => response.resume().on("end", () => done(response.statusCode)));
    request.on("error", (error) => done(error.code)).end(body);
  });
  (async () => { for (let count = 0; count < 2; count += 1) console.log(await once()); })();
`;

const emulator = sharedEmulator();

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  emulator.call("POST", "/v1/charges", { raw, headers: { "idempotency-key": freshKey(), ...headers } });

/** A valid charge whose JSON text is exactly `bytes` long. */
function chargeOf(bytes: number): string {
  const shell = JSON.stringify({ amount: 100, payment_method: "pix", metadata: { filler: "" } });
  return shell.replace('"filler":""', `"filler":"${"x".repeat(bytes - shell.length)}"`);
}

describe("a body of 1 MiB", () => {
  it("is accepted", async () => {
    const answer = await post(chargeOf(LIMIT));
    expect([answer.status, answer.body.amount]).toEqual([201, 100]);
  });

  it("and one more byte is refused", async () => {
    expectRefused(await post(chargeOf(LIMIT + 1)), "payload_too_large");
  });

  it("is measured in bytes, not in characters", async () => {
    const body = (count: number) => JSON.stringify({ amount: 100, payment_method: "pix", metadata: "é".repeat(count) });
    expectRefused(await post(body(LIMIT / 2)), "payload_too_large");
  });

  it("and one more byte is refused too when the body comes in chunks without its length", async () => {
    const headers = {
      apikey: emulator.key,
      host: new URL(emulator.url).host,
      "idempotency-key": freshKey(),
      "transfer-encoding": "chunked",
    };
    const url = `${emulator.url}/v1/charges`;
    expectRefused(await send(url, { method: "POST", headers, body: chargeOf(LIMIT + 1) }), "payload_too_large");
    expect((await send(url, { method: "POST", headers, body: chargeOf(LIMIT) })).status).toBe(201);
  });

  it("and more is refused at once when the Content-Length says so", async () => {
    const head = [
      "POST /v1/charges HTTP/1.1",
      `Host: ${new URL(emulator.url).host}`,
      `apikey: ${emulator.key}`,
      "Connection: close",
      `Content-Length: ${50 * LIMIT}`,
    ];
    const answer = await sendBytes(emulator.url, `${head.join("\r\n")}\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ["in chunks", { "transfer-encoding": "chunked" }, 413],
    ["encoded", { "content-encoding": "gzip" }, 415],
  ])("and far more, %s, is refused by an answer that a client still reads", async (_how, more, status) => {
    const headers = { apikey: emulator.key, "idempotency-key": freshKey(), ...more };
    const seen = await promisify(execFile)(process.execPath, ["-e", SENDER, emulator.url, JSON.stringify(headers)]);
    expect(seen.stdout).toBe(`${status}\n`.repeat(2));
  });

  it("is the limit for the control interface and for routes without a body, too", async () => {
    const raw = "x".repeat(LIMIT + 1);
    for (const path of ["/_sandbox/clock/advance", "/_sandbox/clock/freeze", "/_sandbox/charges/ch_x/expire"]) {
      expectRefused(await emulator.call("POST", path, { raw }), "payload_too_large");
    }
  });
});

it("a body is refused when it is nested deeper than 256 levels", async () => {
  // The body itself and its metadata are two levels.
  const deep = (depth: number, key = "a") =>
    `{"amount":100,"payment_method":"pix","metadata":{"${key}":${"[".repeat(depth - 2)}${"]".repeat(depth - 2)}}}`;
  expect((await post(deep(256))).status).toBe(201);
  expectRefused(await post(deep(257)), "invalid_request");
  // The search for NUL and __proto__ must manage the same depth.
  expectRefused(await post(deep(100_000, "\\u0061")), "invalid_request");
  const objects = `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`;
  expectRefused(await post(`{"amount":100,"payment_method":"pix","metadata":${objects}}`), "invalid_request");
});

describe("text", () => {
  const withText = (json: string) => `{"amount":100,"payment_method":"pix","description":${json}}`;

  it.each([
    ["an escaped NUL", '"a\\u0000b"'],
    ["the first half of a pair", '"a\\ud83d"'],
    ["the second half of a pair", '"\\ude00b"'],
    ["a pair the wrong way round", '"\\ude00\\ud83d"'],
  ])("with %s is refused", async (_what, json) => {
    expectRefused(await post(withText(json)), "invalid_request");
    expectRefused(
      await post(withText('"x"').replace('"x"', `"x","metadata":{"deep":[{"er":${json}}]}`)),
      "invalid_request",
    );
    expectRefused(await post(withText('"x"').replace('"x"', `"x","metadata":{${json}:1}`)), "invalid_request");
    // It is refused in an unknown field, too.
    expectRefused(await post(withText('"x"').replace('"x"', `"x","unknown":${json}`)), "invalid_request");
  });

  it("with bytes that are not UTF-8 is refused", async () => {
    const [head, tail] = withText('"?"').split("?") as [string, string];
    for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const raw = Uint8Array.from([...Buffer.from(head), ...bytes, ...Buffer.from(tail)]);
      expectRefused(await post(raw), "invalid_request");
    }
  });

  it("in any language comes back unchanged, whether or not its characters were escaped", async () => {
    const text = 'Ação às 9h — 日本語 😀 \u0001 \u2028 \\ " /';
    expect((await post(withText(JSON.stringify(text)))).body.metadata.description).toBe(text);
    expect((await post(withText('"\\ud83d\\ude00"'))).body.metadata.description).toBe("😀");
  });
});

describe("a key __proto__", () => {
  const body = (extra: string) => `{"amount":100,"payment_method":"pix",${extra}}`;

  it("is dropped at every place of the body", async () => {
    const answer = await post(
      body('"__proto__":{"amount":5},"metadata":{"a":1,"__proto__":{"b":2},"c":[{"\\u005f_proto__":3,"d":4}]}'),
    );
    expect([answer.status, answer.body.amount]).toEqual([201, 100]);
    expect(JSON.stringify(answer.body.metadata)).toBe('{"a":1,"c":[{"d":4}]}');
  });

  it("does not supply a field that is missing", async () => {
    expectRefused(await post('{"payment_method":"pix","__proto__":{"amount":100}}'), "invalid_amount", "amount");
  });

  it("is dropped, while similar keys are kept", async () => {
    const answer = await post(body('"metadata":{"constructor":1,"prototype":2,"proto__":3}'));
    expect(answer.body.metadata).toEqual({ constructor: 1, prototype: 2, proto__: 3 });
  });
});

describe("null", () => {
  it("counts as left out for every optional field, nested ones included", async () => {
    const answer = await post(
      JSON.stringify({
        amount: 100,
        payment_method: "pix",
        currency: null,
        description: null,
        expires_in: null,
        customer: { name: null, document: null, email: null, phone: null },
        expected_payer_tax_id: null,
        metadata: null,
      }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ currency: "BRL", customer: {}, metadata: {} });
    expect(answer.body).not.toHaveProperty("expected_payer_tax_id");
    const customer = await post(JSON.stringify({ amount: 100, payment_method: "pix", customer: null }));
    expect([customer.status, customer.body.customer]).toEqual([201, {}]);
  });

  it("is kept inside metadata, which belongs to the client", async () => {
    const answer = await post(JSON.stringify({ amount: 100, payment_method: "pix", metadata: { a: null, b: [null] } }));
    expect(answer.body.metadata).toEqual({ a: null, b: [null] });
  });
});

it("unknown fields are ignored", async () => {
  const body = {
    amount: 100,
    payment_method: "pix",
    card_number: "4111111111111111",
    customer: { name: "Maria", shoe_size: 38 },
  };
  const answer = await post(JSON.stringify(body));
  expect([answer.status, answer.body.customer]).toEqual([201, { name: "Maria" }]);
  expect(JSON.stringify(answer.body)).not.toContain("4111111111111111");
});
