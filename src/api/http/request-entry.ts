import type { IncomingHttpHeaders } from "node:http";
import { type Cause, CONSOLE } from "../../base/kernel/cause.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { ID_PREFIX, rawId } from "../../base/kernel/ids.js";
import { isJsonObject, jsonIn } from "../../base/kernel/json.js";
import { prefixBehind } from "../../base/kernel/nouns.js";
import type { FaultRule } from "../../emulator/sandbox/fault-rules.js";
import type {
  CallerKind,
  LoggedError,
  RequestClaim,
  RequestEntry,
} from "../../service/features/requests/logged-request.js";
import { type Authenticated, fingerprintOf } from "./auth.js";
import { type Answer, type Exchange, header } from "./exchange.js";

/** The two records of a request: the cause in the history, and the entry of the request log. */

/**
 * Facts about one exchange for the request log and the headers of the answer. Each stage of the handling adds its own.
 */
export interface RequestFacts extends Route {
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

/** The facts of a request that follow from its route. */
export interface Route {
  /** The path of the contract; null for a path that is in no contract. */
  readonly route: string | null;
  /** Fields of the request or the answer that the request log must never show. */
  readonly secrets: readonly string[];
}

/** True if a fault rule cuts the connection instead of an answer. */
export function isCut({ fault }: Pick<RequestFacts, "fault">): boolean {
  return fault?.effect.drop !== undefined;
}

/** The name of our own command line, with the words of the command: `qa-pay/1.0.0 (charges create)`. */
const COMMAND = /^qa-pay\/\S+ \(([a-z][a-z -]{0,60})\)$/;

/**
 * Returns the words of the command of our own command line that sent a request, and CONSOLE for the web console; null
 * for every other client.
 */
function commandOf(exchange: Exchange): string | null {
  if (exchange.isConsole) return CONSOLE;
  const agent = header(exchange.request, "user-agent");
  const command = agent?.startsWith("qa-pay/") === true ? (COMMAND.exec(agent)?.[1] ?? null) : null;
  // The command `console` only requests a link. A client with that name is not the console.
  return command === CONSOLE ? null : command;
}

/** The cause of a request's changes. `text` names its route: `request POST /v1/charges`. */
export function requestCause(text: string, exchange: Exchange): Cause {
  return {
    text,
    request: exchange.number,
    command: commandOf(exchange),
    parent: null,
    draws: null,
    trace: exchange.trace?.kept ?? null,
  };
}

/** The logged headers. No header with a credential is among them. */
const REQUEST_HEADERS = [
  "user-agent",
  "content-type",
  "content-length",
  "accept",
  "accept-language",
  "idempotency-key",
  "x-request-id",
  "origin",
  "traceparent",
] as const;

const RESPONSE_HEADERS = [
  "content-type",
  "retry-after",
  "x-ratelimit-limit-minute",
  "x-ratelimit-remaining-minute",
  "idempotent-replayed",
] as const;

type Headers = Readonly<Record<string, string>>;

function chosen(names: readonly string[], headers: IncomingHttpHeaders): Headers {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) kept[name] = String(value);
  }
  return kept;
}

/** An id as the service writes it for the object of this noun; null for a text that is no id. */
function publicId(noun: string, text: string): string | null {
  const prefix = prefixBehind(noun);
  if (prefix === null) return rawId(text, ...Object.values(ID_PREFIX)) === null ? null : text;
  const raw = rawId(text, prefix, ID_PREFIX.charge, ID_PREFIX.transaction, "");
  return raw === null ? null : prefix + raw;
}

/** The id in an answer. Most answers begin with it, and then the rest is not read. */
function idIn(answer: string): string {
  const first = /^\{"id":"([\w-]+)"/.exec(answer)?.[1];
  if (first !== undefined) return first;
  const value = jsonIn(answer);
  return isJsonObject(value) && typeof value.id === "string" ? value.id : "";
}

/**
 * The public id of the object of a request: the one in its path, else the one in the answer that created it. Null when
 * there is none.
 */
function subjectOf(route: string, params: Readonly<Record<string, string>>, { status, text }: Answer): string | null {
  const [, noun, name] = /\/([\w-]+)\/\{(\w+)\}/.exec(route) ?? [];
  if (noun !== undefined && name !== undefined) return publicId(noun, params[name] ?? "");
  return status === 201 ? publicId(route.split("/").at(-1) ?? "", idIn(text)) : null;
}

/** The error in the envelope of a refusal; null for any other answer. */
function errorIn({ status, text }: Answer): LoggedError | null {
  const value = status < 400 ? null : jsonIn(text);
  const error = isJsonObject(value) ? value.error : null;
  if (!isJsonObject(error)) return null;
  const { type, code, param } = error;
  return { type: String(type), code: String(code), param: typeof param === "string" ? param : null };
}

const LONGEST_CALLER = 60;

/** The name and version of a program, from its User-Agent. Browsers all begin with `Mozilla`. */
function shortenAgent(agent: string): string {
  const product = /\b(?:Edg|Firefox|Chrome|Version)\/[\d.]+/.exec(agent)?.[0];
  if (agent.startsWith("Mozilla/")) return product?.replace("Version", "Safari") ?? "browser";
  return agent.split(" ")[0] ?? "";
}

/** The program or person behind a request in a few words. Null when the request does not identify it. */
function callerOf(exchange: Exchange, authenticated: Authenticated | null): string | null {
  const command = commandOf(exchange);
  if (command !== null) return command === CONSOLE ? CONSOLE : `command: ${command}`;
  if (authenticated !== null && authenticated.caller.user !== null) return "user";
  const name = shortenAgent(header(exchange.request, "user-agent") ?? "");
  if (name !== "") return name.slice(0, LONGEST_CALLER);
  const fingerprint = fingerprintOf(authenticated);
  return fingerprint === null ? null : `key …${fingerprint.slice(-4)}`;
}

/** Who sent a request. Our command line names itself in each request; a program that does the same counts as it. */
function callerKindOf(exchange: Exchange): CallerKind {
  if (exchange.isConsole) return "console";
  return commandOf(exchange) === null ? "app" : "cli";
}

/** The effect of the idempotency key of a request. A fault rule may answer a request that never claimed its key. */
function outcomeOf(
  { claim }: RequestFacts,
  { status, headers }: Answer,
  code: string | undefined,
): RequestEntry["idempotency"] {
  if (claim === null) return null;
  if (code === "idempotency_key_reused") return "conflict";
  if (headers["idempotent-replayed"] !== undefined) return "replayed";
  return isSuccess(status) ? "new" : null;
}

/** The end of an exchange. */
type End = Pick<RequestEntry, "at" | "endedAt" | "durationMs" | "historySeq">;

/** The entry of the request log for an exchange. */
export function entryOf(exchange: Exchange, facts: RequestFacts, answer: Answer, end: End): RequestEntry {
  const { request, path, search } = exchange;
  const { authenticated, claim, secrets, fault, params } = facts;
  const route = facts.route ?? path;
  const error = errorIn(answer);
  return {
    number: exchange.number,
    id: exchange.requestId,
    bookId: authenticated?.caller.bookId ?? null,
    fingerprint: fingerprintOf(authenticated),
    method: request.method ?? "",
    // When the body of an operation may hold a secret, a client may send it in the query by mistake.
    path: path + (secrets.length === 0 || search === "" ? search : "?[not logged]"),
    route,
    status: isCut(facts) ? 0 : answer.status,
    ...end,
    idempotencyKey: claim?.key ?? (header(request, "idempotency-key") || null),
    claim,
    idempotency: outcomeOf(facts, answer, error?.code),
    subject: subjectOf(route, params, answer),
    caller: callerOf(exchange, authenticated),
    callerKind: callerKindOf(exchange),
    differs: null,
    error,
    requestHeaders: chosen(REQUEST_HEADERS, request.headers),
    responseHeaders: chosen(RESPONSE_HEADERS, answer.headers),
    requestBody: facts.body,
    responseBody: answer.text,
    secrets,
    fault: fault?.id ?? null,
    trace: exchange.trace,
  };
}
