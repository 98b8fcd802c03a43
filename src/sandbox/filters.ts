import type { LogQuery } from "../features/operation.js";
import { ID_PREFIX, rawId } from "../kernel/ids.js";

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

interface EventQuery {
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
}

/** The type and the raw id of the subject; an id that is none of ours matches nothing. */
export function eventFilter({ type, subject }: EventQuery): EventQuery {
  return {
    ...(type === undefined ? {} : { type }),
    ...(subject === undefined
      ? {}
      : {
          subject:
            rawId(subject, ID_PREFIX.charge, ID_PREFIX.transaction, ID_PREFIX.payout, ID_PREFIX.medCase, "") ??
            "unknown",
        }),
  };
}
