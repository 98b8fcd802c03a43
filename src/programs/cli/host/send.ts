import type { HttpProxy } from "../../../api/client/proxy.js";
import {
  type HttpAnswer,
  type HttpRequest,
  headerFault,
  send,
  Unreachable,
  userAgent,
} from "../../../api/client/send.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { joinWords, t, type Wording } from "../../../base/kernel/wording.js";
import { EXIT, Failure, usage } from "../terminal/failure.js";
import type { Policy } from "./connection.js";
import { requireWritable } from "./policy.js";

/** The one place where requests of commands leave. No other module of the command line may call `send` of the client. */

/** The request with its proxy, the certificate of its host and the header that names its command. */
export function withSender({ command, proxy, certificate }: Policy, request: HttpRequest): HttpRequest {
  return {
    ...request,
    certificate,
    proxy: proxy?.(),
    headers: { "user-agent": userAgent(command), ...request.headers },
  };
}

/** Sends a request. Throws Unreachable when there is no answer, and Failure (exit 2) for a read-only profile. */
export async function sendThrough(policy: Policy, request: HttpRequest): Promise<HttpAnswer> {
  requireWritable(policy, request);
  return send(withSender(policy, request));
}

/**
 * The same, with a Failure (exit 7) when there is no answer. A `timeoutMs` of the request itself is used first.
 */
export function sendOrFail(request: HttpRequest, policy: Policy): Promise<HttpAnswer> {
  return requireAnswer(request, () => sendThrough(policy, { timeoutMs: policy.timeoutMs, ...request }));
}

/** The same for a request that `send` sends, such as one with a file. */
export async function requireAnswer(request: HttpRequest, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const fault = headerFault(request.headers);
  if (fault !== null) throw usage(fault);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const hint = nextStep(error, request);
    const failure = new Failure(EXIT.unreachable, "unreachable", error.said, hint).with({
      wasNeverSent: !error.isLost,
    });
    throw Object.assign(failure, { cause: error });
  }
}

/**
 * The hint for a request without an answer. The service may have carried out a request that was sent. It is safe to
 * repeat such a request only with the same idempotency key.
 */
function nextStep({ isLost, isLate, proxy, message }: Unreachable, { method, url, headers }: HttpRequest): Wording {
  if (proxy !== undefined) return aroundProxy(proxy, message, new URL(url).hostname);
  if (message.includes("invalid TLS certificate"))
    return t`NODE_EXTRA_CA_CERTS=<file> adds the certificate of an authority.`;
  if (!isLost && isLoopbackUrl(url)) return t`Is the server running? \`qa-pay serve\` starts one on this machine.`;
  if (!isLost) return t`Is the address right, and is the network available?`;
  // A server with TLS closes the connection of a plain request.
  const isPlain = url.startsWith("http:") && isLoopbackUrl(url) && message.includes("ECONNRESET");
  const scheme = isPlain ? [t`The address of a server with --https begins with https://.`] : [];
  const again = isLate ? t`Try it again, or allow more time with --request-timeout.` : t`Try it again.`;
  if (method === "GET") return joinWords([again, ...scheme], " ");
  const key = headers["idempotency-key"];
  const how = key === undefined ? t`with the same --idempotency-key, or look first` : t`with --idempotency-key ${key}`;
  return joinWords([t`It may have been carried out. Repeat it ${how}.`, ...scheme], " ");
}

function aroundProxy({ variable, url }: HttpProxy, message: string, hostname: string): Wording {
  if (message.includes(" 407 "))
    return t`Set its user and password: ${variable}=${url.protocol}//user:password@${url.host}.`;
  return t`NO_PROXY=${hostname} goes around it.`;
}
