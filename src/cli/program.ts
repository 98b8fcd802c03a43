import { Command, CommanderError, Option } from "commander";
import { VERSION } from "../version.js";
import { commandTree } from "./command-tree.js";
import { addServe } from "./commands/serve-options.js";
import type { CommandSpec, FlagSpec } from "./describe-commands.js";
import { EXIT, type ExitCode } from "./exit-codes.js";
import { Failure, printFailure } from "./failure.js";
import type { Io } from "./io.js";
import type { GlobalFlags } from "./request.js";

/** The whole command line as a function: arguments in, exit code out, nothing global touched. */

type Options = Record<string, string | string[] | boolean | undefined>;

function addGlobals(command: Command): Command {
  return command
    .option("--profile <name>", "profile to take the host and key from")
    .option("--base-url <url>", "address of the service (QA_PAY_BASE_URL)")
    .option("--api-key <key>", "API key, or - to read it from standard input (QA_PAY_API_KEY)")
    .option("--json", "print exactly what the service answered")
    .option("--no-color", "no colours")
    .option("--quiet", "nothing but data")
    .option("--verbose", "show the request on standard error")
    .option("--yes", "do it without asking");
}

function flagOption(flag: FlagSpec): Option {
  const value =
    flag.type === "boolean"
      ? ""
      : flag.type === "list"
        ? " <items...>"
        : ` <${flag.type === "json" ? "json|@file" : flag.type}>`;
  const option = new Option(`--${flag.name}${value}`, flag.description || flag.field);
  if (flag.choices !== undefined && flag.type !== "list" && !flag.nullable) option.choices([...flag.choices]);
  return flag.required ? option.makeOptionMandatory() : option;
}

function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? "" : `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}\n`;
}

/** The words a commander option is stored under, back to the flag's own name. */
function byFlagName(command: Command): Options {
  return Object.fromEntries(
    command.options.map((option) => [
      option.long?.replace(/^--(no-)?/, "") ?? "",
      command.getOptionValue(option.attributeName()) as Options[string],
    ]),
  );
}

function findGroup(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((command) => command.name() === word);
    return (
      known ??
      parent
        .command(word)
        .description(GROUPS[word] ?? "")
        .showHelpAfterError()
        .copyInheritedSettings(parent)
    );
  }, program);
}

const GROUPS: Readonly<Record<string, string>> = {
  charges: "Pix charges",
  wallets: "balances",
  webhooks: "endpoints, deliveries and events",
  endpoints: "where events are sent",
  sandbox: "simulate payers, providers and time (emulator only)",
  clock: "the emulated clock",
  deliveries: "what was sent to endpoints",
  accounts: "other accounts of the emulator",
};

async function runOperation(io: Io, spec: CommandSpec, positional: string[], command: Command): Promise<void> {
  const flags = command.optsWithGlobals() as GlobalFlags;
  const { prepare, resolveTarget, send } = await import("./request.js");
  const { requireConsent } = await import("./safety.js");
  const request = await prepare(spec, await resolveTarget(io, flags), positional, byFlagName(command), () =>
    io.random(),
  );
  requireConsent(request, flags);
  const key = request.headers["idempotency-key"];
  if (key !== undefined && !flags.quiet && !flags.json) io.err(`Idempotency-Key: ${key}\n`);
  if (flags.verbose)
    io.err(`${request.method} ${request.url}\n${request.body === undefined ? "" : `${request.body}\n`}`);
  const text = await send(request, spec.surface === "sandbox");
  if (flags.json) {
    if (text !== "") io.out(`${text}\n`);
    return;
  }
  const { printAnswer } = await import("./output.js");
  await printAnswer(io, spec, text === "" ? undefined : JSON.parse(text), flags.color !== false);
}

function addOperation(program: Command, io: Io, spec: CommandSpec): void {
  const words = spec.command.split(" ");
  const name = words.pop() ?? spec.command;
  const command = findGroup(program, words).command(name).description(spec.summary);
  command.copyInheritedSettings(program);
  for (const argument of spec.arguments) command.argument(`<${argument.name}>`, argument.description);
  for (const flag of spec.flags) command.addOption(flagOption(flag));
  if (spec.needsIdempotencyKey) command.option("--idempotency-key <key>", "8 to 128 characters; made when not given");
  addGlobals(command);
  command.addHelpText("after", examplesText(spec.examples));
  command.action((...args: unknown[]) => {
    const positional = args.slice(0, spec.arguments.length) as string[];
    return runOperation(io, spec, positional, command);
  });
}

export function buildProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command("qa-pay")
    .description("A complete local Pix payments service, and the command line to drive it.")
    .version(VERSION, "--version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .showSuggestionAfterError()
    .showHelpAfterError("(add --help for what it takes)");
  addServe(program, io, finish);
  for (const spec of commandTree) addOperation(program, io, spec);
  program.addHelpText(
    "after",
    examplesText([
      "qa-pay serve",
      "qa-pay serve --forward-to http://localhost:3000/webhooks",
      "qa-pay charges create --amount 1990",
    ]),
  );
  return program;
}

/** Runs one command line. `argv` is without node and script. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const json = argv.includes("--json");
  try {
    await buildProgram(io, (code) => {
      exitCode = code;
    }).parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof Failure) {
      printFailure(io, error, json);
      return error.exitCode;
    }
    const message = error instanceof Error ? error.message : String(error);
    printFailure(io, new Failure(EXIT.unexpected, "unexpected", message), json);
    return EXIT.unexpected;
  }
}
