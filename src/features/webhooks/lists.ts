import { type Db, type SqlValue, searcher } from "../../db/driver.js";
import { blockReader, type ListPlace } from "../../db/list-blocks.js";
import type { Steps } from "../../db/long-read.js";
import { EVENT_NAMES, type EventName } from "./catalogue.js";
import type { DeliveryStatus } from "./machine.js";

/** Which events and deliveries are on a page of a list, and how many deliveries there are (docs/decisions/015-lists-and-figures.md). */

export interface EventFilters {
  readonly book: number;
  readonly type?: EventName | undefined;
  readonly subject?: string | undefined;
}

export interface DeliveryFilters extends EventFilters {
  readonly status?: DeliveryStatus | undefined;
  /** The id of an endpoint that lists show. */
  readonly endpoint?: string | undefined;
}

/** A row of `delivery_figures`. */
interface Kind {
  readonly type: EventName;
  readonly endpoint_seq: number;
  readonly status: "OPEN" | DeliveryStatus;
  readonly count: number;
}

/** So many rows of a status are skipped in its index without a pause. */
const FEW = 100_000;

const OWN_ENDPOINT = "(SELECT seq FROM endpoints WHERE id = ? AND private = 0)";

const CONDITIONS = {
  status: "d.status = ?",
  // A condition and not a join: no other table is read unless a filter needs it.
  type: "EXISTS (SELECT 1 FROM events WHERE seq = d.event_seq AND type = ?)",
  endpoint: `d.endpoint_seq = ${OWN_ENDPOINT}`,
  subject: `d.seq IN (SELECT seq FROM deliveries
                       WHERE event_seq IN (SELECT seq FROM events INDEXED BY events_by_subject WHERE subject = ?))`,
  first: "d.seq >= ?",
  end: "d.seq < ?",
  book: "d.book_id = ?",
  // The plus keeps SQLite from an index of the whole book, where the rows are known from another condition.
  anyBook: "+d.book_id = ?",
};

function eventSteps(db: Db, inBlocks: ReturnType<typeof blockReader>) {
  const seqs = searcher<{ seq: number }, "book" | "type" | "subject" | "first" | "end">(
    db,
    "SELECT seq FROM events",
    { book: "book_id = ?", type: "type = ?", subject: "subject = ?", first: "seq >= ?", end: "seq < ?" },
    "ORDER BY seq DESC LIMIT ?",
  );
  return function* (filters: EventFilters, place: ListPlace): Steps<number[]> {
    const { book, type, subject } = filters;
    const rows = (first?: number, end?: number) =>
      seqs({ book, type, subject, first, end }, place.limit).map(({ seq }) => seq);
    if (subject !== undefined) return rows(undefined, place.before);
    return yield* inBlocks({ list: "events", book, values: type === undefined ? EVENT_NAMES : [type] }, place, rows);
  };
}

function kindStatements(db: Db) {
  const kinds = searcher<Kind, "book" | "type" | "endpoint">(
    db,
    "SELECT type, endpoint_seq, status, count FROM delivery_figures",
    { book: "book_id = ?", type: "type = ?", endpoint: `endpoint_seq = ${OWN_ENDPOINT}` },
    "",
  );
  const processing = searcher<{ count: number }, keyof typeof CONDITIONS>(
    db,
    "SELECT COUNT(*) AS count FROM deliveries d",
    CONDITIONS,
    "AND d.status = 'PROCESSING'",
  );
  const kindsOf = ({ book, type, endpoint }: DeliveryFilters) => kinds({ book, type, endpoint });
  return {
    kindsOf,
    /** How many deliveries a list has. Only those whose attempt is under way are counted one by one: they are few. */
    countDeliveries({ status, ...filters }: Omit<DeliveryFilters, "subject">): number {
      const counted = kindsOf(filters);
      const sum = (wanted?: Kind["status"]) =>
        counted.reduce((total, kind) => total + (wanted === undefined || kind.status === wanted ? kind.count : 0), 0);
      if (status !== "PENDING" && status !== "PROCESSING") return sum(status);
      const underWay = processing({ ...filters })[0]?.count ?? 0;
      return status === "PROCESSING" ? underWay : sum("OPEN") - underWay;
    },
  };
}

/** Returns the statements of the lists of deliveries and events. None of them reads many rows at once. */
export function listStatements(db: Db) {
  const inBlocks = blockReader(db);
  const { kindsOf, countDeliveries } = kindStatements(db);
  const seqs = searcher<{ seq: number }, keyof typeof CONDITIONS>(
    db,
    "SELECT d.seq FROM deliveries d",
    CONDITIONS,
    "ORDER BY d.seq DESC LIMIT ? OFFSET ?",
  );
  const seqsOf = (filters: Partial<Record<keyof typeof CONDITIONS, SqlValue | undefined>>, limit: number, offset = 0) =>
    seqs(filters, limit, offset).map(({ seq }) => seq);
  return {
    countDeliveries,
    /** The `seq` of the events of a page, newest first. */
    eventSteps: eventSteps(db, inBlocks),
    /** The `seq` of the deliveries of a page, newest first. */
    *deliverySteps({ book, subject, ...filters }: DeliveryFilters, place: ListPlace): Steps<number[]> {
      const { before: end, offset = 0 } = place;
      const { status, type, endpoint } = filters;
      if (subject !== undefined) return seqsOf({ ...filters, subject, end, anyBook: book }, place.limit, offset);
      const total = countDeliveries({ book, ...filters });
      const limit = Math.min(place.limit, total - offset);
      if (limit <= 0) return [];
      if (status !== undefined && type === undefined && endpoint === undefined && offset < FEW)
        return seqsOf({ book, status, end }, limit, offset);
      const values = kindsOf({ book, type, endpoint }).map((kind) => `${kind.type} ${kind.endpoint_seq}`);
      // With a status, its index has the rows of a block side by side.
      const inBook = status === undefined ? { anyBook: book } : { book };
      return yield* inBlocks(
        { list: "deliveries", book, values: [...new Set(values)] },
        { ...place, limit },
        (first, before) => seqsOf({ ...filters, ...inBook, first, end: before }, before - first),
      );
    },
  };
}
