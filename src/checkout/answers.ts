import type { PageAnswer } from "../http/page.js";

/** Headers of whatever shows a transaction: kept by no cache, framed by nobody, guessed at by no browser. */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

interface HtmlRights {
  /** Allows the page's own style and, when it has one, its script. */
  readonly nonce: string;
  readonly script: boolean;
  /** Where forms may go, as CSP sources. */
  readonly formAction: string;
}

/** A page that loads nothing: no other file, no other host. */
export function htmlAnswer(body: string, { nonce, script, formAction }: HtmlRights): PageAnswer {
  const scripts = script ? `script-src 'nonce-${nonce}'; connect-src 'self'; ` : "";
  return {
    headers: {
      ...PRIVATE_HEADERS,
      // A form under no-referrer would be sent with `Origin: null` and be refused as a stranger's.
      "referrer-policy": formAction === "'none'" ? "no-referrer" : "same-origin",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; ${scripts}base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    },
    body,
  };
}
