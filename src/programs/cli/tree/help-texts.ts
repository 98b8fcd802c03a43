import type { Command } from "commander";
import { registry } from "../../../api/registry.js";
import { commandNouns } from "./command-tree.js";
import { commandsOf } from "./commands-of.js";
import { declareCommands } from "./declare-commands.js";
import { describeHelp } from "./describe-help.js";
import { helpStyle } from "./help.js";
import { pathOf, QaCommand } from "./qa-command.js";

const style = helpStyle(describeHelp(registry.map((operation) => operation.contract)));

/** Declares the commands that begin with one of these words whole, and the others by their name. */
function declared(words: readonly string[]): Command {
  const program = new QaCommand("qa-pay").configureHelp(style);
  declareCommands(program, words, () => undefined);
  return program;
}

function textsOf(command: Command): [path: string, text: string][] {
  return [[pathOf(command).join(" "), command.helpInformation()], ...command.commands.flatMap(textsOf)];
}

function textsOfNoun(noun: string): [path: string, text: string][] {
  const words = commandsOf(noun).flatMap(({ command }) => command.split(" "));
  return declared(words)
    .commands.filter((one) => one.name() === noun)
    .flatMap(textsOf);
}

/**
 * The help of the program by no word, and of all groups and commands by their words; in the form of help-layout.ts. The build
 * replaces this module by its value (scripts/evaluate-module.ts).
 */
export const helpTexts: Readonly<Record<string, string>> = Object.fromEntries([
  ["", declared([]).helpInformation()],
  ...commandNouns.flatMap(({ noun }) => textsOfNoun(noun)),
]);
