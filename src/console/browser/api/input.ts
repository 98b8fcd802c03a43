import type { OperationId, OperationInput } from "../../../client/types.js";

/** The input of an operation: parameters of the path, query, body and idempotency key. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
}

/** The address of an operation on the service: its path with parameters, and its query. */
export function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? "")));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "")
      search.append(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

type LooseQuery<Query> = { readonly [K in keyof Query]?: Query[K] | string | undefined };

/**
 * The input of an operation whose query may come from the address of the page. Its names are checked here, and its values
 * by the server, which says what is wrong with them.
 */
export type ViewInput<Id extends OperationId> = Omit<OperationInput<Id>, "query"> &
  (OperationInput<Id> extends { readonly query?: infer Query }
    ? { readonly query?: LooseQuery<NonNullable<Query>> }
    : unknown);
