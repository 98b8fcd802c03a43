import type { Exchange } from "../../api/http/exchange.js";

/** The headers of the console's page and of its files. */

/** Browsers log a warning for each name that they do not know, such as `bluetooth` on most systems. */
const POWERS = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb", "serial", "hid"];

/**
 * The policy of the page. It loads its own files and nothing else, and no text can become markup or code. It lists
 * paths because files that users uploaded come from this origin as well.
 */
function policyFor(origin: string): string {
  return [
    "default-src 'none'",
    `script-src ${origin}/console/assets/`,
    `style-src ${origin}/console/assets/`,
    `img-src ${origin}/console/assets/ ${origin}/qr/ ${origin}/console/api/files/`,
    // Below /qr/ are the signed payloads of charges and the keys that verify them. They are public.
    `connect-src ${origin}/console/api/ ${origin}/qr/`,
    `frame-src ${origin}/console/api/mail/ ${origin}/console/api/files/`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** The Host of the request, and so its origin, was checked before. */
export function pageHeaders({ origin }: Exchange): Record<string, string> {
  return {
    "content-security-policy": policyFor(origin),
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": POWERS.map((power) => `${power}=()`).join(", "),
    "referrer-policy": "no-referrer",
  };
}
