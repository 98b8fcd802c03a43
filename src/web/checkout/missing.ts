import type { Page, PageAnswer, PageRequest } from "../../api/http/page.js";
import { htmlAnswer } from "./answers.js";
import { languagesHtml, outcomeHtml, shellHtml } from "./shell.js";
import { visitOf } from "./visit.js";

/** The answer at an address without a payment: a page for payers, the envelope of an error for programs. */

function answerMissing(query: URLSearchParams, request: PageRequest): PageAnswer | null {
  if (!/\btext\/html\b/i.test(request.headers.accept ?? "")) return null;
  const visit = visitOf(query, request);
  const { missing } = visit.texts;
  const main = languagesHtml(visit) + outcomeHtml({ tone: "bad", ...missing });
  const html = shellHtml({ visit, title: missing.title, style: "checkout", main });
  const { headers, body } = htmlAnswer(html, { visit, script: null, formAction: "'none'" });
  return { status: 404, headers: { ...headers, vary: "accept, accept-language" }, body };
}

/** Wraps a page: payers read that its address has no payment, or that the token or signature is wrong. */
export function forPayers({ path, render, write }: Page): Page {
  const page: Page = {
    path,
    render: async (reader, params, query, request) =>
      (await render(reader, params, query, request)) ?? answerMissing(query, request),
  };
  if (write === undefined) return page;
  return { ...page, write: (tx, params, query, sent) => write(tx, params, query, sent) ?? answerMissing(query, sent) };
}
