import { type Db, pages, searcher } from "../../db/driver.js";
import type { EventName } from "./catalogue.js";
import type { DeliveryStatus } from "./machine.js";

/** Lists of events and deliveries, the newest first. An index has all that they are filtered by. */

export interface EventFilters {
  readonly book: number;
  readonly type?: EventName | undefined;
  /** The id of the object that the event is about, without its prefix. */
  readonly subject?: string | undefined;
  /** The `seq` of the last row of the page before. */
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
  return {
    events: pages<Event, keyof EventFilters>(db, "SELECT * FROM events", EVENT_CONDITIONS, "seq DESC"),
    deliveries: pages<Delivery, keyof DeliveryFilters>(db, `SELECT ${view}`, DELIVERY_CONDITIONS, "d.seq DESC"),
    countDeliveries: (filters: DeliveryFilters): number => total({ ...filters })[0]?.total ?? 0,
  };
}
