import * as z from "zod";
import type { CliContract, Contract } from "../../base/kernel/contract.js";

/** The shape of a successful answer: enough to notice an answer that does not come from a qa-pay service. */
export interface AnswerShape {
  readonly type: "object" | "array" | "nothing";
  /** The fields that the object must have. */
  readonly has: readonly string[];
  /**
   * True for a new object whose id is enough for a script (`--quiet` prints only the id). Not set for a new object with
   * a secret, because the secret is shown only once.
   */
  readonly isNew?: boolean;
}

/** A field that every answer has: its id, its list, or else the first one that is never left out and may vary. */
function mainFields({ shape }: z.ZodObject, cli: CliContract | undefined): string[] {
  const own = ["id", cli?.rows ?? ""].filter((name) => Object.hasOwn(shape, name));
  const varying = Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodLiteral));
  const always = varying.find((name) => !z.safeParse(shape[name] ?? z.undefined(), undefined).success);
  return own.length > 0 || always === undefined ? own : [always];
}

export function answerShape({ success, cli, secrets }: Contract): AnswerShape {
  if (success.status === 204) return { type: "nothing", has: [] };
  const { schema } = success;
  if (!(schema instanceof z.ZodObject)) return { type: schema instanceof z.ZodArray ? "array" : "object", has: [] };
  const has = mainFields(schema, cli);
  const isNew = success.status === 201 && has.includes("id") && secrets === undefined;
  return { type: "object", has, ...(isNew ? { isNew } : {}) };
}
