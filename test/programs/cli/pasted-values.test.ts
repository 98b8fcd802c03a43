import { describe, expect, it } from "vitest";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Values as people paste them: white space and characters that cannot be seen around them are cut. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

/** The request that a command line would send. */
async function asked(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await cli.run([...words, "--dry-run", "--json"], { env });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}

const AROUND = [
  "\r",
  "\n",
  "\r\n",
  " ",
  "  ",
  "\t",
  "\u00a0",
  "\u202f",
  "\u3000",
  "\ufeff",
  "\u200b",
  "\u2060",
  "\u200e",
];

describe("white space and unseen characters around a value are cut", () => {
  it.each(AROUND)("as %j", async (mark) => {
    const words = ["charges", "create", "--amount", `1990${mark}`, `--customer-name=${mark}Maria  Silva${mark}`];
    expect((await asked([...words, "--expires-in", `${mark}10m${mark}`])).body).toMatchObject({
      amount: 1990,
      customer: { name: "Maria  Silva" },
      expires_in: 600,
    });
  });

  it.each<[string, string[], object]>([
    ["a boolean", ["sandbox", "med", "open", "ch_1", "--type", "chargeback\r"], { type: "chargeback" }],
    [
      "a list",
      [
        "webhooks",
        "endpoints",
        "create",
        "--url",
        " https://a.test ",
        "--events",
        "charge.paid ,\tcharge.failed\u200b",
      ],
      { url: "https://a.test", events: ["charge.paid", "charge.failed"] },
    ],
    [
      "JSON",
      ["charges", "create", "--amount", "1", "--metadata", '\ufeff{"order": " 7 "}\r\n'],
      { metadata: { order: " 7 " } },
    ],
    [
      "an instant",
      ["sandbox", "clock", "advance", "--to", "\u00a02027-01-01T00:00:00Z\r"],
      { to: "2027-01-01T00:00:00Z" },
    ],
    ["a share", ["sandbox", "chaos", "--duplicate", "0.5\r"], { duplicate: 0.5 }],
  ])("around %s", async (_name, words, body) => {
    expect((await asked(words)).body).toMatchObject(body);
  });

  it("around the last word of a line, as a script with Windows line ends has it", async () => {
    expect((await cli.run(["wallets", "list\r"])).code).toBe(0);
    expect((await cli.run(["wallets", "list", "--json\r"])).out).toMatch(/^\[/);
    expect((await cli.run(["charges", "create", "--help\r"])).out).toContain("--amount");
  });

  it("around the address, the key and the names of profiles, in flags and in variables", async () => {
    for (const mark of AROUND) {
      const there = ["--base-url", `${mark}${emulator.url}${mark}`, "--api-key", `${mark}${emulator.key}${mark}`];
      expect((await cli.run(["wallets", "list", ...there])).code).toBe(0);
      const env = { QA_PAY_BASE_URL: emulator.url + mark, QA_PAY_API_KEY: emulator.key + mark };
      expect((await cli.run(["wallets", "list"], { env: { ...env, QA_PAY_REQUEST_TIMEOUT: `5s${mark}` } })).code).toBe(
        0,
      );
    }
    const add = ["profiles", "add", "staging\r", "--base-url", `${emulator.url}\r`, "--api-key", `${emulator.key}\r`];
    expect((await cli.run(add)).code).toBe(0);
    expect((await cli.run(["wallets", "list", "--profile", " staging\r"])).code).toBe(0);
    expect((await cli.run(["wallets", "list"], { env: { QA_PAY_PROFILE: "staging\r" } })).code).toBe(0);
  });

  it("in a key too, with quotes around it and other hyphens", async () => {
    const { key } = emulator;
    const forms = [`"${key}"`, `“${key}”`, `\`${key}\``, `${key.slice(0, 9)}\u200b${key.slice(9)}`, `${key}.`];
    for (const form of forms) {
      expect((await cli.run(["wallets", "list", "--api-key", form, "--base-url", emulator.url])).code).toBe(0);
      expect(
        (await cli.run(["wallets", "list", "--api-key", "-", "--base-url", emulator.url], { input: form })).code,
      ).toBe(0);
    }
  });

  it("around what a person answers to a question", async () => {
    const answers = ["R$ 19,90\u200b", "\u00a0Shoes\r", " Maria "];
    const { out } = await cli.run(["charges", "create"], { answers });
    const [id = ""] = /ch_[0-9a-f-]{36}/.exec(out) ?? [];
    const { body } = await emulator.call("GET", `/v1/charges/${id}`);
    expect([body.amount, body.customer.name]).toEqual([1990, "Maria"]);
  });
});

describe("what was written stays", () => {
  it("inside a value, and behind two dashes", async () => {
    expect(
      (await asked(["charges", "create", "--amount", "1", "--description", "a\tb\u200b c"])).body.description,
    ).toBe("a\tb\u200b c");
  });

  it("and a value never becomes a flag", async () => {
    const { code, err } = await cli.run(["charges", "create", "--amount", " -5"]);
    expect([code, err.split("\n")[0]]).toEqual([
      2,
      "Error: --amount takes a whole number of centavos, not  -5: write digits alone, without a sign, a dot or a comma.",
    ]);
    expect((await cli.run(["payments", "find", " --json"])).out).not.toMatch(/^\{/);
  });
});

it("the service itself takes a key as it was sent", async () => {
  const headers = { apikey: `${emulator.key}\u00a0` };
  expect((await fetch(`${emulator.url}/v1/wallets`, { headers })).status).toBe(401);
});
