import { DEFAULT_TIMEOUT_MS, type HttpAnswer } from "../../client/send.js";
import { resolveTarget } from "../target/resolve-target.js";
import { mayBeSent, tellAnswer } from "../target/safety.js";
import type { Target } from "../target/target.js";
import { EXIT, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { bodyText, say } from "../terminal/terminal-text.js";
import type { FlagSpec, OperationSpec } from "../tree/describe-operations.js";
import type { GlobalFlags } from "../tree/flags.js";
import type { QaCommand } from "../tree/help.js";
import type { OperationFlags } from "../tree/syntax.js";
import { exchange } from "./exchange.js";
import { prepare } from "./prepare.js";
import { repetition, targetFlags, withRepetition } from "./unknown-outcome.js";
import type { ReadLimits } from "./wait.js";

/** Runs a command that calls one operation of the service: builds the request, sends it and prints the answer. */

export type Options = Readonly<Record<string, string | string[] | boolean | undefined>>;

/** The values of the flags by their names in kebab-case. Commander stores them in camelCase. */
function byFlagName(command: QaCommand): Options {
  return Object.fromEntries(
    command.options.map((option) => [
      option.long?.replace(/^--(no-)?/, "") ?? "",
      command.getOptionValue(option.attributeName()) as Options[string],
    ]),
  );
}

function requireFlags({ flags, oneOf }: OperationSpec, given: Options, command: QaCommand): void {
  if (oneOf.length > 0 && oneOf.every((name) => given[name] === undefined)) {
    const names = oneOf.map((name) => `--${name}`);
    throw command.misuse(`${names.slice(0, -1).join(", ")} or ${names.at(-1)} is required.`);
  }
  const missing = flags.filter(({ name, required }) => required && given[name] === undefined);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `--${name}`).join(" and ");
  throw command.misuse(`${names} ${missing.length === 1 ? "is" : "are"} required.`);
}

/** The flags of the command. Every `--output` but `table` also sets `json`: a program reads the output. */
function flagsOf(spec: OperationSpec, command: QaCommand): OperationFlags {
  const flags = command.optsWithGlobals() as OperationFlags;
  if (spec.rows === undefined || flags.output === undefined) return flags;
  return { ...flags, json: flags.output !== "table" };
}

/**
 * With --all, pages are as large as the service allows, unless --limit says otherwise: that needs the fewest requests.
 */
function withLargestPage({ flags }: OperationSpec, options: Options): Options {
  const most = flags.find(({ name }) => name === "limit")?.most;
  return most === undefined || options.limit !== undefined ? options : { ...options, limit: String(most) };
}

/** Tells whether to ask for missing values. With --json, the caller is taken for a program, even at a terminal. */
function mayAsk(io: Io, flags: GlobalFlags): boolean {
  return !flags.json && io.isTerminal;
}

/** The arguments. One that is a field of the body may also be given as a flag, but not with two different values. */
function wordsOf(
  spec: OperationSpec,
  given: readonly (string | undefined)[],
  options: Options,
  command: QaCommand,
): (string | undefined)[] {
  return spec.arguments.map(({ name, field }, index) => {
    const flag = field === undefined ? undefined : options[name];
    if (typeof flag !== "string") return given[index];
    if (given[index] === undefined || given[index] === flag) return flag;
    throw command.misuse(`<${name}> and --${name} say different things: ${given[index]} and ${flag}.`);
  });
}

/** The ids of the command line. Asks the person for a missing id. Throws Failure (exit 2) when that is not possible. */
async function idsOf(
  io: Io,
  spec: OperationSpec,
  target: () => Promise<Target>,
  given: readonly (string | undefined)[],
  command: QaCommand,
): Promise<string[]> {
  const missing = spec.arguments.findIndex((_argument, index) => given[index] === undefined);
  const argument = spec.arguments[missing];
  if (argument === undefined) return given.filter((id) => id !== undefined);
  const misuse = () => command.misuse(`<${argument.name}> is missing: ${argument.description}`);
  if (missing > 0 || spec.arguments.length > 1 || !mayAsk(io, command.optsWithGlobals())) throw misuse();
  const { pickId } = await import("./ask.js");
  const picked = await pickId(io, spec, target, command.optsWithGlobals());
  if (picked === null) throw misuse();
  return [picked];
}

/** The operation that the flags ask for. Throws Failure (exit 2) for a flag that this operation does not have. */
function chosenVariant(main: OperationSpec, given: Options, command: QaCommand): OperationSpec {
  const variant = main.variants.find(({ flag }) => given[flag] === true);
  if (variant === undefined) return main;
  const isStranger = ({ name }: FlagSpec) =>
    given[name] !== undefined && !variant.spec.flags.some((own) => own.name === name);
  const stranger = main.flags.find(isStranger);
  if (stranger === undefined) return variant.spec;
  throw command.misuse(`--${stranger.name} does not go with --${variant.flag}.`);
}

/** Sends the request of the command, prints the answer and returns the exit code. Throws Failure for a refusal. */
export async function runOperation(
  io: Io,
  main: OperationSpec,
  given: readonly (string | undefined)[],
  command: QaCommand,
): Promise<ExitCode> {
  const spec = chosenVariant(main, byFlagName(command), command);
  const flags = flagsOf(spec, command);
  let options = byFlagName(command);
  const isBare = spec.flags.every(({ name }) => options[name] === undefined);
  if (spec.asks !== undefined && isBare && mayAsk(io, flags)) {
    const { askForFlags } = await import("./ask.js");
    options = { ...options, ...(await askForFlags(io, spec)) };
  }
  requireFlags(spec, options, command);
  if (flags.all) options = withLargestPage(spec, options);
  let known: Promise<Target> | undefined;
  const target = () => {
    known ??= resolveTarget(io, flags);
    return known;
  };
  const words = await idsOf(io, spec, target, wordsOf(spec, given, options, command), command);
  const { request, ids, idempotencyKey } = await prepare(spec, await target(), words, options, io);
  if (!(await mayBeSent(io, await target(), request, flags, { confirms: spec.confirms }))) return EXIT.done;
  if (idempotencyKey !== null && !flags.quiet && !flags.json) io.err(say`Idempotency-Key: ${idempotencyKey}\n`);
  const read = async (limits: ReadLimits = {}) => {
    // `--timeout` limits the whole wait for a state. It must not give a single request more time than usual.
    const timeoutMs = Math.min(limits.timeoutMs ?? Number.POSITIVE_INFINITY, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const onAnswer = (answer: HttpAnswer) => tellAnswer(io, answer, flags);
    return exchange(spec, await target(), { ...request, ...limits, timeoutMs }, onAnswer);
  };
  if (flags.follow) {
    const { followTimeline } = await import("./timeline.js");
    await followTimeline(io, read, flags);
    return EXIT.done;
  }
  if (flags.all) {
    const { printAll } = await import("./all-pages.js");
    await printAll(io, spec, await target(), request, flags);
    return EXIT.done;
  }
  if (flags.watch || flags.waitFor !== undefined || flags.timeout !== undefined) {
    const { follow } = await import("./wait.js");
    await follow(io, spec, read, flags);
    return EXIT.done;
  }
  const text = await (idempotencyKey === null
    ? read()
    : withRepetition(
        read,
        repetition([...spec.command.split(" "), ...ids], { ...options, ...targetFlags(flags) }, idempotencyKey),
      ));
  await print(io, spec, await target(), ids, text, flags);
  return exitCodeFor(spec, text);
}

/** The exit code of a command whose answer says by itself whether all is well. */
function exitCodeFor({ verdict }: OperationSpec, text: string): ExitCode {
  if (verdict === undefined) return EXIT.done;
  return (JSON.parse(text) as Record<string, unknown>)[verdict] === true ? EXIT.done : EXIT.unexpected;
}

/** Prints the body of a successful answer in the form that the flags name. */
async function print(
  io: Io,
  spec: OperationSpec,
  target: Target,
  ids: readonly string[],
  text: string,
  flags: OperationFlags,
): Promise<void> {
  if (spec.rows !== undefined && (flags.output ?? (flags.json ? "json" : "table")) !== "json") {
    const { printPage } = await import("./rows.js");
    return printPage(io, spec, JSON.parse(text), flags);
  }
  if (flags.json) {
    if (text !== "") io.out(bodyText(io, `${text}\n`));
    return;
  }
  if (spec.file !== undefined) {
    const { saveFile } = await import("./save-file.js");
    return saveFile(io, spec.file, JSON.parse(text), ids, flags);
  }
  await show(io, spec, target, text, flags);
  if (spec.also === undefined || flags.quiet) return;
  const { printAlso } = await import("./also.js");
  await printAlso(io, spec, target, ids, JSON.parse(text), flags);
}

async function show(io: Io, spec: OperationSpec, target: Target, text: string, flags: OperationFlags): Promise<void> {
  const { printAnswer } = await import("../terminal/output.js");
  const answer: unknown = text === "" ? undefined : JSON.parse(text);
  if (flags.quiet && spec.answer.isNew) return io.out(say`${String((answer as { id: unknown }).id)}\n`);
  if (spec.timeline) {
    const { printTimeline } = await import("./timeline.js");
    return printTimeline(io, answer, flags);
  }
  await printAnswer(io, spec, answer, flags);
  if (!spec.picture || flags.quiet || !io.isTerminal || !io.isScreen) return;
  const { printPicture } = await import("./picture.js");
  await printPicture(io, spec, target, answer, flags);
}
