import type { Language } from "../kernel/language.js";
import { block, inline, pageHtml } from "./parts.js";

/** The first page at the address of the server, in English and in Portuguese. */

/** Whether a client asks for JSON and does not take HTML. */
export function wantsJson(accept = ""): boolean {
  return /application\/(?:json|\*)/i.test(accept) && !/text\/(?:html|\*)/i.test(accept);
}

const LINKS = { reference: "/docs", openapi: "/openapi.json", emulator: "/_sandbox" };

export function homeJson(origin: string, version: string): string {
  const links = Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, origin + path]));
  return JSON.stringify({ name: "qa-pay", emulator: true, version, links });
}

const TEXTS = {
  en: {
    title: "qa-pay, an emulator of a payments service",
    what: "This is an emulator. It plays a Brazilian payments service on this machine: Pix charges, wallets, refunds, disputes and signed webhooks. No real money moves, and no bank is asked.",
    tryIt: "Try it",
    tryText: "In the folder where the server runs, `qa-pay` finds address and key by itself:",
    over: "Or over HTTP, with the test key that `qa-pay serve` shows at its first start:",
    more: "More",
    docs: "Reference of every operation",
    openapi: "OpenAPI 3.1 document",
    console: "The web console shows and does all of this in the browser: `qa-pay console` opens it.",
  },
  "pt-BR": {
    title: "qa-pay, um emulador de serviço de pagamentos",
    what: "Isto é um emulador. Ele faz o papel de um serviço brasileiro de pagamentos nesta máquina: cobranças Pix, carteiras, devoluções, disputas e webhooks assinados. Nenhum dinheiro de verdade se move, e nenhum banco é consultado.",
    tryIt: "Experimente",
    tryText: "Na pasta em que o servidor roda, o `qa-pay` encontra o endereço e a chave sozinho:",
    over: "Ou por HTTP, com a chave de teste que `qa-pay serve` mostra na primeira vez:",
    more: "Mais",
    docs: "Referência de todas as operações",
    openapi: "Documento OpenAPI 3.1",
    console: "O console web mostra e faz tudo isso no navegador: `qa-pay console` o abre.",
  },
} as const satisfies Record<Language, Readonly<Record<string, string>>>;

function curlText(origin: string): string {
  return [
    `curl ${origin}/v1/charges \\`,
    '  -H "apikey: $QA_PAY_API_KEY" \\',
    '  -H "Idempotency-Key: order-0001" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"amount": 1990, "payment_method": "pix"}'`,
  ].join("\n");
}

export function homeHtml(origin: string, version: string, language: Language): string {
  const text = TEXTS[language];
  const other = language === "en" ? "pt-BR" : "en";
  const commands = [
    "qa-pay charges create --amount 1990",
    "qa-pay sandbox pay <id>",
    "qa-pay sandbox timeline <id>",
    "qa-pay logs tail",
    `qa-pay doctor --base-url ${origin}`,
  ];
  const content = `<p class="soft">qa-pay ${inline(version)} · ${inline(origin)}</p>
<h1>${inline(text.title)}</h1>
<p>${inline(text.what)}</p>
<h2>${text.tryIt}</h2>
<p>${inline(text.tryText)}</p>
${block(commands.join("\n"))}
<p>${inline(text.over)}</p>
${block(curlText(origin))}
<h2>${text.more}</h2>
<ul>
<li><a href="/docs">${text.docs}</a></li>
<li><a href="/openapi.json">${text.openapi}</a></li>
<li>${inline(text.console)}</li>
</ul>`;
  return pageHtml({ language, title: text.title, elsewhere: `/?lang=${other}`, menu: null, content });
}
