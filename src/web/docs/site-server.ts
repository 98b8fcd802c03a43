import type { IncomingMessage } from "node:http";
import { H3 } from "h3";
import { header, sendPage } from "../../api/http/exchange.js";
import { createOriginCheck } from "../../api/http/origin.js";
import type { PageAnswer } from "../../api/http/page.js";
import { type HttpServer, nodeOf, takePort } from "../../api/http/server.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { createIds, createRuntime } from "../../base/platform/real-runtime.js";
import type { DocsSite } from "./site.js";

/** Serves the documentation to this machine alone. */

const HOST = "127.0.0.1";

function refusal(status: number, text: string, more: Readonly<Record<string, string>> = {}): PageAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...more }, body: `${text}\n` };
}

function answerTo(site: DocsSite, check: ReturnType<typeof createOriginCheck>, request: IncomingMessage, url: URL) {
  const { method } = request;
  try {
    check(header(request, "host"), header(request, "origin"));
  } catch {
    return refusal(403, "This page is for this machine alone. Open it at the address that `qa-pay docs` printed.");
  }
  if (method !== "GET" && method !== "HEAD")
    return refusal(405, "The documentation can only be read.", { allow: "GET, HEAD" });
  return site.answer(url.pathname, url.searchParams, request.headers);
}

/** Listens on a port of this machine; 0 takes any free one. Throws ListenError when the port is taken. */
export async function serveSite(site: DocsSite, port: number): Promise<HttpServer & { readonly url: string }> {
  const { real, random, log } = createRuntime();
  const ids = createIds({ now: real.epoch }, random);
  const server = await takePort({ host: HOST, port, real, ids, log });
  const check = createOriginCheck([HOST], server.port);
  const app = new H3({ silent: true, allowMalformedURL: true });
  app.all("/**", async (event) => {
    const { request, response } = nodeOf(event);
    const answer = await answerTo(site, check, request, event.url);
    return sendPage({ response, requestId: `${ID_PREFIX.request}${ids.next()}` }, answer);
  });
  server.serve(app);
  return { ...server, url: `http://${HOST}:${server.port}` };
}
