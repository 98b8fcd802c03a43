import { htmlHeaders, inline, pageHtml } from "../docs-pages/parts.js";
import type { Exchange } from "../http/exchange.js";
import type { PageAnswer } from "../http/page.js";
import type { ConsoleAccess } from "./access.js";
import { API_PREFIX, cookieName } from "./entrance.js";

/** `/console/open`: exchanges the token of a link for a session, and goes on to a page of the console. */

const HOME = "/console/";
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" };

/** The address of a page of the console. What leads elsewhere becomes the first page. */
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
  const body = `<main class="home">
<h1>This link opens nothing any more</h1>
<p>${inline("A link of `qa-pay console` works once, within a minute. The link that `qa-pay serve` prints works until that server stops.")}</p>
<p>${inline("Run `qa-pay console` in the folder of the server. It prints a new link.")}</p>
<p>If this browser has the console open already, <a href="${HOME}">go on there</a>.</p>
<section lang="pt-BR">
<h2>Este link não abre mais nada</h2>
<p>${inline("Um link de `qa-pay console` funciona uma vez, dentro de um minuto. O link que `qa-pay serve` imprime funciona até esse servidor parar.")}</p>
<p>${inline("Execute `qa-pay console` na pasta do servidor. Ele imprime um link novo.")}</p>
</section>
</main>`;
  return {
    status: 403,
    headers: { ...htmlHeaders(), ...HEADERS },
    body: pageHtml("en", "qa-pay: this link opens nothing", body),
  };
}

export function openConsole(exchange: Exchange, access: ConsoleAccess): PageAnswer {
  const query = new URLSearchParams(exchange.search);
  // A HEAD is no visit: it must not use up a link.
  const isVisit = exchange.request.method === "GET";
  const secret = isVisit ? access.open(query.get("k") ?? "") : null;
  if (secret === null) return refusal();
  const secure = exchange.origin.startsWith("https:") ? "; Secure" : "";
  const cookie = `${cookieName(exchange)}=${secret}; HttpOnly; SameSite=Strict; Path=${API_PREFIX}${secure}`;
  return { status: 303, headers: { ...HEADERS, location: pageOf(query.get("to")), "set-cookie": cookie }, body: null };
}
