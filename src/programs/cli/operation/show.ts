import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { FlagDeclarations, FlagsOf } from "../../../api/client/flags.js";
import type { HttpRequest } from "../../../api/client/send.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { pick } from "../../../base/kernel/pick.js";
import type { Connection } from "../host/connection.js";
import { EXIT, type ExitCode } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { bodyText, say } from "../terminal/terminal-text.js";
import type { CommandContext } from "../tree/define-command.js";
import { formOf, type OperationFlags } from "../tree/syntax.js";

/** Shows the answer of an operation. A command may replace this by an own part. */

/** The timeout of one request in milliseconds, and the signal that ends it. */
export type SendLimits = Pick<HttpRequest, "timeoutMs" | "signal">;

/** A command line that was read and may be sent. */
export interface OperationCall extends Pick<CommandContext, "io" | "operation"> {
  readonly spec: OperationSpec;
  readonly connection: Connection;
  readonly request: HttpRequest;
  /** The arguments, with the ids of pasted addresses. */
  readonly ids: readonly string[];
  readonly flags: OperationFlags;
  /** Sends the request. Returns the body of the successful answer, unchanged. Throws Failure for any other. */
  send(limits?: SendLimits): Promise<string>;
}

/** The module `src/programs/cli/commands/<noun>/<verb>.ts` of an operation whose command does more than others. */
export interface OwnPart<Flags extends FlagDeclarations = FlagDeclarations> {
  /** Flags in place of those for lists and for waiting. */
  readonly flags?: Flags;
  /** Reads from a person at a terminal when there is no flag. Returns the answers by the names of the flags. */
  ask?(io: Io, spec: OperationSpec): Promise<Record<string, string>>;
  /** Does the work of the command in place of its one request; null where the flags do not ask for that. */
  instead?(call: OperationCall, flags: FlagsOf<Flags>): Promise<void> | null;
  /** Shows the body of the answer, in place of `showAnswer`. Without an exit code the command ends with 0. */
  show?(call: OperationCall, text: string, flags: FlagsOf<Flags>): Promise<ExitCode> | Promise<void>;
}

/** Returns whether a person reads the output and wants more than the bare answer. */
export function isForPerson({ flags }: OperationCall): boolean {
  return !flags.json && !flags.quiet;
}

type ShownCall = Pick<OperationCall, "io" | "spec" | "flags"> & Partial<Pick<OperationCall, "connection">>;

const IS_SIMULATED = "qa-pay sandbox ";

/** True for an emulator on this machine. */
async function isEmulatorHere(connection: Connection): Promise<boolean> {
  if (!isLoopbackUrl(connection.host.url)) return false;
  if (connection.host.server !== null) return true;
  const { isEmulator } = await import("../host/read.js");
  // The command has done its work, so that nothing else is reported.
  return isEmulator(connection).catch(() => false);
}

/** Returns what to do next, without the commands of an emulator when the service is none on this machine. */
async function nextOf({ spec: { next, surface }, connection }: ShownCall): Promise<string | undefined> {
  if (next === undefined || connection === undefined || surface !== "api" || !next.includes(IS_SIMULATED)) return next;
  if (await isEmulatorHere(connection)) return next;
  const parts = next.split(/ {2,}/).filter((part) => !part.includes(IS_SIMULATED));
  return parts.join("    ") || undefined;
}

/** Prints the body of a successful answer in the form that the flags name. */
export async function showAnswer(call: ShownCall, text: string): Promise<void> {
  const { io, spec, flags } = call;
  if (spec.rows !== undefined && formOf(flags) !== "json") {
    const { printPage } = await import("./rows.js");
    return printPage(io, spec, JSON.parse(text), flags);
  }
  if (!flags.json) return showObject(call, text === "" ? undefined : JSON.parse(text));
  if (text !== "") io.out(bodyText(io, `${text}\n`));
}

/** Shows an answer with a verdict: the command ends with 1 when this member is not true. */
export function showVerdict(member: string) {
  return async (call: OperationCall, text: string): Promise<ExitCode> => {
    await showAnswer(call, text);
    return pick(JSON.parse(text), member) === true ? EXIT.done : EXIT.unexpected;
  };
}

/** Prints an object for a person. With --quiet a new object is printed as its id alone. */
export async function showObject(call: ShownCall, answer: unknown): Promise<void> {
  const { io, spec, flags } = call;
  if (flags.quiet && spec.answer.isNew) return io.out(say`${String(pick(answer, "id"))}\n`);
  const { printAnswer } = await import("../terminal/output.js");
  const { next: _next, ...bare } = spec;
  const next = flags.quiet ? undefined : await nextOf(call);
  await printAnswer(io, next === undefined ? bare : { ...bare, next }, answer, flags);
}
