import { cursorError, cursorPage } from "../../../base/kernel/cursor-page.js";
import { differences } from "../../../base/kernel/differences.js";
import { withExactNumbers } from "../../../base/kernel/exact-numbers.js";
import { isJsonObject, type JsonObject } from "../../../base/kernel/json.js";
import {
  groupErrors,
  type KeptBody,
  type KeptRequest,
  type LogFilter,
  type LoggedRequest,
  type LogQuery,
  notKept,
  type RequestClaim,
  type RequestEntry,
  type RequestErrors,
  toLoggedRequest,
} from "./logged-request.js";

/**
 * The latest requests with their answers, in memory, for the person who debugs an integration. Its size is bounded, and
 * it hardly slows a request. Fields that an operation declares secret are never shown, and an API key is shown as its
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
const ENTRY_BYTES = 2_048;
const BYTES_PER_CHARACTER = 2;

/** The first `limit` characters, with a note of the number cut off. */
function cut(text: string, limit: number): string {
  return text.length > limit ? copyOf(text.slice(0, limit)) + notKept(text.length - limit) : text;
}

/**
 * A copy that does not share memory with its source text. In V8 a part of a text keeps the whole text in memory. Adding
 * a character and removing it creates a new text, ten times faster than a conversion to bytes.
 */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

/** Returns the same object if nothing is too long, which is nearly always so. */
function cutAll(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in headers) if ((headers[name]?.length ?? 0) > MAX_HEADER) return cutEach(headers);
  return headers;
}

function cutEach(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cut(value, MAX_HEADER)]));
}

function boundClaim(claim: RequestClaim): RequestClaim {
  if (Object.keys(claim.ids).length === 0) return claim;
  const ids = Object.entries(claim.ids).map(([name, id]) => [name, copyOf(cut(id, MAX_HEADER))]);
  return { ...claim, ids: Object.fromEntries(ids) };
}

/** All members exist before: adding one to the copy would take V8 longer than the copy and all others. */
function boundEntry(entry: RequestEntry, differs: readonly string[] | null): KeptRequest {
  const { id, path, route, caller, subject, idempotencyKey, claim, error, requestBody, responseBody } = entry;
  const keptPath = copyOf(cut(path, MAX_PATH));
  return {
    ...entry,
    id: cut(id, MAX_HEADER),
    path: keptPath,
    route: route === path ? keptPath : copyOf(cut(route, MAX_PATH)),
    caller: caller === null ? null : copyOf(caller),
    subject: subject === null ? null : copyOf(subject),
    idempotencyKey: idempotencyKey === null ? null : cut(idempotencyKey, MAX_HEADER),
    claim: claim === null ? null : boundClaim(claim),
    differs: differs?.map((field) => cut(field, MAX_HEADER)) ?? null,
    error: error?.param ? { ...error, param: cut(error.param, MAX_HEADER) } : error,
    requestHeaders: cutAll(entry.requestHeaders),
    responseHeaders: cutAll(entry.responseHeaders),
    requestBody: requestBody.length > MAX_BODY ? requestBody.length : requestBody,
    responseBody: responseBody.length > MAX_BODY ? responseBody.length : responseBody,
  };
}

function lengthOf(body: KeptBody): number {
  return typeof body === "string" ? body.length : 0;
}

function lengthsOf(texts: Readonly<Record<string, string>> | readonly string[]): number {
  let sum = 0;
  for (const name in texts) sum += (texts as Readonly<Record<string, string>>)[name]?.length ?? 0;
  return sum;
}

function sizeOf(entry: KeptRequest): number {
  const { id, path, route, idempotencyKey, differs, error, requestBody, responseBody } = entry;
  const names = id.length + path.length + route.length + (idempotencyKey?.length ?? 0) + (error?.param?.length ?? 0);
  const lists = lengthsOf(differs ?? []) + lengthsOf(entry.requestHeaders) + lengthsOf(entry.responseHeaders);
  return ENTRY_BYTES + BYTES_PER_CHARACTER * (names + lists + lengthOf(requestBody) + lengthOf(responseBody));
}

const MOST_DIFFERENCES = 20;

/** The dotted paths of the differences between two JSON values, in the order of the first value. */
function differingFields(one: unknown, other: unknown): string[] {
  return differences(one, other)
    .slice(0, MOST_DIFFERENCES)
    .map(({ path }) => path);
}

/** The value of a body as the service compares it: with every digit of a number. */
function parseToCompare(text: string): JsonObject {
  const value = JSON.parse(text === "" ? "{}" : text, (key, member) => (key === "__proto__" ? undefined : member));
  return isJsonObject(value) ? withExactNumbers(text, value) : {};
}

/** The latest entries, in the order in which the requests ended. */
export class RequestLog {
  readonly #listen: (entry: KeptRequest) => void;
  readonly #monotonic: () => number;
  /** Each with its size, which is computed once. */
  #entries: { readonly kept: KeptRequest; readonly size: number }[] = [];
  /** The size of the entry at each place, so that it is computed once. */
  #nextNumber: number;
  #bytes = 0;

  /** `monotonic` is the real clock by which entries are `endedAt`. */
  constructor(listen: (entry: KeptRequest) => void, monotonic: () => number, firstNumber = 1) {
    this.#listen = listen;
    this.#monotonic = monotonic;
    this.#nextNumber = firstNumber;
  }

  /** The number of a request that arrives now. Numbers grow, and no number is used twice. */
  nextNumber(): number {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    return number;
  }

  /** Adds a request that has ended. A slow request may be added after requests with higher numbers. */
  add(entry: RequestEntry): void {
    const kept = boundEntry(entry, entry.idempotency === "conflict" ? this.#differences(entry) : null);
    const size = sizeOf(kept);
    this.#bytes += size;
    this.#entries.push({ kept, size });
    while (this.#entries.length > MAX_ENTRIES || this.#bytes > MAX_BYTES)
      this.#bytes -= this.#entries.shift()?.size ?? 0;
    this.#listen(kept);
  }

  /** The entries of one book and of requests without a valid key; the one that ended last comes first. */
  search({ limit, after, ...filter }: LogQuery) {
    const page: KeptRequest[] = [];
    for (const entry of this.#select(filter, after)) {
      page.push(entry);
      if (page.length > limit) break;
    }
    return cursorPage(page, limit, toLoggedRequest, "number");
  }

  find(bookId: number, number: number): LoggedRequest | null {
    const [found] = this.#select({ bookId, matches: (entry) => entry.number === number });
    return found === undefined ? null : toLoggedRequest(found);
  }

  /** All of these entries as they are kept; the one that ended last comes first. */
  listMatching(filter: LogFilter): KeptRequest[] {
    return [...this.#select(filter)];
  }

  errors(filter: LogFilter): RequestErrors[] {
    return groupErrors(this.#select(filter));
  }

  /**
   * Removes all entries, because the database has other contents now. Its history names requests up to `lastNumber`,
   * maybe of another start: the numbers continue after it.
   */
  clear(lastNumber: number): void {
    this.#nextNumber = Math.max(this.#nextNumber, lastNumber + 1);
    this.#entries = [];
    this.#bytes = 0;
  }

  *#select({ bookId, withinSeconds, matches }: LogFilter, cursor?: string): Generator<KeptRequest> {
    const since = withinSeconds === undefined ? Number.NEGATIVE_INFINITY : this.#monotonic() - withinSeconds * 1_000;
    for (const entry of this.#newestFirst(cursor)) {
      // Entries are in the order in which they ended.
      if (entry.endedAt < since) return;
      const isOwn = entry.bookId === bookId || entry.bookId === null;
      if (isOwn && matches(entry)) yield entry;
    }
  }

  /** The differences of a request from the first one with its idempotency key; null when they are unknown by now. */
  #differences({ bookId, claim, requestBody }: RequestEntry): string[] | null {
    for (const { claim: known, idempotency, requestBody: first, bookId: book } of this.#newestFirst(undefined)) {
      const isFirst = idempotency === "new" && known?.key === claim?.key && known?.kind === claim?.kind;
      if (!isFirst || book !== bookId || claim === null || known === null) continue;
      // A body that was too long to be kept.
      if (typeof first === "number") return null;
      return differingFields(
        { ...known.ids, ...known.implied, ...parseToCompare(first) },
        { ...claim.ids, ...claim.implied, ...parseToCompare(requestBody) },
      );
    }
    return null;
  }

  /**
   * The entries after a cursor. The cursor is the number of an entry and not the id of a request: clients choose ids
   * and may use one twice. If its entry is not kept any more, neither are those after it.
   */
  *#newestFirst(cursor: string | undefined): Generator<KeptRequest> {
    const after = cursor === undefined ? null : this.#numberOf(cursor);
    let isBehind = after === null;
    for (const { kept } of this.#entries.toReversed()) {
      if (isBehind) yield kept;
      else isBehind = kept.number === after;
    }
  }

  #numberOf(cursor: string): number {
    const number = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
    if (number < this.#nextNumber) return number;
    throw cursorError();
  }
}
