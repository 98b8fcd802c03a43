import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GLOBAL_FLAGS } from "../../src/api/client/flags.js";
import { commandNouns } from "../../src/programs/cli/tree/command-tree.js";
import { commandsOf } from "../../src/programs/cli/tree/commands-of.js";
import { syntaxOf } from "../../src/programs/cli/tree/syntax.js";
import { samplesOf } from "./samples.js";

/** Every command line that a document shows names a command and flags that exist. docs/CLI.md is made of the commands. */

const NOUNS = commandNouns.map(({ noun }) => noun);
const specs = commandNouns.flatMap(({ noun }) => commandsOf(noun));

/** The long flags of declarations such as `--amount <integer>` and `-h, --help`. */
function flagNames(declarations: object): string[] {
  return Object.keys(declarations).flatMap((written) => /--[a-z][\w-]*/.exec(written)?.[0] ?? []);
}

const SHARED = [...flagNames(GLOBAL_FLAGS), "--help", "--version"];

const markdown = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
const pages = [
  ...readdirSync(".").filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md"),
  ...markdown("docs").filter((path) => path !== "docs/CLI.md"),
  ...markdown("examples"),
  ...markdown("skills"),
];

/** A command within a sentence, with `qa-pay` in front or without: `serve --frozen`. */
const IN_PROSE = new RegExp(`\`(?:npx )?(?:qa-pay (?=[a-z-])|(?=(?:${NOUNS.join("|")}) [a-z-]))([^\`]+)\``, "g");

/** Where a command ends: at a pipe, a redirection, the next command, a comment, a closing bracket. */
const END = /\s(?:\||>|<|&|;|#)|[;)]|\s…$/;

interface Line {
  readonly line: number;
  /** The words after `qa-pay`. */
  readonly text: string;
}

/** The command lines of a page: code within sentences that begins with the command, and blocks that are no output. */
function linesOf(page: string): Line[] {
  const blocks = samplesOf(page).filter(({ info }) => !/^(?:text|json)\b/.test(info));
  const ofBlocks = blocks.flatMap(({ text, line }) =>
    text
      .replace(/\\\n\s*/g, " ")
      .split("\n")
      .flatMap((one) =>
        [...one.matchAll(/(?:^|npx |[$(] ?)qa-pay (.*)/g)].map((match) => ({ line, text: match[1] ?? "" })),
      ),
  );
  const prose = page.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ""));
  const ofProse = [...prose.matchAll(IN_PROSE)].map((match) => ({
    line: prose.slice(0, match.index).split("\n").length,
    text: (match[1] ?? "").replaceAll("\n", " "),
  }));
  return [...ofBlocks, ...ofProse];
}

/** Returns the fault of a command line; undefined when there is none. */
function faultOf(text: string): string | undefined {
  const [own = ""] = text.replace(/"[^"]*"|'[^']*'/g, "TEXT").split(/(?: -- | --$)/);
  const [command = ""] = own.split(END);
  const words = command.trim().split(/\s+/);
  const begin = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const names = words.slice(0, begin === -1 ? undefined : begin);
  if (names[0] === "help" || (names.length === 0 && words[0]?.startsWith("-"))) return undefined;
  const spec = specs
    .filter((one) => `${names.join(" ")} `.startsWith(`${one.command} `))
    .sort((a, b) => b.command.length - a.command.length)[0];
  // A sentence may name a group, such as `qa-pay webhooks`.
  if (spec === undefined) {
    return specs.some((one) => one.command.startsWith(`${names.join(" ")} `)) ? undefined : "there is no such command";
  }
  const takesArguments = Object.keys(syntaxOf(spec).takes).length > 0;
  if (names.length > spec.command.split(" ").length && !takesArguments) return `${spec.command} takes no argument`;
  const known = [...flagNames(syntaxOf(spec).flags), ...SHARED];
  const unknown = [...command.matchAll(/(?<=\s)--[a-z][\w-]*/g)].find(([flag]) => !known.includes(flag));
  return unknown === undefined ? undefined : `${spec.command} has no flag ${unknown[0]}`;
}

test.each(pages)("%s shows commands that exist", (path) => {
  const faults = linesOf(readFileSync(path, "utf8")).flatMap(({ line, text }) => {
    const fault = faultOf(text);
    return fault === undefined ? [] : [`${path}:${line}: qa-pay ${text}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test("commands are found in the documents, and a wrong one is reported", () => {
  expect(pages.flatMap((path) => linesOf(readFileSync(path, "utf8"))).length).toBeGreaterThan(400);
  expect(faultOf("sandbox snapshots create x")).toBe("there is no such command");
  expect(faultOf("charges create --amout 1")).toBe("charges create has no flag --amout");
  expect(faultOf("whoami now")).toBe("whoami takes no argument");
  expect(faultOf("charges create --amount 1 --yes | head")).toBeUndefined();
});
