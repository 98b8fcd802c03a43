import { shortened } from "../kernel/errors.js";
import { pick } from "../kernel/pick.js";
import { Drift, Skip } from "./check.js";
import type { Seen } from "./types.js";

/** The expectations of checks about one answer. Each throws Drift with what was seen. */

const LONGEST = 160;

/** A value as text for a detail, shortened. */
export function shown(value: unknown): string {
  return shortened(value === undefined ? "nothing" : JSON.stringify(value), LONGEST);
}

export function field(seen: Seen, path: string): unknown {
  return pick(seen.json, path);
}

/** The media type of an answer, without parameters, in lower case. */
export function mediaType({ headers }: Seen): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** An answer in a few words: `404 not_found`, `200`, or `502 text/html`. */
export function answerText(seen: Seen): string {
  const code = field(seen, "error.code");
  if (typeof code === "string") return `${seen.status} ${shortened(code, 60)}`;
  return seen.json === undefined && seen.text !== "" ? `${seen.status} ${mediaType(seen)}`.trim() : String(seen.status);
}

/** `expected` and `saw` are said when `isTrue` is false. `saw` must not name a secret. */
export function expectThat(isTrue: boolean, expected: string, saw: string, seen?: Seen): void {
  if (!isTrue) throw new Drift(saw, seen, expected);
}

export function expectStatus(seen: Seen, status: number): void {
  const { method, path } = seen;
  expectThat(seen.status === status, `${method} ${path} answers ${status}.`, `it answered ${answerText(seen)}`, seen);
}

export interface Refusal {
  readonly status: number;
  /** The type that belongs to the status when left out. */
  readonly type?: string;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
}

/** The error type of each status. */
export const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [409, "conflict_error"],
  [413, "invalid_request_error"],
  [422, "invalid_request_error"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [503, "api_error"],
]);

/** `what` names the request when its path does not: `a charge of the amount 0`. */
export function expectRefusal(seen: Seen, { status, code, param, type }: Refusal, what?: string): void {
  const wantedType = type ?? ERROR_TYPES.get(status) ?? "";
  const wanted = [String(status), wantedType, code, param === undefined ? undefined : `param ${param}`];
  const name = what ?? `${seen.method} ${seen.path}`;
  const expected = `${name} is refused with ${wanted.filter((part) => part !== undefined).join(", ")}.`;
  const got = [String(seen.status), field(seen, "error.type"), field(seen, "error.code")].map((part) =>
    part === undefined ? "nothing" : String(part),
  );
  const gotParam = field(seen, "error.param");
  const saw = `${seen.status < 400 ? `it was accepted with ${seen.status}` : got.join(", ")}${
    param === undefined ? "" : `, param ${shown(gotParam)}`
  }`;
  const isRight =
    seen.status === status &&
    field(seen, "error.type") === wantedType &&
    (code === undefined || field(seen, "error.code") === code) &&
    (param === undefined || gotParam === param);
  expectThat(isRight, expected, saw, seen);
}

/** The list in a member of an answer; the answer itself with an empty path. */
export function listIn(seen: Seen, path = "data"): readonly unknown[] {
  const list = path === "" ? seen.json : field(seen, path);
  if (Array.isArray(list)) return list;
  const place = path === "" ? "the body" : path;
  throw new Drift(`${place} is ${shown(list)}`, seen, `${seen.method} ${seen.path} answers a list in ${place}.`);
}

/** A text in an answer. */
export function textIn(seen: Seen, path: string): string {
  const text = field(seen, path);
  if (typeof text === "string") return text;
  throw new Drift(`${path} is ${shown(text)}`, seen, `${seen.method} ${seen.path} answers a text in ${path}.`);
}

/** A number with its noun: `1 file`, `2 files`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The ids of listed objects. */
export function idsOf(items: readonly unknown[]): string[] {
  return items.map((item) => String(pick(item, "id")));
}

/**
 * Makes an observation up to three times, because a list may change between two reads of it. What another client did
 * in between is no drift.
 */
export async function steadily<Result>(observe: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await observe();
    } catch (error) {
      if (!(error instanceof Drift) || attempt === 3) throw error;
    }
  }
}

/** Throws Skip when there are too few objects for a check. `what` is their name, such as `payments`. */
export function requireSome<Item>(items: readonly Item[], count: number, what: string): readonly Item[] {
  if (items.length >= count) return items;
  throw new Skip(`there are ${items.length === 0 ? "no" : `fewer than ${count}`} ${what} to look at`);
}
