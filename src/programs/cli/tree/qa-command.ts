import { Command, type ErrorOptions, type HelpContext, type Option } from "commander";
import { capitalize } from "../../../base/kernel/capitalize.js";
import { nearest } from "../../../base/kernel/nearest.js";
import { joinWords, t, Wording, type Words } from "../../../base/kernel/wording.js";
import { type Failure, usage } from "../terminal/failure.js";
import type { CommandSpec } from "./define-command.js";
import { syntaxOf, takesGlobal } from "./syntax.js";

/** The mistake of a command line without an argument. */
export function missingArgument(name: string, description: string): Wording {
  return t`<${name}> is missing: ${new Wording(description.replace(/\.$/, ""))}`;
}

/** A command of Commander with the errors of this program, for a wrong command line. */

/** The words of a command: `charges` and `create`. The program itself has none. */
export function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

const nameWithProgram = (command: Command) => ["qa-pay", ...pathOf(command)].join(" ");

/** A command and those that it belongs to, the program last. */
function* ancestorsOf(command: Command): Generator<Command> {
  yield command;
  if (command.parent !== null) yield* ancestorsOf(command.parent);
}

/** True if a flag of every command has an effect on this one. `flag` is its name in camelCase. */
export function takes(command: Command, flag: string): boolean {
  return !(command instanceof QaCommand && command.spec) || takesGlobal(syntaxOf(command.spec), flag);
}

/** The flags that a command accepts: its own, and those of every command. */
function flagsOf({ options, parent }: Command): string[] {
  return [...options.flatMap(({ long }) => long ?? []), ...(parent === null ? ["--help"] : flagsOf(parent))];
}

/** A command that reports wrong use as a Failure: one line names the mistake, the next one what to do. */
export class QaCommand extends Command {
  /** The declaration of the command; undefined for a group. */
  spec: CommandSpec | undefined = undefined;

  /** Finds the commands that have a word behind their first one. Set for the program itself. */
  commandsWith: (word: string) => readonly string[] = () => [];

  override createCommand(name?: string): QaCommand {
    return new QaCommand(name);
  }

  /** Commander reports the kind of mistake by a code. Its own message is for kinds that no command of this program has. */
  override error(message: string, options?: ErrorOptions): never {
    throw this.#misuse(options?.code) ?? this.misuse(capitalize(message.replace(/\.$/, "")));
  }

  #misuse(code: string | undefined): Failure | undefined {
    const { args, registeredArguments: taken } = this;
    if (code === "commander.missingArgument") {
      const missing = taken[args.length];
      return missing && this.misuse(missingArgument(missing.name(), missing.description));
    }
    if (code === "commander.excessArguments") {
      const surplus = args.slice(taken.length);
      const [name, words] = [nameWithProgram(this), surplus.join(" ")];
      return this.misuse(
        surplus.length === 1
          ? t`\`${name}\` does not take the word ${words}`
          : t`\`${name}\` does not take the words ${words}`,
      );
    }
    if (code === "commander.missingMandatoryOptionValue") {
      const isMissing = (one: Option) => one.mandatory && this.getOptionValue(one.attributeName()) === undefined;
      return this.misuse(t`${this.options.find(isMissing)?.long ?? ""} is required`);
    }
    if (code === "commander.unknownCommand") return this.#unknownWord(args[0] ?? "");
    return undefined;
  }

  /** Commander calls it with the flag, which `error` does not get. */
  optionMissingArgument({ long }: Option): never {
    throw this.misuse(t`${long ?? ""} takes a value`);
  }

  /** Commander calls it with the flag, which `error` does not get. */
  unknownOption(flag: string): never {
    throw this.#unknownFlag(flag);
  }

  #unknownWord(word: string): Failure {
    const known = this.commands.map((command) => command.name());
    const program = [...ancestorsOf(this)].at(-1);
    const elsewhere = program instanceof QaCommand ? program.commandsWith(word) : [];
    const [first = nearest(word, known), ...others] = elsewhere;
    return this.misuse(
      t`Unknown command '${word}'`,
      first === undefined ? undefined : joinWords([first, ...others], t` or `),
    );
  }

  /** The only flag that ends in the unknown one may be meant: the field of an object is often named without the object. */
  #unknownFlag(flag: string): Failure {
    const [longer, ...more] = this.options.flatMap(({ long }) => (long?.endsWith(flag.slice(1)) ? long : []));
    const isLonger = longer !== undefined && more.length === 0 && flag.startsWith("--");
    return this.misuse(t`Unknown option '${flag}'`, isLonger ? longer : nearest(flag, flagsOf(this)));
  }

  /** Shows the commands of a group when no command is named. With --json this is a Failure like any other wrong use. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const isMisuse = typeof context === "object" && context.error === true;
    if (isMisuse && this.optsWithGlobals().json === true) throw this.misuse(t`No command is named`);
    return super.help(context as HelpContext);
  }

  /** Shows the help. For the help of a command that is not there, the help of its group would be an answer to another question. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [word] = this.args;
    if (word !== undefined && this.commands.length > 0 && !word.startsWith("-")) throw this.#unknownWord(word);
    super.outputHelp(context as HelpContext);
  }

  /** The Failure for a mistake, which is a sentence without its dot. `meant` is what was probably meant. */
  misuse(mistake: Words, meant?: Words): Failure {
    const [first] = this.spec?.examples ?? [];
    const example = first === undefined ? [] : [t`For example: ${first}`];
    const name = nameWithProgram(this);
    const more =
      this.commands.length > 0 ? t`\`${name} --help\` says what there is.` : t`\`${name} --help\` says what it takes.`;
    const message = meant === undefined ? t`${mistake}.` : t`${mistake}; did you mean ${meant}?`;
    return usage(message, joinWords([...example, more], "\n"));
  }

  /**
   * Throws Failure for --dry-run with a command that does not support it: that command would really run. All
   * other global flags are accepted by every command, so that a script can use the same flags for all its commands.
   */
  checkGlobals(): void {
    const isDryRun = this.optsWithGlobals().dryRun === true;
    if (isDryRun && !takes(this, "dryRun")) throw this.misuse(t`\`${nameWithProgram(this)}\` does not take --dry-run`);
  }
}
