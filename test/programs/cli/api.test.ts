import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tokenOf } from "../../support/access.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `api`: any request, printed as it was answered. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

const CHARGE = '{"amount":1990,"payment_method":"pix"}';
const api = (...words: string[]) => cli.run(["api", ...words]);

describe("api", () => {
  it("prints the answer unchanged, with --json or without", async () => {
    const body = JSON.stringify((await emulator.call("GET", "/v1/wallets")).body);
    for (const words of [
      ["GET", "/v1/wallets"],
      ["get", "/v1/wallets"],
      ["GET", "/v1/wallets", "--json"],
    ]) {
      expect(await api(...words)).toEqual({ code: 0, out: `${body}\n`, err: "" });
    }
  });

  it("sends the query as it is written", async () => {
    const { id } = await emulator.charge();
    const { out } = await api("GET", `/_sandbox/events?subject=${id}&type=charge.created`);
    expect(JSON.parse(out).data).toHaveLength(1);
  });

  it("takes the body from the command line, a file or standard input", async () => {
    writeFileSync(join(cli.folder, "charge.json"), CHARGE);
    for (const [data, input] of [[CHARGE], ["@charge.json"], [`@${join(cli.folder, "charge.json")}`], ["-", CHARGE]]) {
      const ended = await cli.run(["api", "POST", "/v1/charges", "--data", String(data)], { input: input ?? "" });
      expect([ended.code, JSON.parse(ended.out).amount]).toEqual([0, 1990]);
    }
  });

  it("generates an idempotency key for a POST, or uses that of the flag", async () => {
    const words = ["POST", "/v1/charges", "--data", CHARGE];
    expect(JSON.parse((await api(...words)).out).id).not.toBe(JSON.parse((await api(...words)).out).id);
    const keyed = [...words, "--idempotency-key", "api-key-0001"];
    expect((await api(...keyed)).out).toBe((await api(...keyed)).out);
  });

  it("sends other headers, which replace its own", async () => {
    const { out } = await api(
      "GET",
      "/v1/wallets",
      "--include",
      "--header",
      "X-Request-Id: mine:1",
      "--header",
      "accept:*/*",
    );
    expect(out).toMatch(/^HTTP 200\n/);
    expect(out).toMatch(/^x-request-id: mine:1$/m);
    const denied = await api("GET", "/v1/wallets", "--header", "apikey: qa_test_nobody-knows-me");
    expect([denied.code, denied.out]).toEqual([3, ""]);
  });

  it("prints nothing for an empty answer, and status and headers with --include", async () => {
    expect(await api("POST", "/_sandbox/reset")).toEqual({ code: 0, out: "", err: "" });
    expect((await api("POST", "/_sandbox/reset", "--include")).out).toMatch(/^HTTP 204\n([a-z-]+: .*\n)+\n$/);
  });

  it("prints a refusal unchanged on standard error, and ends with the exit code of its kind", async () => {
    const { code, out, err } = await api("POST", "/v1/charges", "--data", '{"amount":0}');
    expect([code, out]).toEqual([5, ""]);
    expect(JSON.parse(err)).toMatchObject({ error: { type: "invalid_request_error" }, request_id: expect.any(String) });
  });

  it("sends nothing without an API key of the host, unless a header replaces the key", async () => {
    const env = { QA_PAY_API_KEY: "" };
    const keyless = await cli.run(["api", "GET", "/v1/wallets"], { env });
    expect([keyless.code, keyless.out]).toEqual([2, ""]);
    expect(keyless.err).toContain(`No API key is known for ${emulator.url}`);
    const own = ["--header", `APIkey: ${emulator.key}`];
    expect((await cli.run(["api", "GET", "/v1/wallets", ...own], { env })).code).toBe(0);
    const token = await tokenOf(emulator);
    const bearer = ["--header", `Authorization: Bearer ${token}`];
    expect((await cli.run(["api", "GET", "/v1/api-keys", ...bearer], { env })).code).toBe(0);
  });
});

describe("a header that cannot be sent", () => {
  const create = ["api", "POST", "/v1/charges", "--data", CHARGE];
  it.each([
    [
      "a line break in a key",
      [...create, "--idempotency-key", "order-1\norder-2"],
      "idempotency-key cannot hold a line break",
    ],
    ["a carriage return in a key", [...create, "--idempotency-key", "order-1\rorder-2"], "cannot hold a line break"],
    ["a letter of another alphabet", [...create, "--idempotency-key", "pedido-Ж-1"], 'the character "Ж"'],
    ["a picture", [...create, "--idempotency-key", "pedido-🛒-1"], 'the character "🛒"'],
    ["a NUL", [...create, "--idempotency-key", "pedido-\0-1"], 'the character "\\u0000"'],
    [
      "another header behind it",
      ["api", "GET", "/v1/wallets", "--header", "x-a: 1\nx-b: 2"],
      "x-a cannot hold a line break",
    ],
    ["a name with a blank", ["api", "GET", "/v1/wallets", "--header", "x a: 1"], '"x a" is no name of a header'],
    [
      "a key with a line break",
      ["api", "GET", "/v1/wallets", "--header", "apikey: qa_test_a\nb"],
      "apikey cannot hold",
    ],
  ])("is refused in one sentence before anything is sent: %s", async (_what, words, says) => {
    const before = (await emulator.call("GET", "/_sandbox/requests?limit=1")).body.data[0]?.number;
    const { code, out, err } = await cli.run(words);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(says)]);
    const { data } = (await emulator.call("GET", "/_sandbox/requests?limit=1")).body;
    expect(data[0]?.number).toBe(before);
  });
});
