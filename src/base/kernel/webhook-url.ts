import { fieldError, shorten } from "./errors.js";
import { mayBePlain } from "./parse-host.js";
import { checkUrlText, withScheme } from "./url.js";

export const MAX_URL = 2_048;

/** The hosts to which webhooks may go by `http://`. */
export interface PlainRules {
  /** True if `http://` is refused on this machine, too. */
  readonly strictHttps: boolean;
  /** The hosts beside this machine, as returned by `parseHostPattern`. */
  readonly allowHttp: readonly string[];
}

/**
 * Checks a webhook URL: `https://`, or `http://` where the rules allow it; without rules, of any host. A URL with credentials
 * is refused, because every list would show them, and so are characters that steer a terminal or begin a line of a log. Returns
 * the URL unchanged: so it is stored, shown and called (docs/decisions/007-kinds-of-endpoints.md).
 */
export function checkWebhookUrl(param: string, text: string, rules: PlainRules | null): string {
  checkUrlText(param, text);
  if (text.length > MAX_URL) throw fieldError(param, `must have at most ${MAX_URL} characters`);
  const isAllowed = ({ hostname }: URL) =>
    rules === null || (!rules.strictHttps && mayBePlain(hostname, rules.allowHttp));
  const whole = withScheme(text);
  if (whole !== null) {
    const allowed = whole.replace(/^https?:/, isAllowed(new URL(whole)) ? "http:" : "https:");
    throw fieldError(param, `has no scheme (http:// or https://): write ${shorten(allowed)}`);
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw fieldError(param, "must be a complete URL such as https://example.com/webhooks");
  }
  if (url.username !== "" || url.password !== "") throw fieldError(param, "must not carry a user name or password");
  if (/^https:\/\//i.test(text)) return text;
  if (!/^http:\/\//i.test(text) || rules?.strictHttps) throw fieldError(param, "must start with https://");
  if (isAllowed(url)) return text;
  const host = shorten(url.hostname);
  const way = `to allow ${host}, start the server with --allow-http ${host}`;
  throw fieldError(param, `must be https:// (http:// only on this machine; ${way})`);
}

/** True if a text has the form of the service's own signing secrets. */
export function isSigningSecret(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
