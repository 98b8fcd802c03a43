import { nearest } from "../../base/kernel/nearest.js";

/**
 * The id of an operation is one name, `client["charges.create"]`. Who writes `client.charges.create` would get an error of
 * JavaScript that does not help. So the client has hidden members for the words in front of a dot, which say how to write it.
 */

/** Programs look for these members in any value, such as `await` for `then`. */
const LOOKED_FOR: ReadonlySet<string> = new Set(["then", "toJSON", "constructor", "valueOf", "toString", "inspect"]);

function isInFront(word: string, ids: readonly string[]): boolean {
  return ids.some((id) => id.startsWith(`${word}.`));
}

/** Throws TypeError. Its stack begins where `entry` was called, at the caller's own line. */
function explain(dotted: string, ids: readonly string[], entry: (...given: never[]) => unknown): never {
  const within = (part: string) => ids.filter((id) => id.startsWith(part));
  const near = isInFront(dotted, ids) ? within(`${dotted}.`) : within(dotted.slice(0, dotted.lastIndexOf(".") + 1));
  const found = ids.includes(dotted) ? dotted : (nearest(dotted, near) ?? near[0]);
  const error = new TypeError(
    `client.${dotted} does not exist, because the id of an operation is one name: write client["${found}"](…).`,
  );
  Error.captureStackTrace(error, entry);
  throw error;
}

/** The value of a hidden member. Names in it throw TypeError, and so does a call of it. */
function namesAfter(word: string, ids: readonly string[]): object {
  const get = (_target: object, name: string | symbol): object | undefined => {
    if (typeof name === "symbol" || LOOKED_FOR.has(name)) return undefined;
    const dotted = `${word}.${name}`;
    return isInFront(dotted, ids) ? namesAfter(dotted, ids) : explain(dotted, ids, get);
  };
  const apply = () => explain(word, ids, apply);
  return new Proxy(apply, { get, apply });
}

/** Defines the hidden members: not enumerable, so that they are in no copy, comparison or output of the client. */
export function explainDottedNames<Methods extends object>(client: Methods, ids: readonly string[]): Methods {
  const words = new Set(ids.map((id) => id.slice(0, id.indexOf("."))));
  for (const word of words) {
    if (word === "" || word in client) continue;
    Object.defineProperty(client, word, { get: () => namesAfter(word, ids) });
  }
  return client;
}
