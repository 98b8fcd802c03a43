import type { LogQuery } from "./control-interface.js";

/** Filters of the logs and their live streams. The queries have been checked against the contract. */

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
  /** The id of the object that the event is about, without prefix. */
  readonly subject?: string | undefined;
}
