import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/programs/cli/commands/index.js";
import { commandNouns, commandTree, operations } from "../../../src/programs/cli/tree/command-tree.js";
import { commandsOf } from "../../../src/programs/cli/tree/commands-of.js";
import { HELP_SECTIONS } from "../../../src/programs/cli/tree/groups.js";

/** Every command is declared in one place. */

const ROOM = "src/programs/cli/commands";
const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));

describe("the table of local commands", () => {
  it.each(Object.entries(COMMANDS))("has %s under its own words, in the module of these words", async (words, load) => {
    expect((await load()).command.spec.command).toBe(words);
    const path = join(ROOM, ...words.split(" "));
    expect([`${path}.ts`, join(path, "index.ts")].filter((file) => existsSync(file))).toHaveLength(1);
  });

  it("names every module that declares a command", () => {
    const declaring = sources(ROOM).filter((file) => /^export const command\b/m.test(readFileSync(file, "utf8")));
    expect(declaring).toHaveLength(Object.keys(COMMANDS).length);
  });
});

describe("the command tree", () => {
  it("has every operation and every local command once, each under its first word", () => {
    const words = commandTree.map(({ command }) => command);
    expect(words.toSorted()).toEqual([...operations.map(({ command }) => command), ...Object.keys(COMMANDS)].sort());
    expect(new Set(words).size).toBe(words.length);
    expect(
      commandNouns
        .flatMap(({ noun }) => commandsOf(noun))
        .map(({ command }) => command)
        .sort(),
    ).toEqual(words.sort());
  });

  it("has each first word in one section of the help", () => {
    const listed = HELP_SECTIONS.flatMap(({ nouns }) => nouns);
    expect(listed.toSorted()).toEqual(commandNouns.map(({ noun }) => noun).sort());
  });

  it("is documented in docs/CLI.md", () => {
    const documented = [...readFileSync("docs/CLI.md", "utf8").matchAll(/^### `qa-pay (.+)`$/gm)].map(
      ([, words]) => words,
    );
    expect(documented.sort()).toEqual(commandTree.map(({ command }) => command).sort());
  });
});

it("declared flags become options of commander in one place", () => {
  const uses = sources("src/programs/cli").filter((file) =>
    /\.(required|add)?[oO]ption\(/.test(readFileSync(file, "utf8")),
  );
  expect(uses).toEqual(["src/programs/cli/tree/declare-commands.ts"]);
});

it("every argument of an operation says what it is", () => {
  const unnamed = operations.flatMap(({ command, arguments: given }) =>
    given.filter(({ description }) => description === "").map(({ name }) => `${command} <${name}>`),
  );
  expect(unnamed).toEqual([]);
});
