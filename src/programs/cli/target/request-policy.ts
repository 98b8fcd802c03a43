import type { HttpProxy } from "../../../api/client/proxy.js";
import { type HttpAnswer, type HttpRequest, send, userAgent } from "../../../api/client/send.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Login } from "./profiles.js";

/** The host of a request, and the key or the login to send with it. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The flag, variable, file or profile that the host (`from`) and the key (`keyFrom`) come from, as text. */
  readonly from?: string;
  readonly keyFrom?: string | null;
  /** When `apiKey` is null although a key exists: why that key is not sent to this host. */
  readonly keyHint?: string | undefined;
  /** Returns the login at this host; undefined when no user is logged in. */
  readonly login?: () => Login | undefined;
  /** The name of the read-only profile that the host or the key comes from; undefined when changes may be sent. */
  readonly readOnly?: string | undefined;
  /** Returns the name of the read-only profile that the login at this host comes from. */
  readonly readOnlyLogin?: () => string | undefined;
  /** The command that sends, for the header User-Agent. */
  readonly command?: string | undefined;
  /** Returns the proxy for requests to this host; null without one. Throws Failure for a variable that names none. */
  readonly proxy?: (() => HttpProxy | null) | undefined;
  /** The longest time of a request, in real milliseconds; undefined for the default. */
  readonly timeoutMs?: number | undefined;
}

/** The one place where requests of commands leave. No other module of the command line may call `send`. */

/**
 * What decides whether a request may leave, and the command that it names. A target without these fields comes from no
 * profile and no project.
 */
export type RequestPolicy = Pick<Target, "readOnly" | "readOnlyLogin" | "command" | "proxy">;

/** HTTP defines these methods as safe: they change nothing. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Throws Failure (exit 2) for a change through a read-only profile. The method alone decides: a list of harmless POST
 * routes would have to be right for every service and every version.
 */
export function requireWritable(
  { readOnly, readOnlyLogin }: RequestPolicy,
  { method, headers }: Pick<HttpRequest, "method" | "headers">,
): void {
  const profile = readOnly ?? (headers.authorization === undefined ? undefined : readOnlyLogin?.());
  if (profile === undefined || READS.has(method)) return;
  const message = `The profile ${profile} is read-only, so nothing that could change something is sent through it (${method}).`;
  const hint = `Use another profile, or allow changes by \`qa-pay profiles add ${profile}\` with its host and key, without --read-only.`;
  throw new Failure(EXIT.usage, "read_only_profile", message, hint);
}

/** The request with its proxy and the header that names its command. */
export function withSender({ command, proxy }: RequestPolicy, request: HttpRequest): HttpRequest {
  return { ...request, proxy: proxy?.(), headers: { "user-agent": userAgent(command), ...request.headers } };
}

/** Sends a request. Throws Unreachable when there is no answer, and Failure (exit 2) for a read-only profile. */
export async function sendThrough(target: RequestPolicy, request: HttpRequest): Promise<HttpAnswer> {
  requireWritable(target, request);
  return send(withSender(target, request));
}
