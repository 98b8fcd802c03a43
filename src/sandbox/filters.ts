import type { LogQuery } from "./control-interface.js";

/** What a log or its live stream is narrowed to, from a query that the contract has already accepted. */

interface RequestQuery {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
}

export function requestFilter({ method, path, status }: RequestQuery): LogQuery["matches"] {
  return (entry) =>
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.path.startsWith(path)) &&
    (status === undefined || entry.status === status);
}

export interface EventQuery {
  readonly type?: string | undefined;
  /** As a bare uuid. */
  readonly subject?: string | undefined;
}
