import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { startHost } from "../support/running.js";

/** `logs` at hosts that refuse or do not answer, and `logs` that is used in a wrong way. */

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

const COMMANDS = [["tail"], ["show", "req_1"]];

describe.each(COMMANDS)("a host that refuses or does not answer, asked for logs %s", (...words) => {
  const asked = (...flags: string[]) => cli.run(["logs", ...words, ...flags]);

  it.each([
    ["knows no such address", 404, '{"error":{"code":"not_found","message":"No."},"request_id":"r"}'],
    ["answers everything with a page", 200, "<h1>Shop</h1>"],
    ["answers everything with JSON", 200, '{"data":[]}'],
    ["takes another method", 405, ""],
  ])("and %s is not taken for an emulator: exit 2", async (_what, status, body) => {
    const host = await startHost((_request, response) => void response.writeHead(status).end(body));
    const { code, out, err } = await asked("--base-url", host.url, "--api-key", emulator.key);
    const asJson = await asked("--base-url", host.url, "--api-key", emulator.key, "--json");
    await host.close();
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(`Error: ${host.url} is no qa-pay emulator; this works only on one.\n`);
    expect([asJson.code, JSON.parse(asJson.err).error.code]).toEqual([2, "no_emulator"]);
  });

  it("and redirects is not followed, and the key is sent to no other host", async () => {
    const seen: (string | undefined)[] = [];
    const other = await startHost(({ headers }, response) => {
      seen.push(String(headers.apikey));
      response.end('{"emulator":"qa-pay"}');
    });
    const host = await startHost((_request, response) => void response.writeHead(302, { location: other.url }).end());
    const { code } = await asked("--base-url", host.url, "--api-key", emulator.key);
    await host.close();
    await other.close();
    expect([code, seen]).toEqual([2, []]);
  });

  it.each([401, 403, 429, 500, 503])("and answers %i without an envelope ends with 7", async (status) => {
    const host = await startHost((_request, response) => void response.writeHead(status).end("no"));
    const { code, out, err } = await asked("--base-url", host.url, "--api-key", emulator.key);
    await host.close();
    expect([code, out]).toEqual([7, ""]);
    expect(err).toMatch(`Error: The host answered ${status} without an error envelope.\n`);
  });

  it("and does not know the key ends with 3, without the key in the error; without a key it is not asked", async () => {
    const { code, out, err } = await asked("--api-key", "qa_test_nobody-knows-me");
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("(unauthorized)");
    expect(err).not.toContain("nobody-knows-me");
    expect((await cli.run(["logs", ...words], { env: { QA_PAY_API_KEY: "" } })).code).toBe(2);
  });

  it("and is not running ends with 7 and says what to do", async () => {
    const { code, out, err } = await asked("--base-url", "http://127.0.0.1:9", "--api-key", emulator.key);
    expect([code, out]).toEqual([7, ""]);
    expect(err).toContain("Nobody answers at http://127.0.0.1:9 ");
    expect(err).toContain("`qa-pay serve`");
  });
});

describe("wrong usage", () => {
  it.each([
    [["logs"], "tail"],
    [["logs", "show"], "<request_id> is missing"],
    [["logs", "follow"], "nknown command"],
    [["logs", "tail", "--limit", "5"], "nknown option"],
    [["logs", "tail", "--profile", "none"], "There is no profile none."],
  ])("%j ends with 2", async (words, message) => {
    const { code, out, err } = await cli.run(words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  it.each([
    ["--status", "ok"],
    ["--status", "99"],
    ["--method", "STEAL"],
  ])("%s %s is refused by the service: 5", async (...flags) => {
    const { code, out, err } = await cli.run(["logs", "tail", ...flags]);
    expect([code, out]).toEqual([5, ""]);
    expect(err).toContain(flags[0]?.slice(2));
  });
});
