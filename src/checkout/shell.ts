import { descriptionOf } from "../features/transactions/rules.js";
import type { TransactionRow } from "../features/transactions/store.js";
import type { Reader } from "../features/tx.js";
import { escapeHtml } from "../kernel/html.js";
import { formatMoney } from "../kernel/money.js";

/** What all pages of a payer have in common: frame, style, and what is being paid. */

const STYLE = `
:root{color-scheme:light dark;--ink:#14213d;--soft:#5b6577;--line:#e3e7ee;--card:#fff;--page:#f4f6fa;--act:#0b7a75;--on:#fff;
--bad:#b3261e;--good:#0b7a4b;--note:#fff4d6;--noteink:#6b4a00}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#a5b0c2;--line:#2c3545;--card:#1a2230;--page:#10151f;--act:#2bb3a3;--on:#06201d;
--bad:#ff8a80;--good:#4fd397;--note:#3a2f12;--noteink:#ffdf94}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;
min-height:100vh;display:grid;place-items:center;padding:24px}main{background:var(--card);border:1px solid var(--line);border-radius:16px;
width:100%;max-width:420px;padding:28px;text-align:center;overflow-wrap:anywhere}p,dl,dd{margin:0}.merchant,.about{color:var(--soft);font-size:14px}
.amount{font-size:34px;font-weight:700;margin:4px 0 8px;letter-spacing:-.5px;line-height:1.25}.amount.long{font-size:25px}
h1{font-size:22px;line-height:1.3;margin:16px 0 4px}h1,.hint,#text{text-wrap:balance}h2{font-size:17px;margin:0 0 4px}
.qr{background:#fff;border-radius:12px;padding:8px;margin:20px auto 12px;width:244px;max-width:100%;border:1px solid var(--line)}
.qr svg{display:block;width:100%;height:auto}.time{color:var(--soft);font-size:14px;margin-bottom:16px;font-variant-numeric:tabular-nums}.hint+.time{margin-top:8px}
button,.button{display:block;width:100%;padding:13px;border:1px solid var(--act);border-radius:10px;background:var(--act);color:var(--on);
font-weight:600;font-size:16px;line-height:1.5;font-family:inherit;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}.quiet{background:none;color:var(--act)}.danger{background:none;color:var(--bad);border-color:var(--bad)}
button:focus-visible,a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}a{color:var(--act)}
.code{margin-top:12px;font:12px/1.4 ui-monospace,monospace;color:var(--soft);text-align:left;border:1px solid var(--line);border-radius:8px;padding:10px}
.methods>section+section{border-top:1px solid var(--line);margin-top:28px;padding-top:24px}.methods.many>:first-child{border-top:1px solid var(--line);
margin-top:20px;padding-top:24px}.methods .button,.methods button{margin-top:12px}.methods .qr{margin-top:16px}.hint{color:var(--soft);font-size:14px}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;text-align:left;margin:12px 0;border:1px solid var(--line);border-radius:10px;padding:12px 14px;
font-size:15px}dt{color:var(--soft)}dd{text-align:right;font-weight:600;font-variant-numeric:tabular-nums}
.note{background:var(--note);color:var(--noteink);border-radius:10px;padding:10px 12px;font-size:14px;line-height:1.4;text-align:left}
.outcome{padding:20px 0 4px}.outcome::before{display:block;width:56px;height:56px;line-height:56px;margin:0 auto;border-radius:50%;font-size:26px;
font-weight:700;color:var(--card);background:var(--soft);content:"!"/""}.outcome.good::before{background:var(--good);content:"✓"/""}
.outcome.bad::before{background:var(--bad);content:"✕"/""}.outcome.wait::before{content:"…"/""}.outcome .button{margin-top:24px}
.plastic{text-align:left;color:#fff;background:linear-gradient(135deg,#0b7a75,#14213d);border-radius:14px;padding:18px 20px;margin:20px auto;max-width:300px;
font:15px/1.4 ui-monospace,monospace;letter-spacing:1px}.chip{width:38px;height:28px;border-radius:6px;background:#e5c46b;margin-bottom:22px}
.plastic small{display:flex;justify-content:space-between;gap:12px;font-size:11px;opacity:.85;margin-top:10px}
form{display:grid;gap:10px;margin-top:20px}.more{margin-top:18px;font-size:14px}.ref{color:var(--soft);font-size:12px;margin-top:18px}
.bank{display:flex;justify-content:space-between;gap:12px;border-bottom:1px solid var(--line);padding-bottom:12px;margin-bottom:4px;font-size:14px;font-weight:600;
text-align:left}.bank span:last-child{color:var(--soft);white-space:nowrap}[hidden]{display:none!important}`;

/** What a payer is told of a transaction besides its status. */
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

/** Merchant, amount, customer and description, as every page begins. */
export function headHtml({ merchant, amount, customer, description }: Subject): string {
  const about = [customer, description].filter((text) => text !== null && text !== "");
  return `<p class="merchant">${escapeHtml(merchant)}</p>
<p class="amount${amount.length > LONG_AMOUNT ? " long" : ""}">${escapeHtml(amount)}</p>
${about.map((text) => `<p class="about">${escapeHtml(text ?? "")}</p>`).join("\n")}`;
}

interface Shell {
  readonly nonce: string;
  readonly title: string;
  /** HTML. */
  readonly main: string;
  readonly script?: string;
  /** Seconds after which a browser asks again by itself. */
  readonly refresh?: number;
}

export function shellHtml({ nonce, title, main, script, refresh }: Shell): string {
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">${refresh === undefined ? "" : `<meta http-equiv="refresh" content="${refresh}">`}
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style></head><body><main>
${main}
</main>${script === undefined ? "" : `<script nonce="${nonce}">${script}</script>`}</body></html>`;
}
