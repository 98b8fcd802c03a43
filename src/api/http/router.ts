import { H3 } from "h3";
import { ApiError } from "../../base/kernel/errors.js";
import type { ServedOperation } from "../../emulator/sandbox/control-interface.js";
import { uploadPath, viewPath } from "../../service/features/med/evidence.js";
import { readBody } from "./body.js";
import { type CallerSurface, programSurface } from "./caller-surface.js";
import { credentialsRefusal, showEvidence } from "./evidence-files.js";
import { NO_CONTRACT, type Run, refuseUnknownPath, withFrame } from "./frame.js";
import { addOperation, type OperationParts, routeOf } from "./operation-route.js";
import type { Page, PageAnswer } from "./page.js";
import { requestCause } from "./request-entry.js";
import { type ServerOwner, showServer, stopServer } from "./server-routes.js";
import type { Streams } from "./stream.js";

export interface RouterParts {
  /** The parts that the operations need, here and in the console. */
  readonly api: OperationParts;
  readonly registry: readonly ServedOperation[];
  readonly pages: readonly Page[];
  /** The streams of pages without a key: any number of them leaves room for callers with a key. */
  readonly pageStreams: Streams;
  /** Loads the console's application, which answers `/console` and everything below; null if switched off. */
  readonly loadConsole: (() => Promise<H3>) | null;
  readonly owner: ServerOwner | undefined;
}

/** The HTTP application: a route for each operation of the registry, the pages, and a 404 for every other path. */
export function createRouter(parts: RouterParts): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  const { api, loadConsole } = parts;
  const surface = programSurface(api);
  for (const operation of parts.registry) addOperation(app, api, operation, surface);
  for (const page of parts.pages) addPage(app, parts, surface, page);
  addEvidenceFiles(app, api, surface);
  addServerRoutes(app, parts, surface);
  if (loadConsole !== null) {
    // One catch-all without further routes, so that a start is not slowed by a console that nobody opens.
    app.all("/console/**", async (event) => (await loadConsole()).handler(event));
  }
  app.all(
    "/**",
    withFrame(api, surface, NO_CONTRACT, (exchange, _params, facts) => refuseUnknownPath(api, exchange, facts)),
  );
  return app;
}

function addPage(app: H3, { api, pageStreams }: RouterParts, surface: CallerSurface, page: Page): void {
  const { path, write } = page;
  const cause = `page POST ${path}`;
  const requirePage = (found: PageAnswer | null) => {
    if (found === null) throw new ApiError("not_found");
    return found;
  };
  const show: Run = async (exchange, params) => {
    const { origin, request, search } = exchange;
    const requested = { origin, headers: request.headers };
    const found = await page.render(api.reader(), params, new URLSearchParams(search), requested);
    if (found === null || !("subscribe" in found)) return requirePage(found);
    return pageStreams.open(exchange, found.mayGoOn, found.subscribe);
  };
  app.get(routeOf(path), withFrame(api, surface, NO_CONTRACT, show));
  if (write === undefined) return;
  const submit: Run = async (exchange, params) => {
    const { origin, request } = exchange;
    const sent = { origin, headers: request.headers, body: await readBody(request) };
    const query = new URLSearchParams(exchange.search);
    return requirePage(await api.uow.write((tx) => write(tx, params, query, sent), requestCause(cause, exchange)));
  };
  app.post(routeOf(path), withFrame(api, surface, NO_CONTRACT, submit));
}

function addEvidenceFiles(app: H3, api: OperationParts, surface: CallerSurface): void {
  const receive: Run = (exchange, { id = "" }) => credentialsRefusal(exchange) ?? api.receiveEvidence(exchange, id);
  const show: Run = ({ search }, { id = "" }) => showEvidence(search, id, api.reader());
  app.put(routeOf(uploadPath("{id}")), withFrame(api, surface, NO_CONTRACT, receive));
  app.get(routeOf(viewPath("{id}")), withFrame(api, surface, NO_CONTRACT, show));
}

function addServerRoutes(app: H3, { api, owner }: RouterParts, surface: CallerSurface): void {
  const show: Run = () => showServer(owner);
  const stop: Run = (exchange) => stopServer(owner, exchange);
  app.get("/_sandbox/server", withFrame(api, surface, NO_CONTRACT, show));
  app.post("/_sandbox/server/stop", withFrame(api, surface, NO_CONTRACT, stop));
}
