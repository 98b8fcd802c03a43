import type { Input } from "../../../../api/client/route.js";
import type { OperationId, OperationInput } from "../../../../api/client/types.js";

/** The input of an operation: parameters of the path, query, body and idempotency key. */
export interface AnyInput extends Input {
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The input without empty parameters of the query, such as filters that are not set. */
export function withoutEmpty(input: AnyInput): AnyInput {
  if (input.query === undefined) return input;
  return { ...input, query: Object.fromEntries(Object.entries(input.query).filter(([, value]) => value !== "")) };
}

type LooseQuery<Query> = { readonly [K in keyof Query]?: Query[K] | string | undefined };

/**
 * The input of an operation whose query may come from the address of the page. Its names are checked here; its values
 * are checked by the server, which explains its refusals.
 */
export type ViewInput<Id extends OperationId> = Omit<OperationInput<Id>, "query"> &
  (OperationInput<Id> extends { readonly query?: infer Query }
    ? { readonly query?: LooseQuery<NonNullable<Query>> }
    : unknown);
