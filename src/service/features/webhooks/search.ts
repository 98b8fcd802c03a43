import { type Db, lister } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { hasWords } from "../../../base/kernel/text-search.js";
import { isNamed, type Searchable, searchRows, toSearchResult } from "../searchable.js";
import type { DeliveryRow, EndpointRow, EventRow } from "./store.js";

type FoundDelivery = Pick<DeliveryRow, "id" | "status" | "created_at"> & Pick<EventRow, "type">;

const { delivery, endpoint, event } = ID_PREFIX;

/** Events, deliveries and endpoints. */
export function webhookSearch(db: Db): Searchable {
  const eventsById = searchRows<EventRow>(db, "events").byId(event);
  const deliveriesById = searchRows<FoundDelivery>(db, "deliveries", {
    select: `SELECT deliveries.id, deliveries.status, deliveries.created_at, e.type
               FROM deliveries JOIN events e ON e.seq = deliveries.event_seq`,
  }).byId(delivery);
  const endpoints = lister<EndpointRow>(
    db,
    "SELECT * FROM endpoints WHERE book_id = ? AND private = 0 AND deleted_at IS NULL ORDER BY seq DESC",
  );
  const toEndpointResult = (row: EndpointRow) =>
    toSearchResult(["endpoint", endpoint], row, { url: row.url }, row.status);
  return {
    exact: (request) => [
      ...eventsById(request).map((row) => toSearchResult(["event", event], row, { type: row.type })),
      ...deliveriesById(request).map((row) =>
        toSearchResult(["delivery", delivery], row, { type: row.type }, row.status),
      ),
      ...endpoints(request.bookId)
        .filter(({ id }) => isNamed(endpoint, request, id))
        .map(toEndpointResult),
    ],
    texts: ({ bookId, words }) =>
      endpoints(bookId)
        .filter(({ url }) => hasWords(url, words))
        .map(toEndpointResult),
  };
}
