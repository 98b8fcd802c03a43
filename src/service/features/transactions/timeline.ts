import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { iso } from "../../../base/kernel/time.js";
import type { TimelineObject, TimelinePart } from "../timeline-part.js";
import { hasMethod } from "./catalogue.js";
import type { TransactionRow } from "./store.js";

function objectOf(row: TransactionRow): TimelineObject {
  const { id, amount, currency, expires_at, payer_name } = row;
  const [charge, payment] = [ID_PREFIX.charge + id, ID_PREFIX.transaction + id];
  return {
    noun: "transaction",
    id,
    // With Pix it is a charge, otherwise a payment.
    publicIds: hasMethod(row, "PIX") ? [charge, payment] : [payment, charge],
    payment: null,
    params(move, data) {
      if (move === "create") return { amount, currency, expires_at: iso(expires_at) };
      if (move === "send_back") return { amount: data.amount, currency };
      return ["settle", "approve", "return"].includes(move) ? { payer: payer_name } : {};
    },
  };
}

export const transactionTimeline: TimelinePart<"transition"> = {
  kind: "transition",
  objects: {
    noun: "transaction",
    ids: ["charge", "transaction"],
    elsewhere: "transaction",
    find({ transactions }, bookId, raw) {
      const row = transactions.inBook(raw, bookId);
      return row === null ? null : objectOf(row);
    },
    ofPayment: () => [],
    codeOf: (move, _to, { reason }) =>
      move === "send_back" && reason === "largest_sum" ? "transition.send_back_too_large" : undefined,
  },
};
