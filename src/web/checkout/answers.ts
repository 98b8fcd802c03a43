import type { PageAnswer } from "../../api/http/page.js";
import { rawId } from "../../base/kernel/ids.js";
import { isSameText } from "../../base/kernel/same-text.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Stores } from "../../service/features/tx.js";
import type { Visit } from "./visit.js";

/**
 * Headers of every answer that shows a transaction: no cache stores it, no page frames it, no browser guesses its type.
 */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

interface HtmlRights {
  readonly visit: Visit;
  /** The path below which the script may send requests; null for a page without script. */
  readonly script: string | null;
  /** The allowed targets of forms, as sources of a content security policy. */
  readonly formAction: string;
}

/** Returns the answer for a page that loads its own files and nothing from another host. */
export function htmlAnswer(body: string, { visit, script, formAction }: HtmlRights): PageAnswer {
  const { assets, language } = visit;
  const requests = assets === "'self'" ? assets : assets.replace(/\/checkout\/assets\/$/, script ?? "");
  const scripts = script === null ? "" : `script-src ${assets}; connect-src ${requests}; `;
  return {
    headers: {
      ...PRIVATE_HEADERS,
      "content-language": language,
      vary: "accept-language",
      // With no-referrer, the browser sends a form with `Origin: null`, and the server refuses it as another origin's.
      "referrer-policy": formAction === "'none'" ? "no-referrer" : "same-origin",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        `default-src 'none'; style-src ${assets}; img-src ${assets}; ${scripts}base-uri 'none'; ` +
        `form-action ${formAction}; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
    body,
  };
}

const NO_REFERRER = { ...PRIVATE_HEADERS, "referrer-policy": "no-referrer" };

/** The answer for a PDF that a browser shows. */
export function pdfAnswer(name: string, body: Uint8Array): PageAnswer {
  const file = { "content-type": "application/pdf", "content-disposition": `inline; filename="${name}.pdf"` };
  return { headers: { ...NO_REFERRER, ...file }, body: new Uint8Array(body) };
}

/** The answer for data of a page. */
export function jsonPage(data: unknown): PageAnswer {
  return { headers: { ...NO_REFERRER, "content-type": "application/json" }, body: JSON.stringify(data) };
}

/** Returns the transaction of a page, by the bare uuid in its address. */
export function transactionAt(stores: Stores, id: string | undefined): TransactionRow | null {
  const raw = rawId(id ?? "", "");
  return raw === null ? null : stores.transactions.anywhere(raw);
}

/** Returns the transaction of a page that needs the checkout token; null without the right token. */
export function findOpened(stores: Stores, id: string | undefined, token: string | null): TransactionRow | null {
  const row = transactionAt(stores, id);
  return row !== null && token !== null && isSameText(token, row.checkout_token) ? row : null;
}
