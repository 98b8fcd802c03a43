import type { LogQuery } from "../features/operation.js";
import { fieldError } from "../kernel/errors.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { isJsonObject } from "../kernel/json.js";
import { iso } from "../kernel/time.js";

/**
 * What was asked and answered lately, kept in memory: a diagnostic aid that must not cost a request its speed. Fields
 * that an operation declares secret are taken out before anything is kept, and of a key only its fingerprint is there.
 */

const KEPT = 2_000;
const KEPT_BODY = 16_384;

export interface RequestEntry {
  readonly id: string;
  readonly bookId: number | null;
  readonly fingerprint: string | null;
  readonly method: string;
  readonly path: string;
  /** 0: the connection was cut and nothing was answered. */
  readonly status: number;
  readonly durationMs: number;
  /** Emulated milliseconds. */
  readonly at: number;
  readonly idempotencyKey: string | null;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly secrets: readonly string[];
  /** Id of the fault rule that the request fell to, without prefix. */
  readonly fault: string | null;
}

/** API keys and tokens, wherever somebody puts one: in a query, a label, the metadata of a charge. */
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

function shownBody(text: string, secrets: readonly string[]): unknown {
  if (text === "") return null;
  if (text.length > KEPT_BODY) return `[${text.length} characters, not kept]`;
  try {
    const value: unknown = JSON.parse(withoutCredentials(text));
    // What is no object has no field by whose name a secret in it could be told.
    return secrets.length > 0 && !isJsonObject(value) ? "[not logged]" : withoutSecrets(value, secrets);
  } catch {
    return secrets.length === 0 ? withoutCredentials(text) : "[not logged]";
  }
}

/** An entry as the control interface and the live stream show it. */
export function toLoggedRequest(entry: RequestEntry) {
  return {
    id: entry.id,
    at: iso(entry.at),
    method: entry.method,
    path: withoutCredentials(entry.path),
    status: entry.status,
    duration_ms: Math.round(entry.durationMs * 10) / 10,
    key_fingerprint: entry.fingerprint,
    idempotency_key: entry.idempotencyKey,
    request_body: shownBody(entry.requestBody, entry.secrets),
    response_body: shownBody(entry.responseBody, entry.secrets),
    fault: entry.fault === null ? null : ID_PREFIX.fault + entry.fault,
  };
}

export type LoggedRequest = ReturnType<typeof toLoggedRequest>;

export interface RequestLog {
  add(entry: RequestEntry): void;
  /** Newest first, of one book, with what came without a valid key: nobody else could be shown it. */
  search(query: LogQuery): { data: LoggedRequest[]; has_more: boolean; next_cursor: string | null };
  clear(): void;
}

export function createRequestLog(listen: (entry: RequestEntry) => void): RequestLog {
  let entries: RequestEntry[] = [];
  /** How many have been dropped: an entry's number is this plus its place. */
  let dropped = 0;
  return {
    add(entry) {
      const isLarge = entry.requestBody.length > KEPT_BODY;
      const kept = isLarge ? { ...entry, requestBody: " ".repeat(KEPT_BODY + 1) } : entry;
      entries.push(kept);
      // Trimmed by halves, so that keeping the bound does not shift the array at every request.
      if (entries.length > 2 * KEPT) {
        dropped += entries.length - KEPT;
        entries = entries.slice(-KEPT);
      }
      listen(kept);
    },
    search({ bookId, limit, after, matches }) {
      if (after !== undefined && !/^\d{1,15}$/.test(after)) {
        throw fieldError("after", "must be the next_cursor of a page");
      }
      // Not the request's id: clients choose that, and may choose the same one twice.
      const before = after === undefined ? Number.POSITIVE_INFINITY : Number(after);
      const numbered = entries.map((entry, index) => ({ entry, number: dropped + index + 1 }));
      const found = numbered
        .filter(({ entry, number }) => {
          const isOwn = entry.bookId === bookId || entry.bookId === null;
          return isOwn && number < before && matches(entry);
        })
        .reverse();
      const page = found.slice(0, limit);
      const more = found.length > limit;
      return {
        data: page.map(({ entry }) => toLoggedRequest(entry)),
        has_more: more,
        next_cursor: more ? String(page.at(-1)?.number ?? "") : null,
      };
    },
    clear() {
      entries = [];
    },
  };
}
