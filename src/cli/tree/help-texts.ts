import type { Command } from "commander";
import { once } from "../../kernel/once.js";
import { registry } from "../../registry.js";
import { commandNouns, commandsOf } from "./command-tree.js";
import { declareCommands } from "./declare-commands.js";
import { describeHelp } from "./describe-help.js";
import { helpStyle } from "./help.js";
import { pathOf, QaCommand } from "./qa-command.js";

const style = once(() => helpStyle(describeHelp(registry.map((operation) => operation.contract))));

/** Declares the commands that begin with one of these words whole, and the others by their name. */
function declared(words: readonly string[]): Command {
  const program = new QaCommand("qa-pay").configureHelp(style());
  declareCommands(program, words, () => undefined);
  return program;
}

function textsOf(command: Command): [path: string, text: string][] {
  return [[pathOf(command).join(" "), command.helpInformation()], ...command.commands.flatMap(textsOf)];
}

function textsOfNoun(noun: string): Readonly<Record<string, string>> {
  if (noun === "") return { "": declared([]).helpInformation() };
  const words = commandsOf(noun).flatMap(({ command }) => command.split(" "));
  const command = declared(words).commands.find((one) => one.name() === noun);
  return command === undefined ? {} : Object.fromEntries(textsOf(command));
}

/**
 * The help of all commands that begin with a word, by their words, and that of the program by no word; in the form of
 * help-layout.ts. The build replaces this module by its values (scripts/precompute-command-tree.ts).
 */
export const helpTexts: ReadonlyMap<string, () => Readonly<Record<string, string>>> = new Map(
  ["", ...commandNouns.map(({ noun }) => noun)].map((noun) => [noun, once(() => textsOfNoun(noun))]),
);
