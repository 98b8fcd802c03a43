import { fieldError, shortened } from "./errors.js";
import { isLoopbackHost } from "./loopback.js";
import { checkUrlText, withScheme } from "./url.js";

export const MAX_URL = 2_048;

/**
 * Checks a webhook URL: `https://`, or `http://` to this machine unless `--strict-https` is on. A URL with credentials
 * is refused, because every list would show them. Returns the URL in the form in which it is stored, shown and called
 * (docs/decisions/036-kept-urls.md): without characters that steer a terminal or begin a line of a log.
 */
export function checkWebhookUrl(param: string, text: string, strictHttps: boolean): string {
  checkUrlText(param, text);
  const whole = withScheme(text);
  if (whole !== null) {
    const allowed = strictHttps ? whole.replace(/^http:/, "https:") : whole;
    throw fieldError(param, `has no scheme (http:// or https://): write ${shortened(allowed)}`);
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw fieldError(param, "must be a complete URL such as https://example.com/webhooks");
  }
  if (url.href.length > MAX_URL) throw fieldError(param, `must have at most ${MAX_URL} characters`);
  if (url.username !== "" || url.password !== "") throw fieldError(param, "must not carry a user name or password");
  if (/^https:\/\//i.test(text)) return url.href;
  if (!/^http:\/\//i.test(text)) throw fieldError(param, "must start with https://");
  if (strictHttps || !isLoopbackHost(url.hostname)) {
    throw fieldError(
      param,
      strictHttps ? "must start with https://" : "must be https:// (http:// only on this machine)",
    );
  }
  return url.href;
}

/** Whether a text has the form of the service's own signing secrets. */
export function isSigningSecret(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
