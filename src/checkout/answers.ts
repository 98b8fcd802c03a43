import type { PageAnswer } from "../http/page.js";

/**
 * Headers of every answer that shows a transaction: no cache stores it, no page frames it, no browser guesses its type.
 */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

interface HtmlRights {
  /** The value that allows the page's own style and, when it has one, its script. */
  readonly nonce: string;
  readonly script: boolean;
  /** Where forms may be sent, as sources of a content security policy. */
  readonly formAction: string;
}

/** Returns the answer for a page that loads no other file and nothing from another host. */
export function htmlAnswer(body: string, { nonce, script, formAction }: HtmlRights): PageAnswer {
  const scripts = script ? `script-src 'nonce-${nonce}'; connect-src 'self'; ` : "";
  return {
    headers: {
      ...PRIVATE_HEADERS,
      // With no-referrer, a form would be sent with `Origin: null` and be refused like a request from another origin.
      "referrer-policy": formAction === "'none'" ? "no-referrer" : "same-origin",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; ${scripts}base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    },
    body,
  };
}
