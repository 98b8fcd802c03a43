import { type Argument, Command, type ErrorOptions, Help, type HelpContext, type Option } from "commander";
import { nearest } from "../../kernel/nearest.js";
import { type Failure, usage } from "../terminal/failure.js";
import { choicesText } from "./flags.js";
import { type Syntax, takesGlobal } from "./syntax.js";

/** Formats the help texts, and the errors for a wrong command line. */

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function optionText(option: Option): string {
  const notes = [
    ...(option.argChoices === undefined ? [] : [choicesText(option.argChoices)]),
    ...(option.defaultValue === undefined || option.negate ? [] : [`default ${String(option.defaultValue)}`]),
  ];
  return sentence(option.description) + (notes.length === 0 ? "" : ` (${notes.join("; ")})`);
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

const TITLES: Readonly<Record<string, string>> = { "Options:": "Flags:", "Global Options:": "Flags of every command:" };

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** The style of all help texts. A command's help leaves out the global flags that have no effect on that command. */
export const helpStyle: Partial<Help> = {
  showGlobalOptions: true,
  optionDescription: optionText,
  argumentDescription: (argument) => sentence(argument.description),
  subcommandDescription: (command) => sentence(command.summary() || command.description()),
  commandDescription: (command) => sentence(command.description()),
  subcommandTerm: (command) =>
    [
      command.name(),
      ...command.registeredArguments.map((argument, index) =>
        command instanceof QaCommand && index < command.needs ? `<${argument.name()}>` : argumentTerm(argument),
      ),
    ].join(" "),
  displayWidth(text) {
    return text.includes("\u001b") ? Help.prototype.displayWidth.call(this, text) : text.length;
  },
  // Hardly a text is wrapped, and the expression that finds its words takes longer than the rest of the help.
  boxWrap(text, width) {
    return text.length <= width && !text.includes("\n") ? text : Help.prototype.boxWrap.call(this, text, width);
  },
  styleTitle: (title) => TITLES[title] ?? title,
  formatHelp: (command, helper) => commandsFirst(Help.prototype.formatHelp.call(helper, command, helper)),
  visibleGlobalOptions: (command) => {
    if (command.parent === null || command.commands.length > 0) return [];
    let top: Command = command;
    while (top.parent !== null) top = top.parent;
    return top.options.filter((option) => option.long !== "--version" && takes(command, option.attributeName()));
  },
};

function takes(command: Command, flag: string): boolean {
  return !(command instanceof QaCommand) || command.syntax === undefined || takesGlobal(command.syntax, flag);
}

/** Rewords an error message of Commander so that it reads like the other messages of this program. */
function plainer(message: string): string {
  return message
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean (.+?)\?\)$/, "; did you mean $1?")
    .replace(
      /^option '(--[\w-]+)[^']*' argument '(.*)' is invalid. Allowed choices are (.*)\.$/s,
      (_match, flag: string, given: string, choices: string) => {
        const meant = nearest(given, choices.split(", "));
        return `${flag} takes ${choices}, not ${given}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
      },
    )
    .replace(/^option '(--[\w-]+).*' argument missing$/, "$1 takes a value");
}

/** A command that reports wrong use as a Failure: one line tells what is wrong, the next one tells what to do. */
export class QaCommand extends Command {
  /** The arguments and flags of the command; undefined for a group. */
  syntax: Syntax | undefined = undefined;
  /** The number of required arguments. A person at a terminal is asked for a missing one. */
  needs = 0;
  /** A complete command line, shown in the error for wrong use. */
  example: string | undefined = undefined;

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
    throw this.misuse(plainer(message));
  }

  /** Shows the commands of a group when no command is named. With --json this is a Failure like any other wrong use. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const isMisuse = typeof context === "object" && context.error === true;
    if (isMisuse && this.optsWithGlobals().json === true) throw this.misuse("No command is named.");
    return super.help(context as HelpContext);
  }

  misuse(message: string): Failure {
    const example = this.example === undefined ? "" : `For example: ${this.example}\n`;
    const more = `\`${pathOf(this)} --help\` says what ${this.commands.length > 0 ? "there is" : "it takes"}.`;
    const text = sentence(message);
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
