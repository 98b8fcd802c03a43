import { escapeHtml } from "../../base/kernel/html.js";
import { languageName, otherLanguages } from "../../base/kernel/language.js";
import { descriptionOf } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Reader } from "../../service/features/tx.js";
import { amountText } from "./format.js";
import type { OutcomePanel } from "./outcome.js";
import type { Visit } from "./visit.js";

/** The parts that all pages for payers share: frame, style, and the subject of the payment. */

/** The parts of a transaction, besides its status, that a page shows. */
export interface Subject {
  readonly visit: Visit;
  readonly merchant: string;
  /** `R$ 1.234,56` */
  readonly amount: string;
  readonly customer: string | null;
  readonly description: string | null;
}

export function subjectOf(reader: Reader, row: TransactionRow, visit: Visit): Subject {
  return {
    visit,
    merchant: reader.accounts.byBook(row.book_id)?.name ?? "",
    amount: amountText(row),
    customer: row.customer_name,
    description: descriptionOf(row),
  };
}

/** The links to the page in other languages, at the head of each page, where a payer sees them without scrolling. */
export function languagesHtml({ language, hrefIn, texts }: Visit): string {
  const links = otherLanguages(language).map(
    (other) => `<a href="${escapeHtml(hrefIn(other))}" lang="${other}" hreflang="${other}">${languageName(other)}</a>`,
  );
  return `<nav class="languages" aria-label="${texts.languages}">${links.join(" · ")}</nav>`;
}

const LONG_AMOUNT = 13;

/** The first letter of a name, shown in place of a logo. */
const initialOf = ([first = ""]: string) => first.toUpperCase();

/** Returns merchant, amount, customer and description: the beginning of every page. */
export function headHtml({ visit, merchant, amount, customer, description }: Subject): string {
  const about = [customer, description].filter((text) => text !== null && text !== "");
  return `<section class="summary" aria-label="${visit.texts.pay.summary}">
${languagesHtml(visit)}
<p class="merchant" data-initial="${escapeHtml(initialOf(merchant))}"><span>${visit.texts.pay.to}</span> ${escapeHtml(merchant)}</p>
<p class="amount${amount.length > LONG_AMOUNT ? " long" : ""}">${escapeHtml(amount)}</p>
${about.map((text) => `<p class="about">${escapeHtml(text ?? "")}</p>`).join("\n")}</section>`;
}

export function listHtml(entries: readonly (readonly [string, string])[]): string {
  return `<dl>${entries.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join("")}</dl>`;
}

interface Shell {
  readonly visit: Visit;
  readonly title: string;
  /** The style sheet beside that of all pages. */
  readonly style: "checkout" | "card";
  /** HTML. */
  readonly main: string;
  /** HTML behind the payer's part. */
  readonly after?: string;
  /** The data for the script of the page; null for a page without script. */
  readonly script?: unknown;
  /** Seconds after which the browser loads the page again. */
  readonly refresh?: number | null;
  /** The same, for a browser that runs no scripts. */
  readonly refreshWithoutScript?: number | null;
}

function refreshHtml(seconds: number | null | undefined): string {
  return typeof seconds === "number" ? `<meta http-equiv="refresh" content="${seconds}">` : "";
}

/** Returns a whole page of the checkout as HTML. `main` and `after` are HTML; the title is a text. */
export function shellHtml({ visit, title, main, after = "", ...loaded }: Shell): string {
  const { texts, language } = visit;
  const plain = refreshHtml(loaded.refreshWithoutScript);
  const data = loaded.script === undefined ? "" : ` data-page="${escapeHtml(JSON.stringify(loaded.script))}"`;
  const script =
    loaded.script === undefined ? "" : `<script type="module" src="/checkout/assets/checkout.js"></script>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">${refreshHtml(loaded.refresh)}${plain === "" ? "" : `<noscript>${plain}</noscript>`}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/checkout/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/checkout/assets/payer.css">
<link rel="stylesheet" href="/checkout/assets/${loaded.style}.css">${script}</head><body${data}>
<main>
${main}
</main>
${after}
<footer><p>${texts.footer}</p></footer>
</body></html>`;
}

/**
 * Returns the element that shows an outcome. `after` is HTML behind the text. Without an outcome the element is hidden,
 * until the script of the page shows one.
 */
export function outcomeHtml(outcome: OutcomePanel | null, after = ""): string {
  const { tone, title, text } = outcome ?? { tone: "plain", title: "", text: "" };
  return `<section class="outcome ${tone}" id="outcome" tabindex="-1" aria-labelledby="title"${outcome === null ? " hidden" : ""}>
<h1 id="title">${escapeHtml(title)}</h1><p id="text">${escapeHtml(text)}</p>${after}</section>`;
}
