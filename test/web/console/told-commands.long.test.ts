import ts from "typescript";
import { expect, test } from "vitest";
import { GLOBAL_FLAGS } from "../../../src/api/client/flags.js";
import { commandTree } from "../../../src/programs/cli/tree/command-tree.js";
import { type CommandSpec, isOperation } from "../../../src/programs/cli/tree/define-command.js";
import { nodesOf, projectTree, sources } from "../../tidy/tree.js";

/** The commands in texts of the console: each exists, with the flags of the text. */

const tree = projectTree();
const COMMAND = /\bqa-pay ([a-z][a-z-]*(?: [^\s"'`,;()]*[^\s"'`,;().:…])*)/g;

function textsOf(path: string): string[] {
  return nodesOf(tree.parse(path)).flatMap((node) => {
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateHead(node)) return [node.text];
    return [];
  });
}

const told = sources(tree)
  .filter((path) => path.startsWith("src/web/console/browser/"))
  .flatMap((path) => textsOf(path).flatMap((text) => [...text.matchAll(COMMAND)].map(([line]) => ({ path, line }))));

function flagsOf(spec: CommandSpec): string[] {
  const written = [...Object.keys(GLOBAL_FLAGS), ...(isOperation(spec) ? [] : Object.keys(spec.flags ?? {}))];
  const names = written.flatMap((form) => /--([a-z-]+)/.exec(form)?.[1] ?? []);
  return isOperation(spec)
    ? [...names, ...spec.flags.map(({ name }) => name), ...spec.variants.map(({ flag }) => flag)]
    : names;
}

function problemOf(line: string): string | null {
  const words = line.split(" ").slice(1);
  if (words.at(-1) === "--help") return null;
  const fits = (command: string) => command.split(" ").every((word, index) => words[index] === word);
  const spec = commandTree
    .filter(({ command }) => fits(command))
    .sort((a, b) => b.command.length - a.command.length)[0];
  if (spec === undefined) return "there is no such command";
  const own = flagsOf(spec);
  const given = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
  const missing = isOperation(spec)
    ? spec.flags.find(({ name, required }) => required && !given.includes(name))
    : undefined;
  // A command without flags is the name of a command in a sentence, and not a line to run.
  if (given.length > 0 && missing !== undefined) return `${spec.command} needs --${missing.name}`;
  const unknown = given.find((flag) => !own.includes(flag));
  return unknown === undefined ? null : `${spec.command} has no flag --${unknown}`;
}

test("every command in a text of the console exists, with its flags", () => {
  expect(told.length).toBeGreaterThan(10);
  const wrong = told.map(({ path, line }) => ({ path, line, problem: problemOf(line) }));
  expect(wrong.filter(({ problem }) => problem !== null)).toEqual([]);
});
