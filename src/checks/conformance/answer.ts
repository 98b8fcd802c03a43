import { shorten } from "../../base/kernel/errors.js";
import { pick } from "../../base/kernel/pick.js";
import { type CheckedExchange, Deviation, Skip } from "./run-context.js";

/** Reads values out of an answer. */

const LONGEST = 160;

/** Writes a value as short text for a message. */
export function valueText(value: unknown): string {
  return shorten(value === undefined ? "nothing" : JSON.stringify(value), LONGEST);
}

export function field(seen: CheckedExchange, path: string): unknown {
  return pick(seen.json, path);
}

/** The media type of an answer, without parameters, in lower case. */
export function mediaType({ headers }: CheckedExchange): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** An answer in a few words: `404 not_found`, `200`, or `502 text/html`. */
export function answerText(seen: CheckedExchange): string {
  const code = field(seen, "error.code");
  if (typeof code === "string") return `${seen.status} ${shorten(code, 60)}`;
  return seen.json === undefined && seen.text !== "" ? `${seen.status} ${mediaType(seen)}`.trim() : String(seen.status);
}

/** The list in a member of an answer; the answer itself with an empty path. */
export function listIn(seen: CheckedExchange, path = "data"): readonly unknown[] {
  const list = path === "" ? seen.json : field(seen, path);
  if (Array.isArray(list)) return list;
  const place = path === "" ? "the body" : path;
  throw new Deviation(
    `${place} is ${valueText(list)}`,
    seen,
    `${seen.method} ${seen.path} answers a list in ${place}.`,
  );
}

/** A text in an answer. */
export function textIn(seen: CheckedExchange, path: string): string {
  const text = field(seen, path);
  if (typeof text === "string") return text;
  throw new Deviation(`${path} is ${valueText(text)}`, seen, `${seen.method} ${seen.path} answers a text in ${path}.`);
}

/** The ids of listed objects. */
export function idsOf(items: readonly unknown[]): string[] {
  return items.map((item) => String(pick(item, "id")));
}

/**
 * Repeats an observation up to three times, because a list may change between two reads of it. A change by another client is no
 * drift.
 */
export async function steadily<Result>(observe: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await observe();
    } catch (error) {
      if (!(error instanceof Deviation) || attempt === 3) throw error;
    }
  }
}

/** Throws Skip when there are too few objects for a check. `what` is their name, such as `payments`. */
export function requireSome<Item>(items: readonly Item[], count: number, what: string): readonly Item[] {
  if (items.length >= count) return items;
  throw new Skip(`there are ${items.length === 0 ? "no" : `fewer than ${count}`} ${what} to look at`);
}
