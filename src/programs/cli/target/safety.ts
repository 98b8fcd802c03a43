import type { GlobalFlags } from "../../../api/client/flags.js";
import type { HttpAnswer, HttpRequest } from "../../../api/client/send.js";
import { counted } from "../../../base/kernel/counted.js";
import { jsonIn } from "../../../base/kernel/json.js";
import { isLoopbackHost } from "../../../base/kernel/loopback.js";
import type { Mode } from "../../../service/features/access/catalogue.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { dataLines, joined, jsonText, say, type TerminalText } from "../terminal/terminal-text.js";
import { type RequestPolicy, requireWritable, type Target } from "./request-policy.js";

/** Checks before a request is sent: no command may change real data by mistake, and no secret is printed. */

const KEY_SHOWN = 12;
/** The names of the headers that carry credentials. Their values are never printed in full. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "apikey",
  "authorization",
  "cookie",
  "proxy-authorization",
]);

/** Tells whether an address belongs to this machine. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

export function isLiveKey(apiKey: string | null | undefined): boolean {
  // HTTP removes white space around a header's value, so the service would see a live key.
  return apiKey?.trim().startsWith("qa_live_") ?? false;
}

/** The mode of a key, or of its beginning; null without one, and for a text that is none. */
export function keyMode(apiKey: string | null | undefined): Mode | null {
  if (isLiveKey(apiKey)) return "live";
  return apiKey?.startsWith("qa_test_") ? "test" : null;
}

/** The beginning of a key, enough for its owner to recognise it: at most 12 characters, and at most half of the key. */
export function keyPrefix(apiKey: string): string {
  return `${apiKey.slice(0, Math.min(KEY_SHOWN, Math.floor(apiKey.length / 2)))}…`;
}

/** Prints LIVE, TEST or REMOTE and the host on standard error. Prints nothing for a test on this machine. */
export function announceMode(io: Io, { baseUrl, apiKey }: Target, flags: GlobalFlags): void {
  if (flags.json || flags.quiet || (!isLiveKey(apiKey) && isLoopback(baseUrl))) return;
  io.err(say`${keyMode(apiKey)?.toUpperCase() ?? "REMOTE"} · ${new URL(baseUrl).origin}\n`);
}

/**
 * Throws Failure (exit 2) when a live key would go to another machine without encryption, unless the user says with
 * `--yes` that it is meant.
 */
export function requireEncryption(url: string, apiKey: string | null | undefined, { yes, dryRun }: GlobalFlags): void {
  if (yes || dryRun || !isReadable(url, apiKey)) return;
  const message = `A live key is not sent to ${new URL(url).origin}: http:// is not encrypted, and anybody on the way could read the key.`;
  const hint = "Use an https:// address, or add --yes to say that you mean it.";
  throw new Failure(EXIT.usage, "live_key_not_encrypted", message, hint);
}

/** Tells whether anybody on the way to a host could read this live key. */
export function isReadable(url: string, apiKey: string | null | undefined): boolean {
  return isLiveKey(apiKey) && url.startsWith("http:") && !isLoopback(url);
}

interface ConsentFlags extends GlobalFlags {
  /** The number of further requests that the same question covers. */
  readonly others?: number;
  /** A sentence that tells what the request deletes or ends for ever. */
  readonly confirms?: string | undefined;
  /** Whether the person gave the idempotency key, so that the request may be the repetition of one that was carried out. */
  readonly mayRepeat?: boolean;
  /** The whole question, for a request that is none of the service. */
  readonly asks?: string;
}

/**
 * Requires a confirmation for a change with a live key, or on a host that is not this machine. A user at a terminal is
 * asked; a program must give `--yes`. A request with `confirms` on this machine is also asked about at a terminal, but
 * a program needs no `--yes` for it. Throws Failure (exit 2) without the confirmation; nothing is sent then.
 */
async function requireConsent(io: Io, target: RequestPolicy, request: HttpRequest, flags: ConsentFlags): Promise<void> {
  const { others = 0, confirms, asks } = flags;
  if (request.method === "GET" || flags.yes) return;
  const { host, pathname } = new URL(request.url);
  const live = isLiveKey(request.headers.apikey);
  const isTest = !live && isLoopback(request.url);
  if (isTest && (confirms === undefined || !io.isTerminal || flags.json || flags.quiet)) return;
  if (!io.isTerminal) {
    const why = live ? "with a live key" : "on a host that is not this machine";
    const message = `This would change something ${why} (${host}).`;
    const hint = "Add --yes to say that you mean it, or --dry-run to see the request.";
    throw new Failure(EXIT.usage, "confirmation_required", message, hint);
  }
  const place = isTest ? host : `${host} (${live ? "LIVE mode" : "not this machine"})`;
  const what = `${request.method} ${pathname} on ${place}`;
  // With --json a program reads standard error, so the line above the question is a part of it.
  if (!flags.json) io.err(say`${what}\n`);
  const more = others === 0 ? "?" : `, and send ${counted(others, "more request")}?`;
  // Loaded only here, because most commands ask nothing.
  const options = { now: io.now(), mayRepeat: flags.mayRepeat === true };
  const asked = async () => (await import("./question.js")).questionBefore(request, target, options);
  const question = asks ?? (await asked()).replace(/\?$/, more);
  const parts = [flags.json ? `${what}.` : "", confirms ?? "", question].filter((part) => part !== "");
  if (await io.prompt.confirm(parts.join(" "))) return;
  throw new Failure(EXIT.usage, "cancelled", "Nothing was sent.");
}

function shownHeaders({ headers }: HttpRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? keyPrefix(value) : value]),
  );
}

/** Prints a request without its secrets. With `--json` it is one line with a JSON object. */
function showRequest(io: Io, request: HttpRequest, json: boolean): void {
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

/** Prints the request on standard error with `--verbose`, without its secrets. */
export function tellRequest(io: Io, request: HttpRequest, flags: GlobalFlags): void {
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
  return joined(
    headers.map(([name, value]) => say`${mark}${name}: ${value}\n`),
    "",
  );
}

/**
 * Every command must call this before it sends a request. Returns false with `--dry-run`, after it printed the request.
 * Throws Failure (exit 2) when the profile is read-only, or when the user does not confirm a change that needs a
 * confirmation.
 */
export async function mayBeSent(
  io: Io,
  target: RequestPolicy,
  request: HttpRequest,
  flags: ConsentFlags,
): Promise<boolean> {
  if (flags.dryRun) {
    showRequest(io, request, flags.json === true);
    return false;
  }
  requireWritable(target, request);
  await requireConsent(io, target, request, flags);
  tellRequest(io, request, flags);
  return true;
}
