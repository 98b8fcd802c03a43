import { isSettled, useCall } from "../../api/use-call.js";
import { OPEN_CASES } from "../../shell/due.js";
import { CHANGES_DUE, DUE } from "../../words/due-work.js";

/** All data of the first page. It is shown when all has arrived, so that nothing moves. */

const ALL_DAYS = 36_500;
const LAST = { query: { limit: 10 } } as const;

export function useReadings() {
  const readings = {
    balance: useCall("wallets.balance", { query: {} }, { on: ["journal"] }).state.value,
    metrics: useCall("payments.metrics", { query: { days: 7 } }, { on: ["transaction", "clock"] }).state.value,
    deliveries: useCall("webhooks.stats", {}, { on: ["attempt", "event"] }).state.value,
    open: useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value,
    held: useCall("payments.list", { query: { status: "PROCESSING", limit: 1 } }, { on: ["transaction"] }).state.value,
    errors: useCall("sandbox.requests.errors", { query: {} }, { on: ["request"] }).state.value,
    due: useCall("sandbox.clock.due", DUE, { on: CHANGES_DUE }).state.value,
    payments: useCall("payments.list", LAST, { on: ["transaction"] }).state.value,
    refunds: useCall("sandbox.refunds.list", LAST, { on: ["refund"] }).state.value,
    cases: useCall("med.list", LAST, { on: ["case"] }).state.value,
    all: useCall("payments.stats", { query: { days: ALL_DAYS } }, { on: ["transaction"] }).state.value,
    delivered: useCall("sandbox.deliveries.list", { query: { status: "DELIVERED", limit: 1 } }, { on: ["attempt"] })
      .state.value,
    endpoints: useCall("webhooks.endpoints.list", {}, { on: ["request"] }).state.value,
  };
  return { ...readings, isRead: Object.values(readings).every(isSettled) };
}

export type Readings = ReturnType<typeof useReadings>;
