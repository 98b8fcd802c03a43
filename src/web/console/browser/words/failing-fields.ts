import { pick } from "../../../../base/kernel/pick.js";

/** The fields that an answer of status 400 rejects. Pure functions. */

const asText = (value: unknown): string[] => (typeof value === "string" && value !== "" ? [value] : []);

/** The dotted paths of the failing fields, such as `customer.name`; empty when the answer names none. */
export function failingFields(answer: unknown): string[] {
  const details: unknown = pick(answer, "error.details");
  const inDetails = Array.isArray(details) ? details.map((one) => pick(one, "param")) : [];
  return [...new Set([pick(answer, "error.param"), ...inDetails].flatMap(asText))];
}
