import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliOptions, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";

/** Changes that need a confirmation, and how a person sees which data they change. */

let emulator: TestEmulator;
let cli: ReturnType<typeof testCli>;

beforeAll(async () => {
  emulator = await startEmulator();
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.live });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

const create = ["charges", "create", "--amount", "1990"];

/** The number of charges and payments in the live book. */
async function count(): Promise<number> {
  return (await emulator.call("GET", "/v1/payments", { key: emulator.live })).body.total;
}

describe("a change with a live key", () => {
  it("needs a confirmation at a terminal, which shows method, path, host, mode and amount", async () => {
    const asked: string[] = [];
    const before = await count();
    const { code, out } = await cli.run(create, { answers: [true], asked });
    expect(code).toBe(0);
    expect(out).toContain("pending");
    expect(asked).toEqual([`POST /v1/charges on ${new URL(emulator.url).host} (LIVE mode, R$ 19,90). Go ahead?`]);
    expect(await count()).toBe(before + 1);
  });

  it("is not sent when the person says no", async () => {
    const before = await count();
    const { code, out, err } = await cli.run(create, { answers: [false] });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Nothing was sent.");
    expect(await count()).toBe(before);
  });

  it("is refused without a terminal, and the error says which flag to add", async () => {
    const before = await count();
    const { code, out, err } = await cli.run(create);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/live key.*\n.*--yes/);
    expect(await count()).toBe(before);
  });

  it("is sent without a question with --yes", async () => {
    expect((await cli.run([...create, "--yes"], { answers: [] })).code).toBe(0);
    expect((await cli.run([...create, "--yes"])).code).toBe(0);
  });

  it("by `api` shows the given request in the question", async () => {
    const asked: string[] = [];
    const { code } = await cli.run(["api", "POST", "/v1/charges", "--data", "no JSON"], { answers: [false], asked });
    expect(code).toBe(2);
    expect(asked[0]).toMatch(/^POST \/v1\/charges on \S+ \(LIVE mode\)\./);
  });

  it("needs one confirmation for a whole script", async () => {
    const asked: string[] = [];
    const { code } = await cli.run(["trigger", "charge.paid"], { answers: [true], asked });
    expect(code).toBe(0);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^POST \/v1\/charges and 1 more on /);
    const refused = await cli.run(["trigger", "charge.paid"]);
    expect([refused.code, refused.out]).toEqual([2, ""]);
  });

  it("is confirmed, while reading needs no confirmation", async () => {
    expect((await cli.run(["wallets", "list"])).code).toBe(0);
  });
});

describe("a change on another machine", () => {
  it("needs a confirmation with a test key too", async () => {
    const asked: string[] = [];
    const words = [...create, "--base-url", "https://pay.invalid", "--api-key", emulator.key];
    const { code } = await cli.run(words, { answers: [false], asked });
    expect(code).toBe(2);
    expect(asked).toEqual(["POST /v1/charges on pay.invalid (not this machine, R$ 19,90). Go ahead?"]);
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

describe("--dry-run", () => {
  it("shows the request without its key, and sends nothing", async () => {
    const before = await count();
    const words = [...create, "--customer-name", "Maria", "--idempotency-key", "order-00001", "--dry-run"];
    const { code, out } = await cli.run(words);
    expect(code).toBe(0);
    const [head = "", body = ""] = out.split("\n\n");
    expect(head.split("\n")).toEqual([
      `POST ${emulator.url}/v1/charges`,
      "accept: application/json",
      `apikey: ${emulator.live.slice(0, 12)}…`,
      "idempotency-key: order-00001",
      "content-type: application/json",
    ]);
    expect(JSON.parse(body)).toEqual({ amount: 1990, customer: { name: "Maria" }, payment_method: "pix" });
    expect(out).not.toContain(emulator.live.slice(0, 13));
    expect(await count()).toBe(before);
  });

  it("is one JSON object with --json", async () => {
    const { out, err } = await cli.run([...create, "--dry-run", "--json"]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      method: "POST",
      url: `${emulator.url}/v1/charges`,
      headers: { apikey: `${emulator.live.slice(0, 12)}…` },
      body: { amount: 1990 },
    });
    const read = JSON.parse((await cli.run(["payments", "list", "--limit", "3", "--dry-run", "--json"])).out);
    expect(read).toMatchObject({ method: "GET", url: `${emulator.url}/v1/payments?limit=3`, body: null });
  });

  it("never shows half of a short key, nor a bearer token", async () => {
    const words = ["api", "GET", "/v1/wallets", "--dry-run", "--api-key", "abcdef"];
    const { out } = await cli.run([...words, "--header", "Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaa"]);
    expect(out).toContain("apikey: abc…\n");
    expect(out).toContain("authorization: Bearer aaaaa…\n");
  });

  it("shows every step of a script; values that are not known yet stay as they are written", async () => {
    const before = await count();
    const { code, out } = await cli.run(["trigger", "charge.paid", "--dry-run", "--json"]);
    expect(code).toBe(0);
    const steps = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(steps.map(({ method, url }) => `${method} ${url.slice(emulator.url.length)}`)).toEqual([
      "POST /v1/charges",
      expect.stringMatching(/^POST \/_sandbox\/charges\/\$\{charge\.id\}\/pay$/),
    ]);
    expect(await count()).toBe(before);
    const own = await cli.run(["trigger", "charge.paid", "--charge", "ch_1", "--dry-run"]);
    expect(own.out).toMatch(/^POST \S+\/_sandbox\/charges\/ch_1\/pay\n/);
  });

  it("shows the first request of an upload", async () => {
    writeFileSync(join(cli.folder, "proof.png"), Buffer.from("89504e470d0a1a0a00", "hex"));
    const { code, out } = await cli.run(["med", "evidence", "add", "med_1", "proof.png", "--dry-run"]);
    expect([code, out.split("\n")[0]]).toEqual([0, `POST ${emulator.url}/v1/med/cases/med_1/evidence`]);
  });

  it("is refused by commands that send no such request", async () => {
    for (const words of [
      ["openapi"],
      ["logs", "tail"],
      ["logs", "show", "req_1"],
      ["listen"],
      ["conform"],
      ["doctor"],
      ["whoami"],
    ]) {
      const { code, err } = await cli.run([...words, "--dry-run"]);
      expect([words[0], code]).toEqual([words[0], 2]);
      expect(err).toContain("does not take --dry-run");
    }
  });
});
