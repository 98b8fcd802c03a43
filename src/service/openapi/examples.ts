import recorded from "./examples.json" with { type: "json" };

/**
 * Requests to a running service and its answers, for the OpenAPI document. `npm run docs` records it
 * (test/docs/openapi-examples.ts). The file is large, so this module is loaded only when a document is made.
 */

/** One successful call of an operation. */
export interface OperationExample {
  /** The values of its parameters in the path and the query, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Absent for a file and for an answer without content. */
  readonly answer?: unknown;
  /** A message of the live stream, for an operation that has one. */
  readonly message?: string;
}

export interface DocumentExamples {
  /** The refusal of each code. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** The body of each webhook. */
  readonly events: Readonly<Record<string, unknown>>;
  readonly operations: Readonly<Record<string, OperationExample>>;
}

export const EXAMPLES: DocumentExamples = recorded;
