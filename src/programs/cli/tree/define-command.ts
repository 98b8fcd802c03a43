import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { FlagDeclarations, FlagsOf, GlobalFlag, GlobalFlags } from "../../../api/client/flags.js";
import type { Io } from "../terminal/io.js";

/**
 * A command with its own code, as plain data; other commands call one operation of the service. The build stores this
 * data, so that the command's module is loaded only when the command runs.
 */
export interface LocalSpec {
  /** The words after `qa-pay`: `logs tail`. */
  readonly command: string;
  readonly summary: string;
  /** The arguments with their descriptions, by their form in the help: `<id>`, `[file]` or `<command...>`. */
  readonly takes?: Readonly<Record<string, string>>;
  readonly flags?: FlagDeclarations;
  /** Variables that the command sets for the program that it runs, with what each is. */
  readonly gives?: Readonly<Record<string, string>>;
  /** Complete command lines for `--help`. The error for wrong use shows the first one. */
  readonly examples: readonly [string, ...string[]];
  /** The usage line in the help, when it cannot be derived from the arguments and the required flags. */
  readonly usage?: string;
  /** Set when the command sends requests to a service. Then all global flags have an effect on it. */
  readonly sends?: true;
  /** Exceptions to the rule of `sends`: global flags that have an effect on this command (true) or none (false). */
  readonly globals?: Readonly<Partial<Record<GlobalFlag, boolean>>>;
}

export type CommandSpec = OperationSpec | LocalSpec;

export function isOperation(spec: CommandSpec): spec is OperationSpec {
  return "path" in spec;
}

type ArgumentsOf<Takes> = {
  readonly [Written in keyof Takes as Written extends `<${infer Name}...>`
    ? Name
    : Written extends `[${infer Name}...]`
      ? Name
      : Written extends `<${infer Name}>` | `[${infer Name}]`
        ? Name
        : never]: Written extends `${string}...${string}`
    ? readonly string[]
    : Written extends `<${string}>`
      ? string
      : string | undefined;
};

/** One word of the command line, with the flags and words that may follow it. */
export interface WordNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly WordFlag[];
  readonly children: readonly WordNode[];
}

export interface WordFlag {
  /** The name with its dashes. */
  readonly name: string;
  /** True when the word after the flag is its value. */
  readonly takesValue: boolean;
  /** The possible values of the flag, or of an item when its value is a list; empty when any value is allowed. */
  readonly values: readonly string[];
}

/** The things that every command gets besides its arguments and flags. */
export interface CommandContext {
  readonly io: Io;
  /** The tree of all command words. */
  readonly words: () => WordNode;
  /** The operation behind a command such as `charges get`. Throws Error when there is none. */
  readonly operation: (command: string) => OperationSpec;
  /** The operations of the service. */
  readonly operations: () => readonly OperationSpec[];
}

/** The argument of a command's handler. The types of `given` and `flags` follow from the command's declaration. */
export interface Call<Spec extends LocalSpec> extends CommandContext {
  readonly given: ArgumentsOf<Spec["takes"]>;
  readonly flags: FlagsOf<Spec["flags"] extends FlagDeclarations ? Spec["flags"] : Record<never, never>> & GlobalFlags;
}

/** The exit code of a command. A command that returns nothing ends with 0. */
type ExitResult = Promise<number> | Promise<void>;

export interface LocalCommand {
  readonly spec: LocalSpec;
  /** Runs the command. `given` and `flags` must come from a command line that was parsed with `spec`. */
  run(context: CommandContext, given: object, flags: object): ExitResult;
}

/** Declares a command. `.run(handler)` adds the code that runs it. */
export function defineCommand<const Spec extends LocalSpec>(spec: Spec) {
  return {
    run: (handler: (call: Call<Spec>) => ExitResult): LocalCommand => ({
      spec,
      run: (context, given, flags) => handler({ ...context, given, flags } as Call<Spec>),
    }),
  };
}
