import { CommanderError } from "commander";
import type { OperationSpec } from "../../../api/client/describe-operations.js";
import { GLOBAL_FLAGS } from "../../../api/client/flags.js";
import { LANGUAGES } from "../../../base/kernel/language.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { reasonOf } from "../../../base/kernel/reason.js";
import { COMMANDS } from "../commands/index.js";
import { withBrokenLines } from "../terminal/break-lines.js";
import { chosenLanguage, inLanguage } from "../terminal/choose-language.js";
import { EXIT, Failure, messageAndHint, printFailure, wrongValue } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

import { commandNouns } from "./command-tree.js";
import { commandsOf } from "./commands-of.js";
import { wordTree } from "./completion-tree.js";
import { declareCommands, type Start } from "./declare-commands.js";
import { type CommandContext, isOperation } from "./define-command.js";
import { layOutHelp } from "./help-layout.js";
import { helpOf } from "./help-of.js";
import { pathOf, QaCommand } from "./qa-command.js";
import { nameOf, syntaxOf } from "./syntax.js";

/** Runs a command line as a function: takes arguments, returns the exit code, and changes no global state. */

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
      const operations = commandNouns.flatMap(({ noun }) => commandsOf(noun)).filter(isOperation);
      return operations.filter(({ surface }) => surface === "api");
    },
  };
}

/** Returns what runs a command. It calls `finish` with the exit code. */
function startWith(io: Io, finish: (code: number) => void): Start {
  const context = contextOf(io);
  return async (spec, command, args) => {
    io.command = spec.command;
    if (isOperation(spec)) {
      const given = spec.arguments.map((_, index) => (args[index] === undefined ? undefined : String(args[index])));
      const { runOperation } = await import("../operation/run-operation.js");
      return finish(await runOperation(context, spec, given, command));
    }
    const { takes } = syntaxOf(spec);
    const given = Object.fromEntries(Object.keys(takes).map((written, index) => [nameOf(written), args[index]]));
    const load = COMMANDS[spec.command];
    if (load === undefined) throw new Error(`there is no command ${spec.command}`);
    const { command: local } = await load();
    finish((await local.run(context, given, command.optsWithGlobals())) ?? EXIT.done);
  };
}

function createProgram(io: Io): QaCommand {
  return new QaCommand("qa-pay")
    .configureHelp({ formatHelp: (command) => helpOf(pathOf(command)) ?? "" })
    .configureOutput({
      writeOut: (text) => io.out(layOutHelp(text, io.columns, io.program)),
      writeErr: (text) => io.err(layOutHelp(text, io.columns, "qa-pay")),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
      // Help has no colours. Commander's own check would open the streams, which takes time.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .hook("preAction", (_program, command) => {
      if (command instanceof QaCommand) command.checkGlobals();
    });
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

/**
 * A word as it was meant: people paste values with white space and unseen characters around them, and a script with the line
 * ends of Windows adds a carriage return to the last word of each line. What was no flag must not become one.
 */
function cleanWord(word: string): string {
  const [, flag = "", value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
  const text = flag + trimPasted(value);
  return text.startsWith("-") && !word.startsWith("-") ? word : text;
}

/** Runs one command line and returns its exit code. `words` does not contain node and the script. Never throws. */
export async function run(words: readonly string[], given: Io): Promise<number> {
  const io = withBrokenLines(given);
  // Arguments after `--` belong to the program that `exec` starts.
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const own = words.slice(0, end).map(cleanWord);
  const argv = [...own, ...words.slice(end)];
  const json = own.includes("--json") || /(^| )--output[ =]jsonl?( |$)/.test(own.join(" "));
  const language = chosenLanguage(own, io.env);
  if (typeof language === "string") return inLanguage(language, () => runCommand(io, argv, json));
  printFailure(io, wrongValue(language.where, LANGUAGES.join(", "), language.given), json);
  return EXIT.usage;
}

async function runCommand(io: Io, argv: readonly string[], json: boolean): Promise<number> {
  let exitCode: number = EXIT.done;
  try {
    const program = createProgram(io);
    declareCommands(
      program,
      argv,
      startWith(io, (code) => {
        exitCode = code;
      }),
    );
    await program.parseAsync(helpAsFlag(argv), { from: "user" });
    return exitCode;
  } catch (error) {
    // Help was shown: the user requested it (exit 0), or named a group without one of its commands.
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
