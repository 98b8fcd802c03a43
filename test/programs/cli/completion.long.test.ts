import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testWith } from "../../support/programs.js";
import { sharedCli } from "../../support/shared.js";

/** The scripts of `completion` for shells that not every machine has, run by these. */

const cli = sharedCli();

/** The file of the script. */
async function scriptFor(shell: "zsh" | "fish"): Promise<string> {
  const { out } = await cli.run(["completion", shell]);
  const file = join(cli.folder, `qa-pay.${shell}`);
  writeFileSync(file, out);
  return file;
}

const runIn = (shell: string, ...words: string[]) => execFileSync(shell, words, { encoding: "utf8", timeout: 60_000 });

testWith("zsh", "zsh can read its script", async () => {
  runIn("zsh", "-n", await scriptFor("zsh"));
});

testWith("fish", "fish can read its script, and offers with it", async () => {
  const file = await scriptFor("fish");
  runIn("fish", "--no-execute", file);
  const ask = (line: string) => {
    const out = runIn("fish", "--no-config", "-c", `source ${file}; complete -C "${line}"`);
    return out
      .trimEnd()
      .split("\n")
      .map((one) => one.split("\t")[0]);
  };
  expect(ask("qa-pay --profile x med evidence ")).toEqual(
    expect.arrayContaining(["list", "add", "upload", "complete"]),
  );
  expect(ask("qa-pay charges create --am")).toContain("--amount");
  expect(ask("qa-pay help med evidence c")).toEqual(["complete"]);
  expect(ask("qa-pay nonsense ")).not.toContain("charges");
});
