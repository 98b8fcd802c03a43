import { type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { NOUNS } from "../kernel/nouns.js";
import { VERSION } from "../version.js";
import { commandNouns, commandsOf } from "./command-tree.js";
import { addEvidenceAdd } from "./commands/evidence-add-options.js";
import { addOpenApi } from "./commands/openapi-options.js";
import { addServe } from "./commands/serve-options.js";
import type { CommandSpec, FlagSpec } from "./describe-commands.js";
import { EXIT } from "./exit-codes.js";
import { Failure, printFailure } from "./failure.js";
import { choicesText, helpStyle, PLACEHOLDER, QaCommand } from "./help.js";
import type { Io } from "./io.js";
import { addVerify, addWebhookTest, LOCAL_COMMANDS, type WordFlag, type WordNode } from "./local-commands.js";
import { visibleLines } from "./terminal-text.js";

/** The whole command line as a function: arguments in, exit code out, nothing global touched. */

/** Taken in front of a command, between its words and behind it. */
function addGlobals(program: Command): Command {
  return program
    .optionsGroup("Flags of every command:")
    .option("--profile <name>", "profile to take the host and key from (QA_PAY_PROFILE)")
    .option("--base-url <url>", "address of the service (QA_PAY_BASE_URL)")
    .option("--api-key <key>", "API key, or - to read it from standard input (QA_PAY_API_KEY)")
    .option("--json", "print JSON and nothing else")
    .option("--no-color", "no colours")
    .option("--quiet", "nothing but data")
    .option("--verbose", "show host, key and request on standard error")
    .option("--yes", "do it without asking")
    .option("--dry-run", "show the request without its key, and send nothing")
    .option("--utc", "times in UTC instead of the time here")
    .option("--request-timeout <duration>", "how long a request may take (QA_PAY_REQUEST_TIMEOUT, default 30s)");
}

/** One of the choices, in capitals or not: the service has statuses in both, and people remember neither. */
function chosen(choices: readonly string[]): (given: string) => string {
  return (given) => {
    const found = choices.find((choice) => choice.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  };
}

function flagOption(flag: FlagSpec): Option {
  const choices = flag.choices ?? [];
  // A list says with its own words what its items may be; the service is who checks them.
  const items = flag.type === "list" && choices.length > 0 ? ` (${choicesText(choices)})` : "";
  const needed = flag.required ? " (required)" : "";
  const placeholder = flag.type === "boolean" ? `[${PLACEHOLDER.boolean}]` : `<${PLACEHOLDER[flag.type]}>`;
  const option = new Option(`--${flag.name} ${placeholder}`, flag.description + items + needed);
  if (choices.length > 0 && flag.type !== "list" && !flag.nullable)
    option.choices([...choices]).argParser(chosen(choices));
  return option;
}

function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? "" : `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`;
}

/** Groups that are no noun of their own. */
const SUBGROUPS: Readonly<Record<string, string>> = {
  endpoints: "where events are sent",
  clock: "the emulated clock",
  deliveries: "what was sent to endpoints",
  refunds: "money on its way back",
  payouts: "money on its way out",
  evidence: "files that support an appeal",
  keys: "API keys of the account, managed by who is logged in",
  med: "the payer's bank in MED cases",
  accounts: "other accounts of the emulator",
  faults: "what goes wrong with requests on purpose",
  snapshots: "copies of everything, to come back to",
};

function findGroup(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((command) => command.name() === word);
    if (known !== undefined) return known;
    const group = parent.command(word).description(NOUNS[word] ?? SUBGROUPS[word] ?? "");
    return group.usage("<command>").helpCommand(false);
  }, program);
}

/** The forms of a list, and waiting on one object that has a state. */
function addForms(command: Command, { method, rows, columns, arguments: ids }: CommandSpec): void {
  if (rows !== undefined) {
    command.addOption(
      new Option("--output <form>", "form of the list; jsonl is one object a line").choices(["table", "json", "jsonl"]),
    );
    return;
  }
  if (method !== "GET" || ids.length === 0 || !columns.some(({ path }) => path === "status")) return;
  command.option("--watch", "show every change until Ctrl-C");
  command.option("--wait-for <status>", "wait for this status: exit 0 only there");
  command.option("--timeout <duration>", "how long --wait-for waits, such as 90s or 5m (default 60s)");
}

function addOperation(program: Command, io: Io, spec: CommandSpec): void {
  const words = spec.command.split(" ");
  const name = words.pop() ?? spec.command;
  const command = findGroup(program, words).command(name).description(spec.summary) as QaCommand;
  command.sends = true;
  command.example = spec.examples[0];
  // Whether one may be missing is for the command to say: at a terminal it offers what there is.
  for (const argument of spec.arguments) command.argument(`[${argument.name}]`, argument.description);
  command.needs = spec.arguments.length;
  const flags = [...spec.flags].sort((a, b) => Number(b.required) - Number(a.required));
  for (const flag of flags) command.addOption(flagOption(flag));
  if (spec.file !== undefined) {
    command.option("--output <file>", `where to write it, - for standard output (default ${spec.file.name})`);
    command.option("--open", "open it when it is written");
  }
  if (spec.idempotencyKey !== undefined) {
    command.option("--idempotency-key <text>", "makes a repetition harmless; made and shown when not given");
  }
  const needed = [
    ...spec.arguments.map((argument) => `<${argument.name}>`),
    ...flags.flatMap((flag) => (flag.required ? [`--${flag.name} <${PLACEHOLDER[flag.type]}>`] : [])),
  ];
  command.usage([...needed, "[flags]"].join(" "));
  command.addHelpText("after", examplesText(spec.examples));
  addForms(command, spec);
  command.action(async (...args: unknown[]) => {
    const given = args.slice(0, spec.arguments.length) as (string | undefined)[];
    const { runOperation } = await import("./run-operation.js");
    return runOperation(io, spec, given, command);
  });
}

/** Of a group, what the first command that it holds shows: every help has an example. */
function addGroupExamples(group: Command): string | undefined {
  const [example] = group.commands.flatMap((inner) => addGroupExamples(inner) ?? []);
  if (example !== undefined) group.addHelpText("after", examplesText([example]));
  return example ?? (group as QaCommand).example;
}

/** Commands of the service's nouns that send nothing, or more than one request. */
const OWN_MEMBERS: Readonly<Record<string, readonly string[]>> = { webhooks: ["verify", "test"] };

/**
 * Declares the commands of one surface. Only the nouns that the command line names are spelled out: of the others no
 * more is ever shown than what they hold, and declaring everything would take longer than most commands.
 */
function addSurface(program: Command, io: Io, surface: CommandSpec["surface"], argv: readonly string[]): void {
  for (const { noun, members } of commandNouns.filter((one) => one.surface === surface)) {
    const group = findGroup(program, [noun]);
    group.summary(`${group.description()}: ${[...members, ...(OWN_MEMBERS[noun] ?? [])].join(", ")}`);
    if (argv.includes(noun)) for (const spec of commandsOf(noun)) addOperation(program, io, spec);
    addGroupExamples(group);
  }
}

const AFTER_HELP = `${examplesText([
  "qa-pay serve",
  "qa-pay serve --forward-to http://localhost:3000/webhooks",
  "qa-pay charges create --amount 1990",
])}

Exit codes:
  0 done  1 unexpected  2 wrong usage  3 not allowed  4 not found  5 refused  6 rate limited  7 unreachable or 5xx`;

function buildProgram(io: Io, argv: readonly string[], finish: (code: number) => void): Command {
  const program = new QaCommand("qa-pay")
    .description("A complete local Pix payments service, and the command line to drive it.")
    .usage("<command> [flags]")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .configureHelp(helpStyle)
    .configureOutput({
      writeOut: (text) => io.out(visibleLines(text)),
      writeErr: (text) => io.err(visibleLines(text)),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
      // Help has none, and asking the streams would open them.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .hook("preAction", (_program, command) => (command as QaCommand).checkGlobals());
  addGlobals(program);
  program.commandsGroup("On this machine:").helpCommand("help [command...]", "show the help of a command");
  addServe(program, io, finish, argv.includes("serve"));
  addOpenApi(program, io, finish);
  for (const local of LOCAL_COMMANDS) {
    const command = program.command(local.name).description(local.summary) as QaCommand;
    if (argv.includes(local.name)) local.declare(command, { io, finish, tree: () => describeTree(io) });
    if (command.commands.length > 0) addGroupExamples(command.usage("<command>").helpCommand(false));
  }
  program.commandsGroup("The service:");
  addSurface(program, io, "api", argv);
  if (argv.includes("webhooks")) {
    addVerify(findGroup(program, ["webhooks"]), io, finish);
    addWebhookTest(findGroup(program, ["webhooks"]), io, finish);
  }
  if (argv.includes("med")) addEvidenceAdd(findGroup(program, ["med", "evidence"]), io);
  program.commandsGroup("The emulator:");
  addSurface(program, io, "sandbox", argv);
  program.addHelpText("after", AFTER_HELP);
  return program;
}

/** The whole command tree, for completion scripts and documents. */
function describeTree(io: Io): WordNode {
  const nouns = commandNouns.map(({ noun }) => noun);
  const program = buildProgram(io, ["serve", ...nouns, ...LOCAL_COMMANDS.map(({ name }) => name)], () => undefined);
  const specs = new Map(nouns.flatMap(commandsOf).map((spec) => [spec.command, spec]));
  const flagOf = ({ long, required, argChoices }: Option, path: string): WordFlag[] => {
    if (typeof long !== "string") return [];
    // Of a list, and of what may be null, the service checks the values, so the option does not have them.
    const listed = specs.get(path)?.flags.find(({ name }) => long === `--${name}`)?.choices;
    return [{ name: long, takesValue: required, values: argChoices ?? listed ?? [] }];
  };
  const node = (command: Command, path: readonly string[]): WordNode => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    flags: [...command.options, ...(helpStyle.visibleGlobalOptions?.(command) ?? [])].flatMap((option) =>
      flagOf(option, path.join(" ")),
    ),
    children: command.commands.map((child) => node(child, [...path, child.name()])),
  });
  return node(program, []);
}

/** `help charges create` is `charges create --help`, however deep the command. */
function spelledOut(argv: readonly string[]): string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv];
}

/** Runs one command line. `argv` is without node and script. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.done;
  // What stands behind two dashes is for the command that `exec` runs.
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const json = own.includes("--json") || /(^| )--output[ =]jsonl?( |$)/.test(own.join(" "));
  try {
    const program = buildProgram(io, argv, (code) => {
      exitCode = code;
    });
    await program.parseAsync(spelledOut(argv), { from: "user" });
    return exitCode;
  } catch (error) {
    // Help that was asked for, or was shown because a group was named and no command of it.
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
