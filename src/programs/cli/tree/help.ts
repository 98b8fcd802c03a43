import { type Argument, type Command, Help, type Option } from "commander";
import { camel } from "../../../api/client/flag-name.js";
import { choicesText, GLOBAL_FLAGS } from "../../../api/client/flags.js";
import { capitalize } from "../../../base/kernel/capitalize.js";
import { type CommandSpec, isOperation } from "./define-command.js";
import type { AllHelp, OperationHelp } from "./describe-help.js";
import { PARAGRAPH } from "./help-layout.js";
import { QaCommand, takes } from "./qa-command.js";
import { nameOf, syntaxOf } from "./syntax.js";

/** Formats the help texts. It runs when qa-pay is built (scripts/evaluate-module.ts), and in tests of the source. */

function optionText(option: Option): string {
  const notes = [
    ...(option.argChoices === undefined ? [] : [choicesText(option.argChoices)]),
    ...(option.defaultValue === undefined || option.negate ? [] : [`default ${String(option.defaultValue)}`]),
  ];
  return capitalize(option.description) + (notes.length === 0 ? "" : ` (${notes.join("; ")})`);
}

/** Moves the flags behind the commands. Commander prints flags first, but most readers look for a command. */
function commandsFirst(text: string): string {
  const sections = text.trimEnd().split("\n\n");
  const areFlags = (section: string) => /^[^\n]*lags[^\n]*:\n/.test(section);
  return `${[...sections.filter((one) => !areFlags(one)), ...sections.filter(areFlags)].join("\n\n")}\n`;
}

/** The flags that most commands share stand on the front page. Elsewhere one line names a few of those that the command takes. */
function globalsLine(command: QaCommand): string {
  const names = Object.keys(GLOBAL_FLAGS).map((written) => `--${nameOf(written)}`);
  const taken = names.filter((name) => takes(command, camel(name)));
  const isShort = taken.length <= MOST_NAMED;
  const named = isShort ? taken : WANTED_MOST.filter((name) => taken.includes(name));
  const examples = named.length === 0 ? "" : `, ${isShort ? "here " : "such as "}${named.join(" and ")}`;
  return `Flags of most commands${examples}: \`qa-pay --help\``;
}

const MOST_NAMED = 4;
const WANTED_MOST = ["--json", "--dry-run"];

function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? "" : `Examples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`;
}

/** The environment that a command such as `exec` passes to its program. */
function givesText(spec: CommandSpec): string {
  if (isOperation(spec) || spec.gives === undefined) return "";
  const gives = Object.entries(spec.gives);
  const width = Math.max(...gives.map(([name]) => name.length));
  const lines = gives.map(([name, about]) => `  ${name.padEnd(width)}  ${capitalize(about)}`);
  return ["Variables for the command:", ...lines].join("\n");
}

type Items = readonly (readonly [term: string, text: string])[];

/** A section of lines, each with a term and a text beside it. */
function section(title: string, items: Items, helper: Help): string {
  const width = Math.max(...items.map(([term]) => term.length));
  const lines = items.map(([term, text]) => helper.formatItem(term, width, text, helper));
  return [title, ...lines].join("\n");
}

/** The answer and the refusals of an operation. */
function outcomeSections(help: OperationHelp, errorHelp: AllHelp["errors"], helper: Help): string[] {
  const { answer, shown, variants, rows, fields, around, errors, usualErrors } = help;
  const itemsOf = (some: OperationHelp["fields"]): Items => some.map(({ name, holds }) => [name, holds]);
  const listed = rows === undefined ? "" : `, in each of ${rows === "" ? "the list" : rows}`;
  const exits = [...new Set(usualErrors.map((code) => errorHelp[code].exit))];
  const statusesOf = (exit: number) =>
    usualErrors.flatMap((code) => (errorHelp[code].exit === exit ? errorHelp[code].status : []));
  const usual = exits.map((exit) => `${statusesOf(exit).join(", ")} (exit ${exit})`).join("; ");
  const refusals: Items = errors.map((code) => {
    const { status, exit, meaning } = errorHelp[code];
    return [code, `${status}, exit ${exit}: ${meaning}`];
  });
  // A head of a table may have a comma.
  const table: Items = shown.length === 0 ? [] : [["Shown", shown.join(" · ")]];
  return [
    section(
      `Answer: ${answer}`,
      [...table, ...variants.map(({ flag, shows }) => [`With --${flag}`, shows] as const)],
      helper,
    ),
    ...(fields.length === 0 ? [] : [section(`With --json${listed}:`, itemsOf(fields), helper)]),
    ...(around.length === 0 ? [] : [section(`Beside ${rows}:`, itemsOf(around), helper)]),
    section("Errors:", [...refusals, ["of any command", usual]], helper),
  ];
}

/** The number of required arguments. At a terminal a person answers a question for a missing one. */
function countRequired(command: Command): number {
  const spec = command instanceof QaCommand ? command.spec : undefined;
  return spec !== undefined && isOperation(spec) ? spec.arguments.filter(({ optional }) => !optional).length : 0;
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** The same helper, but commands and arguments have a column of their own width: flags are much longer. */
function withNarrowTerms(command: Command, helper: Help): Help {
  const { longestSubcommandTermLength, longestArgumentTermLength } = helper;
  const own = [longestSubcommandTermLength, longestArgumentTermLength].map((longest) =>
    longest.call(helper, command, helper),
  );
  const formatItem: Help["formatItem"] = (term, width, text) =>
    helper.formatItem(term, term.startsWith("-") ? width : Math.max(...own), text, helper);
  return Object.assign(Object.create(helper) as Help, { formatItem });
}

const AFTER_HELP = `${examplesText([
  "qa-pay serve",
  "qa-pay serve --forward-to http://localhost:3000/webhooks",
  "qa-pay charges create --amount 1990",
])}

Exit codes:
  0 done  1 unexpected  2 wrong usage  3 not allowed  4 not found  5 refused  6 rate limited
  7 unreachable, 5xx, or no answer of the service`;

/** The example of the first command of a group, so that every help text has an example. */
function groupExample(group: Command): readonly string[] {
  if (group instanceof QaCommand && group.spec !== undefined) return group.spec.examples.slice(0, 1);
  return group.commands.flatMap(groupExample).slice(0, 1);
}

/** The part after the flags. */
function afterFlags(command: Command, helper: Help, { commands, errors }: AllHelp): readonly string[] {
  if (command.parent === null) return [AFTER_HELP];
  if (!(command instanceof QaCommand) || command.spec === undefined) return [examplesText(groupExample(command))];
  const { spec } = command;
  const outcome = commands[spec.command];
  const outcomes = outcome === undefined ? [] : outcomeSections(outcome, errors, helper);
  // Examples come first: most readers look for nothing else.
  return [globalsLine(command), givesText(spec), examplesText(syntaxOf(spec).examples), ...outcomes];
}

/** The style of all help texts. `operations` is the help of operations beside their flags. */
export const helpStyle = (operations: AllHelp): Partial<Help> => ({
  optionDescription: optionText,
  argumentDescription: (argument) => capitalize(argument.description),
  subcommandDescription: (command) => capitalize(command.summary() || command.description()),
  commandDescription: (command) => capitalize(command.description()),
  subcommandTerm: (command) =>
    [
      command.name(),
      ...command.registeredArguments.map((argument, index) =>
        index < countRequired(command) ? `<${argument.name()}>` : argumentTerm(argument),
      ),
    ].join(" "),
  // The width of the terminal is not known yet, so nothing is broken here (help-layout.ts).
  boxWrap: (text) => PARAGRAPH + text,
  formatItem: (term, width, text) => `  ${text === "" ? term : `${term.padEnd(width)}  ${PARAGRAPH}${text}`}`,
  styleTitle: (title) => (title === "Options:" ? "Flags:" : title),
  formatHelp: (command, given) => {
    const helper = withNarrowTerms(command, given);
    const text = commandsFirst(Help.prototype.formatHelp.call(helper, command, helper));
    return `${[text.trimEnd(), ...afterFlags(command, helper, operations).filter((one) => one !== "")].join("\n\n")}\n`;
  },
});
