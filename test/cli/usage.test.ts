import { afterAll, describe, expect, it } from "vitest";
import { operations } from "../../src/cli/tree/command-tree.js";
import { VERSION } from "../../src/version.js";
import { testCli } from "../support/cli.js";

/** Help and errors for a person who does not know the command line yet. */

const cli = testCli();
afterAll(() => cli.remove());

describe("help", () => {
  it("names every command on its first page, commands before flags", async () => {
    const { code, out, err } = await cli.run(["--help"]);
    expect([code, err]).toEqual([0, ""]);
    const flat = out.replace(/\s+/g, " ");
    for (const { command } of operations) {
      const [noun = "", member = ""] = command.split(" ");
      expect(flat).toMatch(new RegExp(`${noun} [^:]+: [^:]*\\b${member}\\b`));
    }
    for (const name of ["serve", "openapi"]) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(out.indexOf("charges")).toBeLessThan(out.indexOf("--profile"));
    expect(out).toContain("$ qa-pay serve");
    expect(out).toContain("Exit codes:");
  });

  it.each([
    "charges",
    "webhooks",
    "webhooks endpoints",
    "sandbox",
    "sandbox faults",
    "med evidence",
    "profiles",
    "logs",
  ])("of the group %s shows an example of its commands", async (group) => {
    const { code, out } = await cli.run([...group.split(" "), "--help"]);
    expect([code, out]).toEqual([0, expect.stringContaining(`Examples:\n  $ qa-pay ${group} `)]);
  });

  it.each(operations.map(({ command }) => command))(
    "of %s shows its usage, its flags and an example",
    async (command) => {
      const spec = operations.find((one) => one.command === command);
      const { code, out } = await cli.run([...command.split(" "), "--help"]);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: qa-pay ${command} `);
      expect(out).toContain("Examples:\n  $ qa-pay ");
      for (const argument of spec?.arguments ?? []) expect(out).toContain(`<${argument.name}>`);
      for (const flag of spec?.flags ?? []) expect(out).toMatch(new RegExp(`^  --${flag.name} .*\\S`, "m"));
      for (const flag of [
        "--profile",
        "--base-url",
        "--api-key",
        "--json",
        "--no-color",
        "--quiet",
        "--verbose",
        "--yes",
      ]) {
        expect(out).toContain(`  ${flag} `);
      }
      expect(await cli.run(["help", ...command.split(" ")])).toEqual({ code, out, err: "" });
    },
  );

  it("of serve and openapi shows only their own flags", async () => {
    for (const command of ["serve", "openapi"]) {
      const { out } = await cli.run([command, "--help"]);
      expect(out).toContain("--json");
      expect(out).not.toContain("--api-key");
      expect(out).toContain("Examples:");
    }
  });

  it("says which flags are required, their choices and their defaults", async () => {
    const { out } = await cli.run(["charges", "create", "--help"]);
    expect(out).toContain("Usage: qa-pay charges create --amount <integer> [flags]");
    expect(out).toMatch(/--amount <integer> +Centavos.*\(required\)/);
    expect((await cli.run(["webhooks", "deliveries", "--help"])).out).toMatch(
      /--limit <integer> .*1 to 100; default 25/,
    );
    expect((await cli.run(["sandbox", "review", "--help"])).out).toMatch(/--decision .*\(approve, reject\)/s);
  });

  it.each([["-V"], ["--version"]])("%s prints the version and nothing else", async (flag) => {
    expect(await cli.run([flag])).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
  });
});

describe("a flag of every command", () => {
  const flags = ["--no-color", "--quiet", "--verbose", "--yes", "--utc", "--base-url", "http://127.0.0.1:9"];
  const key = ["--api-key", "qa_test_00000000", "--profile", "local"];

  it.each(["openapi", "completion bash", "fixtures list", "profiles list", "exec -- true"])(
    "is taken by %s, which it does not concern",
    async (line) => {
      const { code } = await cli.run([...flags, ...key, ...line.split(" ")]);
      expect(code).toBe(0);
    },
  );
});

describe("a wrong command line ends with 2, on standard error, and says what to do next", () => {
  it.each([
    ["charge create", "did you mean charges?", "qa-pay --help"],
    ["charges creat", "did you mean create?", "qa-pay charges --help"],
    ["nonsense", "Unknown command 'nonsense'.", "qa-pay --help"],
    ["charges create", "--amount is required.", "qa-pay charges create --amount 1990"],
    ["charges create --amout 3", "did you mean --amount?", "qa-pay charges create --help"],
    ["charges create --amount", "--amount takes a value.", "qa-pay charges create --help"],
    ["charges create --amount 5 more", "`qa-pay charges create` does not take the word more.", "create --help"],
    ["charges create extra", "`qa-pay charges create` does not take the word extra.", "qa-pay charges create --help"],
    ["charges get ch_1 a b", "`qa-pay charges get` does not take the words a b.", "qa-pay charges get --help"],
    ["doctor now", "`qa-pay doctor` does not take the word now.", "qa-pay doctor --help"],
    ["charges get", "<id> is missing: Id of the charge", "qa-pay charges get ch_"],
    ["charges get ..", '".." cannot be an id.', ""],
    ["charges create --amount x", "--amount takes a whole number of centavos, not x: write 1990 for R$ 19,90.", ""],
    ["charges create --amount 5 --metadata {", "--metadata takes JSON, or @file with JSON.", ""],
    ["charges create --amount 5 --metadata @none.json", "none.json cannot be read.", ""],
    ["webhooks endpoints create", "--url and --events are required.", "qa-pay webhooks endpoints create --url"],
    ["webhooks deliveries --status lost", "takes PENDING, PROCESSING, DELIVERED, FAILED, CANCELLED, not lost.", ""],
    ["wallets list --profile none", "There is no profile none.", ""],
    ["wallets list --base-url localhost", "--base-url must start with http", ""],
    ["serve --dry-run", "`qa-pay serve` does not take --dry-run.", "qa-pay serve --help"],
    ["serve --webhook-secret s3cret", "--webhook-secret takes 64 hexadecimal digits", "openssl rand -hex 32"],
    ["serve --rate-limit 0", "--rate-limit takes a whole number from 1 to 1000000, not 0.", ""],
    ["serve --rate-limit 10/s", "--rate-limit takes a whole number from 1 to 1000000, not 10/s.", ""],
    ["serve --customer-velocity 5", "--customer-velocity takes how many charges in which time, such as 5/60s", ""],
    ["serve --customer-velocity 0/60s", "or 100/1h, not 0/60s.", ""],
    ["serve --customer-velocity 1.5/60s", "or 100/1h, not 1.5/60s.", ""],
    ["serve --customer-velocity=-5/60s", "or 100/1h, not -5/60s.", ""],
    ["serve --account-velocity 5/60", "--account-velocity takes how many charges in which time, such as 5/60s", ""],
    ["serve --account-velocity 5/0s", "or 100/1h, not 5/0s.", ""],
    ["serve --account-velocity 60s/5", "or 100/1h, not 60s/5.", ""],
    ["serve --account-velocity", "--account-velocity takes a value.", "qa-pay serve --help"],
    ["openapi --preview nothing", "--preview takes charge-list, not nothing.", ""],
  ])("%s", async (line, message, next) => {
    const words = line.split(" ");
    const { code, out, err } = await cli.run(words, { env: { QA_PAY_API_KEY: "qa_test_00000000" } });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^Error: /);
    expect(err).toContain(message);
    expect(err).toContain(next);
    const asJson = await cli.run([...words, "--json"], { env: { QA_PAY_API_KEY: "qa_test_00000000" } });
    expect([asJson.code, asJson.out]).toEqual([2, ""]);
    const envelope = JSON.parse(asJson.err);
    expect(envelope.error).toMatchObject({ code: "usage", message: expect.stringContaining(message) });
  });

  it.each([[[]], [["charges"]], [["webhooks", "endpoints"]]])("%j shows the help of this group", async (words) => {
    const { code, out, err } = await cli.run(words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^Usage: qa-pay /);
  });
});
