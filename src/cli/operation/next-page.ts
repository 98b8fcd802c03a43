import { isJsonObject } from "../../kernel/json.js";
import { EXIT } from "../terminal/exit-codes.js";
import { Failure } from "../terminal/failure.js";
import type { OperationSpec } from "../tree/describe-operations.js";

/** How to ask for the next page of a list: by a cursor, by the number of a page, or by an offset. */

export interface NextPage {
  /** The flag of the command without its dashes, such as `starting-after`. */
  readonly flag: string;
  /** The parameter of the query, such as `starting_after`. */
  readonly field: string;
  readonly value: string;
}

/** The rows of an answer. An answer without its rows does not get here: `exchange` refuses it. */
export function rowsOf(spec: OperationSpec, answer: unknown): readonly unknown[] {
  const rows = spec.rows === "" || !isJsonObject(answer) ? answer : answer[spec.rows ?? ""];
  if (Array.isArray(rows)) return rows;
  throw new Failure(EXIT.unreachable, "unexpected_answer", "The host answered with something other than a list.");
}

/** Returns the next page; null when this page is the last one, or when the answer does not say where the next one is. */
export function nextPage({ flags }: OperationSpec, answer: unknown, count: number): NextPage | null {
  if (!isJsonObject(answer)) return null;
  const { next_cursor: cursor, page, limit, offset, total } = answer;
  const to = (value: string | number, ...names: string[]): NextPage | null => {
    const flag = flags.find(({ name, place }) => place === "query" && names.includes(name));
    return flag === undefined ? null : { flag: flag.name, field: flag.field, value: String(value) };
  };
  if (typeof cursor === "string") return to(cursor, "after", "starting-after");
  if (typeof total !== "number") return null;
  if (typeof page === "number" && typeof limit === "number") return page * limit < total ? to(page + 1, "page") : null;
  return typeof offset === "number" && offset + count < total ? to(offset + count, "offset") : null;
}
