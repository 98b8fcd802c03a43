import { Command, type ErrorOptions, type HelpContext } from "commander";
import { capitalized } from "../../kernel/capitalized.js";
import { nearest } from "../../kernel/nearest.js";
import { type Failure, shownValue, usage } from "../terminal/failure.js";
import type { CommandSpec } from "./define-command.js";
import { syntaxOf, takesGlobal } from "./syntax.js";

/** A command of Commander with the errors of this program, for a wrong command line. */

/** The words of a command: `charges` and `create`. The program itself has none. */
export function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

const nameWithProgram = (command: Command) => ["qa-pay", ...pathOf(command)].join(" ");

/** Whether a flag of every command has an effect on this one. `flag` is its name in camelCase. */
export function takes(command: Command, flag: string): boolean {
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

  override createCommand(name?: string): QaCommand {
    return new QaCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const missing =
      options?.code === "commander.missingArgument" ? this.registeredArguments[this.args.length] : undefined;
    if (missing !== undefined) throw this.misuse(`<${missing.name()}> is missing: ${missing.description}`);
    if (options?.code === "commander.excessArguments") {
      const surplus = this.args.slice(this.registeredArguments.length);
      const words = `${surplus.length === 1 ? "word" : "words"} ${surplus.join(" ")}`;
      throw this.misuse(`\`${nameWithProgram(this)}\` does not take the ${words}`);
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
    const more = `\`${nameWithProgram(this)} --help\` says what ${this.commands.length > 0 ? "there is" : "it takes"}.`;
    const text = capitalized(message);
    return usage(/[.?!]$/.test(text) ? text : `${text}.`, example + more);
  }

  /**
   * Throws Failure when --dry-run is given to a command that does not support it: that command would really run. All
   * other global flags are accepted by every command, so that a script can give the same flags to all its commands.
   */
  checkGlobals(): void {
    const isDryRun = this.optsWithGlobals().dryRun === true;
    if (isDryRun && !takes(this, "dryRun")) throw this.misuse(`\`${nameWithProgram(this)}\` does not take --dry-run`);
  }
}
