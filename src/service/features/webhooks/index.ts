import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { ATTEMPT } from "./attempt-store.js";
import { deliveryMachine } from "./machine.js";
import * as collectors from "./operations/collectors.js";
import * as deliveries from "./operations/deliveries.js";
import * as endpoints from "./operations/endpoints.js";
import * as sandboxWebhooks from "./operations/sandbox-webhooks.js";
import { webhookSearch } from "./search.js";
import { DELIVERY, ENDPOINT, EVENT, type WebhookStore, webhookStore } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly webhooks: WebhookStore;
  }
}

/** Events, the endpoints that subscribe to them, and their deliveries. */
export const webhooks = noun({
  tables: {
    events: { seq: key, ...EVENT },
    endpoints: ENDPOINT,
    deliveries: DELIVERY,
    delivery_attempts: ATTEMPT,
  },
  stores: { webhooks: webhookStore },
  machines: [deliveryMachine],
  operations: [
    endpoints.createEndpoint,
    endpoints.listEndpoints,
    endpoints.updateEndpoint,
    endpoints.removeEndpoint,
    endpoints.rotateEndpointSecret,
    endpoints.eventCatalog,
    deliveries.listDeliveries,
    deliveries.webhookStats,
    collectors.createCollector,
    collectors.collectedWebhooks,
    collectors.deleteCollector,
    sandboxWebhooks.sandboxDeliveries,
    sandboxWebhooks.sandboxDelivery,
    sandboxWebhooks.sandboxResend,
    sandboxWebhooks.sandboxRevealSecret,
    sandboxWebhooks.sandboxEvents,
    sandboxWebhooks.sandboxEvent,
  ],
  search: [webhookSearch],
});
