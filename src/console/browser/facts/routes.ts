import type { Operation } from "../../../features/operation.js";
import { registry } from "../../../registry.js";

/** What the page must know of an operation to call it. */
export interface RouteFact {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** The place of the idempotency key: `header`, or the name of a field of the body. */
  readonly key?: string;
}

/**
 * The routes of all operations by their ids. The build replaces this module by its value (scripts/precompute-console-facts.ts), so
 * that the page does not load the registry.
 */
export const routes: Readonly<Record<string, RouteFact>> = Object.fromEntries(
  registry.map(({ contract }: Operation) => {
    const { id, method, path, idempotency } = contract;
    const key = idempotency === undefined ? {} : { key: idempotency.field ?? "header" };
    return [id, { method, path, ...key }];
  }),
);
