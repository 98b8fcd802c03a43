import type { FlagSpec, OperationSpec } from "../../../api/client/describe-operations.js";
import type { GlobalFlags } from "../../../api/client/flags.js";
import { DEFAULT_TIMEOUT_MS, type HttpAnswer } from "../../../api/client/send.js";
import { once } from "../../../base/kernel/once.js";
import { joinWords, t } from "../../../base/kernel/wording.js";
import { OWN_PARTS } from "../commands/index.js";
import { connect } from "../host/connect.js";
import { mayBeSent } from "../host/consent.js";
import { printAnswerHead } from "../host/print.js";
import { EXIT, type ExitCode, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/terminal-text.js";
import type { CommandContext } from "../tree/define-command.js";
import { missingArgument, type QaCommand } from "../tree/qa-command.js";
import { listFlags, type OperationFlags } from "../tree/syntax.js";
import { prepare } from "./prepare.js";
import { sendOperation } from "./send-operation.js";
import { type OperationCall, type OwnPart, type SendLimits, showAnswer } from "./show.js";
import { repetition, withRepetition } from "./unknown-outcome.js";

/** Runs a command that calls one operation of the service: prepares the request, sends it and shows the answer. */

type Options = Readonly<Record<string, string | string[] | boolean | undefined>>;

type OperationContext = Pick<CommandContext, "io" | "operation">;

/** The values of the flags by their names in kebab-case. Commander stores them in camelCase. */
function byFlagName(command: QaCommand): Options {
  return Object.fromEntries(
    command.options.map((option) => [
      option.long?.replace(/^--(no-)?/, "") ?? "",
      command.getOptionValue(option.attributeName()),
    ]),
  );
}

function requireFlags(
  { flags, oneOf, arguments: ids }: OperationSpec,
  given: Options,
  words: readonly (string | undefined)[],
  command: QaCommand,
): void {
  const isPresent = (name: string) => given[name] !== undefined || words[ids.findIndex((id) => id.name === name)];
  if (oneOf.length > 0 && !oneOf.some(isPresent)) {
    const names = oneOf.map((name) => (ids.some((id) => id.name === name) ? `<${name}>` : `--${name}`));
    throw command.misuse(t`${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""} is required`);
  }
  const missing = flags.filter(({ name, required }) => required && given[name] === undefined);
  if (missing.length === 0) return;
  const [first = "", ...others] = missing.map(({ name }) => `--${name}`);
  if (others.length === 0) throw command.misuse(t`${first} is required`);
  throw command.misuse(t`${joinWords([first, ...others], t` and `)} are required`);
}

/** The operation with the columns that --columns names. Throws Failure (exit 2) for an unknown one. */
async function chooseColumns(spec: OperationSpec, flags: OperationFlags): Promise<OperationSpec> {
  if (flags.columns === undefined && !flags.excel) return spec;
  const { withColumns } = await import("./columns.js");
  return withColumns(spec, flags);
}

/**
 * With --all, pages are as large as the service allows, unless --limit says otherwise: that needs the fewest requests.
 */
function withLargestPage({ flags }: OperationSpec, options: Options): Options {
  const most = flags.find(({ name }) => name === "limit")?.most;
  return most === undefined || options.limit !== undefined ? options : { ...options, limit: String(most) };
}

/** Returns whether to ask a person for missing values. With --json the caller counts as a program, even at a terminal. */
function mayAsk(io: Io, flags: GlobalFlags): boolean {
  return !flags.json && io.isTerminal;
}

/** Returns the arguments. A field of the body may also be a flag, but not with a different value. */
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
    throw command.misuse(t`<${name}> and --${name} contradict each other: ${given[index] ?? ""} and ${flag}`);
  });
}

/**
 * The ids of the command line. `pick` lets the person choose a missing id. It returns null without a person or without objects; then this function
 * throws Failure (exit 2).
 */
async function idsOf(
  { arguments: ids }: OperationSpec,
  given: readonly (string | undefined)[],
  command: QaCommand,
  pick: () => Promise<string | null>,
): Promise<string[]> {
  const missing = ids.findIndex(({ optional }, index) => given[index] === undefined && !optional);
  const argument = ids[missing];
  if (argument === undefined) return ids.map((_argument, index) => given[index] ?? "");
  const picked = ids.length === 1 ? await pick() : null;
  if (picked === null) throw command.misuse(missingArgument(argument.name, argument.description));
  return [picked];
}

/** Returns the operation that the flags choose. Throws Failure (exit 2) for a flag that this operation does not have. */
function chosenVariant(main: OperationSpec, given: Options, command: QaCommand): OperationSpec {
  const variant = main.variants.find(({ flag }) => given[flag] === true);
  if (variant === undefined) return main;
  const isStranger = ({ name }: FlagSpec) =>
    given[name] !== undefined && !variant.spec.flags.some((own) => own.name === name);
  const stranger = main.flags.find(isStranger);
  if (stranger === undefined) return variant.spec;
  throw command.misuse(t`--${stranger.name} cannot be combined with --${variant.flag}`);
}

/**
 * Reads the command line: the operation, its request, and the function that sends it. Returns null with --dry-run. Throws Failure for
 * wrong use, and for a request that may not be sent.
 */
async function prepareCall(
  context: OperationContext,
  main: OperationSpec,
  given: readonly (string | undefined)[],
  { command, own }: { readonly command: QaCommand; readonly own: OwnPart },
): Promise<OperationCall | null> {
  const { io } = context;
  const variant = chosenVariant(main, byFlagName(command), command);
  const parsed = command.optsWithGlobals<OperationFlags>();
  const flags = variant.rows === undefined ? parsed : listFlags(parsed);
  const spec = await chooseColumns(variant, flags);
  let options = byFlagName(command);
  const isBare = spec.flags.every(({ name }) => options[name] === undefined);
  if (isBare && mayAsk(io, flags)) options = { ...options, ...(await own.ask?.(io, spec)) };
  requireFlags(spec, options, given, command);
  if (flags.all) options = withLargestPage(spec, options);
  const targetOf = once(() => connect(io, flags));
  const words = await idsOf(spec, wordsOf(spec, given, options, command), command, async () => {
    return mayAsk(io, parsed) ? (await import("./pick-id.js")).pickId(context, spec, targetOf, parsed) : null;
  });
  const connection = await targetOf();
  const { request, ids, idempotencyKey } = await prepare(
    spec,
    connection,
    { positional: words, options, utc: flags.utc },
    io,
  );
  const mayRepeat = options["idempotency-key"] !== undefined;
  if (!(await mayBeSent(io, connection.policy, request, { ...flags, confirms: spec.loses, mayRepeat }))) return null;
  if (idempotencyKey !== null && !flags.quiet && !flags.json) io.err(say`Idempotency-Key: ${idempotencyKey}\n`);
  const send = async (limits: SendLimits = {}) => {
    // `--timeout` limits the whole wait for a state. It must not give a single request more time than usual.
    const timeoutMs = Math.min(limits.timeoutMs ?? Number.POSITIVE_INFINITY, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const onAnswer = (answer: HttpAnswer) => printAnswerHead(io, answer, flags);
    try {
      return await sendOperation(spec, connection, { ...request, ...limits, timeoutMs }, onAnswer);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw (await import("./refusal-hints.js")).withHint(error, { spec, ids, flags });
    }
  };
  const call = { ...context, spec, connection, request, ids, flags };
  if (idempotencyKey === null) return { ...call, send };
  const line = [...spec.command.split(" "), ...ids];
  const repeat = repetition(line, options, flags, idempotencyKey);
  return { ...call, send: () => withRepetition(send, repeat) };
}

/** Runs the command of an operation and returns its exit code: prepare, send, show. Throws Failure for a refusal. */
export async function runOperation(
  context: OperationContext,
  spec: OperationSpec,
  given: readonly (string | undefined)[],
  command: QaCommand,
): Promise<ExitCode> {
  const own = (await OWN_PARTS[spec.command]?.())?.own ?? {};
  const call = await prepareCall(context, spec, given, { command, own });
  if (call === null) return EXIT.done;
  const { all, watch, waitFor, timeout } = call.flags;
  const instead = own.instead?.(call, call.flags) ?? null;
  if (instead !== null) await instead;
  else if (all) await (await import("./all-pages.js")).printAll(call);
  else if (watch || waitFor !== undefined || timeout !== undefined) await (await import("./wait.js")).follow(call);
  else return (await (own.show ?? showAnswer)(call, await call.send(), call.flags)) ?? EXIT.done;
  return EXIT.done;
}
