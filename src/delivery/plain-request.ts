import type { Outgoing } from "../client/exchange.js";

/** Where a request goes over a plain connection. */
export interface PlainPlace {
  readonly hostname: string;
  readonly port: number;
  /** The path and the query. */
  readonly path: string;
}

/** Headers without which node:http would add its own. */
const NEEDED = ["host", "connection", "content-length"];
/** All headers of a delivery. Others may change how the request is sent. */
const USUAL = new Set([...NEEDED, "content-type", "user-agent"]);

/**
 * The bytes of a request as node:http would send them. Null for a request whose form is not that of a delivery: such a
 * request is left to node:http, which also refuses what must not stand in a header.
 */
export function plainText({ path }: PlainPlace, { method, headers, body }: Outgoing): string | null {
  if (typeof body !== "string" || headers.connection !== "keep-alive" || !/^[!-~]+$/.test(path)) return null;
  let head = `${method} ${path} HTTP/1.1\r\n`;
  let needed = 0;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (NEEDED.includes(name)) needed += 1;
    else if (!USUAL.has(name) && !/^x-[a-z-]+$/.test(name)) return null;
    if (!/^[ -~]*$/.test(value)) return null;
    head += `${name}: ${value}\r\n`;
  }
  return needed === NEEDED.length ? `${head}\r\n${body}` : null;
}
