import { type HttpAnswer, type HttpRequest, send } from "../../client/send.js";
import { userAgent } from "../../client/sender.js";
import { EXIT } from "../terminal/exit-codes.js";
import { Failure } from "../terminal/failure.js";
import type { Target } from "./target.js";

/** The one place where requests of commands leave. No other module of the command line may call `send`. */

/** What decides whether a request may leave, and the command that it names. A target without these fields comes from no profile. */
export type Passage = Pick<Target, "readOnly" | "readOnlyLogin" | "command">;

/** HTTP defines these methods as safe: they change nothing. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Throws Failure (exit 2) for a change through a read-only profile. The method alone decides: a list of harmless POST
 * routes would have to be right for every service and every version.
 */
export function requireWritable(
  { readOnly, readOnlyLogin }: Passage,
  { method, headers }: Pick<HttpRequest, "method" | "headers">,
): void {
  const profile = readOnly ?? (headers.authorization === undefined ? undefined : readOnlyLogin?.());
  if (profile === undefined || READS.has(method)) return;
  const message = `The profile ${profile} is read-only, so nothing that could change something is sent through it (${method}).`;
  const hint = `Use another profile, or allow changes by \`qa-pay profiles add ${profile}\` with its host and key, without --read-only.`;
  throw new Failure(EXIT.usage, "read_only_profile", message, undefined, hint);
}

/** The request with the header that names its command. */
export function signedBy({ command }: Passage, request: HttpRequest): HttpRequest {
  return { ...request, headers: { "user-agent": userAgent(command), ...request.headers } };
}

/** Sends a request. Throws Unreachable when there is no answer, and Failure (exit 2) for a read-only profile. */
export async function sendThrough(target: Passage, request: HttpRequest): Promise<HttpAnswer> {
  requireWritable(target, request);
  return send(signedBy(target, request));
}
