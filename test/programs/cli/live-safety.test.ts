import { describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Changes that need a confirmation, and how a person sees which data they change. */

const emulator = sharedEmulator();
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.live }));

const create = ["charges", "create", "--amount", "1990"];

/** The number of charges and payments in the live book. */
async function count(): Promise<number> {
  return (await emulator.call("GET", "/v1/payments", { key: emulator.live })).body.total;
}

describe("a change with a live key", () => {
  it("needs a confirmation at a terminal, which says what it does, below method, path, host and mode", async () => {
    const asked: string[] = [];
    const before = await count();
    const { code, out, err } = await cli.run(create, { answers: [true], asked });
    expect(code).toBe(0);
    expect(out).toContain("pending");
    expect(err).toContain(`\nPOST /v1/charges on ${new URL(emulator.url).host} (LIVE mode)\n`);
    expect(asked).toEqual(["Create a charge of R$ 19,90?"]);
    expect(await count()).toBe(before + 1);
  });

  it("by `api` shows the request in the question", async () => {
    const asked: string[] = [];
    for (const [path, data, question] of [
      ["/v1/charges", "no JSON", "Create a Pix charge?"],
      ["/v1/charges", '{"amount":"much"}', "Create a Pix charge?"],
      ["/v1/charges", '{"amount":500,"customer":{"name":"Ana"}}', "Create a charge of R$ 5,00 for Ana?"],
      ["/v1/nowhere", "{}", "Send POST /v1/nowhere?"],
    ] as const) {
      const { code, err } = await cli.run(["api", "POST", path, "--data", data], { answers: [false], asked });
      expect([code, asked.pop()]).toEqual([2, question]);
      expect(err).toMatch(new RegExp(`^POST ${path} on \\S+ \\(LIVE mode\\)$`, "m"));
    }
  });
});

describe("a change on another machine", () => {
  it("needs a confirmation with a test key too", async () => {
    const asked: string[] = [];
    const words = [...create, "--base-url", "https://pay.invalid", "--api-key", emulator.key];
    const { code, err } = await cli.run(words, { answers: [false], asked });
    expect([code, asked]).toEqual([2, ["Create a charge of R$ 19,90?"]]);
    expect(err).toContain("\nPOST /v1/charges on pay.invalid (not this machine)\n");
  });

  it.each([
    ["http://127.0.0.1:9", 7],
    ["http://localhost:9", 7],
    ["http://[::1]:9", 7],
    ["http://127.0.0.1.pay.invalid", 2],
    ["http://localhost.invalid", 2],
    ["http://10.0.0.1:9", 2],
  ])("%s ends with %i", async (url, exit) => {
    expect((await cli.run([...create, "--base-url", url, "--api-key", emulator.key])).code).toBe(exit);
  });
});

describe("the mode", () => {
  const banner = async (words: readonly string[], options?: CliOptions) => (await cli.run(words, options)).err;

  it("is printed on standard error when it is live, whatever the command does", async () => {
    const line = `LIVE · ${emulator.url}\n`;
    for (const words of [["wallets", "list"], ["api", "GET", "/v1/wallets"], ["doctor"], [...create, "--dry-run"]]) {
      expect(await banner(words)).toContain(line);
    }
  });

  it("is printed for another host, with the kind of the key", async () => {
    const words = [...create, "--dry-run", "--base-url", "https://pay.invalid/base"];
    expect(await banner([...words, "--api-key", emulator.key])).toBe("TEST · https://pay.invalid\n");
    expect(await banner([...words, "--api-key", "something"])).toBe("REMOTE · https://pay.invalid\n");
  });

  it("is not printed for test keys on this machine, nor for programs", async () => {
    expect(await banner(["wallets", "list", "--api-key", emulator.key])).toBe("");
    expect(await banner(["wallets", "list", "--json"])).toBe("");
    expect(await banner(["wallets", "list", "--quiet"])).toBe("");
    expect(await banner(["payments", "list", "--output", "json"])).toBe("");
  });
});

it("--dry-run never shows half of a short key, nor a bearer token", async () => {
  const words = ["api", "GET", "/v1/wallets", "--dry-run", "--api-key", "abcdef"];
  const { out } = await cli.run([...words, "--header", "Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaa"]);
  expect(out).toContain("apikey: abc…\n");
  expect(out).toContain("authorization: Bearer aaaaa…\n");
});
