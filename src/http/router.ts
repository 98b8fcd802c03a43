import type { IncomingMessage } from "node:http";
import { H3, type H3Event } from "h3";
import type { AnyOperation } from "../features/operation.js";
import type { AccountStore } from "../features/access/store.js";
import { ApiError } from "../kernel/errors.js";
import type { Clock, Ids, Log, RealTime } from "../kernel/runtime.js";
import type { Page } from "../checkout/pages.js";
import type { RequestLog } from "../sandbox/request-log.js";
import { type Authenticated, authenticate } from "./auth.js";
import { type Answer, errorAnswer, type Exchange, header, toResponse } from "./exchange.js";
import { createHandler, type HandlerParts } from "./handler.js";
import type { OriginCheck } from "./origin.js";
import type { Streams } from "./stream.js";

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
  readonly streams: Streams;
  /** Follows a live feed of one book; answers how to stop. */
  readonly follow: (
    feed: "requests" | "events",
    bookId: number,
    send: (event: string, id: string, data: unknown) => void,
  ) => () => void;
  readonly checkOrigin: () => OriginCheck;
}

type Params = Record<string, string>;

/** What the request log needs to know of one exchange, filled in as the stages pass. */
interface Trace {
  authenticated: Authenticated | null;
  body: string;
  secrets: readonly string[];
}

/** The HTTP application: one route per operation of the registry, the pages, and a 404 for everything else. */
export function createRouter(parts: RouterParts): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });

  function exchangeOf(event: H3Event): Exchange {
    const request = event.runtime?.node?.req as IncomingMessage | undefined;
    if (request === undefined) throw new Error("this server speaks HTTP through node:http only");
    const sent = header(request, "x-request-id");
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    return {
      request,
      requestId: sent === undefined || sent === "" ? `req_${parts.ids.next()}` : sent,
      path: mark === -1 ? url : url.slice(0, mark),
      search: mark === -1 ? "" : url.slice(mark),
    };
  }

  function finish(exchange: Exchange, trace: Trace, answer: Answer, started: number): Response {
    if (exchange.path.startsWith("/v1/")) {
      parts.requestLog.add({
        id: exchange.requestId,
        bookId: trace.authenticated?.caller.bookId ?? null,
        fingerprint: trace.authenticated?.fingerprint ?? null,
        method: exchange.request.method ?? "",
        path: exchange.path + exchange.search,
        status: answer.status,
        durationMs: parts.real.monotonic() - started,
        at: parts.clock.now(),
        idempotencyKey: header(exchange.request, "idempotency-key") ?? null,
        requestBody: trace.body,
        responseBody: answer.text,
        secrets: trace.secrets,
      });
    }
    return toResponse(answer, exchange.requestId);
  }

  /** The frame around every route: request id, own host, the error envelope, the request log. */
  function framed(
    secrets: readonly string[],
    run: (exchange: Exchange, params: Params, trace: Trace) => Answer | Response | Promise<Answer | Response>,
  ): (event: H3Event) => Response | Promise<Response> {
    return (event) => {
      const started = parts.real.monotonic();
      const exchange = exchangeOf(event);
      const trace: Trace = { authenticated: null, body: "", secrets };
      const done = (answer: Answer | Response) =>
        answer instanceof Response ? answer : finish(exchange, trace, answer, started);
      const failed = (thrown: unknown) => done(errorAnswer(thrown, exchange.requestId, parts.log));
      try {
        parts.checkOrigin()(header(exchange.request, "host"), header(exchange.request, "origin"));
        const answer = run(exchange, (event.context.params ?? {}) as Params, trace);
        return answer instanceof Promise ? answer.then(done).catch(failed) : done(answer);
      } catch (thrown) {
        return failed(thrown);
      }
    };
  }

  function addOperation(operation: AnyOperation): void {
    const { contract } = operation;
    const handle = createHandler(operation, parts);
    const { stream, preview } = contract;
    const anyone = { caller: { bookId: 0, accountId: "", mode: "test" }, fingerprint: "" } as const;
    const route = contract.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(
      contract.method,
      route,
      framed(contract.secrets ?? [], (exchange, params, trace) => {
        let who: Authenticated = anyone;
        if (contract.auth === "key") {
          who = authenticate(parts.accounts, header(exchange.request, "apikey"));
          trace.authenticated = who;
        }
        if (preview !== undefined && !parts.previews.has(preview)) throw new ApiError("not_found");
        if (stream !== undefined && header(exchange.request, "accept")?.includes("text/event-stream")) {
          return parts.streams.open(exchange.requestId, (send) => parts.follow(stream, who.caller.bookId, send));
        }
        return handle(exchange, who.caller, params, (body) => {
          trace.body = body;
        });
      }),
    );
  }

  function addPage(page: Page): void {
    const route = page.path.replace(/\{(\w+)\}/g, ":$1");
    app.get(
      route,
      framed([], async (exchange, params) => {
        const found = await page.render(parts.reader(), params, new URLSearchParams(exchange.search));
        if (found === null) throw new ApiError("not_found");
        return new Response(found.body, {
          status: found.status ?? 200,
          headers: { ...found.headers, "x-request-id": exchange.requestId },
        });
      }),
    );
  }

  for (const operation of parts.registry) addOperation(operation);
  for (const page of parts.pages) addPage(page);
  app.all(
    "/**",
    framed([], (exchange, _params, trace) => {
      // Not to answer differently, only so that the caller finds the stray request in their own log.
      const key = header(exchange.request, "apikey");
      try {
        trace.authenticated = authenticate(parts.accounts, key);
      } catch {
        // A stranger's stray request is nobody's.
      }
      throw new ApiError("not_found", { message: `There is no ${exchange.request.method} ${exchange.path} here.` });
    }),
  );
  return app;
}
