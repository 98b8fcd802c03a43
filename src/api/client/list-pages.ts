import type { Contract } from "../../base/kernel/contract.js";
import { isJsonObject } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import type { LooseInput } from "./calling.js";
import { listProgress, type NextPage, nextPageOf } from "./list-progress.js";
import { ServiceError } from "./service-error.js";

/** Reads a list page by page: lists with a cursor, with numbered pages and with an offset, and lists without pages. */

function itemsOf(answer: unknown): readonly unknown[] {
  const items = isJsonObject(answer) ? answer.data : answer;
  if (Array.isArray(items)) return items;
  throw unexpectedAnswer("The host answered with something other than a list.");
}

function unexpectedAnswer(message: string): ServiceError {
  return new ServiceError({ status: 200, type: "api_error", code: "unexpected_answer", message, requestId: null });
}

/** True if the operation answers a list, as an array or in `data`. */
export function isList({ success: { schema } }: Contract): boolean {
  return schema.def.type === "array" || pick(schema.def, "shape.data.def.type") === "array";
}

/**
 * Yields the objects of a list in its order. Requests a page when all objects of the previous one were taken. Throws
 * ServiceError for a list that never ends.
 */
export async function* pagesOf(
  contract: Contract,
  input: LooseInput,
  read: (input: LooseInput) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const progress = listProgress();
  const takes = (field: string) => Object.hasOwn(contract.query?.shape ?? {}, field);
  let next: NextPage | null = null;
  do {
    const more: Readonly<Record<string, string>> = next === null ? {} : { [next.field]: next.value };
    const answer = await read({ ...input, query: { ...input.query, ...more } });
    const items = itemsOf(answer);
    yield* progress.takeNew(items);
    next = nextPageOf(answer, items.length, takes);
    const problem = progress.problem(answer, items, next);
    if (problem !== null) throw unexpectedAnswer(String(problem));
  } while (next !== null);
}
