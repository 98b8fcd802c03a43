import type { Io } from "../terminal/io.js";
import type { OperationSpec } from "./describe-operations.js";
import type { FlagDeclarations, FlagsOf, GlobalFlag, GlobalFlags } from "./flags.js";

/**
 * A command that is no single operation of the service, as plain data. The build writes it down, so that its module is
 * loaded only when the command runs.
 */
export interface LocalSpec {
  /** Words after `qa-pay`: `logs tail`. */
  readonly command: string;
  readonly summary: string;
  /** Arguments by how help writes them: `<id>`, `[file]` or `<command...>`. */
  readonly takes?: Readonly<Record<string, string>>;
  readonly flags?: FlagDeclarations;
  /** Complete command lines, shown by `--help`; the first one also by a wrong use. */
  readonly examples: readonly [string, ...string[]];
  /** What help shows behind the words, where it does not follow from arguments and required flags. */
  readonly usage?: string;
  /** It talks to a service, so that the flags that say to which one mean something. */
  readonly sends?: true;
  /** Flags of every command that change this one, or do not, unlike others that send, or send nothing. */
  readonly globals?: Readonly<Partial<Record<GlobalFlag, boolean>>>;
}

export type CommandSpec = OperationSpec | LocalSpec;

export function isOperation(spec: CommandSpec): spec is OperationSpec {
  return "path" in spec;
}

type ArgumentsOf<Takes> = {
  readonly [Written in keyof Takes as Written extends `<${infer Name}...>`
    ? Name
    : Written extends `<${infer Name}>`
      ? Name
      : Written extends `[${infer Name}]`
        ? Name
        : never]: Written extends `<${string}...>`
    ? readonly string[]
    : Written extends `<${string}>`
      ? string
      : string | undefined;
};

/** One word of the command line, with what may follow it. */
export interface WordNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly WordFlag[];
  readonly children: readonly WordNode[];
}

export interface WordFlag {
  /** With its dashes. */
  readonly name: string;
  /** The next word is its value. */
  readonly takesValue: boolean;
  /** All that it may be, or that an item of it may be; nothing when anything may. */
  readonly values: readonly string[];
}

/** What every command is run with. */
export interface Surroundings {
  readonly io: Io;
  /** All commands, by their words. */
  readonly words: () => WordNode;
  /** The operation that a command such as `charges get` stands for. */
  readonly operation: (command: string) => OperationSpec;
}

/** What a handler is given: arguments and flags as they were declared. */
export interface Call<Spec extends LocalSpec> extends Surroundings {
  readonly given: ArgumentsOf<Spec["takes"]>;
  readonly flags: FlagsOf<Spec["flags"] extends FlagDeclarations ? Spec["flags"] : Record<never, never>> & GlobalFlags;
}

/** The exit code; 0 when there is none. */
type Outcome = Promise<number> | Promise<void>;

export interface LocalCommand {
  readonly spec: LocalSpec;
  /** `given` and `flags` are those of a command line that was read by the command's own declaration. */
  run(surroundings: Surroundings, given: object, flags: object): Outcome;
}

/** Declares a command; `.run(handler)` says what it does. */
export function defineCommand<const Spec extends LocalSpec>(spec: Spec) {
  return {
    run: (handler: (call: Call<Spec>) => Outcome): LocalCommand => ({
      spec,
      run: (surroundings, given, flags) => handler({ ...surroundings, given, flags } as Call<Spec>),
    }),
  };
}
