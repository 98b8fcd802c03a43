import { H3 } from "h3";
import { createOriginCheck } from "../http/origin.js";
import type { PageAnswer } from "../http/page.js";
import { type HttpServer, takePort } from "../http/server.js";
import { createIds, createRuntime } from "../runtime.js";
import type { DocsSite } from "./site.js";

/** Serves the documentation to this machine alone. */

const HOST = "127.0.0.1";

function refusal(status: number, text: string, more: Readonly<Record<string, string>> = {}): PageAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...more }, body: `${text}\n` };
}

function answerTo(site: DocsSite, check: ReturnType<typeof createOriginCheck>, request: Request) {
  const { method, headers } = request;
  try {
    check(headers.get("host") ?? undefined, headers.get("origin") ?? undefined);
  } catch {
    return refusal(403, "This page is for this machine alone. Ask for it by the address that `qa-pay docs` printed.");
  }
  if (method !== "GET" && method !== "HEAD")
    return refusal(405, "The documentation is only read.", { allow: "GET, HEAD" });
  const { pathname, searchParams } = new URL(request.url);
  return site.answer(pathname, searchParams, Object.fromEntries(headers));
}

/** Listens on a port of this machine; 0 takes any free one. Throws ListenError when the port is taken. */
export async function serveSite(site: DocsSite, port: number): Promise<HttpServer & { readonly url: string }> {
  const { real, random } = createRuntime();
  const ids = createIds({ now: real.epoch }, random);
  const server = await takePort({ host: HOST, port, real, ids });
  const check = createOriginCheck(HOST, server.port);
  const app = new H3({ silent: true, allowMalformedURL: true });
  app.all("/**", async ({ req }) => {
    const { status = 200, headers, body } = await answerTo(site, check, req);
    return new Response(req.method === "HEAD" ? null : body, { status, headers });
  });
  server.serve(app);
  return { ...server, url: `http://${HOST}:${server.port}` };
}
