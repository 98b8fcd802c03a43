import type { FaultRule } from "../sandbox/control-interface.js";
import type { RequestClaim, RequestEntry } from "../sandbox/kept-request.js";
import { callerOf, errorIn, keptRequestHeaders, keptResponseHeaders, subjectOf } from "../sandbox/request-facts.js";
import { type Authenticated, fingerprintOf } from "./auth.js";
import { type Answer, type Exchange, header } from "./exchange.js";
import { commandOf } from "./request-cause.js";

/**
 * Facts about one exchange for the request log and the headers of the answer. Each stage of the handling fills in its
 * facts.
 */
export interface Trace extends Route {
  readonly params: Readonly<Record<string, string>>;
  authenticated: Authenticated | null;
  body: string;
  /** The idempotency key; null when the request was refused before it claimed the key. */
  claim: RequestClaim | null;
  /** Headers for every answer, also a refusal. A header that the answer itself has is kept. */
  headers: Readonly<Record<string, string>> | null;
  /** The fault rule that took effect on the request. */
  fault: FaultRule | null;
}

/** What is known of a request by its route. */
export interface Route {
  /** The path of the contract; null for a path that is in no contract. */
  readonly route: string | null;
  /** Fields of the request or the answer that the request log must never show. */
  readonly secrets: readonly string[];
}

/** Whether a fault rule cuts the connection in place of an answer. */
export function isCut({ fault }: Pick<Trace, "fault">): boolean {
  return fault?.effect.drop !== undefined;
}

/** What became of the idempotency key of a request. A fault rule may answer a request that never claimed its key. */
function outcomeOf(
  { claim }: Trace,
  { status, headers }: Answer,
  code: string | undefined,
): RequestEntry["idempotency"] {
  if (claim === null) return null;
  if (code === "idempotency_key_reused") return "conflict";
  if (headers["idempotent-replayed"] !== undefined) return "replayed";
  return status >= 200 && status < 300 ? "new" : null;
}

/** When an exchange ended. */
type End = Pick<RequestEntry, "at" | "durationMs" | "historySeq">;

/** The entry of the request log for an exchange. */
export function entryOf(exchange: Exchange, trace: Trace, answer: Answer, end: End): RequestEntry {
  const { request, path, search } = exchange;
  const { authenticated, claim, secrets, fault, params } = trace;
  const route = trace.route ?? path;
  const fingerprint = fingerprintOf(authenticated);
  const error = errorIn(answer.status, answer.text);
  return {
    number: exchange.number,
    id: exchange.requestId,
    bookId: authenticated?.caller.bookId ?? null,
    fingerprint,
    method: request.method ?? "",
    // When the body of an operation may hold a secret, a client may send it in the query by mistake.
    path: path + (secrets.length === 0 || search === "" ? search : "?[not logged]"),
    route,
    status: isCut(trace) ? 0 : answer.status,
    ...end,
    idempotencyKey: claim?.key ?? (header(request, "idempotency-key") || null),
    claim,
    idempotency: outcomeOf(trace, answer, error?.code),
    subject: subjectOf({ route, params }, answer.status, answer.text),
    caller: callerOf({
      agent: header(request, "user-agent"),
      command: commandOf(exchange),
      isUser: authenticated !== null && authenticated.caller.user !== null,
      fingerprint,
    }),
    error,
    requestHeaders: keptRequestHeaders(request.headers),
    responseHeaders: keptResponseHeaders(answer.headers),
    requestBody: trace.body,
    responseBody: answer.text,
    secrets,
    fault: fault?.id ?? null,
  };
}
