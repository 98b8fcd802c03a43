import type { H3Event } from "h3";
import { ApiError, shorten } from "../../base/kernel/errors.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Clock, Ids, Log, RealTime } from "../../base/kernel/runtime.js";
import type { FaultRules } from "../../emulator/sandbox/fault-rules.js";
import type { Traces } from "../../emulator/traces/traces.js";
import type { AccountStore } from "../../service/features/access/store.js";
import type { RequestLog } from "../../service/features/requests/request-log.js";
import type { Reader } from "../../service/features/tx.js";
import type { ServerAddress } from "./address.js";
import { applyFault } from "./apply-fault.js";
import { holderOf, type KeyHolder } from "./auth.js";
import {
  type Answer,
  cutConnection,
  type Exchange,
  errorAnswer,
  header,
  linesOf,
  SENT,
  type Sent,
  sendAnswer,
  sendPage,
} from "./exchange.js";
import type { PageAnswer } from "./page.js";
import { quotaHeaders, type RateLimiter } from "./rate-limit.js";
import { entryOf, isCut, type RequestFacts, type Route } from "./request-entry.js";
import { nodeOf } from "./server.js";
import { compressAnswer } from "./tagged-body.js";

/** The frame of every route, for all callers: request id, first checks, fault rules, error envelope, request log. */

export interface FrameParts {
  readonly reader: () => Reader;
  readonly accounts: AccountStore;
  readonly ids: Ids;
  /** Ids of the console's requests, which are mixed with those of a program. */
  readonly unguessable: { readonly ids: Ids };
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly faults: FaultRules;
  /** Null without a rate limit. */
  readonly rateLimiter: RateLimiter | null;
  readonly address: ServerAddress;
  /** Null without `serve --otlp`. */
  readonly traces: Pick<Traces, "begin"> | null;
}

/** One of the surfaces that serve the routes: for programs at the root, for the console below its prefix. */
export interface ApiSurface {
  /** The part of the path before every route; the rest is the path of the exchange. */
  readonly prefix: string;
  /** Fault rules and rate limits skip calls of the console, and the log has only its changes. */
  readonly isConsole: boolean;
  /** Headers of every answer; null when there are none. A header that the answer itself has is kept. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first checks of every route of this surface, besides Host and Origin. Throws ApiError. */
  check(exchange: Exchange): void;
  /** True if a path with a slash at its end is the same path. In the contract it is another one. */
  readonly takesSlash: boolean;
}

export type Params = Record<string, string>;

/** The result of a route: an answer of the API, which is logged, a page, or an answer that it sends itself. */
type RouteResult = Answer | PageAnswer | Sent;

export type Run = (exchange: Exchange, params: Params, facts: RequestFacts) => RouteResult | Promise<RouteResult>;

/** The route of a path that is in no contract. */
export const NO_CONTRACT: Route = { route: null, secrets: [] };

/** A request id that a client may choose: visible ASCII of limited length. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

function exchangeOf(event: H3Event, parts: FrameParts, { prefix, isConsole }: ApiSurface): Exchange {
  const { requestLog, address, traces } = parts;
  const { ids } = isConsole ? parts.unguessable : parts;
  const { request, response } = nodeOf(event);
  const sent = header(request, "x-request-id");
  // The normalised path, by which the route was found. The sent path may differ: it may have dot segments, needless
  // escapes or a host in front. With it, a client could bypass checks by path.
  const { pathname, search } = event.url;
  const path = pathname.slice(prefix.length);
  const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : `${ID_PREFIX.request}${ids.next()}`;
  const origin = address.originFor(header(request, "host"));
  const trace = traces === null ? null : traces.begin(header(request, "traceparent"), isService({ path }));
  return { number: requestLog.nextNumber(), request, response, requestId, origin, path, search, isConsole, trace };
}

/** Fault rules, rate limits and the request log apply only to requests to /v1. */
function isService({ path }: Pick<Exchange, "path">): boolean {
  return path.startsWith("/v1/");
}

/** The console reads constantly, and its reads would push all other requests out of the log. */
function isLogged(exchange: Exchange, { authenticated }: RequestFacts): boolean {
  if (!isService(exchange)) return false;
  return !exchange.isConsole || (authenticated !== null && exchange.request.method !== "GET");
}

interface FinishedAnswer {
  readonly answer: Answer;
  readonly started: number;
}

/** Sends an answer, or cuts the connection when a fault rule says so, and adds the exchange to the request log. */
function finish(parts: FrameParts, exchange: Exchange, facts: RequestFacts, { answer, started }: FinishedAnswer): Sent {
  const { headers } = facts;
  const complete = headers === null ? answer : { ...answer, headers: { ...headers, ...answer.headers } };
  if (isLogged(exchange, facts)) {
    const endedAt = parts.real.monotonic();
    const end = {
      at: parts.clock.now(),
      endedAt,
      durationMs: endedAt - started,
      historySeq: parts.reader().history.last(),
    };
    parts.requestLog.add(entryOf(exchange, facts, complete, end));
  }
  if (isCut(facts)) return cutConnection(exchange);
  // Programs get each answer as it is written in the documentation of the API, and a browser reads lists of many rows.
  return exchange.isConsole
    ? sendPage(exchange, compressAnswer(complete, exchange.request.headers))
    : sendAnswer(exchange, complete);
}

/** Counts a request against the rate limit of its key, and sets the headers about the limit. Throws `rate_limited`. */
export function useQuota(limiter: RateLimiter, { keyHash }: KeyHolder, facts: RequestFacts): void {
  const { limit, remaining, retryAfter } = limiter.take(keyHash);
  facts.headers = quotaHeaders(limit, remaining);
  if (retryAfter !== null) throw new ApiError("rate_limited", { headers: { "retry-after": `${retryAfter}` } });
}

/** The holder of the API key of a request to any route; null without a valid key. */
function keyHolderOf(parts: FrameParts, exchange: Exchange): KeyHolder | null {
  return holderOf(parts.accounts, header(exchange.request, "apikey"));
}

interface RunInput {
  readonly params: Params;
  readonly exchange: Exchange;
  readonly facts: RequestFacts;
}

/** Carries out a request, under a fault rule if one takes effect on it. The rule comes before all other checks. */
function runOrFail(parts: FrameParts, { params, exchange, facts }: RunInput, run: Run): ReturnType<Run> {
  const { faults, rateLimiter } = parts;
  const { method = "" } = exchange.request;
  const isSpared = faults.size === 0 || exchange.isConsole || !isService(exchange);
  const rule = isSpared ? null : faults.take(method, exchange.path);
  if (rule === null) return run(exchange, params, facts);
  facts.fault = rule;
  // The request is then in the log of this caller, even if it is never authenticated.
  facts.authenticated = keyHolderOf(parts, exchange);
  const faulty = { rule, exchange, wait: faults.wait, limit: rateLimiter?.limit ?? null };
  return applyFault(faulty, (arrived) => run(arrived, params, facts));
}

/**
 * Sets the headers about the rate limit for a request that may be answered without being counted, such as by a fault
 * rule or by a route for users.
 */
function setQuotaHeaders(parts: FrameParts, limiter: RateLimiter, exchange: Exchange, facts: RequestFacts): void {
  const who = isService(exchange) ? keyHolderOf(parts, exchange) : null;
  if (who !== null) facts.headers = quotaHeaders(limiter.limit, limiter.countRemaining(who.keyHash));
}

/**
 * Throws ApiError for a request with no host or two, with a host that is not this server, or from a page of another
 * origin.
 */
function checkHost({ address }: FrameParts, { request }: Exchange): void {
  const host = header(request, "host");
  const lines = linesOf("host", request);
  if (lines > 1 || (lines === 0 && request.httpVersion === "1.1")) {
    // RFC 9112, section 3.2. Node would answer without the envelope, or take the first one.
    const message = lines > 1 ? "The header Host appears more than once." : "The header Host is missing.";
    throw new ApiError("invalid_request", { message, headers: { connection: "close" } });
  }
  address.checkOrigin(host, header(request, "origin"));
}

/** The router ignores a slash at the end of a path, but such a path is not in the contract. */
function hasTrailingSlash({ path }: Exchange): boolean {
  return path.length > 1 && path.endsWith("/");
}

/** Adds the parts of every route: request id, first checks, fault rules, error envelope, request log. */
export function withFrame(
  parts: FrameParts,
  surface: ApiSurface,
  route: Route,
  run: Run,
): (event: H3Event) => Sent | Promise<Sent> {
  const notFound: Run = (exchange, _params, facts) => refuseUnknownPath(parts, exchange, facts);
  const { headers, takesSlash } = surface;
  return (event) => {
    const started = parts.real.monotonic();
    const exchange = exchangeOf(event, parts, surface);
    const params = event.context.params ?? {};
    // V8 is slow when members are added after a spread, so the spread is last.
    const facts: RequestFacts = { params, authenticated: null, body: "", claim: null, headers, fault: null, ...route };
    const done = (outcome: RouteResult): Sent => {
      if (outcome === SENT) return SENT;
      return "text" in outcome
        ? finish(parts, exchange, facts, { answer: outcome, started })
        : sendPage(exchange, outcome);
    };
    const answerFailure = (thrown: unknown): Sent => done(errorAnswer(thrown, exchange.requestId, parts.log));
    try {
      checkHost(parts, exchange);
      surface.check(exchange);
      if (parts.rateLimiter !== null && !exchange.isConsole) setQuotaHeaders(parts, parts.rateLimiter, exchange, facts);
      const answer = runOrFail(
        parts,
        { params, exchange, facts },
        !takesSlash && hasTrailingSlash(exchange) ? notFound : run,
      );
      return answer instanceof Promise ? answer.then(done).catch(answerFailure) : done(answer);
    } catch (thrown) {
      return answerFailure(thrown);
    }
  };
}

/** Refuses a request to a path without a route. */
export function refuseUnknownPath(parts: FrameParts, exchange: Exchange, facts: RequestFacts): never {
  const { method } = exchange.request;
  const refusal = new ApiError("not_found", {
    message: `There is no ${method} ${shorten(exchange.path, 300)} here.`,
  });
  if (exchange.isConsole) throw refusal;
  const who = keyHolderOf(parts, exchange);
  facts.authenticated = who;
  if (parts.rateLimiter !== null && who !== null && isService(exchange)) useQuota(parts.rateLimiter, who, facts);
  throw refusal;
}
