import { type HttpAnswer, type HttpRequest, send, Unreachable } from "../../client/send.js";
import { EXIT } from "../terminal/exit-codes.js";
import { envelopeIn, Failure, jsonOf, refusalOf } from "../terminal/failure.js";
import { requireKey } from "./resolve-target.js";
import { isLoopback } from "./safety.js";
import type { Target } from "./target.js";

/** One request to a host, and what it means when it is not answered as it should be. */

function notEmulator({ baseUrl }: Target): Failure {
  const message = `${baseUrl} is no qa-pay emulator; this works only on one.`;
  return new Failure(EXIT.usage, "no_emulator", message);
}

/** What was sent and not answered may have been carried out: a repetition is harmless under the same key alone. */
function nextStep({ isLost, isLate }: Unreachable, { method, url, headers }: HttpRequest): string {
  if (!isLost && isLoopback(url)) return "Is the server running? `qa-pay serve` starts one on this machine.";
  if (!isLost) return "Is the address right, and the network there?";
  if (method === "GET") return isLate ? "Try it again, or give it more time with --request-timeout." : "Try it again.";
  const key = headers["idempotency-key"];
  const how = key === undefined ? "with the same --idempotency-key, or look first" : `with --idempotency-key ${key}`;
  return `It may have been carried out. Repeat it ${how}.`;
}

/** `timeoutMs` counts for a request that names no time of its own. */
export async function sendOrFail(
  request: HttpRequest,
  { timeoutMs }: Pick<Target, "timeoutMs"> = {},
): Promise<HttpAnswer> {
  try {
    return await send({ timeoutMs, ...request });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const hint = nextStep(error, request);
    throw new Failure(EXIT.unreachable, "unreachable", error.message, undefined, hint, !error.isLost);
  }
}

/** A GET with the key of the host. Throws Failure when it has none. */
export function askWithKey(target: Target, path: string): Promise<HttpAnswer> {
  const headers = { accept: "application/json", apikey: requireKey(target) };
  return sendOrFail({ method: "GET", url: target.baseUrl + path, headers, body: undefined }, target);
}

/** An answer that must be a success. Throws Failure for any other. */
export async function readFrom<Answer>(target: Target, path: string): Promise<Answer> {
  const { status, text } = await askWithKey(target, path);
  if (status !== 200) throw refusedBy(target, status, text);
  return jsonOf(text) as Answer;
}

/** What signs webhooks of the account that the key belongs to. Only an emulator tells it. */
export async function signingSecretOf(target: Target): Promise<string> {
  const { signing_secret: secret } = await readFrom<{ signing_secret?: unknown }>(target, "/_sandbox/account");
  // It is written into files as a line of its own.
  if (typeof secret === "string" && /^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new Failure(EXIT.unreachable, "unexpected_answer", `${target.baseUrl} did not tell its webhook secret.`);
}

/**
 * To be asked before anything else is: some hosts answer every address with a page, and what a script begins with on a
 * service that is no emulator is real. Throws Failure: exit 2 for such a host, or what it is refused with.
 */
export async function requireEmulator(target: Target): Promise<void> {
  const { status, text } = await askWithKey(target, "/_sandbox");
  if (status === 200 && text.includes('"emulator":"qa-pay"')) return;
  const isRefused = [401, 403, 429].includes(status) || status >= 500;
  throw isRefused ? refusedBy(target, status, text) : notEmulator(target);
}

/** A refusal of the host that the key was sent to. */
export function refusedBy(target: Target, status: number, text: string): Failure {
  return refusalOf(status, text, status === 401 ? unknownKeyHint(target, text) : undefined);
}

/** The service answers there, so it is the key: most often that of another database. */
export function unknownKeyHint({ baseUrl, keyFrom }: Target, text: string): string | undefined {
  if (envelopeIn(text) === null) return undefined;
  const key = typeof keyFrom === "string" ? `the key from ${keyFrom}` : "this key";
  const cause = "it belongs to another server or database, or was rotated or revoked";
  return `${baseUrl} does not know ${key}: ${cause}. Give its own with --api-key or QA_PAY_API_KEY.`;
}
