import type { HttpAnswer, HttpRequest } from "../../client/send.js";
import { isJsonObject } from "../../kernel/json.js";
import { isLoopbackHost } from "../../kernel/loopback.js";
import { formatMoney } from "../../kernel/money.js";
import { EXIT } from "../terminal/exit-codes.js";
import { Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { joined, jsonText, say, type TerminalText, visibleLines } from "../terminal/terminal-text.js";
import type { GlobalFlags } from "../tree/flags.js";
import type { Target } from "./target.js";

/** What stands between a command line and somebody's real money. */

const KEY_SHOWN = 12;
/** What tells who is asking. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "apikey",
  "authorization",
  "cookie",
  "proxy-authorization",
]);

/** Whether an address is this machine's own. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

export function isLiveKey(apiKey: string | null | undefined): boolean {
  // White space around it is no part of it, and does not arrive either.
  return apiKey?.trim().startsWith("qa_live_") ?? false;
}

/** The beginning of a key, by which its owner knows it: at most 12 characters, and never half of it. */
export function keyPrefix(apiKey: string): string {
  return `${apiKey.slice(0, Math.min(KEY_SHOWN, Math.floor(apiKey.length / 2)))}…`;
}

/** Says on standard error whose data a command works with, when that is no test on this machine. */
export function announceMode(io: Io, { baseUrl, apiKey }: Target, flags: GlobalFlags): void {
  const live = isLiveKey(apiKey);
  if (flags.json || flags.quiet || (!live && isLoopback(baseUrl))) return;
  const other = apiKey?.startsWith("qa_test_") ? "TEST" : "REMOTE";
  io.err(say`${live ? "LIVE" : other} · ${new URL(baseUrl).origin}\n`);
}

/** How much money a request moves, for the question; empty when it names none. */
async function amountOf(request: HttpRequest): Promise<string> {
  const body = parsedBody(request.body ?? "");
  if (!isJsonObject(body)) return "";
  if (/\/v1\/payments\/[^/?#]+\/refund$/.test(request.url)) {
    const { refundedAmount } = await import("./refunded-amount.js");
    return `, ${await refundedAmount(request, body.amount)}`;
  }
  const { amount, currency } = body;
  if (typeof amount !== "number") return "";
  return `, ${formatMoney(amount, typeof currency === "string" ? currency : "BRL")}`;
}

/** What is special about a request that is to be sent. */
interface Circumstances {
  /** How many requests come along with this one. */
  readonly others?: number;
  /** What is lost by it, in a sentence. */
  readonly confirms?: string | undefined;
}

/**
 * A change with a live key, or to a host that is not this machine, must be meant: a person at a terminal is asked,
 * anybody else needs `--yes`. Where something is lost by it a person is asked anywhere, and a program goes on. Throws
 * Failure (exit 2) before anything is sent.
 */
async function requireConsent(
  io: Io,
  request: HttpRequest,
  flags: GlobalFlags,
  { others = 0, confirms }: Circumstances,
): Promise<void> {
  if (request.method === "GET" || flags.yes) return;
  const { host, pathname } = new URL(request.url);
  const live = isLiveKey(request.headers.apikey);
  const isTest = !live && isLoopback(request.url);
  if (isTest && (confirms === undefined || !io.isTerminal || flags.json || flags.quiet)) return;
  if (!io.isTerminal) {
    const why = live ? "with a live key" : "on a host that is not this machine";
    const message = `This would change something ${why} (${host}).`;
    const hint = "Add --yes to say that you mean it, or --dry-run to see the request.";
    throw new Failure(EXIT.usage, "confirmation_required", message, undefined, hint);
  }
  const more = others === 0 ? "" : ` and ${others} more`;
  const mode = live ? "LIVE mode" : "not this machine";
  const place = isTest ? host : `${host} (${mode}${await amountOf(request)})`;
  const loss = confirms === undefined ? "" : ` ${confirms}`;
  const question = `${request.method} ${pathname}${more} on ${place}.${loss} Go ahead?`;
  if (await io.prompt.confirm(question)) return;
  throw new Failure(EXIT.usage, "cancelled", "Nothing was sent.");
}

function shownHeaders({ headers }: HttpRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? keyPrefix(value) : value]),
  );
}

/** What a body says; the text itself when it is no JSON. */
export function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Shows a request as it would be sent, without its secrets; with `--json` as one JSON object a line. */
function showRequest(io: Io, request: HttpRequest, json: boolean): void {
  const { method, url, body } = request;
  const headers = shownHeaders(request);
  if (json) {
    io.out(jsonText({ method, url, headers, body: body === undefined ? null : parsedBody(body) }));
    return;
  }
  io.out(say`${method} ${url}\n`);
  for (const [name, value] of Object.entries(headers)) io.out(say`${name}: ${value}\n`);
  if (body !== undefined) io.out(say`\n${visibleLines(body)}\n`);
}

/** With `--verbose`, what is about to be sent, without its secrets. */
export function tellRequest(io: Io, request: HttpRequest, flags: GlobalFlags): void {
  if (!flags.verbose) return;
  const { method, url, body } = request;
  io.err(say`> ${method} ${url}\n${headerLines(">", Object.entries(shownHeaders(request)))}`);
  if (body !== undefined) io.err(say`> ${body}\n`);
}

/** With `--verbose`, how it was answered: status and headers, the request id among them. */
export function tellAnswer(io: Io, { status, headers }: HttpAnswer, flags: GlobalFlags): void {
  if (flags.verbose) io.err(say`< ${status}\n${headerLines("<", [...headers])}`);
}

function headerLines(mark: string, headers: readonly (readonly [string, string])[]): TerminalText {
  return joined(
    headers.map(([name, value]) => say`${mark} ${name}: ${value}\n`),
    "",
  );
}

/**
 * Every command asks here before it sends. False with `--dry-run`: the request has been shown instead. Throws Failure
 * when the change is not meant.
 */
export async function mayBeSent(
  io: Io,
  request: HttpRequest,
  flags: GlobalFlags,
  circumstances: Circumstances = {},
): Promise<boolean> {
  if (flags.dryRun) {
    showRequest(io, request, flags.json === true);
    return false;
  }
  await requireConsent(io, request, flags, circumstances);
  tellRequest(io, request, flags);
  return true;
}
