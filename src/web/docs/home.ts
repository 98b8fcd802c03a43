import type { Language } from "../../base/kernel/language.js";
import { block, inline, pageHtml } from "../../base/pages/page.js";
import { TEXTS } from "../../base/pages/texts/languages.js";

/** The first page at the address of the server, in each language. */

/** True if a client requests JSON and does not accept HTML. */
export function wantsJson(accept = ""): boolean {
  return /application\/(?:json|\*)/i.test(accept) && !/text\/(?:html|\*)/i.test(accept);
}

const LINKS = { reference: "/docs", openapi: "/openapi.json", emulator: "/_sandbox" };

export function homeJson(origin: string, version: string): string {
  const links = Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, origin + path]));
  return JSON.stringify({ name: "qa-pay", emulator: true, version, links });
}

function curlText(origin: string): string {
  return [
    `curl ${origin}/v1/charges \\`,
    '  -H "apikey: $QA_PAY_API_KEY" \\',
    '  -H "Idempotency-Key: order-0001" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"amount": 1990, "payment_method": "pix"}'`,
  ].join("\n");
}

/** Returns the first page of a server as HTML. `origin` is the address that its commands name. */
export function homeHtml(origin: string, version: string, language: Language): string {
  const text = TEXTS[language].home;
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
  return pageHtml({ language, title: text.title, elsewhere: (other) => `/?lang=${other}`, menu: null, content });
}
