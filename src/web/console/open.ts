import type { Exchange } from "../../api/http/exchange.js";
import type { PageAnswer } from "../../api/http/page.js";
import { ENGLISH, type Language, otherLanguages } from "../../base/kernel/language.js";
import { fill } from "../../base/kernel/message.js";
import { htmlHeaders, inline, pageHtml } from "../../base/pages/page.js";
import { TEXTS } from "../../base/pages/texts/languages.js";
import type { ConsoleAccess } from "../../emulator/sandbox/console-access.js";
import { API_PREFIX, cookieName } from "./entrance.js";
import { pageHeaders } from "./headers.js";
import { shellWithSession } from "./shell.js";

/** `/console/open`: exchanges the token of a link for a session, and shows the console's page that the link names. */

const HOME = "/console/";
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" };

/** The address of a page of the console. Any other address becomes the first page. */
function pageOf(to: string | null): string {
  const base = `http://console${HOME}`;
  if (to === null || /[\\\p{Cc}]/u.test(to) || !URL.canParse(`./${to}`, base)) return HOME;
  const { origin, pathname, search, hash } = new URL(`./${to}`, base);
  const isPage =
    origin === "http://console" &&
    pathname.startsWith(HOME) &&
    !/^\/console\/(?:api|assets|open)(?:\/|$)/.test(pathname);
  return isPage ? pathname + search + hash : HOME;
}

function refusalIn(language: Language, heading: "h1" | "h2"): string {
  const { head, once, another, open, goOn } = TEXTS[language].console.link;
  return `<${heading}>${head}</${heading}>
<p>${inline(once)}</p>
<p>${inline(another)}</p>
<p>${fill(open, { link: `<a href="${HOME}">${goOn}</a>` })}</p>`;
}

/** The answer to a link that opens nothing, in every language. */
function refusal(): PageAnswer {
  const others = otherLanguages(ENGLISH).map((one) => `<section lang="${one}">\n${refusalIn(one, "h2")}\n</section>`);
  const content = [refusalIn(ENGLISH, "h1"), ...others].join("\n");
  return {
    status: 403,
    headers: { ...htmlHeaders(), ...HEADERS },
    body: pageHtml({ language: ENGLISH, title: "qa-pay: this link opens nothing", menu: null, content }),
  };
}

export function openConsole(exchange: Exchange, access: ConsoleAccess): PageAnswer {
  const query = new URLSearchParams(exchange.search);
  // A HEAD is no visit: it must not use up a link.
  const isVisit = exchange.request.method === "GET";
  const parts = isVisit ? access.open(query.get("k") ?? "") : null;
  if (parts === null) return refusal();
  const secure = exchange.origin.startsWith("https:") ? "; Secure" : "";
  const cookie = `${cookieName(exchange)}=${parts.cookie}; HttpOnly; SameSite=Strict; Path=${API_PREFIX}${secure}`;
  const headers = { ...pageHeaders(exchange), ...HEADERS, "content-type": "text/html; charset=utf-8" };
  // The script of the page replaces this address, which has the token, by the address of that page.
  const body = shellWithSession(parts.page, pageOf(query.get("to")));
  return { headers: { ...headers, "set-cookie": cookie }, body };
}
