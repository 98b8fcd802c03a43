import type { Route } from "../../../../api/client/route.js";
import { UUID_FORM } from "../../../../base/kernel/ids.js";
import { isJsonObject, jsonIn } from "../../../../base/kernel/json.js";
import type { AnyInput } from "../api/input.js";

/** An action of a tab, as its recorder keeps it. Pure functions. */

export interface Done {
  readonly id: string;
  readonly input: AnyInput;
  readonly result: unknown;
}

const ID = new RegExp(`^([a-z]+_)?${UUID_FORM}$`);

/** The members of an answer that say how a step ended, in the same words on every server. A test expects them. */
export const OUTCOMES = ["status", "outcome", "money_outcome", "resent", "deleted", "passed"] as const;

/** A recording reads only the ids and outcomes of an answer. Its secrets must not be stored in a browser. */
function withoutRest(answer: unknown): unknown {
  const written = JSON.stringify(answer, (name, value) => {
    if (typeof value === "object") return value;
    const isOutcome = OUTCOMES.some((known) => known === name) && typeof value !== "number";
    return isOutcome || (typeof value === "string" && ID.test(value)) ? value : undefined;
  });
  return jsonIn(written ?? "");
}

/** A step as it is kept. Of a request with a login, only its existence is kept: it may have a password. */
export function keptStep({ id, input, result }: Done, auth: Route["auth"]): Done {
  return auth === "key" ? { id, input, result: withoutRest(result) } : { id, input: {}, result: null };
}

const isDone = (value: unknown): value is Done =>
  isJsonObject(value) && typeof value.id === "string" && isJsonObject(value.input);

/** The steps in a text of the storage; none in any other text. */
export function stepsIn(text: string): readonly Done[] {
  const value = jsonIn(text);
  return Array.isArray(value) ? value.filter(isDone) : [];
}
