import type { ErrorEnvelope, ErrorType } from "../../../base/kernel/errors.js";
import { inexactNumber } from "../../../base/kernel/exact-numbers.js";
import { isTooDeep, jsonIn, MAX_DEPTH } from "../../../base/kernel/json.js";
import { nearest } from "../../../base/kernel/nearest.js";
import { pick } from "../../../base/kernel/pick.js";
import { errorCode } from "../../../base/kernel/reason.js";
import { saidBy, t, type Wording, type Words } from "../../../base/kernel/wording.js";
import { asStarted } from "./program-command.js";
import { jsonText, localized, say, type TerminalText, visibleLines } from "./terminal-text.js";

/** The exit codes of the process. Their meaning must never change, because scripts depend on them. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  /** A wrong command line, or a refusal before anything was sent. */
  usage: 2,
  /** 401 and 403. */
  denied: 3,
  notFound: 4,
  /** 400, 409, 413, 422 and other 4xx: the service refused the request. */
  refused: 5,
  rateLimited: 6,
  /** No answer, a 5xx, or an answer that is not from a qa-pay service. */
  unreachable: 7,
  /** Of `exec` alone, whose exit code is that of its command: what a shell, `env` and `timeout` say of one that they cannot start. */
  cannotExecute: 126,
  commandNotFound: 127,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code for the HTTP status of an answer. */
export function exitCodeOf(status: number): ExitCode {
  // A 1xx is not an answer of the service: the command line never requests another protocol (101).
  if (status < 200) return EXIT.unreachable;
  if (status < 400) return EXIT.done;
  if (status === 401 || status === 403) return EXIT.denied;
  if (status === 404) return EXIT.notFound;
  if (status === 429) return EXIT.rateLimited;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}

/** The error of a command that ends without success, with its message and its exit code. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** The error envelope of the service, when the service refused the request. */
  readonly envelope: ErrorEnvelope | undefined = undefined;
  /** True when the request did not reach the service, so that it certainly changed nothing. */
  readonly wasNeverSent: boolean = false;

  constructor(
    readonly exitCode: ExitCode,
    readonly code: string,
    /** The message for a person. `message` is the same in English. */
    readonly said: Words,
    /** Advice for a person: what to do next. */
    readonly hint?: Words,
  ) {
    super(String(said));
  }

  /** The same failure with other members. */
  with(change: Partial<Pick<Failure, "said" | "hint" | "envelope" | "wasNeverSent">>): Failure {
    const { exitCode, code } = this;
    const { said, hint, envelope, wasNeverSent } = { ...this, ...change };
    return Object.assign(new Failure(exitCode, code, said, hint), { envelope, wasNeverSent });
  }
}

/** The Failure for a wrong command line (exit 2). `hint` is what the person can do next. */
export function usage(message: Words, hint?: Words): Failure {
  return new Failure(EXIT.usage, "usage", message, hint);
}

/** The question for a person who misspelt a name; undefined when no known name is similar. */
export function suggestion(name: string, known: readonly string[]): Wording | undefined {
  const meant = nearest(name, known);
  return meant === undefined ? undefined : t`Did you mean ${meant}?`;
}

/** Returns a value as a message shows it. An unset shell variable gives an empty value. */
export const formatValue = (text: string) => text || "''";

/** The Failure for a value that `name`, a flag or an argument, does not take. */
export function wrongValue(name: string, takes: Words, given: string, hint?: Words): Failure {
  return usage(t`${name} takes ${takes}, not ${formatValue(given)}.`, hint);
}

const UNREADABLE: Readonly<Record<string, Words>> = {
  ENOENT: t`there is no such file`,
  ENOTDIR: t`there is no such file`,
  EISDIR: t`it is a folder`,
  EACCES: t`this user may not read it`,
  EPERM: t`this user may not read it`,
  ELOOP: t`its links lead in a circle`,
};

/** Why a file cannot be read, in plain words where they are known. */
export function whyUnreadable(error: unknown): Words {
  return UNREADABLE[errorCode(error) ?? ""] ?? saidBy(error);
}

/** The Failure (exit 2) for a file that cannot be read, with the reason. */
export function unreadable(file: string, error: unknown): Failure {
  return usage(t`The file ${formatValue(file)} cannot be read: ${whyUnreadable(error)}.`);
}

/** Divides a text of our own that has several lines: the first line is the message, the other lines are the hint. */
export function messageAndHint(text: string): { readonly message: string; readonly hint?: string } {
  const [message = "", ...more] = text.split("\n");
  return more.length === 0 ? { message } : { message, hint: more.join("\n") };
}

/** Returns the error envelope in the text of an answer, or null when there is none, as from a host of another kind. */
export function envelopeIn(text: string): ErrorEnvelope | null {
  const value = jsonIn(text);
  const isOne = typeof pick(value, "error.code") === "string" && typeof pick(value, "error.message") === "string";
  return isOne ? (value as ErrorEnvelope) : null;
}

const STRANGER_HINT = t`No qa-pay service answers like that. Is this its address? See what it says with --verbose, or with \`qa-pay doctor\`.`;

/**
 * The Failure for an answer that is not a success, in the service's own words. An answer without an error envelope is not
 * from the service: a 404 page means a wrong address or a proxy, not a charge that does not exist.
 */
export function refusalOf(status: number, text: string, hint?: Words): Failure {
  const envelope = envelopeIn(text);
  if (envelope === null) {
    const message = t`The host answered ${status} without an error envelope.`;
    return new Failure(EXIT.unreachable, "unexpected_answer", message, hint ?? STRANGER_HINT);
  }
  // A redirection (3xx) has no exit code of its own. It means that the service is not at this address.
  const exitCode = exitCodeOf(status) || EXIT.unreachable;
  const { code, message } = envelope.error;
  return new Failure(exitCode, code, `${message} (${code})`, hint).with({ envelope });
}

/**
 * Parses JSON that a user wrote. Throws Failure (exit 2) for a number that JavaScript cannot keep exactly: the service
 * would get another number. Throws SyntaxError for text that is not JSON.
 */
export function exactJson(text: string, where: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw usage(t`${where} is nested deeper than ${MAX_DEPTH} levels.`);
  const literal = inexactNumber(text);
  if (literal === null) return value;
  const excerpt = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
  const message = t`${where} holds ${excerpt}, a number that cannot be kept exactly: write it in quotes, as a text.`;
  throw usage(message);
}

/** Parses the body of a successful answer. Throws Failure (exit 7) when it is not JSON, such as a web page. */
export function jsonOf(text: string): unknown {
  const value = jsonIn(text);
  if (value !== undefined) return value;
  const hint = t`Is this the address of the service? \`qa-pay doctor\` looks at it.`;
  throw new Failure(EXIT.unreachable, "unexpected_answer", t`The host answered with something other than JSON.`, hint);
}

/** The error type that `--json` prints for an error of the command line itself. Other exit codes are an `api_error`. */
const TYPES: Partial<Record<ExitCode, ErrorType>> = {
  [EXIT.usage]: "invalid_request_error",
  [EXIT.denied]: "authentication_error",
  [EXIT.notFound]: "not_found_error",
  [EXIT.refused]: "invalid_request_error",
};

/**
 * The service's envelope. When the outcome is unknown, the hint is added: it shows how to repeat the request safely.
 */
function withHint({ envelope, exitCode, hint }: Failure): object | undefined {
  if (envelope === undefined || hint === undefined || exitCode !== EXIT.unreachable) return envelope;
  return { ...envelope, error: { ...envelope.error, hint } };
}

/** The envelope of an error of the command line itself. `hint` names the missing flag, or how to repeat a request. */
export function ownEnvelope({ code, message, exitCode, hint }: Failure) {
  const type: ErrorType = TYPES[exitCode] ?? "api_error";
  return { error: { type, code, message, ...(hint === undefined ? {} : { hint: String(hint) }) }, request_id: null };
}

interface FailureIo {
  readonly program: string;
  err(text: TerminalText): void;
}

/** Prints a failure on standard error: with `json` as an error envelope on one line, else as text for a person. */
export function printFailure(io: FailureIo, failure: Failure, json: boolean): void {
  if (json) {
    const { hint } = failure;
    const worded = hint === undefined ? failure : failure.with({ hint: asStarted(String(hint), io.program) });
    io.err(jsonText(withHint(worded) ?? ownEnvelope(worded)));
    return;
  }
  io.err(say`${localized`Error: ${failure.said}`}\n`);
  const details = failure.envelope?.error.details ?? [];
  if (details.length > 1) for (const { param, message } of details) io.err(say`  ${param} ${message}\n`);
  if (failure.hint !== undefined) io.err(say`${visibleLines(failure.hint)}\n`);
}
