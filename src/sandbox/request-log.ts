import { fieldError } from "../kernel/errors.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { isJsonObject } from "../kernel/json.js";
import { iso } from "../kernel/time.js";
import type { LogQuery } from "./control-interface.js";

/**
 * The latest requests with their answers, in memory, for the person who debugs an integration. Its size is bounded, and a
 * request hardly pays for it. Fields that an operation declares secret are never shown, and an API key is shown as its
 * fingerprint.
 */

const MAX_ENTRIES = 2_000;
const MAX_BYTES = 32 * 1_048_576;
/** Characters of a body. A longer body is not kept at all: a part of a JSON text is of little use. */
const MAX_BODY = 16_384;
/** Characters of a path with its query. The rest is cut off. */
const MAX_PATH = 2_048;
/** Characters of a header that a client sent. The rest is cut off. */
const MAX_HEADER = 256;
/** Bytes that an entry takes besides its texts, estimated generously. */
const ENTRY_BYTES = 1_024;
const BYTES_PER_CHARACTER = 2;

export interface RequestEntry {
  /** The number that the request got when it arrived, from `RequestLog.nextNumber`. */
  readonly number: number;
  readonly id: string;
  readonly bookId: number | null;
  readonly fingerprint: string | null;
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was cut without an answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Emulated milliseconds. */
  readonly at: number;
  readonly idempotencyKey: string | null;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly secrets: readonly string[];
  /** The id of the fault rule that took effect, without prefix. */
  readonly fault: string | null;
}

/** The text of a body, or the number of its characters when it is too long to be kept. */
type KeptBody = string | number;

/** An entry as it is kept, with long texts cut. */
export interface KeptRequest extends Omit<RequestEntry, "requestBody" | "responseBody"> {
  readonly requestBody: KeptBody;
  readonly responseBody: KeptBody;
}

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

function notKept(characters: number): string {
  return `[${characters} characters, not kept]`;
}

/** The first `limit` characters, with a note of how many were cut off. */
function cut(text: string, limit: number): string {
  return text.length > limit ? copyOf(text.slice(0, limit)) + notKept(text.length - limit) : text;
}

/**
 * A copy that does not share memory with the text that it was cut from. In V8 a part of a text keeps the whole text in
 * memory. Adding a character and cutting it off again makes a new text, ten times faster than a conversion to bytes.
 */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
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

/** An entry as the control interface and the live stream show it. */
export function toLoggedRequest(entry: KeptRequest) {
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

function bounded(entry: RequestEntry): KeptRequest {
  const { id, path, idempotencyKey, requestBody, responseBody } = entry;
  return {
    ...entry,
    id: cut(id, MAX_HEADER),
    path: copyOf(cut(path, MAX_PATH)),
    idempotencyKey: idempotencyKey === null ? null : cut(idempotencyKey, MAX_HEADER),
    requestBody: requestBody.length > MAX_BODY ? requestBody.length : requestBody,
    responseBody: responseBody.length > MAX_BODY ? responseBody.length : responseBody,
  };
}

function lengthOf(body: KeptBody): number {
  return typeof body === "string" ? body.length : 0;
}

/** An upper bound of the bytes of an entry. */
function sizeOf({ id, path, idempotencyKey, requestBody, responseBody }: KeptRequest): number {
  const names = id.length + path.length + (idempotencyKey?.length ?? 0);
  return ENTRY_BYTES + BYTES_PER_CHARACTER * (names + lengthOf(requestBody) + lengthOf(responseBody));
}

export interface RequestLog {
  /** The number of a request that arrives now. Numbers grow, and no number is given twice. */
  nextNumber(): number;
  /** Adds a request that has ended. A slow request may be added after requests with higher numbers. */
  add(entry: RequestEntry): void;
  /** The entries of one book and of requests without a valid key, the one that ended last comes first. */
  search(query: LogQuery): { data: LoggedRequest[]; has_more: boolean; next_cursor: string | null };
  clear(): void;
}

/** A ring of the latest entries, in the order in which the requests ended. */
class Ring implements RequestLog {
  readonly #listen: (entry: KeptRequest) => void;
  readonly #places: (KeptRequest | undefined)[] = Array.from({ length: MAX_ENTRIES });
  /** How many entries had been added before the oldest one that is kept, and how many have been added at all. */
  #oldest = 0;
  #added = 0;
  #nextNumber: number;
  #bytes = 0;

  constructor(listen: (entry: KeptRequest) => void, firstNumber: number) {
    this.#listen = listen;
    this.#nextNumber = firstNumber;
  }

  nextNumber(): number {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    return number;
  }

  add(entry: RequestEntry): void {
    const kept = bounded(entry);
    this.#bytes += sizeOf(kept);
    while (this.#added - this.#oldest >= MAX_ENTRIES || this.#bytes > MAX_BYTES) this.#dropOldest();
    this.#places[this.#added % MAX_ENTRIES] = kept;
    this.#added += 1;
    this.#listen(kept);
  }

  search({ bookId, limit, after, matches }: LogQuery): ReturnType<RequestLog["search"]> {
    const page: KeptRequest[] = [];
    for (const entry of this.#newestFirst(after)) {
      const isOwn = entry.bookId === bookId || entry.bookId === null;
      if (isOwn && matches(entry)) page.push(entry);
      if (page.length > limit) break;
    }
    const more = page.length > limit;
    if (more) page.pop();
    return {
      data: page.map(toLoggedRequest),
      has_more: more,
      next_cursor: more ? String(page.at(-1)?.number ?? "") : null,
    };
  }

  clear(): void {
    this.#places.fill(undefined);
    this.#oldest = this.#added;
    this.#bytes = 0;
  }

  /**
   * The entries behind a cursor. The cursor is the number of an entry and not the id of a request: clients choose ids and
   * may use one twice. When its entry is not kept any more, the entries behind it are not either.
   */
  *#newestFirst(cursor: string | undefined): Generator<KeptRequest> {
    const after = cursor === undefined ? null : this.#numberOf(cursor);
    let isBehind = after === null;
    for (let place = this.#added - 1; place >= this.#oldest; place--) {
      const entry = this.#places[place % MAX_ENTRIES];
      if (entry === undefined) return;
      if (isBehind) yield entry;
      else isBehind = entry.number === after;
    }
  }

  #numberOf(cursor: string): number {
    const number = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
    if (number < this.#nextNumber) return number;
    throw fieldError("after", "must be the next_cursor of a page");
  }

  #dropOldest(): void {
    const place = this.#oldest % MAX_ENTRIES;
    const entry = this.#places[place];
    if (entry !== undefined) this.#bytes -= sizeOf(entry);
    this.#places[place] = undefined;
    this.#oldest += 1;
  }
}

/** `firstNumber` is the number of the first request. */
export function createRequestLog(listen: (entry: KeptRequest) => void, firstNumber = 1): RequestLog {
  return new Ring(listen, firstNumber);
}
