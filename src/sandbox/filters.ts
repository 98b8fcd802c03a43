import { ID_PREFIX } from "../kernel/ids.js";
import { idFilter } from "../kernel/schemas.js";
import type { LogQuery } from "./control-interface.js";

/** Filters of the logs and their live streams. The queries have been checked against the contract. */

/** The ids of objects that an event can be about. */
export const EventSubject = idFilter(
  "a charge, payment, payout or MED case",
  ID_PREFIX.charge,
  ID_PREFIX.transaction,
  ID_PREFIX.payout,
  ID_PREFIX.medCase,
  "",
);

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
