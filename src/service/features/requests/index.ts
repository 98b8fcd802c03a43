import { noun } from "../noun.js";
import { IDEMPOTENCY_KEY, type IdempotencyStore, idempotencyStore } from "./idempotency-store.js";
import * as sandboxRequests from "./operations/sandbox-requests.js";

declare module "../tx.js" {
  interface Stores {
    readonly idempotency: IdempotencyStore;
  }
}

/** The requests to the service: the log of the last ones, and the keys that make a repeated one harmless. */
export const requests = noun({
  tables: { idempotency_keys: IDEMPOTENCY_KEY },
  stores: { idempotency: idempotencyStore },
  operations: [sandboxRequests.sandboxRequests, sandboxRequests.sandboxRequestErrors, sandboxRequests.sandboxRequest],
});
