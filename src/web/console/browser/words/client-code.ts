import type { Route } from "../../../../api/client/route.js";
import type { AnyInput } from "../api/input.js";

/** A call of the typed client as code. Pure functions. */

/** Code for a text that stands for something else, such as an earlier answer; null for a plain text. */
export type CodeOfText = (text: string) => string | null;

/** Stands for an idempotency key, which is created anew at each run. */
const NEW_KEY = Symbol("a new key");

function codeOf(value: unknown, codeOfText: CodeOfText): string {
  if (value === NEW_KEY) return "crypto.randomUUID()";
  if (typeof value === "string") return codeOfText(value) ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => codeOf(item, codeOfText)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
    return member === undefined ? [] : [`${name}: ${codeOf(member, codeOfText)}`];
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

export function clientCall(
  id: string,
  { key }: Pick<Route, "key">,
  { params, query, body }: AnyInput,
  codeOfText: CodeOfText = () => null,
): string {
  const sent = key === undefined || key === "header" ? body : { ...body, [key]: NEW_KEY };
  const parts = { params, query, body: sent, idempotencyKey: key === "header" ? NEW_KEY : undefined };
  const filled = Object.entries(parts).filter(([, part]) => codeOf(part ?? {}, codeOfText) !== "{}");
  const input = filled.length === 0 ? "" : codeOf(Object.fromEntries(filled), codeOfText);
  return `await client[${JSON.stringify(id)}](${input});`;
}
