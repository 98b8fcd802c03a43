import { descriptionOf } from "../features/transactions/rules.js";
import type { TransactionRow } from "../features/transactions/store.js";
import type { Reader } from "../features/tx.js";
import { escapeHtml } from "../kernel/html.js";
import { formatMoney } from "../kernel/money.js";
import STYLE from "./browser/payer.css?raw";

/** The parts that all pages for payers share: frame, style, and what is being paid. */

/** What a page says of a transaction besides its status. */
export interface Subject {
  readonly nonce: string;
  readonly merchant: string;
  /** `R$ 1.234,56` */
  readonly amount: string;
  readonly customer: string | null;
  readonly description: string | null;
}

export function subjectOf(reader: Reader, row: TransactionRow): Subject {
  return {
    nonce: row.checkout_token,
    merchant: reader.accounts.byBook(row.book_id)?.name ?? "",
    amount: formatMoney(row.amount, row.currency),
    customer: row.customer_name,
    description: descriptionOf(row),
  };
}

const LONG_AMOUNT = 13;

/** Returns merchant, amount, customer and description: the beginning of every page. */
export function headHtml({ merchant, amount, customer, description }: Subject): string {
  const about = [customer, description].filter((text) => text !== null && text !== "");
  return `<p class="merchant">${escapeHtml(merchant)}</p>
<p class="amount${amount.length > LONG_AMOUNT ? " long" : ""}">${escapeHtml(amount)}</p>
${about.map((text) => `<p class="about">${escapeHtml(text ?? "")}</p>`).join("\n")}`;
}

interface Script {
  readonly text: string;
  /**
   * The values that the script reads from the `dataset` of its element, by the part of the attribute's name after
   * `data-`.
   */
  readonly data: Readonly<Record<string, string>>;
}

interface Shell {
  readonly nonce: string;
  readonly title: string;
  /** HTML. */
  readonly main: string;
  readonly script?: Script;
  /** Seconds after which the browser loads the page again. */
  readonly refresh?: number;
}

function scriptHtml({ text, data }: Script, nonce: string): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  return `<script nonce="${nonce}"${attributes.join("")}>${text}</script>`;
}

export function shellHtml({ nonce, title, main, script, refresh }: Shell): string {
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">${refresh === undefined ? "" : `<meta http-equiv="refresh" content="${refresh}">`}
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style></head><body><main>
${main}
</main>${script === undefined ? "" : scriptHtml(script, nonce)}</body></html>`;
}
