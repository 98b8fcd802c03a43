import type { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event } from "h3";
import type { AccountStore } from "../features/access/store.js";
import { uploadPath, viewPath } from "../features/med/evidence.js";
import { callingUser, type Operation } from "../features/operation.js";
import { isRateLimited } from "../kernel/contract.js";
import { ApiError, shortened } from "../kernel/errors.js";
import type { Clock, Ids, Log, RealTime } from "../kernel/runtime.js";
import type { FaultRules } from "../sandbox/fault-rules.js";
import type { FollowLog, LogName } from "../sandbox/live-logs.js";
import type { RequestLog } from "../sandbox/request-log.js";
import type { ServerAddress } from "./address.js";
import { applyFault } from "./apply-fault.js";
import {
  ANYONE,
  type Authenticated,
  authenticate,
  authenticateUser,
  holderOf,
  isStillIn,
  type KeyHolder,
} from "./auth.js";
import { readBody } from "./body.js";
import { receiveEvidence, showEvidence } from "./evidence-files.js";
import { type Answer, cutConnection, type Exchange, errorAnswer, header, sendAnswer } from "./exchange.js";
import { createFileHandler } from "./file-handler.js";
import { createHandler, type HandlerParts } from "./handler.js";
import type { Page, PageAnswer } from "./page.js";
import type { RateLimiter } from "./rate-limit.js";
import { requestCause } from "./request-cause.js";
import { entryOf, isCut, type Route, type Trace } from "./request-entry.js";
import type { Streams } from "./stream.js";
import { queryParser } from "./validation.js";

export interface RouterParts extends HandlerParts {
  readonly registry: readonly Operation[];
  readonly pages: readonly Page[];
  readonly accounts: AccountStore;
  readonly previews: ReadonlySet<string>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly faults: FaultRules;
  readonly streams: Streams;
  /** Null without a rate limit. */
  readonly rateLimiter: RateLimiter | null;
  readonly follow: FollowLog;
  readonly address: ServerAddress;
}

type Params = Record<string, string>;

const NO_CONTRACT: Route = { route: null, secrets: [] };

/** The HTTP application: a route for each operation of the registry, the pages, and a 404 for every other path. */
export function createRouter(parts: RouterParts): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const operation of parts.registry) addOperation(app, parts, operation);
  for (const page of parts.pages) addPage(app, parts, page);
  addEvidenceFiles(app, parts);
  app.all(
    "/**",
    framed(parts, NO_CONTRACT, (exchange, _params, trace) => nothingHere(parts, exchange, trace)),
  );
  return app;
}

/** A request id that a client may choose: visible ASCII of limited length. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

function exchangeOf(event: H3Event, { ids, requestLog }: Pick<RouterParts, "ids" | "requestLog">): Exchange {
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  const response = event.runtime?.node?.res as ServerResponse | undefined;
  if (request === undefined || response === undefined)
    throw new Error("this server speaks HTTP through node:http only");
  const sent = header(request, "x-request-id");
  // The normalised path, by which the route was found. The path as it was sent may differ: it may have dot segments,
  // needless escapes or a host in front. With that one, a client could get past checks that go by the path.
  const { pathname: path, search } = event.url;
  const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : `req_${ids.next()}`;
  return { number: requestLog.nextNumber(), request, response, requestId, path, search };
}

/** Sends an answer, or cuts the connection when a fault rule asks for it, and adds the exchange to the request log. */
function finish(parts: RouterParts, exchange: Exchange, trace: Trace, answer: Answer, started: number): Response {
  const { headers } = trace;
  const complete = headers === null ? answer : { ...answer, headers: { ...headers, ...answer.headers } };
  if (isService(exchange)) {
    const durationMs = parts.real.monotonic() - started;
    const end = { at: parts.clock.now(), durationMs, historySeq: parts.reader().history.last() };
    parts.requestLog.add(entryOf(exchange, trace, complete, end));
  }
  return isCut(trace) ? cutConnection(exchange) : sendAnswer(exchange, complete);
}

function quotaHeaders(limit: number, remaining: number): Record<string, string> {
  return { "x-ratelimit-limit-minute": `${limit}`, "x-ratelimit-remaining-minute": `${remaining}` };
}

/** Counts a request against the rate limit of its key, and sets the headers about the limit. Throws `rate_limited`. */
function useQuota(limiter: RateLimiter, { keyHash }: KeyHolder, trace: Trace): void {
  const { limit, remaining, retryAfter } = limiter.take(keyHash);
  trace.headers = quotaHeaders(limit, remaining);
  if (retryAfter !== null) throw new ApiError("rate_limited", { headers: { "retry-after": `${retryAfter}` } });
}

type Run = (exchange: Exchange, params: Params, trace: Trace) => Answer | Response | Promise<Answer | Response>;

/** The holder of the API key of a request to any route; null without a valid key. */
function keyHolderOf(parts: RouterParts, exchange: Exchange): KeyHolder | null {
  return holderOf(parts.accounts, header(exchange.request, "apikey"));
}

/** Fault rules, rate limits and the request log apply only to requests to /v1. */
function isService({ path }: Exchange): boolean {
  return path.startsWith("/v1/");
}

/** Carries out a request, under a fault rule when one takes effect on it. The rule comes before all other checks. */
function runOrFail(parts: RouterParts, params: Params, exchange: Exchange, trace: Trace, run: Run): ReturnType<Run> {
  const { faults, rateLimiter } = parts;
  const { method = "" } = exchange.request;
  const rule = faults.size === 0 || !isService(exchange) ? null : faults.take(method, exchange.path);
  if (rule === null) return run(exchange, params, trace);
  trace.fault = rule;
  // So that the request is in the log of this caller, although it may never be authenticated.
  trace.authenticated = keyHolderOf(parts, exchange);
  const faulty = { rule, exchange, wait: faults.wait, limit: rateLimiter?.limit ?? null };
  return applyFault(faulty, (arrived) => run(arrived, params, trace));
}

/**
 * Sets the headers about the rate limit for a request that may be answered without being counted, such as by a fault rule
 * or by a route for users.
 */
function tellQuota(parts: RouterParts, limiter: RateLimiter, exchange: Exchange, trace: Trace): void {
  const who = isService(exchange) ? keyHolderOf(parts, exchange) : null;
  if (who !== null) trace.headers = quotaHeaders(limiter.limit, limiter.remaining(who.keyHash));
}

/** The router ignores a slash at the end of a path, but such a path is not in the contract. */
function hasTrailingSlash({ path }: Exchange): boolean {
  return path.length > 1 && path.endsWith("/");
}

/** Adds to a route what every route has: request id, check of host and origin, fault rules, error envelope, request log. */
function framed(parts: RouterParts, route: Route, run: Run): (event: H3Event) => Response | Promise<Response> {
  const notFound: Run = (exchange, _params, trace) => nothingHere(parts, exchange, trace);
  return (event) => {
    const started = parts.real.monotonic();
    const exchange = exchangeOf(event, parts);
    const params = (event.context.params ?? {}) as Params;
    const trace: Trace = { ...route, params, authenticated: null, body: "", claim: null, headers: null, fault: null };
    const done = (answer: Answer | Response) =>
      answer instanceof Response ? answer : finish(parts, exchange, trace, answer, started);
    const failed = (thrown: unknown) => done(errorAnswer(thrown, exchange.requestId, parts.log));
    try {
      parts.address.checkOrigin(header(exchange.request, "host"), header(exchange.request, "origin"));
      if (parts.rateLimiter !== null) tellQuota(parts, parts.rateLimiter, exchange, trace);
      const answer = runOrFail(parts, params, exchange, trace, hasTrailingSlash(exchange) ? notFound : run);
      return answer instanceof Promise ? answer.then(done).catch(failed) : done(answer);
    } catch (thrown) {
      return failed(thrown);
    }
  };
}

/** The path of a contract, `/a/{b}`, in the form of the router: `/a/:b`. */
function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function wantsStream(stream: LogName, accept = "*/*"): boolean {
  return accept.includes("text/event-stream") || (stream === "everything" && !accept.includes("application/json"));
}

function addOperation(app: H3, parts: RouterParts, operation: Operation): void {
  const { method, path, auth, roles, query, preview, stream, secrets = [], aliases = [] } = operation.contract;
  const handle = createFileHandler(operation, parts) ?? createHandler(operation, parts);
  const parseQuery = query === undefined ? () => ({}) : queryParser(query);
  const limiter = isRateLimited(operation.contract) ? parts.rateLimiter : null;
  const answer = (who: Authenticated, exchange: Exchange, params: Params, trace: Trace) => {
    if (preview !== undefined && !parts.previews.has(preview)) throw new ApiError("not_found");
    if (stream !== undefined && wantsStream(stream, header(exchange.request, "accept"))) {
      const filters = parseQuery(exchange.search);
      const lastId = header(exchange.request, "last-event-id");
      const wanted = { bookId: who.caller.bookId, query: filters, lastId };
      const mayGoOn = () => isStillIn(parts.reader(), who);
      return parts.streams.open(exchange, mayGoOn, (channel) => parts.follow(stream, wanted, channel));
    }
    return handle(exchange, who, params, {
      received: (body) => {
        trace.body = body;
      },
      claims: (claim) => {
        trace.claim = claim;
      },
    });
  };
  const run: Record<typeof auth, Run> = {
    none: (exchange, params, trace) => answer(ANYONE, exchange, params, trace),
    key(exchange, params, trace) {
      const who = authenticate(parts.accounts, header(exchange.request, "apikey"));
      trace.authenticated = who;
      if (limiter !== null) useQuota(limiter, who, trace);
      return answer(who, exchange, params, trace);
    },
    async jwt(exchange, params, trace) {
      const who = await authenticateUser(parts.reader(), header(exchange.request, "authorization"));
      trace.authenticated = who;
      if (roles?.includes(callingUser(who.caller).role) === false) throw new ApiError("API_KEY_ROLE_REQUIRED");
      return answer(who, exchange, params, trace);
    },
  };
  for (const route of [path, ...aliases]) {
    app.on(method, routeOf(route), framed(parts, { route, secrets }, run[auth]));
  }
}

function addPage(app: H3, parts: RouterParts, page: Page): void {
  const { path, write } = page;
  const cause = `page POST ${path}`;
  const answered = ({ requestId }: Exchange, found: PageAnswer | null) => {
    if (found === null) throw new ApiError("not_found");
    const headers = { ...found.headers, "x-request-id": requestId };
    return new Response(found.body, { status: found.status ?? 200, headers });
  };
  const show: Run = async (exchange, params) =>
    answered(
      exchange,
      await page.render(parts.reader(), params, new URLSearchParams(exchange.search), exchange.request.headers),
    );
  app.get(routeOf(path), framed(parts, NO_CONTRACT, show));
  if (write === undefined) return;
  const submit: Run = async (exchange, params) => {
    const form = new URLSearchParams(await readBody(exchange.request));
    const query = new URLSearchParams(exchange.search);
    return answered(
      exchange,
      await parts.uow.write((tx) => write(tx, params, query, form), requestCause(cause, exchange)),
    );
  };
  app.post(routeOf(path), framed(parts, NO_CONTRACT, submit));
}

function addEvidenceFiles(app: H3, parts: RouterParts): void {
  const receive: Run = (exchange, { id = "" }) => receiveEvidence(exchange, id, parts.reader(), parts.uow);
  const show: Run = (exchange, { id = "" }) => showEvidence(exchange, id, parts.reader());
  app.put(routeOf(uploadPath("{id}")), framed(parts, NO_CONTRACT, receive));
  app.get(routeOf(viewPath("{id}")), framed(parts, NO_CONTRACT, show));
}

function nothingHere(parts: RouterParts, exchange: Exchange, trace: Trace): never {
  const who = keyHolderOf(parts, exchange);
  trace.authenticated = who;
  if (parts.rateLimiter !== null && who !== null && isService(exchange)) useQuota(parts.rateLimiter, who, trace);
  const { method } = exchange.request;
  throw new ApiError("not_found", { message: `There is no ${method} ${shortened(exchange.path, 300)} here.` });
}
