import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenOf } from "../support/access.js";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { startHost } from "../support/running.js";

/** `api`: any request, printed as it was answered. */

let emulator: TestEmulator;
let cli: TestCli;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

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

  it("makes an idempotency key for a POST, or uses a given one", async () => {
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

  it.each([
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 5],
    [422, 5],
    [429, 6],
    [500, 7],
    [503, 7],
  ])("ends an error envelope of %i with %i", async (status, exit) => {
    const text = '{"error":{"type":"api_error","code":"some_code","message":"No."},"request_id":"r"}';
    const host = await startHost((_request, response) => void response.writeHead(status).end(text));
    expect(await api("GET", "/v1/wallets", "--base-url", host.url, "--api-key", emulator.key)).toEqual({
      code: exit,
      out: "",
      err: `${text}\n`,
    });
    await host.close();
  });

  it.each([302, 401, 404, 409, 429, 503])("ends %i without an envelope with 7, and says so", async (status) => {
    const host = await startHost((_request, response) => void response.writeHead(status).end("no"));
    const at = ["--base-url", host.url, "--api-key", emulator.key];
    const read = await api("GET", "/v1/wallets", ...at);
    expect([read.code, read.out]).toEqual([7, ""]);
    const says = `no\nError: The host answered ${status} without an error envelope.\nNo qa-pay service answers like that.`;
    expect(read.err.startsWith(says)).toBe(true);
    const made = await api("POST", "/v1/charges", "--data", CHARGE, "--idempotency-key", "order-42-try-1", ...at);
    expect([made.code, made.out]).toEqual([7, ""]);
    expect(made.err.startsWith(says)).toBe(true);
    expect(made.err).toMatch(/\nIt may have been carried out\..* --idempotency-key order-42-try-1\n$/);
    await host.close();
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

  it("needs --yes for a change with a live key, and shows the change with --dry-run", async () => {
    const words = ["POST", "/v1/charges", "--data", CHARGE, "--api-key", emulator.live];
    const { code, out, err } = await api(...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("--yes");
    const shown = await api(...words, "--dry-run", "--header", "Authorization: Bearer secret-secret", "--json");
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.out)).toMatchObject({
      method: "POST",
      url: `${emulator.url}/v1/charges`,
      body: { amount: 1990 },
    });
    expect(shown.out).not.toContain(emulator.live);
    expect(shown.out).not.toContain("secret-secret");
    expect((await api(...words, "--yes")).code).toBe(0);
    expect((await api("GET", "/v1/wallets", "--api-key", emulator.live)).code).toBe(0);
  });
});

describe("wrong usage", () => {
  it.each([
    [["STEAL", "/v1/wallets"], "STEAL is no method of the service."],
    [["GET", "v1/wallets"], "The path must start with /, as /v1/charges does; not v1/wallets."],
    [["GET", "http://elsewhere.test/v1/wallets"], "The path must start with /"],
    [["GET"], "<path> is missing"],
    [[], "<method> is missing"],
    [["POST", "/v1/charges", "--data", "@nothing.json"], "The file nothing.json cannot be read."],
    [["GET", "/v1/wallets", "--header", "apikey"], "--header takes name:value, not apikey."],
    [["GET", "/v1/wallets", "--header", ":x"], "--header takes name:value, not :x."],
    [["GET", "/v1/wallets", "--profile", "none"], "There is no profile none."],
  ])("%j ends with 2", async (words, message) => {
    const { code, out, err } = await api(...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  it("a host without a server ends with 7", async () => {
    const { code, out, err } = await api(
      "GET",
      "/v1/wallets",
      "--base-url",
      "http://127.0.0.1:9",
      "--api-key",
      emulator.key,
      "--json",
    );
    expect([code, out, JSON.parse(err).error.code]).toEqual([7, "", "unreachable"]);
  });
});
