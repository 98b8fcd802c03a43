import { useCall } from "../../api/use-call.js";
import { OPEN_CASES } from "../../shell/badges.js";
import { CHANGES_DUE } from "../../words/due-work.js";

/** All that the first page reads. It is shown at once when all is there, so that nothing moves while it comes. */

const ALL_DAYS = 36_500;
const LAST = { query: { limit: 10 } } as const;

export function useReadings() {
  const readings = {
    balance: useCall("wallets.balance", { query: {} }, { on: ["journal"] }),
    metrics: useCall("payments.metrics", { query: { days: 7 } }, { on: ["transaction", "clock"] }),
    deliveries: useCall("webhooks.stats", {}, { on: ["attempt", "event"] }),
    open: useCall("med.list", OPEN_CASES, { on: ["case"] }),
    held: useCall("payments.list", { query: { status: "PROCESSING", limit: 1 } }, { on: ["transaction"] }),
    errors: useCall("sandbox.requests.errors", { query: {} }, { on: ["request"] }),
    due: useCall("sandbox.clock.due", { query: { limit: 50 } }, { on: CHANGES_DUE }),
    payments: useCall("payments.list", LAST, { on: ["transaction"] }),
    refunds: useCall("sandbox.refunds.list", LAST, { on: ["refund"] }),
    cases: useCall("med.list", LAST, { on: ["case"] }),
    all: useCall("payments.stats", { query: { days: ALL_DAYS } }, { on: ["transaction"] }),
    delivered: useCall("sandbox.deliveries.list", { query: { status: "DELIVERED", limit: 1 } }, { on: ["attempt"] }),
    endpoints: useCall("webhooks.endpoints.list", {}, { on: ["request"] }),
  };
  const isRead = Object.values(readings).every(({ state: { value } }) => value.data !== null || value.error !== null);
  return { ...readings, isRead };
}

export type Readings = ReturnType<typeof useReadings>;
