import { describe, expect, it } from "vitest";
import { GLOBAL_FLAGS } from "../../../src/api/client/flags.js";
import { commandTree } from "../../../src/programs/cli/tree/command-tree.js";
import { type CommandSpec, isOperation } from "../../../src/programs/cli/tree/define-command.js";
import { syntaxOf, takesGlobal, takesOf } from "../../../src/programs/cli/tree/syntax.js";
import { sharedCli } from "../../support/shared.js";

/** A script gives the same flags to all its commands: each command takes every global flag, in front of its words or behind them. */

const cli = sharedCli();

const VALUES: Readonly<Record<string, string>> = {
  "<name>": "shop",
  "<url>": "http://127.0.0.1:9",
  "<key>": "qa_test_none",
  "<duration>": "5s",
  "<language>": "en",
};
/** Each global flag with a value where it takes one. --dry-run is apart: a command that has no rehearsal must not run. */
const GLOBALS = Object.keys(GLOBAL_FLAGS)
  .filter((written) => written !== "--dry-run")
  .flatMap((written) => written.split(" ").map((word) => VALUES[word] ?? word));

/** The words of each command with the flags that it cannot do without. */
const COMMANDS = commandTree.map((spec): [command: string, words: string[], spec: CommandSpec] => {
  const needed = isOperation(spec) ? [] : Object.entries(spec.flags ?? {});
  const flags = needed.filter(([, about]) => typeof about === "object" && about.required);
  const words = [...spec.command.split(" "), ...flags.flatMap(([written]) => [written.split(" ")[0] ?? "", "x"])];
  return [spec.command, words, spec];
});

/** The first complaint about a command line that ends with an unknown flag: it must be about that one. */
async function complaint(words: readonly string[]): Promise<string> {
  const { code, out, err } = await cli.run([...words, "--nonsense"]);
  expect([code, out]).toEqual([2, ""]);
  return err.includes("{") ? JSON.parse(err).error.message : String(err.split("\n")[0]).replace(/^Error: /, "");
}

describe.each(COMMANDS)("%s", (_command, words) => {
  it("takes every global flag, in front, between its words and behind", async () => {
    // A flag that is not taken is the first complaint, also among others.
    for (const line of [
      [...GLOBALS, ...words],
      [...words.slice(0, 1), ...GLOBALS, ...words.slice(1)],
      [...words, ...GLOBALS],
    ]) {
      expect([line, await complaint(line)]).toEqual([line, "Unknown option '--nonsense'."]);
    }
  });
});

const REALLY_RUNNING = COMMANDS.filter(([, , spec]) => !takesGlobal(syntaxOf(spec), "dryRun"));

it.each(REALLY_RUNNING)("%s refuses --dry-run, because it would really run", async (command, words, spec) => {
  const needed = Object.keys(takesOf(spec)).filter((written) => written.startsWith("<"));
  const { code, out, err } = await cli.run(["--dry-run", ...words, ...needed.map(() => "x")]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(`\`qa-pay ${command}\` does not take --dry-run.`);
});

it("the last value of a flag of every command counts, so that an alias can be overruled", async () => {
  const line = ["--base-url", "http://127.0.0.1:1", "wallets", "list", "--base-url", "http://127.0.0.1:9", "--dry-run"];
  const { code, out } = await cli.run([...line, "--api-key", "qa_test_none"]);
  expect([code, out]).toEqual([0, expect.stringContaining("http://127.0.0.1:9/")]);
});
