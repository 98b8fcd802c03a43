import { notFound } from "../../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import type { Stores } from "../../tx.js";
import type { EndpointRow } from "../store.js";

export function findEndpoint(stores: Stores, bookId: number, id: string): EndpointRow {
  const raw = rawId(id, ID_PREFIX.endpoint, "");
  const endpoint = raw === null ? null : stores.webhooks.endpoint(bookId, raw);
  if (endpoint === null) throw notFound("webhook endpoint", id);
  return endpoint;
}
