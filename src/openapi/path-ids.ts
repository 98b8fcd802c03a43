import { ID_PREFIX, idPattern } from "../kernel/ids.js";
import { identifiersIn, nounOf, prefixesOf } from "../kernel/nouns.js";

/**
 * The patterns of the ids in a path, by name. The control interface takes every id without its prefix too, and a charge by the
 * id of its payment (docs/service/requests.md#ids).
 */
export function pathPatterns(path: string): Readonly<Record<string, string>> {
  const isSandbox = nounOf(path) === "sandbox";
  return Object.fromEntries(
    identifiersIn(path).flatMap(({ name, segment }) => {
      const prefixes = prefixesOf(segment);
      if (prefixes.length === 0) return [];
      const also = isSandbox ? ["", ...(segment === "charges" ? [ID_PREFIX.transaction] : [])] : [];
      return [[name, idPattern(...new Set([...prefixes, ...also]))]];
    }),
  );
}
