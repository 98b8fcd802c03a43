import type { GlobalFlags } from "../../../api/client/flags.js";
import type { HttpAnswer, HttpRequest } from "../../../api/client/send.js";
import { jsonIn } from "../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import type { Io } from "../terminal/io.js";
import { dataLines, joinTexts, jsonText, localized, say, type TerminalText } from "../terminal/terminal-text.js";
import type { Connection } from "./connection.js";
import { isLiveKey, keyMode, keyPrefix, SECRET_HEADERS } from "./keys.js";

/** Shows where a command goes and what it sends, without secrets. */

export function printHost(io: Io, { url, from }: Connection["host"]): void {
  io.err(localized`Host: ${url} (from ${from})\n`);
}

/** Prints host, proxy and key on standard error with `--verbose`. */
export function printConnection(io: Io, { host, credential, policy }: Connection, flags: GlobalFlags): void {
  if (!flags.verbose) return;
  printHost(io, host);
  const proxy = policy.proxy?.() ?? null;
  if (proxy !== null) io.err(localized`Proxy: ${proxy.name}\n`);
  const { apiKey, from } = credential;
  if (apiKey !== null) io.err(localized`Key: ${keyPrefix(apiKey)} (from ${from ?? ""})\n`);
}

/** Prints LIVE, TEST or REMOTE and the host on standard error. Prints nothing for a test on this machine. */
export function printMode(io: Io, { host, credential: { apiKey } }: Connection, flags: GlobalFlags): void {
  if (flags.json || flags.quiet || (!isLiveKey(apiKey) && isLoopbackUrl(host.url))) return;
  io.err(say`${keyMode(apiKey)?.toUpperCase() ?? "REMOTE"} · ${new URL(host.url).origin}\n`);
}

function shownHeaders({ headers }: HttpRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? keyPrefix(value) : value]),
  );
}

/** Prints a request in place of sending it. With `--json` it is one line with a JSON object. */
export function printUnsentRequest(io: Io, request: HttpRequest, json: boolean): void {
  const { method, url, body } = request;
  const headers = shownHeaders(request);
  if (json) {
    const value = body === undefined ? null : jsonIn(body);
    io.out(jsonText({ method, url, headers, body: value === undefined ? body : value }));
    return;
  }
  io.out(say`${method} ${url}\n${headerLines("", Object.entries(headers))}`);
  if (body !== undefined) io.out(say`\n${dataLines(body)}\n`);
}

/** Prints the request on standard error with `--verbose`. */
export function printRequest(io: Io, request: HttpRequest, flags: GlobalFlags): void {
  if (!flags.verbose) return;
  const { method, url, body } = request;
  io.err(say`> ${method} ${url}\n${headerLines("> ", Object.entries(shownHeaders(request)))}`);
  if (body !== undefined) io.err(say`> ${dataLines(body)}\n`);
}

/** Prints the answer's status and headers on standard error with `--verbose`. The headers include the request id. */
export function printAnswerHead(io: Io, { status, headers }: HttpAnswer, flags: GlobalFlags): void {
  if (flags.verbose) io.err(say`< ${status}\n${headerLines("< ", [...headers])}`);
}

function headerLines(mark: string, headers: readonly (readonly [string, string])[]): TerminalText {
  return joinTexts(
    headers.map(([name, value]) => say`${mark}${name}: ${value}\n`),
    "",
  );
}
