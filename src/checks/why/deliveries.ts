import { TRANSACTION } from "../../api/client/accepted-id.js";
import type { ListItem, OperationAnswer } from "../../api/client/types.js";
import { isRefusal } from "../../base/kernel/http-status.js";
import { pick } from "../../base/kernel/pick.js";
import { joinWords, t } from "../../base/kernel/wording.js";
import { type Sentence, type SentenceCode, sentence, type WhyCode } from "../../service/features/why-codes.js";
import { type Evidence, errorOf, findingOf, type WhyFinding } from "./finding.js";

/** Explains the state of a delivery. Pure functions. */

type Logged = OperationAnswer<"sandbox.deliveries.get">;
export type Attempt = Logged["attempts_log"][number];

/** A delivery as `/v1` shows it; on an emulator with its address and its attempts. */
export type Delivery = ListItem<"webhooks.deliveries"> & Partial<Logged>;

export type Endpoint = ListItem<"webhooks.endpoints.list">;

export interface DeliveryFacts {
  readonly delivery: Delivery;
  readonly isEmulator: boolean;
  /** Null when there is no such endpoint any more, undefined when it is not known. */
  readonly endpoint?: Endpoint["status"] | null | undefined;
  /** When the endpoint was changed last (ISO 8601). */
  readonly endpointChangedAt?: string | undefined;
  /** The receiver's mistake with signatures, where its answers prove one. */
  readonly mistake?: Sentence | null;
  /** What an emulator spoils on purpose now, where that is known. */
  readonly chaos?: OperationAnswer<"sandbox.chaos.get"> | null;
}

/** Chaos that a receiver has to refuse, or may fail at. The other kinds change only when and how often a webhook comes. */
const HARMFUL = ["corrupt_signature", "stale_timestamp", "unknown_fields", "unknown_values"] as const;

/** The meaning of an answer by its status. A 429 counts as another 4xx: the receiver requests patience. */
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

/** A sentence about the receiver's answer, or about the reason why there is none. */
function answerOf(code: WhyCode, { delivery, mistake }: DeliveryFacts): Sentence {
  const { lastStatusCode: status, lastError: error, lastErrorCode, lastErrorParams, url } = delivery;
  if (code === "receiver_refused_signature") {
    if (mistake) return sentence("receiver_has_mistake", { status });
    return sentence(delivery.payload.id === undefined ? "receiver_disbelieves_legacy" : "receiver_disbelieves", {
      status,
    });
  }
  if (status === 429) return sentence("receiver_busy");
  const isNobody = error?.includes("ECONNREFUSED") === true && lastErrorCode === null && url !== undefined;
  if (code === "receiver_unreachable" && isNobody) return sentence("receiver_absent", { host: new URL(url).host });
  const params = { status, error, error_code: lastErrorCode ?? null, error_params: lastErrorParams ?? null };
  return sentence(code === "unknown" ? "no_answer" : (code as SentenceCode), params);
}

function evidenceOf({
  attempts_log: attempts,
  lastError,
  lastResponseBody,
  attempts: count,
  updatedAt,
}: Delivery): Evidence[] {
  const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text).trim();
  if (attempts === undefined) {
    if (count === 0) return [];
    const outcome = t`attempt ${count}: ${lastError ?? t`accepted`}`;
    const body = lastResponseBody ? [t`with ${shorten(lastResponseBody)}`] : [];
    return [{ at: updatedAt, text: joinWords([outcome, ...body], ", ") }];
  }
  return attempts.slice(-5).map(({ number, at, duration_ms, response, chaos, ...failure }) => {
    const body = response !== null && response.status >= 300 ? shorten(response.body) : "";
    const outcome = response === null ? (errorOf(failure) ?? t`no answer`) : t`answered ${response.status}`;
    const attempt = t`attempt ${number}: ${outcome} in ${duration_ms} ms`;
    const more = [
      ...(body === "" ? [] : [t`with ${body}`]),
      ...(chaos.length === 0 ? [] : [t`chaos: ${chaos.join(", ")}`]),
    ];
    return { at, text: joinWords([attempt, ...more], ", ") };
  });
}

/** What comes after the attempts that were made. */
function nextOf({ delivery, endpoint }: DeliveryFacts): Sentence[] {
  const { status, nextRetryAt, maxAttempts } = delivery;
  if (status === "FAILED") return [sentence("last_attempt", { max: maxAttempts })];
  if (endpoint === "INACTIVE") return [sentence("endpoint_off")];
  return nextRetryAt === null ? [] : [sentence("next_attempt", { next_at: nextRetryAt })];
}

const activationOf = (endpointId: string) => ["webhooks", "endpoints", "update", endpointId, "--status", "ACTIVE"];

/**
 * Returns whether a delivery waits because its endpoint was switched off. An endpoint that nobody has changed since the last attempt was
 * switched off in a copy of the database, such as that of `exec --artifacts`, and is not why that attempt failed.
 */
function waitsForEndpoint({ delivery, endpoint, endpointChangedAt }: DeliveryFacts): boolean {
  if (endpoint !== "INACTIVE" || delivery.status !== "PENDING") return false;
  const last = delivery.attempts_log?.at(-1)?.at;
  return last === undefined || endpointChangedAt === undefined || Date.parse(endpointChangedAt) >= Date.parse(last);
}

function explainUnsent({ delivery, endpoint }: DeliveryFacts, evidence: Evidence[]): WhyFinding {
  const { eventType, endpointId, createdAt, status } = delivery;
  const shown = evidence.length > 0 ? evidence : [{ at: createdAt, text: t`${eventType} written` }];
  if (endpoint === "INACTIVE" && endpointId !== null) {
    return { ...findingOf("endpoint_disabled", "endpoint_off", {}, activationOf(endpointId)), evidence: shown };
  }
  if (status !== "CANCELLED") return { ...findingOf("unknown", "not_sent", { event: eventType }), evidence: shown };
  return { ...findingOf("endpoint_disabled", "endpoint_deleted", {}, ENDPOINTS), evidence: shown };
}

/** The command that sends the webhooks of a payment again, on any host. */
function resendOf({ payload }: Delivery): string[] | null {
  const id = pick(payload, "data.object.id") ?? pick(payload, "data.transactionId");
  return typeof id === "string" && TRANSACTION.test(id) ? ["payments", "resend-webhook", id] : null;
}

const ENDPOINTS = ["webhooks", "endpoints", "list"];

/** The address, or the program behind it, has to change first. */
const OF_THE_ADDRESS: readonly WhyCode[] = [
  "receiver_missing",
  "receiver_redirects",
  "receiver_tls",
  "receiver_unreachable",
];

/** Returns the next command. It is a resend only where that can help: not to a wrong address, nor to an endpoint that is off. */
function nextCommand(code: WhyCode, { delivery, isEmulator, endpoint, mistake }: DeliveryFacts): WhyFinding["command"] {
  const { id, endpointId, lastStatusCode, nextRetryAt } = delivery;
  if (endpoint === "INACTIVE" && endpointId !== null) return activationOf(endpointId);
  if (endpoint === null) return ENDPOINTS;
  if (OF_THE_ADDRESS.includes(code)) return endpointId === null ? null : ENDPOINTS;
  if (mistake?.code === "mistake_clock" || (lastStatusCode === 429 && nextRetryAt !== null)) return null;
  return isEmulator ? ["sandbox", "deliveries", "resend", id] : resendOf(delivery);
}

/** Returns the cause of a delivery's state, with its last attempts as evidence and the next command. */
export function explainDelivery(facts: DeliveryFacts): WhyFinding {
  const { delivery, mistake = null } = facts;
  const { status, attempts, lastStatusCode, lastError, lastErrorCode, deliveredAt } = delivery;
  const evidence = evidenceOf(delivery);
  if (status === "DELIVERED") {
    const at = evidence.length > 0 ? evidence : [{ at: deliveredAt ?? delivery.updatedAt, text: t`delivered` }];
    return { ...findingOf("delivered", "delivered", { status: lastStatusCode }), evidence: at };
  }
  if (status === "CANCELLED" || attempts === 0 || waitsForEndpoint(facts)) {
    return explainUnsent(facts, evidence);
  }
  // Without an answer the receiver has seen nothing of it.
  const planned = lastStatusCode === null ? [] : (delivery.attempts_log?.at(-1)?.chaos ?? []);
  const kinds = HARMFUL.filter((kind) => planned.includes(kind));
  if (kinds.length > 0) {
    // While it is on, what is sent again is spoiled too.
    const isOn = kinds.some((kind) => (facts.chaos?.[kind] ?? 0) > 0);
    const command = isOn ? ["sandbox", "chaos", "off"] : nextCommand("chaos", facts);
    return { code: "chaos", sentences: [sentence("chaos", { kinds }), ...nextOf(facts)], evidence, command };
  }
  const isRefused = isRefusal(lastStatusCode);
  const code =
    lastStatusCode === null
      ? codeOfError(lastError ?? "", lastErrorCode)
      : codeOfStatus(lastStatusCode, isRefused && mistake !== null);
  const sentences = [answerOf(code, facts), ...(mistake === null ? [] : [mistake]), ...nextOf(facts)];
  return { code, sentences, evidence, command: nextCommand(code, facts) };
}
