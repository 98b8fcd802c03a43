/** The fields that an answer of status 400 complains of. Pure functions. */

interface ErrorBody {
  readonly error?: { readonly param?: unknown; readonly details?: unknown };
}

const asText = (value: unknown): string[] => (typeof value === "string" && value !== "" ? [value] : []);

/** The dotted paths of the failing fields, such as `customer.name`; empty when the answer names none. */
export function failingFields(answer: unknown): string[] {
  const { error } = (typeof answer === "object" && answer !== null ? answer : {}) as ErrorBody;
  const details = Array.isArray(error?.details) ? (error.details as readonly { readonly param?: unknown }[]) : [];
  return [...new Set([...asText(error?.param), ...details.flatMap(({ param }) => asText(param))])];
}
