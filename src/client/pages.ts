import type { z } from "zod";
import type { Contract } from "../kernel/contract.js";
import { isJsonObject } from "../kernel/json.js";
import type { LooseInput } from "./calling.js";
import { ServiceError } from "./service-error.js";

/** Reads a list page by page: lists with a cursor, with numbered pages and with an offset, and lists without pages. */

type Query = Readonly<Record<string, unknown>>;

/** The query that asks for the page after this one; null after the last page. */
function nextQuery(contract: Contract, answer: unknown, count: number): Query | null {
  if (!isJsonObject(answer)) return null;
  const { next_cursor: cursor, page, limit, offset, total } = answer;
  if (typeof cursor === "string") {
    const names = Object.keys(contract.query?.shape ?? {});
    const name = ["after", "starting_after"].find((known) => names.includes(known));
    return name === undefined ? null : { [name]: cursor };
  }
  if (typeof total !== "number" || count === 0) return null;
  if (typeof page === "number" && typeof limit === "number") return page * limit < total ? { page: page + 1 } : null;
  return typeof offset === "number" && offset + count < total ? { offset: offset + count } : null;
}

function itemsOf(answer: unknown): readonly unknown[] {
  const items = isJsonObject(answer) ? answer.data : answer;
  if (Array.isArray(items)) return items;
  const message = "The host answered with something other than a list.";
  throw new ServiceError({ status: 200, type: "api_error", code: "unexpected_answer", message, requestId: null });
}

/** The id of an object of a numbered list. New objects move the others to later pages, so one may come twice. */
function idOf(item: unknown): string | undefined {
  return isJsonObject(item) && typeof item.id === "string" ? item.id : undefined;
}

/** Whether the operation answers a list, as an array or in `data`. */
export function isList({ success: { schema } }: Contract): boolean {
  const { def } = schema as z.ZodType & { readonly def: { readonly type: string; readonly shape?: z.ZodRawShape } };
  return def.type === "array" || def.shape?.data?._zod.def.type === "array";
}

/** Yields the objects of a list in its order. Asks for a page when the objects of the page before have been taken. */
export async function* pagesOf(
  contract: Contract,
  input: LooseInput,
  read: (input: LooseInput) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<string>();
  let more: Query | null = {};
  while (more !== null) {
    const answer = await read({ ...input, query: { ...input.query, ...more } });
    const items = itemsOf(answer);
    more = nextQuery(contract, answer, items.length);
    const isNumbered = isJsonObject(answer) && typeof answer.total === "number";
    for (const item of items) {
      const id = isNumbered ? idOf(item) : undefined;
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      yield item;
    }
  }
}
