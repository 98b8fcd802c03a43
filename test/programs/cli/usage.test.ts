import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { camel } from "../../../src/api/client/flag-name.js";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { ERROR_CATALOGUE } from "../../../src/base/kernel/errors.js";
import { VERSION } from "../../../src/base/platform/version.js";
import { exitCodeOf } from "../../../src/programs/cli/terminal/failure.js";
import { commandTree, operations } from "../../../src/programs/cli/tree/command-tree.js";
import { syntaxOf, takesGlobal } from "../../../src/programs/cli/tree/syntax.js";
import { errorCodes } from "../../../src/service/openapi/errors.js";
import { testCli } from "../../support/cli.js";

/** Help and errors for a person who does not know the command line yet. */

const cli = testCli();
afterAll(() => cli.remove());

const commanded = registry.flatMap(({ contract }: { readonly contract: Contract }) =>
  contract.cli === undefined || contract.cli.variant !== undefined ? [] : [{ ...contract, cli: contract.cli }],
);

/** The names of the members that an answer, or a row of a list, has at its top. */
function fieldsOf(schema: z.ZodType, rows: string | undefined): string[] {
  const member = rows === undefined || rows === "" ? schema : (schema as z.ZodObject).shape[rows];
  const item = member instanceof z.ZodArray ? member.element : member;
  return item instanceof z.ZodObject ? Object.keys(item.shape) : [];
}

describe("help", () => {
  it("names the first word of every command on its first page, commands before flags, and the others in that of the word", async () => {
    const { code, out, err } = await cli.run(["--help"]);
    expect([code, err]).toEqual([0, ""]);
    for (const { command } of operations) {
      const [noun = "", member = ""] = command.split(" ");
      expect(out).toMatch(new RegExp(`^  ${noun} `, "m"));
      expect((await cli.run([noun, "--help"])).out).toMatch(new RegExp(`^  ${member}\\b`, "m"));
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
      for (const { name, optional } of spec?.arguments ?? [])
        expect(out).toContain(optional ? `[${name}]` : `<${name}>`);
      for (const flag of spec?.flags ?? []) expect(out).toMatch(new RegExp(`^  --${flag.name} .*\\S`, "m"));
      expect(out).toContain("\nFlags of most commands, such as --json and --dry-run: `qa-pay --help`\n");
      expect(out).not.toMatch(/^ +--(profile|quiet|utc)\b/m);
      expect(await cli.run(["help", ...command.split(" ")])).toEqual({ code, out, err: "" });
      expect(await cli.run([...command.split(" "), "-h"])).toEqual({ code, out, err: "" });
    },
  );

  it("is shown by the word help behind global flags too, and is no value of one", async () => {
    const { out } = await cli.run(["charges", "get", "--help"]);
    expect((await cli.run(["--profile", "staging", "--json", "help", "charges", "get"])).out).toBe(out);
    const { code, err } = await cli.run(["--profile", "help", "wallets", "list"]);
    expect([code, err]).toEqual([2, expect.stringContaining("There is no profile help.")]);
  });

  it.each(commandTree)("of $command names only flags that the command takes", async (spec) => {
    const { out } = await cli.run([...spec.command.split(" "), "--help"]);
    const line = /^Flags of most commands, (.*): `qa-pay --help`$/m.exec(out)?.[1] ?? "";
    const named = line.match(/(?<=--)[\w-]+/g) ?? [];
    expect(named.filter((name) => !takesGlobal(syntaxOf(spec), camel(name)))).toEqual([]);
    expect(out).not.toMatch(/, (here|such as) ?:/);
  });

  it.each(commanded)("of $cli.command says what it answers and how it refuses", async (contract) => {
    const { command, rows } = contract.cli;
    const columns = operations.find((one) => one.command === command)?.columns ?? [];
    const { out } = await cli.run([...command.split(" "), "--help"]);
    const flat = out.replace(/\s+/g, " ");
    const shown = / Shown (.*?) (?:With --\w+|Errors:)/.exec(flat)?.[1] ?? "";
    for (const { header } of columns) expect(shown).toContain(header);
    for (const name of fieldsOf(contract.success.schema, rows)) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
    for (const code of errorCodes(contract)) {
      const { status } = ERROR_CATALOGUE[code];
      expect(flat).toMatch(
        new RegExp(
          ` ${code} ${status}, exit ${exitCodeOf(status)}: \\S| of any command .*\\b${status}\\b.*\\(exit ${exitCodeOf(status)}\\)`,
        ),
      );
    }
    for (const code of contract.errors) expect(flat).toMatch(new RegExp(` ${code} \\d+, exit \\d: `));
    // Deeper members are named beside their object, and have no lines of their own.
    const json = out.split("\n\n").find((section) => section.startsWith("With --json")) ?? "";
    expect(json).not.toMatch(/^ {2}\w+\.\w+ /m);
  });

  it("says what fields hold: times, centavos, choices, members", async () => {
    const { out } = await cli.run(["charges", "get", "--help"]);
    for (const line of [
      /^ {2}amount +integer, centavos$/m,
      /^ {2}status +pending, processing, paid, .*$/m,
      /^ {2}customer +object: name, document, email, phone$/m,
      /^ {2}expected_payer_tax_id +string \(may be absent\)$/m,
      /^ {2}created_at +time$/m,
      /^ {2}not_found +404, exit 4: There is nothing under this address or id\.$/m,
    ])
      expect(out).toMatch(line);
    expect((await cli.run(["payments", "list", "--help"])).out).toMatch(
      /^With --json, in each of data:\n {2}id +string/m,
    );
    expect((await cli.run(["sandbox", "reset", "--help"])).out).toMatch(/^Answer: none\./m);
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
