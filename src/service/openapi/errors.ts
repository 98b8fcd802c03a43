import { type Contract, sharedErrors } from "../../base/kernel/contract.js";
import { ERROR_CATALOGUE, type ErrorCode, type ErrorEntry, MAX_DETAILS } from "../../base/kernel/errors.js";
import { COMPONENTS, type JsonSchema, type Reference, type WithContent } from "./schemas.js";

/**
 * The errors in the document: one response for each status, shared by all operations that can answer the same codes.
 */

const TYPES = [...new Set(Object.values(ERROR_CATALOGUE).map(({ type }) => type))];

/** The envelope of docs/service/errors.md#envelope. */
export const ERROR_SCHEMA: JsonSchema = {
  type: "object",
  description: "Every refusal. Branch on error.code; error.message is for people and may change.",
  properties: {
    error: {
      type: "object",
      properties: {
        type: { type: "string", enum: TYPES },
        code: { type: "string", enum: Object.keys(ERROR_CATALOGUE) },
        message: { type: "string" },
        param: { type: "string", description: "Dotted path of the field, when a single one is at fault" },
        details: {
          type: "array",
          maxItems: MAX_DETAILS,
          description: `The fields at fault, the first ${MAX_DETAILS} of them`,
          items: {
            type: "object",
            properties: { param: { type: "string" }, message: { type: "string" } },
            required: ["param", "message"],
          },
        },
      },
      required: ["type", "code", "message"],
    },
    request_id: { type: "string", description: "Also in the header X-Request-Id" },
  },
  required: ["error", "request_id"],
};

function pascal(code: string): string {
  return code.replace(/(?:^|[_.])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

const RATE_LIMIT_HEADERS = ["Retry-After", "X-RateLimit-Limit-Minute", "X-RateLimit-Remaining-Minute"];

export function headerRefs(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

type Examples = Readonly<Record<string, unknown>>;

function errorResponse(codes: readonly ErrorCode[], examples: Examples): WithContent {
  const entries = codes.map((code): [ErrorCode, ErrorEntry] => [code, ERROR_CATALOGUE[code]]);
  const types = [...new Set(entries.map(([, { type }]) => type))];
  const narrowed = {
    type: "object",
    properties: { error: { type: "object", properties: { type: { enum: types }, code: { enum: codes } } } },
  };
  const withExamples = codes.filter((code) => examples[code] !== undefined);
  const refs = Object.fromEntries(withExamples.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: entries.map(([code, { message }]) => `\`${code}\`: ${message}`).join("\n\n"),
    headers: headerRefs(["X-Request-Id", ...(codes.includes("rate_limited") ? RATE_LIMIT_HEADERS : [])]),
    content: {
      "application/json": {
        schema: { allOf: [{ $ref: `${COMPONENTS}Error` }, narrowed] },
        ...(withExamples.length === 0 ? {} : { examples: refs }),
      },
    },
  };
}

/** Every code with which an operation may refuse. */
export function errorCodes(contract: Contract): ErrorCode[] {
  return [...new Set([...contract.errors, ...sharedErrors(contract)])];
}

/** Returns the errors of one operation by status. Each is a reference to a response, which is added to `shared`. */
export function errorResponses(
  contract: Contract,
  shared: Record<string, WithContent>,
  examples: Examples,
): Record<string, Reference> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes(contract)) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, Reference> = {};
  for (const [status, unordered] of [...byStatus].sort(([a], [b]) => a - b)) {
    const codes = unordered.sort();
    const name = codes.map(pascal).join("Or");
    shared[name] ??= errorResponse(codes, examples);
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}
