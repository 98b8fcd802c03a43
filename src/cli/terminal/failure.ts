import type { ErrorEnvelope, ErrorType } from "../../kernel/errors.js";
import { inexactNumber } from "../../kernel/exact-numbers.js";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-codes.js";
import { jsonText, say, type TerminalText, visibleLines } from "./terminal-text.js";

/** A command that ends without success: what it says and the exit code it ends with. */
export class Failure extends Error {
  override readonly name = "Failure";
  constructor(
    readonly exitCode: ExitCode,
    readonly code: string,
    message: string,
    /** The service's own error envelope, when it was the service that refused. */
    readonly envelope?: { readonly error: { readonly message: string; readonly details?: readonly Detail[] } },
    /** What to do next, for a person. */
    readonly hint?: string,
    /** Nobody took the request, so nothing can have come of it. */
    readonly wasNeverSent = false,
  ) {
    super(message);
  }
}

/** A command line that cannot be meant (exit 2); `hint` says what to do next. */
export function usage(message: string, hint?: string): Failure {
  return new Failure(EXIT.usage, "usage", message, undefined, hint);
}

/** The error envelope in a text; null for what some other host says instead. */
export function envelopeIn(text: string): ErrorEnvelope | null {
  try {
    const envelope = JSON.parse(text) as ErrorEnvelope;
    const { code, message } = envelope.error;
    return typeof code === "string" && typeof message === "string" ? envelope : null;
  } catch {
    return null;
  }
}

const STRANGER_HINT =
  "No qa-pay service answers like that. Is this its address? See what it says with --verbose, or with `qa-pay doctor`.";

/**
 * What an answer that is no success comes to, in the service's own words. A status without them says nothing about what
 * was asked for: a 404 page means a wrong address or a proxy, not a charge that is not there.
 */
export function refusalOf(status: number, text: string, hint?: string): Failure {
  const envelope = envelopeIn(text);
  if (envelope === null) {
    const message = `The host answered ${status} without an error envelope.`;
    return new Failure(EXIT.unreachable, "unexpected_answer", message, undefined, hint ?? STRANGER_HINT);
  }
  // A redirection is none of the kinds that exit codes tell apart: what was asked for is not there.
  const exitCode = exitCodeOf(status) || EXIT.unreachable;
  const { code, message } = envelope.error;
  return new Failure(exitCode, code, `${message} (${code})`, envelope, hint);
}

/** What a JSON text that somebody wrote says. A number that would be sent as another one is refused. */
export function exactJson(text: string, where: string): unknown {
  const value: unknown = JSON.parse(text);
  const literal = inexactNumber(text);
  if (literal === null) return value;
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
  const message = `${where} holds ${shown}, a number that cannot be kept exactly: write it in quotes, as a text.`;
  throw usage(message);
}

/** What a successful answer says. Throws Failure (exit 7) for a page that some host shows instead. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const hint = "Is this the address of the service? `qa-pay doctor` looks at it.";
    const message = "The host answered with something else than JSON.";
    throw new Failure(EXIT.unreachable, "unexpected_answer", message, undefined, hint);
  }
}

interface Detail {
  readonly param: string;
  readonly message: string;
}

/** The contract's error types for what the command line itself refuses; anything else is an `api_error`. */
const TYPES: Partial<Record<ExitCode, ErrorType>> = {
  [EXIT.usage]: "invalid_request_error",
  [EXIT.denied]: "authentication_error",
  [EXIT.notFound]: "not_found_error",
};

/** The service's own envelope, with what to do next where the outcome is unknown. */
function withHint({ envelope, exitCode, hint }: Failure): object | undefined {
  if (envelope === undefined || hint === undefined || exitCode !== EXIT.unreachable) return envelope;
  return { ...envelope, error: { ...envelope.error, hint } };
}

/** For programs the error envelope as one line of JSON, for people the same in words; both on standard error. */
export function printFailure(io: { err(text: TerminalText): void }, failure: Failure, json: boolean): void {
  if (json) {
    const { code, message, exitCode, hint } = failure;
    const type = TYPES[exitCode] ?? "api_error";
    // What to do next is known here alone: the key to repeat a lost request with, the flag that was missing.
    const own = { error: { type, code, message, ...(hint === undefined ? {} : { hint }) }, request_id: null };
    io.err(jsonText(withHint(failure) ?? own));
    return;
  }
  io.err(say`Error: ${failure.message}\n`);
  const details = failure.envelope?.error.details ?? [];
  if (details.length > 1) for (const { param, message } of details) io.err(say`  ${param} ${message}\n`);
  if (failure.hint !== undefined) io.err(visibleLines(`${failure.hint}\n`));
}
