import { describe, expect, it } from "vitest";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Messages for values that are written as people write them, and not as the service needs them. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

/** Runs a command that is refused before anything is sent. Returns the first line of the message. */
async function refused(...words: string[]): Promise<string> {
  const before = (await emulator.sandbox("/requests?limit=100")).data.length;
  const { code, out, err } = await cli.run(words);
  expect([code, out]).toEqual([2, ""]);
  expect((await emulator.sandbox("/requests?limit=100")).data).toHaveLength(before);
  return err.split("\n")[0] ?? "";
}

describe("an amount", () => {
  it.each([
    ["19.90", "write 1990 for R$ 19,90."],
    ["19,90", "write 1990 for R$ 19,90."],
    ["R$ 19,90", "write 1990 for R$ 19,90."],
    ["5,5", "write 550 for R$ 5,50."],
    ["1.234,56", "write 123456 for R$ 1.234,56."],
    ["1,990.00", "write 199000 for R$ 1.990,00."],
    ["R$ 1.990", "write 199000 for R$ 1.990,00."],
    ["1990,00", "write 199000 for R$ 1.990,00."],
    ["1990.00", "write 199000 for R$ 1.990,00."],
    ["1990.5", "write 199050 for R$ 1.990,50."],
    ["ten", "write 1990 for R$ 19,90."],
  ])("of %s is refused with an example in centavos", async (text, advice) => {
    const message = `Error: --amount takes a whole number of centavos, not ${text}: ${advice}`;
    expect(await refused("charges", "create", "--amount", text)).toBe(message);
    expect(await refused("sandbox", "payouts", "create", "--amount", text)).toBe(message);
  });

  it.each([
    "1.990",
    "1,990",
    "R$ 1,990",
    "1990.0",
    "１９９０",
    "1990-",
    "1e3",
    "+1990",
    "19 90",
    "0x7C6",
    "19,905",
    "1990,",
    "-19,90",
    "US$ 19,90",
    "19,90 R$",
    "1990 centavos",
  ])("of %s, which may be one sum or another, is refused without naming any", async (text) => {
    const message = `Error: --amount takes a whole number of centavos, not ${text}: write digits alone, without a sign, a dot or a comma.`;
    expect(await refused("charges", "create", "--amount", text)).toBe(message);
  });

  it("in a currency that may have other decimals is refused without naming a sum", async () => {
    const line = await refused(
      "payments",
      "create",
      "--amount",
      "19,90",
      "--payment-methods",
      "CRYPTO",
      "--currency",
      "USDT",
    );
    expect(line).toBe(
      "Error: --amount takes a whole number of centavos, not 19,90: write digits alone, without a sign, a dot or a comma.",
    );
  });

  it("is the only number whose refusal explains centavos", async () => {
    const line = await refused("charges", "create", "--amount", "1990", "--expires-in", "1.5");
    expect(line).toBe("Error: --expires-in takes seconds or a duration such as 90s, 10m, 2h or 1d, not 1.5.");
  });
});

it("a command that needs one of several flags names them", async () => {
  expect(await refused("sandbox", "clock", "advance")).toBe("Error: --seconds or <to> is required.");
  expect(await refused("sandbox", "faults", "add", "--times", "1")).toBe(
    "Error: --effect-status, --effect-latency-ms or --effect-drop is required.",
  );
});

describe("an address without http://", () => {
  it.each(["localhost:3000", "127.0.0.1:4600/", "[::1]:4600", "shop:4600", "pay.example.com"])(
    "%s is shown with http://",
    async (text) => {
      const message = `Error: --base-url must start with http:// or https://, not ${text}. Write http://${text}.`;
      expect(await refused("wallets", "list", "--base-url", text)).toBe(message);
    },
  );

  it.each(["two words", "ftp://files.example", "htp:/localhost", "HTTP://localhost:4600"])(
    "%s, which would not become valid, is shown without a suggestion",
    async (text) => {
      const message = `Error: --base-url must start with http:// or https://, not ${text}.`;
      expect(await refused("wallets", "list", "--base-url", text)).toBe(message);
    },
  );
});

describe("an address with /v1 behind it", () => {
  it.each<[string, number, RegExp]>([
    ["charges get ch_0198", 4, /^Error: There is no GET \/v1\/v1\/charges\/ch_0198 here\. \(not_found\)$/],
    ["sandbox pay ch_0198", 2, /^Error: \S+\/v1 is not a qa-pay emulator/],
  ])("%s finds nothing there, and the message names the address without it", async (line, code, message) => {
    const flags = ["--base-url", `${emulator.url}/v1`, "--api-key", emulator.key];
    const ended = await cli.run([...line.split(" "), ...flags]);
    expect(ended.code).toBe(code);
    const [first, second] = ended.err.split("\n");
    expect(first).toMatch(message);
    expect(second).toBe(`The address of a service has no /v1: ${emulator.url}.`);
  });
});

it("a status is accepted in any case", async () => {
  await emulator.charge();
  for (const status of ["waiting_payment", "WAITING_PAYMENT", "Waiting_Payment"]) {
    const { code, out } = await cli.run(["payments", "list", "--status", status, "--json"]);
    expect([code, JSON.parse(out).total]).toEqual([0, 1]);
  }
  expect((await cli.run(["med", "list", "--status", "OPEN", "--json"])).code).toBe(0);
});

describe("--quiet", () => {
  it("of a create command prints only the id", async () => {
    const { code, out, err } = await cli.run(["charges", "create", "--amount", "1990", "--quiet"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^ch_[0-9a-f-]{36}\n$/);
    expect((await cli.run(["charges", "get", out.trim(), "--json"])).code).toBe(0);
  });

  it("still prints a secret that is shown only once", async () => {
    const words = ["webhooks", "endpoints", "create", "--url", "https://a.test/", "--events", "charge.paid", "--quiet"];
    expect((await cli.run(words)).out).toMatch(/Secret \(shown once\) +[0-9a-f]{64}/);
  });
});

describe("--verbose", () => {
  it("shows request and answer with their headers and the request id, but no key", async () => {
    const { code, err } = await cli.run(["charges", "create", "--amount", "1990", "--verbose"]);
    expect(code).toBe(0);
    expect(err).toContain(`> POST ${emulator.url}/v1/charges\n`);
    expect(err).toMatch(/^> idempotency-key: [0-9a-f-]{36}$/m);
    expect(err).toContain('> {"payment_method":"pix","amount":1990}\n');
    expect(err).toContain("\n< 201\n");
    expect(err).toMatch(/^< x-request-id: req_[0-9a-f-]{36}$/m);
    expect(err).not.toContain(emulator.key);
  });

  it("shows the request id of a refusal too", async () => {
    const { code, err } = await cli.run(["charges", "get", "ch_unknown", "--verbose"]);
    expect(code).toBe(4);
    expect(err).toMatch(/^< 404\n(?:< .*\n)*< x-request-id: req_/m);
  });
});
