import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { ATTEMPT } from "./attempt-store.js";
import { webhookSearch } from "./search.js";
import { DELIVERY, ENDPOINT, EVENT, type WebhookStore, webhookStore } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly webhooks: WebhookStore;
  }
}

/** Events, the endpoints that want them, and their deliveries. */
export const webhooks = noun({
  tables: {
    events: { seq: key, ...EVENT },
    endpoints: ENDPOINT,
    deliveries: DELIVERY,
    delivery_attempts: ATTEMPT,
  },
  stores: { webhooks: webhookStore },
  search: [webhookSearch],
});
