import { type Db, lister, pages, searcher } from "../../../base/db/driver.js";
import type { EventName } from "./catalogue.js";
import type { DeliveryStatus } from "./machine.js";

/** Lists of events and deliveries, the newest first. An index contains all columns of their filters. */

export interface EventFilters {
  readonly book: number;
  readonly type?: EventName | undefined;
  /** The id of the event's object, without its prefix. */
  readonly subject?: string | undefined;
  /** The `seq` of the previous page's last row. */
  readonly before?: number | undefined;
}

export interface DeliveryFilters extends EventFilters {
  readonly status?: DeliveryStatus | undefined;
  /** The id of an endpoint that lists show. */
  readonly endpoint?: string | undefined;
}

const EVENT_CONDITIONS: Readonly<Record<keyof EventFilters, string>> = {
  book: "book_id = ?",
  type: "type = ?",
  subject: "seq IN (SELECT seq FROM events WHERE subject = ?)",
  before: "seq < ?",
};

const DELIVERY_CONDITIONS: Readonly<Record<keyof DeliveryFilters, string>> = {
  book: "d.book_id = ?",
  type: "d.event_type = ?",
  subject: `d.seq IN (SELECT seq FROM deliveries WHERE event_seq IN (SELECT seq FROM events WHERE subject = ?))`,
  before: "d.seq < ?",
  status: "d.status = ?",
  endpoint: "d.endpoint_seq = (SELECT seq FROM endpoints WHERE id = ? AND private = 0)",
};

/** Returns the statements of these lists. `view` is the columns and the joins of a delivery that is shown. */
export function listStatements<Event, Delivery>(db: Db, view: string) {
  const total = searcher<{ total: number }, keyof DeliveryFilters>(
    db,
    "SELECT COUNT(*) AS total FROM deliveries d",
    DELIVERY_CONDITIONS,
    "",
  );
  const seqs = pages<{ seq: number }, keyof DeliveryFilters>(
    db,
    "SELECT d.seq FROM deliveries d",
    DELIVERY_CONDITIONS,
    "d.seq DESC",
  );
  const shown = lister<Delivery>(
    db,
    `SELECT ${view} WHERE d.seq IN (SELECT value FROM json_each(?)) ORDER BY d.seq DESC`,
  );
  return {
    events: pages<Event, keyof EventFilters>(db, "SELECT * FROM events", EVENT_CONDITIONS, "seq DESC"),
    /** First the numbers of the page, so that nothing is joined to the rows before it. */
    deliveries(filters: DeliveryFilters, limit: number, offset?: number): Delivery[] {
      const numbers = seqs({ ...filters }, limit, offset).map(({ seq }) => seq);
      return shown(JSON.stringify(numbers));
    },
    countDeliveries: (filters: DeliveryFilters): number => total({ ...filters })[0]?.total ?? 0,
    /** The newest deliveries that were given up, by the minute. */
    givenUp: lister<{ at: number; count: number }>(
      db,
      `SELECT MAX(at) AS at, COUNT(*) AS count
         FROM (SELECT updated_at AS at FROM deliveries WHERE book_id = ? AND status = 'FAILED' ORDER BY seq DESC LIMIT 100)
        GROUP BY at / 60000`,
    ),
    countByStatus: lister<{ status: DeliveryStatus; count: number }>(
      db,
      "SELECT status, COUNT(*) AS count FROM deliveries WHERE book_id = ? GROUP BY status",
    ),
  };
}
