import type { HttpProxy } from "../../../api/client/proxy.js";
import { isLoopbackHost } from "../../../base/kernel/loopback.js";
import { t } from "../../../base/kernel/wording.js";
import { usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** The proxy of a command, by the variables that most programs know (docs/decisions/030-one-sender.md). */

type Env = Io["env"];

function variableIn(env: Env, name: string): { readonly variable: string; readonly value: string } | null {
  for (const variable of [name.toLowerCase(), name]) {
    const value = env[variable]?.trim() ?? "";
    if (value !== "") return { variable, value };
  }
  return null;
}

/** True if an entry of NO_PROXY is this host, or a domain that it is in. The entry may have a port. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === "*") return true;
  // An IPv6 address stands in brackets in an address, and often without them in NO_PROXY.
  const host = /^[^[]*:.*:/.test(entry) ? `[${entry}]` : entry;
  const [, name = "", asked] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  if (asked !== undefined && asked !== (port || (protocol === "https:" ? "443" : "80"))) return false;
  const domain = name.replace(/^\*?\./, "");
  return domain !== "" && (hostname === domain || hostname.endsWith(`.${domain}`));
}

/** The proxy for a request to this address; null when it goes there directly. Throws Failure (exit 2). */
export function proxyOf({ env }: Pick<Io, "env">, address: string): HttpProxy | null {
  const url = new URL(address);
  const set = variableIn(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (set === null || isLoopbackHost(url.hostname)) return null;
  const around =
    variableIn(env, "NO_PROXY")
      ?.value.toLowerCase()
      .split(/[\s,]+/) ?? [];
  if (around.some((entry) => covers(entry, url))) return null;
  const { variable, value } = set;
  const text = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) {
    return { url: proxy, variable, name: t`${proxy.origin} (from ${variable})` };
  }
  // The value may hold a password.
  throw usage(t`${variable} must be the address of an HTTP proxy, such as http://proxy.example:3128.`);
}
