import { isJsonObject, jsonIn } from "./json.js";
import { type Message, textOf } from "./message.js";
import { isNameOf } from "./names.js";
import { pick } from "./pick.js";
import { Wording } from "./wording.js";

/** The reasons of the service itself for a failed delivery of a webhook. The messages of a network stay as they are. */
export const ATTEMPT_ERRORS = {
  answered: "the endpoint answered {status}",
  late: "no answer within {seconds} seconds",
  late_by_one: "no answer within 1 second",
  given_up: "the attempt was given up",
  refused_here:
    "connection refused (ECONNREFUSED). In a container, {host} is the container itself: name the other one, and start the server with --allow-http and that name",
  not_plain: "http:// is not allowed to {host}: start the server with --allow-http {host}",
  never_by_name: "{host} leads to {address}, a link-local or metadata address, to which no name may lead",
} as const;

export type AttemptErrorCode = keyof typeof ATTEMPT_ERRORS;

/** A reason of the service, or the message of a network. */
export type AttemptError = Message<AttemptErrorCode> | string;

export function timeOver(ms: number): Message<AttemptErrorCode> {
  return ms === 1_000 ? { code: "late_by_one", params: {} } : { code: "late", params: { seconds: ms / 1_000 } };
}

/** The sentence of a reason of the service. */
export function wordingOf({ code, params }: Message<AttemptErrorCode>): Wording {
  return new Wording(ATTEMPT_ERRORS[code], params);
}

export class AttemptFailure extends Error {
  constructor(readonly reason: Message<AttemptErrorCode>) {
    super(textOf(ATTEMPT_ERRORS, reason));
  }
}

/** The text of an error, with its code and parameters for other languages: null for the message of a network. */
export function attemptErrorOf(error: AttemptError | null) {
  if (error === null || typeof error === "string") return { error, error_code: null, error_params: null };
  return { error: textOf(ATTEMPT_ERRORS, error), error_code: error.code, error_params: error.params };
}

/**
 * Returns an error as it is stored. A reason of the service is its code and parameters, so that no column holds a sentence that
 * must be parsed again.
 */
export function toStoredError(error: AttemptError | null): string | null {
  return error === null || typeof error === "string" ? error : JSON.stringify(error);
}

/** Reads the text of `toStoredError`. Any other text is shown as it is. */
export function readError(stored: string | null): AttemptError | null {
  if (stored === null || !stored.startsWith('{"code":')) return stored;
  const value = jsonIn(stored);
  const [code, params] = [pick(value, "code"), pick(value, "params")];
  return typeof code === "string" && isNameOf(ATTEMPT_ERRORS, code) && isJsonObject(params) ? { code, params } : stored;
}
