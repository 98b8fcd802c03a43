import type { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event } from "h3";
import type { Page, PageAnswer } from "../checkout/pages.js";
import type { AccountStore } from "../features/access/store.js";
import { uploadPath, viewPath } from "../features/med/evidence.js";
import { type AnyOperation, callingUser, type FaultRule } from "../features/operation.js";
import { isRateLimited } from "../kernel/contract.js";
import { ApiError, shortened } from "../kernel/errors.js";
import type { Clock, Ids, Log, RealTime } from "../kernel/runtime.js";
import type { Faults } from "../sandbox/faults.js";
import type { RequestLog } from "../sandbox/request-log.js";
import {
  ANYONE,
  type Authenticated,
  authenticate,
  authenticateUser,
  fingerprintOf,
  holderOf,
  isStillIn,
  type KeyHolder,
} from "./auth.js";
import { readBody } from "./body.js";
import { receiveEvidence, showEvidence } from "./evidence-files.js";
import { type Answer, cutConnection, type Exchange, errorAnswer, header, sendAnswer } from "./exchange.js";
import { underFault } from "./faults.js";
import { createHandler, type HandlerParts } from "./handler.js";
import type { OriginCheck } from "./origin.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Streams } from "./stream.js";
import { queryParser } from "./validation.js";

export interface RouterParts extends HandlerParts {
  readonly registry: readonly AnyOperation[];
  readonly pages: readonly Page[];
  readonly accounts: AccountStore;
  readonly previews: ReadonlySet<string>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly faults: Faults;
  readonly streams: Streams;
  /** Null when requests are not limited. */
  readonly rateLimiter: RateLimiter | null;
  /** Follows a live feed of one book; answers how to stop. */
  readonly follow: (
    feed: "requests" | "events",
    bookId: number,
    query: Readonly<Record<string, unknown>>,
    send: (event: string, id: string, data: unknown) => void,
  ) => () => void;
  readonly checkOrigin: OriginCheck;
}

type Params = Record<string, string>;

/** What the request log and the answer's headers need to know of one exchange, filled in as the stages pass. */
interface Trace {
  authenticated: Authenticated | null;
  body: string;
  secrets: readonly string[];
  /** Sent with whatever the answer turns out to be, but where it says otherwise itself. */
  headers: Readonly<Record<string, string>> | null;
  /** The rule that the request fell to. */
  fault: FaultRule | null;
}

/** The HTTP application: one route per operation of the registry, the pages, and a 404 for everything else. */
export function createRouter(parts: RouterParts): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const operation of parts.registry) addOperation(app, parts, operation);
  for (const page of parts.pages) addPage(app, parts, page);
  addEvidenceFiles(app, parts);
  app.all(
    "/**",
    framed(parts, [], (exchange, _params, trace) => nothingHere(parts, exchange, trace)),
  );
  return app;
}

/** What a client may call its request: visible ASCII, no longer than a log line can bear. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

function exchangeOf(event: H3Event, ids: Ids): Exchange {
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  const response = event.runtime?.node?.res as ServerResponse | undefined;
  if (request === undefined || response === undefined)
    throw new Error("this server speaks HTTP through node:http only");
  const sent = header(request, "x-request-id");
  // The address that the route was found by. What was sent may write it in other ways: with dot segments, needless
  // escapes or a host in front. Whatever goes by the path must not be got round by them.
  const { pathname: path, search } = event.url;
  const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : `req_${ids.next()}`;
  return { request, response, requestId, path, search };
}

/** Sends an answer, or cuts the connection where a fault rule says so, and remembers the exchange in the request log. */
function finish(parts: RouterParts, exchange: Exchange, trace: Trace, answer: Answer, started: number): Response {
  const isCut = trace.fault?.effect.drop !== undefined;
  if (isService(exchange)) {
    parts.requestLog.add({
      id: exchange.requestId,
      bookId: trace.authenticated?.caller.bookId ?? null,
      fingerprint: fingerprintOf(trace.authenticated),
      method: exchange.request.method ?? "",
      // Where a body may hold a secret, somebody will try it in the query.
      path: exchange.path + (trace.secrets.length === 0 || exchange.search === "" ? exchange.search : "?[not logged]"),
      status: isCut ? 0 : answer.status,
      durationMs: parts.real.monotonic() - started,
      at: parts.clock.now(),
      idempotencyKey: header(exchange.request, "idempotency-key") ?? null,
      requestBody: trace.body,
      responseBody: answer.text,
      secrets: trace.secrets,
      fault: trace.fault?.id ?? null,
    });
  }
  if (isCut) return cutConnection(exchange);
  const { headers } = trace;
  return sendAnswer(exchange, headers === null ? answer : { ...answer, headers: { ...headers, ...answer.headers } });
}

function quotaHeaders(limit: number, remaining: number): Record<string, string> {
  return { "x-ratelimit-limit-minute": `${limit}`, "x-ratelimit-remaining-minute": `${remaining}` };
}

/** Counts a request against the quota of its key and notes the headers that tell of it. Throws `rate_limited`. */
function useQuota(limiter: RateLimiter, { keyHash }: KeyHolder, trace: Trace): void {
  const { limit, remaining, retryAfter } = limiter.take(keyHash);
  trace.headers = quotaHeaders(limit, remaining);
  if (retryAfter !== null) throw new ApiError("rate_limited", { headers: { "retry-after": `${retryAfter}` } });
}

type Run = (exchange: Exchange, params: Params, trace: Trace) => Answer | Response | Promise<Answer | Response>;

/** Whose key came with a request that needs none; null for a stranger. */
function recognise(parts: RouterParts, exchange: Exchange): KeyHolder | null {
  return holderOf(parts.accounts, header(exchange.request, "apikey"));
}

/** Pages, files and the control interface are left alone by fault rules, rate limits and the request log. */
function isService({ path }: Exchange): boolean {
  return path.startsWith("/v1/");
}

/** Carries out a request, under a fault rule when it falls to one: in front of everything that is the service's own. */
function runOrFail(parts: RouterParts, params: Params, exchange: Exchange, trace: Trace, run: Run): ReturnType<Run> {
  const { faults, rateLimiter } = parts;
  const { method = "" } = exchange.request;
  const rule = faults.size === 0 || !isService(exchange) ? null : faults.take(method, exchange.path);
  if (rule === null) return run(exchange, params, trace);
  trace.fault = rule;
  // So that the callers find it in their own log.
  trace.authenticated = recognise(parts, exchange);
  const faulty = { rule, exchange, wait: faults.wait, limit: rateLimiter?.limit ?? null };
  return underFault(faulty, (arrived) => run(arrived, params, trace));
}

/**
 * Notes the quota of a known key for an answer that may come without counting, such as the refusal of a fault rule or
 * that of a route for users.
 */
function tellQuota(parts: RouterParts, limiter: RateLimiter, exchange: Exchange, trace: Trace): void {
  const who = isService(exchange) ? recognise(parts, exchange) : null;
  if (who !== null) trace.headers = quotaHeaders(limiter.limit, limiter.remaining(who.keyHash));
}

/** The router does not mind a slash behind a path, but it makes another one. */
function isElsewhere({ path }: Exchange): boolean {
  return path.length > 1 && path.endsWith("/");
}

/** The frame around every route: request id, own host, fault rules, the error envelope, the request log. */
function framed(
  parts: RouterParts,
  secrets: readonly string[],
  run: Run,
): (event: H3Event) => Response | Promise<Response> {
  const lost: Run = (exchange, _params, trace) => nothingHere(parts, exchange, trace);
  return (event) => {
    const started = parts.real.monotonic();
    const exchange = exchangeOf(event, parts.ids);
    const trace: Trace = { authenticated: null, body: "", secrets, headers: null, fault: null };
    const done = (answer: Answer | Response) =>
      answer instanceof Response ? answer : finish(parts, exchange, trace, answer, started);
    const failed = (thrown: unknown) => done(errorAnswer(thrown, exchange.requestId, parts.log));
    try {
      parts.checkOrigin(header(exchange.request, "host"), header(exchange.request, "origin"));
      if (parts.rateLimiter !== null) tellQuota(parts, parts.rateLimiter, exchange, trace);
      const params = (event.context.params ?? {}) as Params;
      const answer = runOrFail(parts, params, exchange, trace, isElsewhere(exchange) ? lost : run);
      return answer instanceof Promise ? answer.then(done).catch(failed) : done(answer);
    } catch (thrown) {
      return failed(thrown);
    }
  };
}

/** `/a/{b}` as the router writes it: `/a/:b`. */
function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function addOperation(app: H3, parts: RouterParts, operation: AnyOperation): void {
  const { method, path, auth, roles, query, preview, stream, secrets = [], aliases = [] } = operation.contract;
  const handle = createHandler(operation, parts);
  const parseQuery = query === undefined ? () => ({}) : queryParser(query);
  const limiter = isRateLimited(operation.contract) ? parts.rateLimiter : null;
  const answer = (who: Authenticated, exchange: Exchange, params: Params, trace: Trace) => {
    if (preview !== undefined && !parts.previews.has(preview)) throw new ApiError("not_found");
    if (stream !== undefined && header(exchange.request, "accept")?.includes("text/event-stream")) {
      const filters = parseQuery(exchange.search);
      const mayGoOn = () => isStillIn(parts.reader(), who);
      return parts.streams.open(exchange, mayGoOn, (send) => parts.follow(stream, who.caller.bookId, filters, send));
    }
    return handle(exchange, who, params, (body) => {
      trace.body = body;
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
  for (const route of [path, ...aliases]) app.on(method, routeOf(route), framed(parts, secrets, run[auth]));
}

function addPage(app: H3, parts: RouterParts, page: Page): void {
  const { path, write } = page;
  const answered = ({ requestId }: Exchange, found: PageAnswer | null) => {
    if (found === null) throw new ApiError("not_found");
    const headers = { ...found.headers, "x-request-id": requestId };
    return new Response(found.body, { status: found.status ?? 200, headers });
  };
  const show: Run = async (exchange, params) =>
    answered(exchange, await page.render(parts.reader(), params, new URLSearchParams(exchange.search)));
  app.get(routeOf(path), framed(parts, [], show));
  if (write === undefined) return;
  const submit: Run = async (exchange, params) => {
    const form = new URLSearchParams(await readBody(exchange.request));
    const query = new URLSearchParams(exchange.search);
    return answered(exchange, await parts.uow.write((tx) => write(tx, params, query, form)));
  };
  app.post(routeOf(path), framed(parts, [], submit));
}

function addEvidenceFiles(app: H3, parts: RouterParts): void {
  const receive: Run = (exchange, { id = "" }) => receiveEvidence(exchange, id, parts.reader(), parts.uow);
  const show: Run = (exchange, { id = "" }) => showEvidence(exchange, id, parts.reader());
  app.put(routeOf(uploadPath("{id}")), framed(parts, [], receive));
  app.get(routeOf(viewPath("{id}")), framed(parts, [], show));
}

function nothingHere(parts: RouterParts, exchange: Exchange, trace: Trace): never {
  const who = recognise(parts, exchange);
  trace.authenticated = who;
  if (parts.rateLimiter !== null && who !== null && isService(exchange)) useQuota(parts.rateLimiter, who, trace);
  const { method } = exchange.request;
  throw new ApiError("not_found", { message: `There is no ${method} ${shortened(exchange.path, 300)} here.` });
}
