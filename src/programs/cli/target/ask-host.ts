import type { HttpProxy } from "../../../api/client/proxy.js";
import { type HttpAnswer, type HttpRequest, headerFault, openStream, Unreachable } from "../../../api/client/send.js";
import { isSigningSecret } from "../../../base/kernel/webhook-url.js";
import { EXIT, envelopeIn, Failure, jsonOf, refusalOf, usage } from "../terminal/failure.js";
import { type RequestPolicy, sendThrough, type Target, withSender } from "./request-policy.js";
import { requireKey } from "./resolve-target.js";
import { isLoopback } from "./safety.js";

/** Sends one request to a host, and turns a missing or a wrong answer into a Failure. */

function aroundProxy({ variable, url }: HttpProxy, message: string, hostname: string): string {
  if (message.includes(" 407 "))
    return `Give its user and password: ${variable}=${url.protocol}//user:password@${url.host}.`;
  return `NO_PROXY=${hostname} goes around it.`;
}

/**
 * The hint for a request without an answer. The service may have carried out a request that was sent. It is safe to
 * repeat such a request only with the same idempotency key.
 */
function nextStep({ isLost, isLate, proxy, message }: Unreachable, { method, url, headers }: HttpRequest): string {
  if (proxy !== undefined) return aroundProxy(proxy, message, new URL(url).hostname);
  if (!isLost && isLoopback(url)) return "Is the server running? `qa-pay serve` starts one on this machine.";
  if (message.includes("invalid TLS certificate"))
    return "NODE_EXTRA_CA_CERTS=<file> adds the certificate of an authority.";
  if (!isLost) return "Is the address right, and the network there?";
  if (method === "GET") return isLate ? "Try it again, or give it more time with --request-timeout." : "Try it again.";
  const key = headers["idempotency-key"];
  const how = key === undefined ? "with the same --idempotency-key, or look first" : `with --idempotency-key ${key}`;
  return `It may have been carried out. Repeat it ${how}.`;
}

/**
 * Throws Failure: exit 7 when there is no answer, exit 2 for a change through a read-only profile. A `timeoutMs` of the
 * request itself is used first.
 */
export function sendOrFail(
  request: HttpRequest,
  target: RequestPolicy & Pick<Target, "timeoutMs">,
): Promise<HttpAnswer> {
  return answeredOrFail(request, () => sendThrough(target, { timeoutMs: target.timeoutMs, ...request }));
}

/** The same for a request that `send` sends, such as one with a file. */
export async function answeredOrFail(request: HttpRequest, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const fault = headerFault(request.headers);
  if (fault !== null) throw usage(fault);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const hint = nextStep(error, request);
    const failure = new Failure(EXIT.unreachable, "unreachable", error.message, hint).with({
      wasNeverSent: !error.isLost,
    });
    throw Object.assign(failure, { cause: error });
  }
}

/** Sends a GET with the API key. Throws Failure when there is no key (exit 2) or no answer (exit 7). */
export function askWithKey(target: Target, path: string): Promise<HttpAnswer> {
  const headers = { accept: "application/json", apikey: requireKey(target) };
  return sendOrFail({ method: "GET", url: target.baseUrl + path, headers, body: undefined }, target);
}

/**
 * Opens a stream of events with the API key. Returns its body. Throws Failure for a refusal, Unreachable without an
 * answer.
 */
export async function openEvents(
  target: Target,
  path: string,
  stop: AbortSignal,
  resume: Readonly<Record<string, string>> = {},
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { accept: "text/event-stream", apikey: requireKey(target), ...resume };
  const request = { method: "GET", url: target.baseUrl + path, headers, body: undefined, signal: stop };
  const stream = await openStream(withSender(target, request), stop);
  if ("body" in stream) return stream.body;
  throw refusedBy(target, stream.status, stream.text);
}

/** Sends a GET and returns the JSON of its answer. Throws Failure for any status but 200. Calls `onAnswer` for every answer. */
export async function readFrom<Answer>(
  target: Target,
  path: string,
  onAnswer: (answer: HttpAnswer) => void = () => undefined,
): Promise<Answer> {
  const answer = await askWithKey(target, path);
  onAnswer(answer);
  const { status, text } = answer;
  if (status !== 200) throw refusedBy(target, status, text);
  return jsonOf(text) as Answer;
}

/** Reads the secret that signs the webhooks of the key's account. Only an emulator has this endpoint. */
export async function signingSecretOf(target: Target): Promise<string> {
  const { signing_secret: secret } = await readFrom<{ signing_secret?: unknown }>(target, "/_sandbox/account");
  // Callers print it for a shell and write it into files, so it must be nothing else.
  if (typeof secret === "string" && isSigningSecret(secret)) return secret;
  throw new Failure(EXIT.unreachable, "unexpected_answer", `${target.baseUrl} did not tell its webhook secret.`);
}

/** Tells whether an answer of `/_sandbox` is an emulator's: some hosts answer every path with a web page. */
export function saysEmulator({ status, text }: Pick<HttpAnswer, "status" | "text">): boolean {
  return status === 200 && text.includes('"emulator":"qa-pay"');
}

/** Tells whether the host is an emulator. Throws Failure with the exit code of its refusal. */
export async function isEmulator(target: Target): Promise<boolean> {
  const answer = await askWithKey(target, "/_sandbox");
  const { status, text } = answer;
  if ([401, 403, 429].includes(status) || status >= 500) throw refusedBy(target, status, text);
  return saysEmulator(answer);
}

/**
 * Checks that the host is an emulator. Scripts call this before their first request, because on any other service their
 * charges would be real. Throws Failure: exit 2 when the host is not an emulator, or the exit code of its refusal.
 */
export async function requireEmulator(target: Target): Promise<void> {
  if (await isEmulator(target)) return;
  const message = `${target.baseUrl} is no qa-pay emulator; this works only on one.`;
  throw new Failure(EXIT.usage, "no_emulator", message, longAddressHint(target));
}

/** The hint where nothing is found below an address that ends in `/v1`: paths begin with it. Undefined for another address. */
export function longAddressHint({ baseUrl }: Pick<Target, "baseUrl">): string | undefined {
  const [, address] = /^(.+)\/v1$/.exec(baseUrl) ?? [];
  return address === undefined ? undefined : `The address of a service is without /v1: ${address}.`;
}

/** The Failure for a refusal by the host. For a 401 its hint names the key that was sent. */
export function refusedBy(target: Target, status: number, text: string): Failure {
  if (envelopeIn(text) === null) return refusalOf(status, text, strangerHint(target));
  return refusalOf(status, text, status === 401 ? unknownKeyHint(target) : undefined);
}

/** The hint for an answer that is none of the service: a proxy may have given it. Undefined without one. */
export function strangerHint(target: Target): string | undefined {
  const proxy = target.proxy?.() ?? null;
  return proxy === null ? undefined : `It came through the proxy ${proxy.name}, which may have given it itself.`;
}

/**
 * The hint for a 401 of the service: the host is reached, so the key must be wrong. Often it belongs to another
 * database.
 */
export function unknownKeyHint({ baseUrl, keyFrom }: Target): string {
  const key = typeof keyFrom === "string" ? `the key from ${keyFrom}` : "this key";
  const cause = "it belongs to another server or database, or was rotated or revoked";
  return `${baseUrl} does not know ${key}: ${cause}. Give its own with --api-key or QA_PAY_API_KEY.`;
}
