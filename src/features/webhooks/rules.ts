import { fieldError } from "../../kernel/errors.js";
import { checkUrlText } from "../../kernel/url.js";

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname.toLowerCase());
}

/**
 * A webhook target is `https://`, or `http://` to this machine unless `--strict-https`. Credentials inside the URL are
 * refused: they would be shown by every list.
 */
export function checkWebhookUrl(param: string, text: string, strictHttps: boolean): string {
  checkUrlText(param, text);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw fieldError(param, "must be a complete URL such as https://example.com/webhooks");
  }
  if (url.username !== "" || url.password !== "") throw fieldError(param, "must not carry a user name or password");
  if (/^https:\/\//i.test(text)) return text;
  if (!/^http:\/\//i.test(text)) throw fieldError(param, "must start with https://");
  if (strictHttps || !isLoopbackHost(url.hostname)) {
    throw fieldError(
      param,
      strictHttps ? "must start with https://" : "must be https:// (http:// only on this machine)",
    );
  }
  return text;
}
