import { TRANSACTION } from "../client/given-id.js";
import { pick } from "../kernel/pick.js";
import type { Evidence, Finding, WhyCode } from "./finding.js";

/** Why a delivery of a webhook is where it is. Pure functions. */

export interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly duration_ms: number;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: { readonly status: number; readonly headers: object; readonly body: string } | null;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly chaos: readonly string[];
}

/** A delivery as `/v1` shows it; on an emulator with its address and its attempts. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string | null;
  readonly eventType: string;
  readonly status: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly lastResponseBody?: string;
  readonly nextRetryAt: string | null;
  readonly deliveredAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly lastErrorCode?: string | null;
  readonly attempts_log?: readonly Attempt[];
}

export interface DeliveryFacts {
  readonly delivery: Delivery;
  readonly isEmulator: boolean;
  /** `ACTIVE` or `INACTIVE`; null when there is no such endpoint any more, undefined when it is not known. */
  readonly endpoint?: string | null | undefined;
  /** What the receiver does wrong with signatures, where its answers prove it. */
  readonly mistake?: string | null;
}

/** Chaos that a receiver has to refuse, or may stumble over. The other kinds change only when and how often it is told. */
const HARMFUL = ["corrupt_signature", "stale_timestamp", "unknown_fields", "unknown_values"];

/** What an answer means, by its status. A 429 is one of the other 4xx: the receiver asks for patience. */
function codeOfStatus(status: number, isProven: boolean): WhyCode {
  if (status >= 500) return "receiver_error";
  if (status >= 300 && status < 400) return "receiver_redirects";
  if (status === 401 || status === 403 || isProven) return "receiver_refused_signature";
  return [404, 405, 410].includes(status) ? "receiver_missing" : "receiver_refused";
}

function codeOfError(error: string, code: string | null | undefined): WhyCode {
  if (code?.startsWith("late") || /^no answer within/.test(error)) return "receiver_slow";
  if (code === "given_up") return "unknown";
  return /certificate|self.signed|\bTLS\b|\bSSL\b|altname|CERT_/i.test(error) ? "receiver_tls" : "receiver_unreachable";
}

const CHECKS =
  "Verify the bytes as they came, over the timestamp, a dot and the body, with the secret that this endpoint has now, as text.";

const SENTENCES: Readonly<Partial<Record<WhyCode, (answer: string) => string>>> = {
  receiver_error: (answer) => `The receiver failed: ${answer}.`,
  receiver_redirects: (answer) => `The receiver redirects (${answer}), and webhooks follow no redirection.`,
  receiver_missing: (answer) => `There is no receiver at this address: ${answer}.`,
  receiver_refused: (answer) => `The receiver refused the webhook: ${answer}.`,
  receiver_slow: (answer) => `The receiver is too slow: ${answer}.`,
  receiver_unreachable: (answer) => `The receiver could not be reached: ${answer}.`,
  receiver_tls: (answer) => `The receiver has no certificate that can be trusted: ${answer}.`,
  unknown: (answer) => `The last attempt ended without an answer: ${answer}.`,
};

function evidenceOf({
  attempts_log: attempts,
  lastError,
  lastResponseBody,
  attempts: count,
  updatedAt,
}: Delivery): Evidence[] {
  const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text).trim();
  if (attempts === undefined) {
    if (count === 0) return [];
    const body = lastResponseBody ? `, with ${short(lastResponseBody)}` : "";
    return [{ at: updatedAt, text: `attempt ${count}: ${lastError ?? "accepted"}${body}` }];
  }
  return attempts.slice(-5).map(({ number, at, duration_ms, response, error, chaos }) => {
    const body =
      response !== null && response.status >= 300 && response.body !== "" ? `, with ${short(response.body)}` : "";
    const done = chaos.length === 0 ? "" : `, chaos: ${chaos.join(", ")}`;
    const outcome = response === null ? (error ?? "no answer") : `answered ${response.status}`;
    return { at, text: `attempt ${number}: ${outcome} in ${duration_ms} ms${body}${done}` };
  });
}

/** Whether there will be another attempt, in words. */
function nextText({ status, nextRetryAt, maxAttempts }: Delivery): string {
  if (status === "FAILED") return ` It was the last of ${maxAttempts} attempts.`;
  return nextRetryAt === null ? "" : ` The next attempt is at ${nextRetryAt}.`;
}

function unsent({ delivery, endpoint }: DeliveryFacts, evidence: Evidence[]): Finding {
  const { eventType, endpointId, createdAt } = delivery;
  const written = [{ at: createdAt, text: `${eventType} written` }];
  const all = evidence.length > 0 ? evidence : written;
  if (endpoint === "INACTIVE" && endpointId !== null) {
    const text = "The endpoint is switched off. What waits for it is sent when it is on again.";
    const command = ["webhooks", "endpoints", "update", endpointId, "--status", "ACTIVE"];
    return { code: "endpoint_disabled", text, evidence: all, command };
  }
  if (delivery.status === "CANCELLED") {
    const text = "The endpoint was deleted, and what waited for it was given up.";
    return { code: "endpoint_disabled", text, evidence: all, command: ["webhooks", "endpoints", "list"] };
  }
  return { code: "unknown", text: `${eventType} has not been sent yet.`, evidence: all, command: null };
}

/** What sends the webhooks of a payment again, on any host. */
function resendOf({ payload }: Delivery): string[] | null {
  const id = pick(payload, "data.object.id") ?? pick(payload, "data.transactionId");
  return typeof id === "string" && TRANSACTION.test(id) ? ["payments", "resend-webhook", id] : null;
}

export function explainDelivery(facts: DeliveryFacts): Finding {
  const { delivery, isEmulator, endpoint, mistake = null } = facts;
  const { id, status, attempts, lastStatusCode, lastError, lastErrorCode, deliveredAt } = delivery;
  const evidence = evidenceOf(delivery);
  if (status === "DELIVERED") {
    const told = lastStatusCode === null ? "" : ` with ${lastStatusCode}`;
    const at = evidence.length > 0 ? evidence : [{ at: deliveredAt ?? delivery.updatedAt, text: "delivered" }];
    return { code: "delivered", text: `The receiver accepted it${told}.`, evidence: at, command: null };
  }
  if (status === "CANCELLED" || attempts === 0 || (endpoint === "INACTIVE" && status === "PENDING")) {
    return unsent(facts, evidence);
  }
  const chaos = delivery.attempts_log?.at(-1)?.chaos.filter((kind) => HARMFUL.includes(kind)) ?? [];
  const again = isEmulator ? ["sandbox", "deliveries", "resend", id] : resendOf(delivery);
  if (chaos.length > 0) {
    const text = `The last attempt was spoilt on purpose (${chaos.join(", ")}), and the receiver did not accept it.${nextText(delivery)}`;
    return { code: "chaos", text, evidence, command: again };
  }
  const isRefused = lastStatusCode !== null && lastStatusCode >= 400 && lastStatusCode < 500;
  const code =
    lastStatusCode === null
      ? codeOfError(lastError ?? "", lastErrorCode)
      : codeOfStatus(lastStatusCode, isRefused && mistake !== null);
  const answer = lastError ?? `it answered ${lastStatusCode}`;
  const refused = `The receiver refused the signature with ${lastStatusCode}. ${mistake ?? CHECKS}`;
  const text =
    (code === "receiver_refused_signature" ? refused : (SENTENCES[code]?.(answer) ?? answer)) + nextText(delivery);
  return { code, text, evidence, command: again };
}
