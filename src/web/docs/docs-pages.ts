import type { IncomingHttpHeaders } from "node:http";
import type { Page, PageAnswer } from "../../api/http/page.js";
import { answerTagged, type TaggedBody, tagBody } from "../../api/http/tagged-body.js";
import type { Contract } from "../../base/kernel/contract.js";
import { languageOf } from "../../base/kernel/language.js";
import { VERSION } from "../../base/platform/version.js";
import type { Reader } from "../../service/features/tx.js";
import type { DocumentOptions, OpenApiDocument } from "../../service/openapi/document.js";

/**
 * The server's pages for people and tools without a key: a first page, one for agents, the reference, and the OpenAPI
 * document (docs/decisions/058-documentation-site.md). They hold no secret and no stored data, and name the server by
 * its own address, never by the Host of a request.
 */

const HEADERS = {
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** Creates a value at the first call. A failure is not kept. */
function once<Value>(make: (reader: Reader) => Promise<Value>): (reader: Reader) => Promise<Value> {
  let made: Promise<Value> | null = null;
  return (reader) => {
    made ??= make(reader).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

function answer(of: TaggedBody, headers: Readonly<Record<string, string>>, request: IncomingHttpHeaders): PageAnswer {
  return answerTagged(of, { ...HEADERS, ...headers }, request);
}

async function documentOf(
  contracts: readonly Contract[],
  { origin, settings }: Reader,
  sandbox: boolean,
): Promise<OpenApiDocument> {
  const { openApiDocument } = await import("../../service/openapi/document.js");
  const { EXAMPLES: examples } = await import("../../service/openapi/examples.js");
  const options: DocumentOptions = { previews: settings.preview, sandbox, version: VERSION, examples };
  return { ...openApiDocument(contracts, options), servers: [{ url: origin, description: "This server" }] };
}

/** Returns the pages about the service. The large ones are created at their first request and kept. */
export function createDocsPages(contracts: readonly Contract[]): readonly Page[] {
  const json = (sandbox: boolean) =>
    once(async (reader) => tagBody(JSON.stringify(await documentOf(contracts, reader, sandbox), null, 2)));
  const documents = { api: json(false), all: json(true) };
  const reference = once(async (reader) => {
    const { referenceHtml } = await import("./reference-html.js");
    return tagBody(referenceHtml(await documentOf(contracts, reader, true), contracts, reader.origin));
  });
  return [
    {
      path: "/",
      async render({ origin }, _params, query, { headers: request }) {
        const { homeHtml, homeJson, wantsJson } = await import("./home.js");
        const { htmlHeaders } = await import("../../base/pages/page.js");
        const vary = { vary: "accept, accept-language" };
        if (wantsJson(request.accept)) {
          return answer(tagBody(homeJson(origin, VERSION)), { "content-type": "application/json", ...vary }, request);
        }
        const language = languageOf(query.get("lang"), request["accept-language"], "en");
        const headers = { ...htmlHeaders(), "content-language": language, ...vary };
        return answer(tagBody(homeHtml(origin, VERSION, language)), headers, request);
      },
    },
    {
      path: "/docs",
      async render(reader, _params, _query, { headers: request }) {
        const { htmlHeaders } = await import("../../base/pages/page.js");
        return answer(await reference(reader), htmlHeaders(), request);
      },
    },
    {
      path: "/openapi.json",
      async render(reader, _params, query, { headers: request }) {
        const make = query.get("sandbox") === "true" ? documents.all : documents.api;
        return answer(await make(reader), { "content-type": "application/json" }, request);
      },
    },
    {
      path: "/llms.txt",
      async render({ origin }, _params, _query, { headers: request }) {
        const { llmsText } = await import("./llms.js");
        return answer(tagBody(llmsText(origin)), { "content-type": "text/plain; charset=utf-8" }, request);
      },
    },
  ];
}
