import type { H3 } from "h3";
import { ApiError } from "../../base/kernel/errors.js";
import type { ServedOperation } from "../../emulator/sandbox/control-interface.js";
import type { FollowLog, LogName } from "../../emulator/sandbox/live-logs.js";
import { type Authenticated, isStillIn } from "./auth.js";
import type { CallerSurface } from "./caller-surface.js";
import type { EvidenceUpload } from "./evidence-files.js";
import { type Exchange, header } from "./exchange.js";
import { createFileHandler } from "./file-handler.js";
import { type FrameParts, type Params, type Run, withFrame } from "./frame.js";
import { createHandler, type HandlerParts, queryOf } from "./handler.js";
import type { RequestFacts } from "./request-entry.js";
import type { Streams } from "./stream.js";

export interface OperationParts extends FrameParts, HandlerParts {
  readonly previews: ReadonlySet<string>;
  readonly streams: Streams;
  readonly follow: FollowLog;
  readonly receiveEvidence: EvidenceUpload;
}

/** The path of a contract, `/a/{b}`, in the form of the router: `/a/:b`. */
export function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function wantsStream(stream: LogName, accept = "*/*"): boolean {
  return accept.includes("text/event-stream") || (stream === "everything" && !accept.includes("application/json"));
}

/** Adds the routes of an operation for the callers of one surface. */
export function addOperation(app: H3, parts: OperationParts, operation: ServedOperation, surface: CallerSurface): void {
  const { method, path, preview, stream, secrets = [], aliases = [] } = operation.contract;
  const handle = createFileHandler(operation, parts) ?? createHandler(operation, parts, surface.isConsole);
  const parseQuery = queryOf(operation.contract);
  const identify = surface.identify(operation.contract);
  const answer = (who: Authenticated, exchange: Exchange, params: Params, facts: RequestFacts) => {
    if (preview !== undefined && !parts.previews.has(preview)) throw new ApiError("not_found");
    if (stream !== undefined && wantsStream(stream, header(exchange.request, "accept"))) {
      const filters = parseQuery(exchange.search);
      const lastId = header(exchange.request, "last-event-id");
      const wanted = { bookId: who.caller.bookId, query: filters, lastId };
      const mayGoOn = () => isStillIn(parts.reader(), who);
      return parts.streams.open(exchange, mayGoOn, (channel) => parts.follow(stream, wanted, channel));
    }
    return handle(exchange, who, params, facts);
  };
  const run: Run = (exchange, params, facts) => {
    const who = identify(exchange, facts);
    return who instanceof Promise
      ? who.then((found) => answer(found, exchange, params, facts))
      : answer(who, exchange, params, facts);
  };
  for (const route of [path, ...aliases]) {
    app.on(method, surface.prefix + routeOf(route), withFrame(parts, surface, { route, secrets }, run));
  }
}
