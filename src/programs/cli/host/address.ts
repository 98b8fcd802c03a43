import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { joinWords, t, type Words } from "../../../base/kernel/wording.js";
import { formatValue, usage } from "../terminal/failure.js";

/** Addresses of services, and whether two of them are the same host. */

/**
 * Returns the address of a service without a slash at its end. Throws Failure (exit 2) when the text is not such an
 * address; `name` is the flag or variable that the message names.
 */
export function parseUrl(name: Words, text: string): string {
  const url = trimPasted(text);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:\/|$)/i.test(url) && URL.canParse(`http://${url}`);
    const wrong = t`${name} must start with http:// or https://, not ${formatValue(text)}.`;
    throw usage(isHost ? joinWords([wrong, t`Write ${`http://${url}`}.`], " ") : wrong);
  }
  const { username, password } = new URL(url);
  // Requests append their path to the address. After a `?` or a `#` the path would be part of the query or the
  // fragment.
  if (username + password === "" && !/[?#]/.test(url)) return url.replace(/\/+$/, "");
  throw usage(t`${name} must be only an address, without a user name, a query or a fragment.`);
}

/**
 * Returns protocol, host and port, to compare two hosts. `localhost` can be either of its addresses; the first is the usual
 * one. A text that is not an address is returned as it is.
 */
function hostsOf(text: string): [string, ...string[]] {
  if (!URL.canParse(text)) return [text];
  const { protocol, hostname, port } = new URL(text);
  const at = (name: string) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`;
  return hostname === "localhost" ? [at("127.0.0.1"), at("[::1]")] : [at(hostname)];
}

/** Returns protocol, host and port of an address. */
export function hostOf(text: string): string {
  return hostsOf(text)[0];
}

export function isSameHost(one: string, other: string): boolean {
  const others = hostsOf(other);
  return hostsOf(one).some((host) => others.includes(host));
}
