import { describe, expect, it } from "vitest";
import { bearer, tokenOf, userOf } from "../../support/access.js";
import { testCli } from "../../support/cli.js";
import { freshKey, type Loose, type TestEmulator } from "../../support/emulator.js";
import { REQUESTS } from "../../support/payments.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { readCurl, wordsOf } from "../../support/shell-lines.js";

/** `logs show --curl` and `--cli`: lines for a shell that send a request of the log again. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

const latest = async (): Promise<Loose> => (await emulator.sandbox("/requests?limit=1")).data[0];
const idempotent = () => ({ "idempotency-key": freshKey() });
const CHARGE = { amount: 1990, payment_method: "pix" };

/** The words of a line, as a shell passes them to a program. */
function wordsIn(line: string): string[] {
  return wordsOf([line], { QA_PAY_API_KEY: emulator.key, QA_PAY_TOKEN: "a-token" })[0] ?? [];
}

async function lineFor(flag: "--curl" | "--cli", number?: number): Promise<{ line: string; err: string }> {
  const { code, out, err } = await cli.run(["logs", "show", String(number ?? (await latest()).number), flag]);
  expect(code).toBe(0);
  expect(out).not.toContain(emulator.key);
  return { line: out.trimEnd(), err };
}

/** Sends the request of a curl line. */
async function curl(line: string): Promise<void> {
  const { method, address, headers, body } = readCurl(wordsIn(line));
  const bytes = body === undefined ? {} : { body: Buffer.from(body) };
  await fetch(address, { method, headers: { "content-type": "", ...headers }, ...bytes });
}

/** The parts of a request that its repetition must have too. */
const essence = ({ method, path, status, idempotency_key, request_body, error }: Loose) => {
  return { method, path, status, idempotency_key, request_body, error };
};

type Case = readonly [
  title: string,
  method: string,
  path: string,
  options: Parameters<TestEmulator["call"]>[2],
  /** The words that the qa-pay command begins with. */
  command: string,
];

const METADATA = { note: `it's "quoted" $HOME \`id\` \\ ;|&*?!#~`, list: ["a", "b"] };

const CASES: readonly Case[] = [
  ["a read", "GET", "/v1/wallets", {}, "wallets list"],
  ["a read with a query", "GET", "/v1/payments?limit=2&status=PAID&sortBy=amount", {}, "payments list --limit 2"],
  ["an id that there is none of", "GET", "/v1/charges/it's%20mine", {}, "charges get 'it'\\''s mine'"],
  ["a charge", "POST", "/v1/charges", { body: CHARGE, headers: idempotent() }, "charges create --amount 1990"],
  [
    "every part of a charge",
    "POST",
    "/v1/charges",
    {
      body: { ...CHARGE, description: "-x\nline 2 — açaí", customer: { name: "O'Neil" }, metadata: METADATA },
      headers: { "idempotency-key": "-begins-with-a-dash" },
    },
    "charges create",
  ],
  [
    "a charge that is refused",
    "POST",
    "/v1/charges",
    { body: { ...CHARGE, amount: -5 }, headers: idempotent() },
    "charges create --amount=-5",
  ],
  [
    "a field that no flag sets",
    "POST",
    "/v1/charges",
    { body: { ...CHARGE, a: 1 }, headers: idempotent() },
    "api POST",
  ],
  [
    "a field of the wrong type",
    "POST",
    "/v1/charges",
    { body: { ...CHARGE, amount: "5" }, headers: idempotent() },
    "api",
  ],
  ["a missing idempotency key", "POST", "/v1/charges", { body: CHARGE }, "api POST /v1/charges"],
  ["a body that is no JSON", "POST", "/v1/charges", { raw: "it's @ {", headers: idempotent() }, "api POST"],
  ["a body like a file", "POST", "/v1/charges", { raw: "[1]", headers: idempotent() }, "api POST"],
  [
    "another content type",
    "POST",
    "/v1/charges",
    { raw: '{"amount":1}', headers: { ...idempotent(), "content-type": "text/plain" } },
    "api POST",
  ],
  ["an unknown path", "DELETE", "/v1/nothing?a=[1]&b=%27", {}, "api DELETE"],
  ["another origin", "GET", "/v1/wallets", { headers: { origin: "http://evil.example" } }, "wallets list"],
  [
    "a key in the body",
    "POST",
    "/v1/payments",
    { body: { ...REQUESTS.PIX, amount: 100, idempotencyKey: "key-in-the-body" } },
    "payments create",
  ],
];

describe("logs show --cli", () => {
  it.each(CASES.filter(([title]) => title !== "another origin"))(
    "repeats %s",
    async (_title, method, path, options, command) => {
      await emulator.call(method, path, options);
      const first = await latest();
      const { line } = await lineFor("--cli");
      expect(line).toMatch(/ --base-url http:\S+ --api-key "\$QA_PAY_API_KEY"$/);
      expect(line.slice(0, "qa-pay ".length + command.length)).toBe(`qa-pay ${command}`);
      const [program, ...words] = wordsIn(line);
      expect(program).toBe("qa-pay");
      await testCliWithout(words);
      const again = await latest();
      expect(again.number).toBeGreaterThan(first.number);
      expect(essence(again)).toEqual(essence(first));
    },
  );

  it("names the command of a user, who is logged in", async () => {
    await emulator.call("GET", "/v1/api-keys", bearer(await tokenOf(emulator)));
    const { line, err } = await lineFor("--cli");
    expect([line, err]).toEqual([
      `qa-pay keys list --base-url ${emulator.url}`,
      "This is a route for users: run `qa-pay login` first.\n",
    ]);
  });
});

/** Runs a command that knows the host and the key from its own words only. */
async function testCliWithout(words: readonly string[]): Promise<void> {
  const bare = testCli();
  await bare.run(words);
  bare.remove();
}

describe("logs show --curl", () => {
  it.each(CASES)("repeats %s", async (_title, method, path, options) => {
    await emulator.call(method, path, options);
    const first = await latest();
    const { line } = await lineFor("--curl");
    expect(line).toContain('-H "apikey: $QA_PAY_API_KEY"');
    await curl(line);
    const again = await latest();
    expect(again.number).toBeGreaterThan(first.number);
    expect(essence(again)).toEqual(essence(first));
  });

  it("takes the token of a user from a variable, and says so", async () => {
    await emulator.call("GET", "/v1/api-keys", bearer(await tokenOf(emulator)));
    const { line, err } = await lineFor("--curl");
    expect(wordsIn(line)).toContain("authorization: Bearer a-token");
    expect(err).toMatch(/^This is a route for users: set QA_PAY_TOKEN/);
  });
});

it("is repeated without a credential where the route takes none", async () => {
  await emulator.call("GET", "/v1/webhooks/event-catalog");
  const { line } = await lineFor("--curl");
  expect(line).toBe(`curl ${emulator.url}/v1/webhooks/event-catalog`);
});

describe("a request that is not whole in the log", () => {
  it("is repeated with a body from a file, and a note says so", async () => {
    const body = { ...CHARGE, metadata: { note: "x".repeat(20_000) } };
    await emulator.call("POST", "/v1/charges", { body, headers: idempotent() });
    for (const [flag, words] of [
      ["--curl", ["--data-binary", "@body.json"]],
      ["--cli", ["--data", "@body.json"]],
    ] as const) {
      const { line, err } = await lineFor(flag);
      expect(wordsIn(line).join(" ")).toContain(words.join(" "));
      expect(err).toBe("The body was too long to be kept. Write it into body.json before you run this.\n");
    }
  });

  it("is repeated with placeholders for its secrets, and a note says so", async () => {
    const { email, password } = userOf(emulator);
    await emulator.call("POST", "/v1/auth/login", { key: null, body: { email, password } });
    for (const flag of ["--curl", "--cli"] as const) {
      const { line, err } = await lineFor(flag);
      expect(line).toContain(`{"email":"${email}","password":"[not logged]"}`);
      expect(line).not.toContain(password);
      expect(err).toBe("Secrets are not in the log. Put the real ones in the place of [not logged].\n");
    }
  });
});

describe("logs show", () => {
  it("finds a request by its number, and by an id that is a number", async () => {
    await emulator.call("GET", "/v1/wallets", { headers: { "x-request-id": "900000001" } });
    const entry = await latest();
    for (const name of [String(entry.number), "900000001"]) {
      const { out } = await cli.run(["logs", "show", name, "--json"]);
      expect(JSON.parse(out)).toEqual(entry);
    }
  });

  it("prints both lines as JSON with --json", async () => {
    await emulator.call("GET", "/v1/wallets");
    const { out } = await cli.run(["logs", "show", String((await latest()).number), "--curl", "--cli", "--json"]);
    const { url } = emulator;
    expect(JSON.parse(out)).toEqual({
      curl: `curl ${url}/v1/wallets -H "apikey: $QA_PAY_API_KEY"`,
      cli: `qa-pay wallets list --base-url ${url} --api-key "$QA_PAY_API_KEY"`,
      notes: [],
    });
  });
});

it("sandbox requests --errors counts the refusals by route and code", async () => {
  await emulator.sandbox("/reset");
  for (const id of ["one", "two"]) await emulator.call("GET", `/v1/charges/${id}`);
  const { code, out } = await cli.run(["sandbox", "requests", "--errors"]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Count +Method +Route +Status +Error +Last \(UTC\S*\) +Number\n2 +GET +\/v1\/charges\/\{id\} +404 +not_found /m,
  );
  const asked = await cli.run(["sandbox", "requests", "--errors", "--path", "/v1/wallets", "--json"]);
  expect(JSON.parse(asked.out)).toEqual({ data: [] });
});
