import { isSettled, useCall } from "../../api/use-call.js";
import { OPEN_CASES } from "../../shell/due.js";
import { CHANGES_DUE, DUE } from "../../words/due-work.js";

/** All data of the first page, each read once. It is shown when all has arrived, so that nothing moves. */

const LAST = { query: { limit: 10 } } as const;

export function useReadings() {
  const readings = {
    balance: useCall("wallets.balance", { query: {} }, { on: ["journal"] }).state.value,
    metrics: useCall("payments.metrics", { query: { days: 7 } }, { on: ["transaction", "clock"] }).state.value,
    deliveries: useCall("webhooks.stats", {}, { on: ["attempt", "event"] }).state.value,
    open: useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value,
    errors: useCall("sandbox.requests.errors", { query: {} }, { on: ["request"] }).state.value,
    due: useCall("sandbox.clock.due", DUE, { on: CHANGES_DUE }).state.value,
    /** With the number of payments in each state. */
    payments: useCall("sandbox.payments.list", LAST, { on: ["transaction"] }).state.value,
    refunds: useCall("sandbox.refunds.list", LAST, { on: ["refund"] }).state.value,
    cases: useCall("sandbox.med.list", LAST, { on: ["case"] }).state.value,
  };
  return { ...readings, isRead: Object.values(readings).every(isSettled) };
}

export type Readings = Omit<ReturnType<typeof useReadings>, "isRead">;

/** The number of all payments; null until it is known. */
export function totalOf({ payments: { data } }: Readings): number | null {
  return data === null ? null : Object.values(data.counts).reduce((sum, count) => sum + count, 0);
}
