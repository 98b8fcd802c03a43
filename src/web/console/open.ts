import type { Exchange } from "../../api/http/exchange.js";
import type { PageAnswer } from "../../api/http/page.js";
import { htmlHeaders, inline, pageHtml } from "../../base/pages/page.js";
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

function refusal(): PageAnswer {
  const content = `<h1>This link opens nothing any more</h1>
<p>${inline("A link of `qa-pay console` works once, within a minute. The link that `qa-pay serve` prints works until that server stops.")}</p>
<p>${inline("Run `qa-pay console` in the folder of the server. It prints a new link.")}</p>
<p>If this browser has the console open already, <a href="${HOME}">go on there</a>.</p>
<section lang="pt-BR">
<h2>Este link não abre mais nada</h2>
<p>${inline("Um link de `qa-pay console` funciona uma vez, dentro de um minuto. O link que `qa-pay serve` imprime funciona até esse servidor parar.")}</p>
<p>${inline("Execute `qa-pay console` na pasta do servidor. Ele imprime um link novo.")}</p>
</section>`;
  return {
    status: 403,
    headers: { ...htmlHeaders(), ...HEADERS },
    body: pageHtml({ language: "en", title: "qa-pay: this link opens nothing", elsewhere: null, menu: null, content }),
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
