import { ID_PREFIX } from "../kernel/ids.js";
import { isJsonObject } from "../kernel/json.js";
import { iso } from "../kernel/time.js";
import type { KeptBody, KeptRequest } from "./kept-request.js";

/** A request of the log as people and programs see it, without secrets. */

/** Matches API keys and tokens. They are masked everywhere, because a client may put one anywhere, such as into metadata. */
const CREDENTIALS = /\bqa_(?:test|live)_[\w-]{8,}|\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;

function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, "[not logged]");
}

function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      secrets.includes(key) ? "[not logged]" : withoutSecrets(member, secrets),
    ]),
  );
}

export function notKept(characters: number): string {
  return `[${characters} characters, not kept]`;
}

function shownBody(body: KeptBody, secrets: readonly string[]): unknown {
  if (typeof body === "number") return notKept(body);
  if (body === "") return null;
  try {
    const value: unknown = JSON.parse(withoutCredentials(body));
    // Secrets are found by the names of fields, and only an object has them.
    return secrets.length > 0 && !isJsonObject(value) ? "[not logged]" : withoutSecrets(value, secrets);
  } catch {
    return secrets.length === 0 ? withoutCredentials(body) : "[not logged]";
  }
}

function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withoutCredentials(value)]));
}

/** A text of a client, or null. */
function shownText(text: string | null): string | null {
  return text === null ? null : withoutCredentials(text);
}

/** An entry as the control interface and the live stream show it. */
export function toLoggedRequest(entry: KeptRequest) {
  const { secrets, error } = entry;
  return {
    number: entry.number,
    id: withoutCredentials(entry.id),
    at: iso(entry.at),
    method: entry.method,
    path: withoutCredentials(entry.path),
    status: entry.status,
    duration_ms: Math.round(entry.durationMs * 10) / 10,
    caller: shownText(entry.caller),
    key_fingerprint: entry.fingerprint,
    subject: entry.subject,
    idempotency_key: shownText(entry.idempotencyKey),
    idempotency: entry.idempotency,
    differs: entry.differs?.map(withoutCredentials) ?? null,
    error: error === null ? null : { ...error, param: shownText(error.param) },
    request_headers: shownHeaders(entry.requestHeaders),
    request_body: shownBody(entry.requestBody, secrets),
    response_headers: shownHeaders(entry.responseHeaders),
    response_body: shownBody(entry.responseBody, secrets),
    fault: entry.fault === null ? null : ID_PREFIX.fault + entry.fault,
  };
}

export type LoggedRequest = ReturnType<typeof toLoggedRequest>;

/** The refusals of one kind: those of one route with one error code. */
export interface RequestErrors {
  readonly method: string;
  /** The path as the contract has it, such as `/v1/charges/{id}`; of an unknown path the path itself. */
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly count: number;
  /** When the latest of them arrived, and its number. */
  readonly last_at: string;
  readonly last_number: number;
}

/** Groups the refusals among the given entries, which come newest first. The largest group comes first. */
export function groupErrors(entries: Iterable<KeptRequest>): RequestErrors[] {
  const groups = new Map<string, RequestErrors>();
  for (const { method, route, status, error, at, number } of entries) {
    if (error === null) continue;
    const key = JSON.stringify([method, route, status, error.code]);
    const last = { method, route: withoutCredentials(route), status, code: error.code, last_at: iso(at) };
    const known = groups.get(key) ?? { ...last, last_number: number, count: 0 };
    groups.set(key, { ...known, count: known.count + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
