import { type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { OperationSpec } from "../../client/describe-operations.js";
import { type FlagDeclarations, GLOBAL_FLAGS } from "../../client/flags.js";
import { reasonOf } from "../../kernel/reason.js";
import { VERSION } from "../../platform/version.js";
import { COMMANDS } from "../commands/index.js";
import { EXIT, Failure, messageAndHint, printFailure } from "../terminal/failure.js";
import { fitting } from "../terminal/fitting.js";
import type { Io } from "../terminal/io.js";
import { asStarted } from "../terminal/started-as.js";
import { visibleLines } from "../terminal/terminal-text.js";
import { commandNouns, commandsOf } from "./command-tree.js";
import { wordTree } from "./completion-tree.js";
import { type CommandContext, type CommandSpec, isOperation } from "./define-command.js";
import { groupDescription, groupSummary } from "./groups.js";
import { examplesText, helpStyle, QaCommand } from "./help.js";
import { nameOf, syntaxOf, takesOf } from "./syntax.js";

/** Accepts a choice in upper or lower case: the service has statuses in both, and users should not need to know. */
function chosen(choices: readonly string[]): (given: string) => string {
  return (given) => {
    const found = choices.find((choice) => choice.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  };
}

/** Adds declared flags to a Commander command. */
export function addFlags(command: Command, flags: FlagDeclarations): void {
  for (const [written, declared] of Object.entries(flags)) {
    const details = typeof declared === "string" ? { about: declared } : declared;
    const { about, choices, default: value, many, required } = details;
    const option = new Option(written, about).makeOptionMandatory(required === true);
    if (value !== undefined) option.default(value);
    if (choices !== undefined) option.choices([...choices]).argParser(chosen(choices));
    if (many) option.argParser((item: string, before: string[] = []) => [...before, item]);
    command.addOption(option);
  }
}

/** Runs a command line as a function: takes arguments, returns the exit code, and changes no global state. */

function findGroup(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((command) => command.name() === word);
    const group = known ?? parent.command(word).description(groupDescription(word));
    return known ?? group.usage("<command>").helpCommand(false);
  }, program);
}

type Finish = (code: number) => void;

/** Adds a command with all that the help of its group shows of it: its name, summary, arguments and first example. */
function addName(program: Command, spec: CommandSpec): QaCommand {
  const words = spec.command.split(" ");
  const name = words.pop() ?? spec.command;
  const command = findGroup(program, words).command(name).description(spec.summary) as QaCommand;
  command.spec = spec;
  for (const [written, about] of Object.entries(takesOf(spec))) command.argument(written, about);
  return command;
}

function addCommand(program: Command, spec: CommandSpec, context: CommandContext, finish: Finish): void {
  const command = addName(program, spec);
  const { takes, flags, usage } = syntaxOf(spec);
  addFlags(command.usage(usage), flags);
  const run = async (...args: unknown[]) => {
    if (isOperation(spec)) {
      const given = args.slice(0, spec.arguments.length) as (string | undefined)[];
      const { runOperation } = await import("../operation/run-operation.js");
      return finish(await runOperation(context, spec, given, command));
    }
    const given = Object.fromEntries(Object.keys(takes).map((written, index) => [nameOf(written), args[index]]));
    const { command: local } = await (COMMANDS[spec.command] as (typeof COMMANDS)[string])();
    finish((await local.run(context, given, command.optsWithGlobals())) ?? EXIT.done);
  };
  command.action((...args: unknown[]) => {
    context.io.command = spec.command;
    return run(...args);
  });
}

/** Gives each group the example of its first command, so that every help text has an example. Returns the example. */
function addGroupExamples(group: Command): string | undefined {
  const [example] = group.commands.flatMap((inner) => addGroupExamples(inner) ?? []);
  if (example !== undefined) group.addHelpText("after", `\n${examplesText([example])}`);
  return example ?? (group as QaCommand).spec?.examples[0];
}

const SECTIONS = {
  local: "On this machine:",
  shop: "Your shop:",
  api: "The service:",
  sandbox: "The emulator:",
} as const;

/**
 * Declares the commands: whole where `argv` has all their words, with their arguments where it has their noun, and by
 * their name otherwise. Help shows no more of them, and to declare everything would take longer than most commands run.
 */
function addCommands(program: Command, context: CommandContext, argv: readonly string[], finish: Finish): void {
  for (const [section, title] of Object.entries(SECTIONS)) {
    program.commandsGroup(title);
    if (section === "local") program.helpCommand("help [command...]", "show the help of a command");
    for (const { noun, summary, members } of commandNouns.filter((one) => one.section === section)) {
      const isNamed = argv.includes(noun);
      if (members.length === 0 && !isNamed) program.command(noun).description(summary ?? "");
      if (members.length > 0) findGroup(program, [noun]).summary(groupSummary([noun], members));
      for (const spec of isNamed ? commandsOf(noun) : []) {
        const isWhole = spec.command.split(" ").every((word) => argv.includes(word));
        if (isWhole) addCommand(program, spec, context, finish);
        else addName(program, spec);
      }
      if (members.length > 0) addGroupExamples(findGroup(program, [noun]));
    }
  }
}

const AFTER_HELP = `\n${examplesText([
  "qa-pay serve",
  "qa-pay serve --forward-to http://localhost:3000/webhooks",
  "qa-pay charges create --amount 1990",
])}

Exit codes:
  0 done  1 unexpected  2 wrong usage  3 not allowed  4 not found  5 refused  6 rate limited
  7 unreachable, 5xx, or no answer of the service`;

function buildProgram(io: Io, argv: readonly string[], finish: Finish): Command {
  const program = new QaCommand("qa-pay")
    .description("A complete local Pix payments service, and the command line to drive it.")
    .usage("<command> [flags]")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .configureHelp(helpStyle)
    .configureOutput({
      writeOut: (text) => io.out(visibleLines(asStarted(text, io.program))),
      writeErr: (text) => io.err(visibleLines(text)),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
      // Help has no colours. Commander's own check would open the streams, which takes time.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .hook("preAction", (_program, command) => (command as QaCommand).checkGlobals());
  addFlags(program.optionsGroup("Flags of every command:"), GLOBAL_FLAGS);
  addCommands(program, contextOf(io), argv, finish);
  program.addHelpText("after", AFTER_HELP);
  return program;
}

/** The operation behind a command such as `charges get`. Throws Error when there is none. */
function findOperation(command: string): OperationSpec {
  const found = commandsOf(command.split(" ")[0] ?? "").find((spec) => spec.command === command);
  if (found === undefined || !isOperation(found)) throw new Error(`there is no operation ${command}`);
  return found;
}

function contextOf(io: Io): CommandContext {
  return {
    io,
    words: () => wordTree(commandNouns, commandsOf),
    operation: findOperation,
    operations: () => {
      const nouns = commandNouns.filter(({ section }) => section === "api");
      return nouns.flatMap(({ noun }) => commandsOf(noun)).filter(isOperation);
    },
  };
}

/** The global flags whose value is the next word. */
const TAKE_A_WORD = Object.keys(GLOBAL_FLAGS).flatMap((written) =>
  written.includes("<") ? `--${nameOf(written)}` : [],
);

/** Rewrites `help charges create` to `charges create --help`, for commands of any depth, also behind global flags. */
function helpAsFlag(argv: readonly string[]): string[] {
  const isValue = (at: number) => TAKE_A_WORD.includes(argv[at - 1] ?? "");
  const at = argv.findIndex((word, index) => !word.startsWith("-") && !isValue(index));
  return argv[at] === "help" ? [...argv.slice(0, at), ...argv.slice(at + 1), "--help"] : [...argv];
}

/** Runs one command line and returns its exit code. `argv` does not contain node and the script. Never throws. */
export async function run(argv: readonly string[], given: Io): Promise<number> {
  const io = fitting(given);
  let exitCode: number = EXIT.done;
  // Arguments after `--` belong to the program that `exec` starts.
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const json = own.includes("--json") || /(^| )--output[ =]jsonl?( |$)/.test(own.join(" "));
  try {
    const program = buildProgram(io, argv, (code) => {
      exitCode = code;
    });
    await program.parseAsync(helpAsFlag(argv), { from: "user" });
    return exitCode;
  } catch (error) {
    // Help was shown: the user asked for it (exit 0), or named a group without one of its commands.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof Failure) {
      printFailure(io, error, json);
      return error.exitCode;
    }
    const text = reasonOf(error);
    const { message, hint } = messageAndHint(text);
    printFailure(io, new Failure(EXIT.unexpected, "unexpected", message, hint), json);
    return EXIT.unexpected;
  }
}
