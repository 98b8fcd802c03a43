import { isLoopbackHost } from "./loopback.js";

/** The hosts of `--allow-http` and `--allow-host` (docs/decisions/008-host-and-origin.md). */

/** One form for all spellings of a host: that of a URL, without the dot that may end a name. Null for any other text. */
export function hostOf(text: string): string | null {
  const asUrl = text.includes(":") && !text.startsWith("[") ? `[${text}]` : text;
  if (!/^(?:\[[\da-f:.]+\]|[^\s:/?#@%\\[\]]+)$/i.test(asUrl) || !URL.canParse(`http://${asUrl}`)) return null;
  return withoutDot(new URL(`http://${asUrl}`).hostname);
}

function withoutDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

const IPV4 = /^\d+(?:\.\d+){3}$/;

/**
 * A name or address in one form; null for anything else. An address must be written as itself: `0xa9fea9fe`, which means an
 * address too, is refused.
 */
export function parseHost(text: string): string | null {
  const host = hostOf(text);
  if (host === null || host.includes("*")) return null;
  return IPV4.test(host) && host !== text ? null : host;
}

/** The same for `*.suffix`, which stands for all names below the suffix. No address ends in a suffix that is a name. */
export function parseHostPattern(text: string): string | null {
  if (!text.startsWith("*.")) return parseHost(text);
  const suffix = parseHost(text.slice(2));
  return suffix === null || IPV4.test(suffix) || suffix.startsWith("[") ? null : `*.${suffix}`;
}

/** True if webhooks may go to this host of a URL by `http://`: to this machine, and to the hosts of `--allow-http`. */
export function mayBePlain(hostname: string, allowHttp: readonly string[]): boolean {
  const host = withoutDot(hostname);
  return (
    isLoopbackHost(hostname) ||
    allowHttp.some((given) =>
      given.startsWith("*.") ? host.length >= given.length && host.endsWith(given.slice(1)) : host === given,
    )
  );
}
