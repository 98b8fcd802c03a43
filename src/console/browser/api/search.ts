import type { OperationAnswer } from "../../../client/types.js";
import { call } from "./call.js";

type Found = OperationAnswer<"sandbox.search">["data"][number];

async function of(q: string): Promise<readonly Found[]> {
  // The call with checked types: a parameter that the search does not have would be refused.
  return (await call("sandbox.search", { query: { q } })).data;
}

/** An amount with its currency sign is one term. */
const TERMS = /R\$\s*\S+|\S+/gi;

/**
 * Searches for a text as it is, such as a name, and where nothing has it, for objects that have all of its terms: a name and an
 * amount, or an amount and a document.
 */
export async function search(q: string): Promise<readonly Found[]> {
  const whole = await of(q);
  const terms = q.match(TERMS) ?? [];
  if (whole.length > 0 || terms.length < 2) return whole;
  const [first = [], ...others] = await Promise.all(terms.map(of));
  return first.filter(({ id }) => others.every((found) => found.some((one) => one.id === id)));
}
