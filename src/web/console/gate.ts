import { H3 } from "h3";
import type { Exchange } from "../../api/http/exchange.js";
import { type ApiSurface, NO_CONTRACT, type Run, refuseUnknownPath, withFrame } from "../../api/http/frame.js";
import { addOperation, type OperationParts } from "../../api/http/operation-route.js";
import type { PageAnswer } from "../../api/http/page.js";
import { answerTagged } from "../../api/http/tagged-body.js";
import type { ConsoleAccess } from "../../emulator/sandbox/console-access.js";
import type { ServedOperation } from "../../emulator/sandbox/control-interface.js";
import { type Assets, createAssets } from "./assets.js";
import { API_PREFIX, consoleEntrance, isChange } from "./entrance.js";
import { addFiles } from "./files.js";
import { pageHeaders } from "./headers.js";
import { openConsole } from "./open.js";
import { SHELL } from "./shell.js";

/** Everything below `/console`. The router loads it when somebody opens the console for the first time. */

/** The requests that need no session, because they get no data: the page, its files, and links. */
const PUBLIC: ApiSurface = {
  prefix: "",
  isConsole: true,
  headers: null,
  takesSlash: true,
  check: () => undefined,
};

/** Paths of pages have no extension. An id behind `go/` may have one: it may be a BR Code or an address. */
function isFile(path: string): boolean {
  return /\.\w{1,11}$/.test(path) && !path.startsWith("/console/go/");
}

/** Answers GET and HEAD; no other method exists at these addresses. */
function readOnly(parts: OperationParts, show: (exchange: Exchange) => PageAnswer | null | Promise<PageAnswer>): Run {
  return async (exchange, _params, facts) => {
    const answer = isChange(exchange) ? null : await show(exchange);
    return answer ?? refuseUnknownPath(parts, exchange, facts);
  };
}

async function showAsset(exchange: Exchange, assets: Assets): Promise<PageAnswer> {
  const { content, type } = await assets(exchange.path.slice("/console/assets/".length));
  const headers = { ...pageHeaders(exchange), "content-type": type, "cache-control": "no-cache" };
  return answerTagged(content, headers, exchange.request.headers);
}

function showShell(exchange: Exchange): PageAnswer | null {
  if (isFile(exchange.path)) return null;
  const type = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  return answerTagged(SHELL, { ...pageHeaders(exchange), ...type }, exchange.request.headers);
}

export function createConsole(parts: OperationParts, registry: readonly ServedOperation[], access: ConsoleAccess): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  const entrance = consoleEntrance(parts, access);
  const assets = createAssets();
  for (const operation of registry) addOperation(app, parts, operation, entrance);
  const nothing: Run = (exchange, _params, facts) => {
    entrance.sessionOf(exchange);
    return refuseUnknownPath(parts, exchange, facts);
  };
  addFiles(app, parts, entrance, access);
  app.all(`${API_PREFIX}/**`, withFrame(parts, entrance, NO_CONTRACT, nothing));
  const page = (path: string, show: Parameters<typeof readOnly>[1]) =>
    app.all(path, withFrame(parts, PUBLIC, NO_CONTRACT, readOnly(parts, show)));
  page("/console/open", (exchange) => openConsole(exchange, access));
  page("/console/assets/**", (exchange) => showAsset(exchange, assets));
  page("/console/**", showShell);
  return app;
}
