import * as z from "zod";
import type { IdempotencyRule } from "../../../base/kernel/contract.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { withoutCredentials, withoutSecrets } from "../../../base/kernel/secrets.js";
import { iso } from "../../../base/kernel/time.js";
import type { RequestTrace } from "../../../base/kernel/trace-context.js";

/** A request of the log: as it is kept in memory, and as people and programs see it, without secrets. */

export const KEY_OUTCOMES = ["new", "replayed", "conflict"] as const;
export type KeyOutcome = (typeof KEY_OUTCOMES)[number];

/** Who sent a request: the command line and the console of this package are known, and everything else is an app. */
export const CALLER_KINDS = ["app", "cli", "console"] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

export interface LoggedError {
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
}

/** The idempotency key of a request that the service accepted as a request, and the further values to compare. */
export interface RequestClaim {
  readonly kind: IdempotencyRule["kind"];
  readonly key: string;
  /** Members of the body that the path implies. */
  readonly implied: IdempotencyRule["implied"] | undefined;
  /** The ids in the path, without `tx_`. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface RequestEntry {
  /** The number of the request, assigned at its arrival by `RequestLog.nextNumber`. */
  readonly number: number;
  readonly id: string;
  readonly bookId: number | null;
  readonly fingerprint: string | null;
  readonly method: string;
  readonly path: string;
  /** The path of the contract, such as `/v1/charges/{id}`; for an unknown path the path itself. */
  readonly route: string;
  /** 0 when the connection was cut without an answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Emulated milliseconds. */
  readonly at: number;
  /** Real milliseconds of the monotonic clock at its end. */
  readonly endedAt: number;
  /** The newest row of the history when it ended: its place in a timeline. */
  readonly historySeq: number;
  readonly idempotencyKey: string | null;
  readonly claim: RequestClaim | null;
  /** The effect of the key. Null without a key, and for a refusal that left the key unused. */
  readonly idempotency: KeyOutcome | null;
  /** The public id of the request's object. */
  readonly subject: string | null;
  /** The program or the person behind the request, in a few words. */
  readonly caller: string | null;
  readonly callerKind: CallerKind;
  /**
   * For a conflict: the dotted paths of the fields in which the request differs from the first one with its key. The
   * log adds it. Null when the first one, or the body of one of them, is not in the log.
   */
  readonly differs: readonly string[] | null;
  readonly error: LoggedError | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly secrets: readonly string[];
  /** The id of the fault rule that took effect, without prefix. */
  readonly fault: string | null;
  /** Its place in a trace; only with `serve --otlp`. */
  readonly trace: RequestTrace | null;
}

/** The text of a body, or the number of its characters when it is too long to be kept. */
export type KeptBody = string | number;

export interface KeptRequest extends Omit<RequestEntry, "requestBody" | "responseBody"> {
  readonly requestBody: KeptBody;
  readonly responseBody: KeptBody;
}

export interface LogFilter {
  readonly bookId: number;
  /** Only those that ended in the last so many seconds of real time. */
  readonly withinSeconds?: number | undefined;
  readonly matches: (entry: KeptRequest) => boolean;
}

export interface LogQuery extends LogFilter {
  readonly limit: number;
  /** The cursor of the previous page. */
  readonly after: string | undefined;
}

const NOT_LOGGED = "[not logged]";

function redact(text: string): string {
  return withoutSecrets(text, NOT_LOGGED);
}

function withoutFields(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      secrets.includes(key) ? NOT_LOGGED : withoutFields(member, secrets),
    ]),
  );
}

export function notKept(characters: number): string {
  return `[${characters} characters, not kept]`;
}

function showBody(body: KeptBody, secrets: readonly string[]): unknown {
  if (typeof body === "number") return notKept(body);
  if (body === "") return null;
  try {
    const value: unknown = JSON.parse(body);
    // Secrets are found by the names of fields, and only an object has them.
    if (!isJsonObject(value)) return secrets.length > 0 ? NOT_LOGGED : withoutSecrets(value, NOT_LOGGED);
    // Readers of the log may read the charge too, so the link to its checkout page stays whole.
    const { checkout_url: link } = value;
    const hidden = withoutFields(withoutSecrets(value, NOT_LOGGED), secrets);
    if (typeof link !== "string") return hidden;
    return Object.assign({}, hidden, { checkout_url: withoutCredentials(link, NOT_LOGGED) });
  } catch {
    return secrets.length === 0 ? redact(body) : NOT_LOGGED;
  }
}

function showHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
}

function showText(text: string | null): string | null {
  return text === null ? null : redact(text);
}

/** Returns a request of the log as answers show it, without keys, tokens and secrets. */
export function toLoggedRequest(entry: KeptRequest) {
  const { secrets, error } = entry;
  return {
    number: entry.number,
    id: redact(entry.id),
    at: iso(entry.at),
    method: entry.method,
    path: redact(entry.path),
    status: entry.status,
    duration_ms: Math.round(entry.durationMs * 10) / 10,
    caller: showText(entry.caller),
    caller_kind: entry.callerKind,
    key_fingerprint: entry.fingerprint,
    subject: entry.subject,
    idempotency_key: showText(entry.idempotencyKey),
    idempotency: entry.idempotency,
    differs: entry.differs?.map(redact) ?? null,
    error: error === null ? null : { ...error, param: showText(error.param) },
    request_headers: showHeaders(entry.requestHeaders),
    request_body: showBody(entry.requestBody, secrets),
    response_headers: showHeaders(entry.responseHeaders),
    response_body: showBody(entry.responseBody, secrets),
    fault: entry.fault === null ? null : ID_PREFIX.fault + entry.fault,
  };
}

export type LoggedRequest = ReturnType<typeof toLoggedRequest>;

/** The refusals of one kind: those of one route with one error code. */
export const RequestErrors = z
  .object({
    method: z.string(),
    route: z.string().describe("Such as /v1/charges/{id}; of an unknown path the path itself"),
    status: z.int(),
    code: z.string(),
    count: z.int(),
    injected: z.int().describe("How many of them a fault rule made"),
    /** The time and the number of the latest of them. */
    last_at: IsoInstant,
    last_number: z.int(),
  })
  .meta({ id: "RequestErrors" });
export type RequestErrors = z.input<typeof RequestErrors>;

/** Groups the refusals among the given entries, which come newest first. The largest group comes first. */
export function groupErrors(entries: Iterable<KeptRequest>): RequestErrors[] {
  const groups = new Map<string, RequestErrors>();
  for (const { method, route, status, error, at, number, fault } of entries) {
    if (error === null) continue;
    const key = JSON.stringify([method, route, status, error.code]);
    const last = { method, route: redact(route), status, code: error.code, last_at: iso(at) };
    const known = groups.get(key) ?? { ...last, last_number: number, count: 0, injected: 0 };
    const injected = known.injected + (fault === null ? 0 : 1);
    groups.set(key, { ...known, count: known.count + 1, injected });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** The filter of the request log and its live stream. The query has been checked against the contract. */

interface RequestQuery {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly request?: string | undefined;
  /** The id of the request's object, without prefix. */
  readonly subject?: string | undefined;
  readonly caller?: string | undefined;
  readonly caller_kind?: CallerKind | undefined;
  readonly q?: string | undefined;
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function textOf(entry: KeptRequest): string {
  const { error, ...others } = toLoggedRequest(entry);
  const values = [...Object.values(others), ...Object.values(error ?? {})].filter((value) => value !== null);
  return values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))).join("\n");
}

export function requestFilter(query: RequestQuery) {
  const { method, path, status, request, subject, caller, caller_kind: kind, q } = query;
  return (entry: KeptRequest): boolean =>
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.path.startsWith(path)) &&
    (status === undefined || entry.status === status) &&
    (request === undefined || entry.id === request) &&
    (subject === undefined || entry.subject?.endsWith(subject) === true) &&
    (caller === undefined || holds(entry.caller ?? "", caller)) &&
    (kind === undefined || entry.callerKind === kind) &&
    // Searches only the shown text. Otherwise a hidden secret could be found letter by letter.
    (q === undefined || holds(textOf(entry), q));
}
