import { type HttpAnswer, openStream } from "../../../api/client/send.js";
import { isSigningSecret } from "../../../base/kernel/webhook-url.js";
import { t, type Wording } from "../../../base/kernel/wording.js";
import { EXIT, envelopeIn, Failure, jsonOf, refusalOf } from "../terminal/failure.js";
import type { Connection, Host, Policy } from "./connection.js";
import { requireKey } from "./credential.js";
import { sendOrFail, withSender } from "./send.js";

/** Reads of a host with the API key, and the hints for its refusals. */

/** Sends a GET with the API key. Throws Failure when there is no key (exit 2) or no answer (exit 7). */
export function getWithKey(connection: Connection, path: string): Promise<HttpAnswer> {
  const headers = { accept: "application/json", apikey: requireKey(connection) };
  return sendOrFail({ method: "GET", url: connection.host.url + path, headers, body: undefined }, connection.policy);
}

/**
 * Opens a stream of events with the API key. Returns its body. Throws Failure for a refusal, Unreachable without an
 * answer.
 */
export async function openEvents(
  connection: Connection,
  path: string,
  stop: AbortSignal,
  resume: Readonly<Record<string, string>> = {},
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { accept: "text/event-stream", apikey: requireKey(connection), ...resume };
  const request = { method: "GET", url: connection.host.url + path, headers, body: undefined, signal: stop };
  const stream = await openStream(withSender(connection.policy, request), stop);
  if ("body" in stream) return stream.body;
  throw refusalOfHost(connection, stream.status, stream.text);
}

/** Sends a GET and returns the JSON of its answer. Throws Failure for any status but 200. Calls `onAnswer` for every answer. */
export async function readFrom<Answer>(
  connection: Connection,
  path: string,
  onAnswer: (answer: HttpAnswer) => void = () => undefined,
): Promise<Answer> {
  const answer = await getWithKey(connection, path);
  onAnswer(answer);
  const { status, text } = answer;
  if (status !== 200) throw refusalOfHost(connection, status, text);
  return jsonOf(text) as Answer;
}

/** Reads the secret that signs the webhooks of the key's account. Only an emulator has this endpoint. */
export async function signingSecretOf(connection: Connection): Promise<string> {
  const { signing_secret: secret } = await readFrom<{ signing_secret?: unknown }>(connection, "/_sandbox/account");
  // Callers print it for a shell and write it into files, so it must be nothing else.
  if (typeof secret === "string" && isSigningSecret(secret)) return secret;
  throw new Failure(
    EXIT.unreachable,
    "unexpected_answer",
    t`${connection.host.url} did not return its webhook secret.`,
  );
}

/** Returns whether an answer of `/_sandbox` is an emulator's: some hosts answer every path with a web page. */
export function saysEmulator({ status, text }: Pick<HttpAnswer, "status" | "text">): boolean {
  return status === 200 && text.includes('"emulator":"qa-pay"');
}

/** Returns whether the host is an emulator. Throws Failure with the exit code of its refusal. */
export async function isEmulator(connection: Connection): Promise<boolean> {
  const answer = await getWithKey(connection, "/_sandbox");
  const { status, text } = answer;
  if ([401, 403, 429].includes(status) || status >= 500) throw refusalOfHost(connection, status, text);
  return saysEmulator(answer);
}

/**
 * Checks that the host is an emulator. Scripts call this before their first request, because on any other service their
 * charges would be real. Throws Failure: exit 2 when the host is not an emulator, or the exit code of its refusal.
 */
export async function requireEmulator(connection: Connection): Promise<void> {
  if (await isEmulator(connection)) return;
  const message = t`${connection.host.url} is not a qa-pay emulator; this works only on one.`;
  throw new Failure(EXIT.usage, "no_emulator", message, longAddressHint(connection.host));
}

/** The hint where nothing is found below an address that ends in `/v1`: paths begin with it. Undefined for another address. */
export function longAddressHint({ url }: Host): Wording | undefined {
  const [, address] = /^(.+)\/v1$/.exec(url) ?? [];
  return address === undefined ? undefined : t`The address of a service has no /v1: ${address}.`;
}

/** The Failure for a refusal by the host. For a 401 its hint names the key that was sent. */
export function refusalOfHost(connection: Connection, status: number, text: string): Failure {
  if (envelopeIn(text) === null) return refusalOf(status, text, strangerHint(connection.policy));
  return refusalOf(status, text, status === 401 ? unknownKeyHint(connection) : undefined);
}

/** The hint for an answer that is none of the service: a proxy may have given it. Undefined without one. */
export function strangerHint(policy: Policy): Wording | undefined {
  const proxy = policy.proxy?.() ?? null;
  return proxy === null
    ? undefined
    : t`It came through the proxy ${proxy.name}, which may have sent this answer itself.`;
}

/**
 * The hint for a 401 of the service: the host is reached, so the key must be wrong. Often it belongs to another
 * database.
 */
export function unknownKeyHint({ host, credential: { from } }: Connection): Wording {
  const key = from === null ? t`this key` : t`the key from ${from}`;
  return t`${host.url} does not know ${key}: it belongs to another server or database, or was rotated or revoked. Pass a key of this host with --api-key or QA_PAY_API_KEY.`;
}
