import { type Argument, Command, type ErrorOptions, Help, type HelpContext, type Option } from "commander";
import { camel } from "../../client/flag-name.js";
import { choicesText, GLOBAL_FLAGS } from "../../client/flags.js";
import { capitalized } from "../../kernel/capitalized.js";
import { nearest } from "../../kernel/nearest.js";
import { type Failure, shownValue, usage } from "../terminal/failure.js";
import { commandHelp } from "./command-tree.js";
import { type CommandSpec, isOperation } from "./define-command.js";
import type { AllHelp, OperationHelp } from "./describe-help.js";
import { nameOf, syntaxOf, takesGlobal } from "./syntax.js";

/** Formats the help texts, and the errors for a wrong command line. */

function optionText(option: Option): string {
  const notes = [
    ...(option.argChoices === undefined ? [] : [choicesText(option.argChoices)]),
    ...(option.defaultValue === undefined || option.negate ? [] : [`default ${String(option.defaultValue)}`]),
  ];
  return capitalized(option.description) + (notes.length === 0 ? "" : ` (${notes.join("; ")})`);
}

/** The names from the program down to the command: `qa-pay charges create`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
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
  return `Flags of most commands, ${isShort ? "here " : "such as "}${named.join(" and ")}: \`qa-pay --help\``;
}

const MOST_NAMED = 4;
const WANTED_MOST = ["--json", "--dry-run"];

export function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? "" : `Examples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`;
}

/** What a command such as `exec` gives to the command that it runs. */
function givesText(spec: CommandSpec): string {
  if (isOperation(spec) || spec.gives === undefined) return "";
  const gives = Object.entries(spec.gives);
  const width = Math.max(...gives.map(([name]) => name.length));
  const lines = gives.map(([name, about]) => `  ${name.padEnd(width)}  ${capitalized(about)}`);
  return ["Variables for the command:", ...lines].join("\n");
}

type Items = readonly (readonly [term: string, text: string])[];

/** A section of lines, each with a term and a text beside it. */
function section(title: string, items: Items, helper: Help): string {
  const width = Math.max(...items.map(([term]) => term.length));
  const lines = items.map(([term, text]) => helper.formatItem(term, width, text, helper));
  return [title, ...lines].join("\n");
}

/** What an operation answers and how it refuses. */
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

/** The number of arguments that must be given. A person at a terminal is asked for a missing one. */
function neededBy(command: Command): number {
  const spec = command instanceof QaCommand ? command.spec : undefined;
  return spec !== undefined && isOperation(spec) ? spec.arguments.filter(({ optional }) => !optional).length : 0;
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** The style of all help texts. */
export const helpStyle: Partial<Help> = {
  optionDescription: optionText,
  argumentDescription: (argument) => capitalized(argument.description),
  subcommandDescription: (command) => capitalized(command.summary() || command.description()),
  commandDescription: (command) => capitalized(command.description()),
  subcommandTerm: (command) =>
    [
      command.name(),
      ...command.registeredArguments.map((argument, index) =>
        index < neededBy(command) ? `<${argument.name()}>` : argumentTerm(argument),
      ),
    ].join(" "),
  styleTitle: (title) => (title === "Options:" ? "Flags:" : title),
  formatHelp: (command, helper) => {
    const text = commandsFirst(Help.prototype.formatHelp.call(helper, command, helper));
    if (!(command instanceof QaCommand) || command.spec === undefined) return text;
    const { spec } = command;
    const { commands, errors } = commandHelp();
    const outcome = commands[spec.command];
    const outcomes = outcome === undefined ? [] : outcomeSections(outcome, errors, helper);
    // Examples come first: most readers look for nothing else.
    const more = [globalsLine(command), givesText(spec), examplesText(syntaxOf(spec).examples), ...outcomes];
    return `${[text.trimEnd(), ...more.filter((one) => one !== "")].join("\n\n")}\n`;
  },
};

function takes(command: Command, flag: string): boolean {
  return !(command instanceof QaCommand && command.spec) || takesGlobal(syntaxOf(command.spec), flag);
}

/** Rewords an error message of Commander so that it reads like the other messages of this program. */
function rewordedError(message: string): string {
  return message
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean (.+?)\?\)$/, "; did you mean $1?")
    .replace(
      /^option '(--[\w-]+)[^']*' argument '(.*)' is invalid. Allowed choices are (.*)\.$/s,
      (_match, flag: string, given: string, choices: string) => {
        const meant = nearest(given, choices.split(", "));
        return `${flag} takes ${choices}, not ${shownValue(given)}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
      },
    )
    .replace(/^option '(--[\w-]+).*' argument missing$/, "$1 takes a value");
}

/** A command that reports wrong use as a Failure: one line tells what is wrong, the next one tells what to do. */
export class QaCommand extends Command {
  /** What is declared of the command; undefined for a group. */
  spec: CommandSpec | undefined = undefined;

  override createCommand(name?: string): Command {
    return new QaCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const missing =
      options?.code === "commander.missingArgument" ? this.registeredArguments[this.args.length] : undefined;
    if (missing !== undefined) throw this.misuse(`<${missing.name()}> is missing: ${missing.description}`);
    if (options?.code === "commander.excessArguments") {
      const surplus = this.args.slice(this.registeredArguments.length);
      const words = `${surplus.length === 1 ? "word" : "words"} ${surplus.join(" ")}`;
      throw this.misuse(`\`${pathOf(this)}\` does not take the ${words}`);
    }
    const longer = options?.code === "commander.unknownOption" ? this.#flagEndingLike(message) : undefined;
    throw this.misuse(rewordedError(longer === undefined ? message : `${message}\n(Did you mean ${longer}?)`));
  }

  /** The only flag that ends in an unknown one: the field of an object is often named without the object. */
  #flagEndingLike(message: string): string | undefined {
    const [, end = " "] = /^error: unknown option '-(-[\w-]+)'$/.exec(message) ?? [];
    const [longer, ...more] = this.options.flatMap(({ long }) => (long?.endsWith(end) ? long : []));
    return more.length === 0 ? longer : undefined;
  }

  /** Shows the commands of a group when no command is named. With --json this is a Failure like any other wrong use. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const isMisuse = typeof context === "object" && context.error === true;
    if (isMisuse && this.optsWithGlobals().json === true) throw this.misuse("No command is named.");
    return super.help(context as HelpContext);
  }

  /** Shows the help. For the help of a command that is not there, the help of its group would be an answer to another question. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [word] = this.args;
    if (word !== undefined && this.commands.length > 0 && !word.startsWith("-")) {
      const meant = nearest(
        word,
        this.commands.map((command) => command.name()),
      );
      throw this.misuse(`Unknown command '${word}'${meant === undefined ? "" : `; did you mean ${meant}?`}`);
    }
    super.outputHelp(context as HelpContext);
  }

  misuse(message: string): Failure {
    const [first] = this.spec?.examples ?? [];
    const example = first === undefined ? "" : `For example: ${first}\n`;
    const more = `\`${pathOf(this)} --help\` says what ${this.commands.length > 0 ? "there is" : "it takes"}.`;
    const text = capitalized(message);
    return usage(/[.?!]$/.test(text) ? text : `${text}.`, example + more);
  }

  /**
   * Throws Failure when --dry-run is given to a command that does not support it: that command would really run. All
   * other global flags are accepted by every command, so that a script can give the same flags to all its commands.
   */
  checkGlobals(): void {
    const isDryRun = this.optsWithGlobals().dryRun === true;
    if (isDryRun && !takes(this, "dryRun")) throw this.misuse(`\`${pathOf(this)}\` does not take --dry-run`);
  }
}
