import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { pick } from "../../../base/kernel/pick.js";
import type { TimelineObject, TimelinePart } from "../timeline-part.js";
import type { Stores } from "../tx.js";
import type { RefundRow } from "./store.js";

function objectOf({ webhooks }: Stores, row: RefundRow): TimelineObject {
  const { id, transaction_id, amount, currency, failure_reason } = row;
  const publicId = ID_PREFIX.refund + id;
  return {
    noun: "refund",
    id,
    publicIds: [publicId],
    payment: transaction_id,
    params(move) {
      if (move === "create") return { amount, currency };
      return move === "fail" ? { reason: failure_reason } : {};
    },
    eventsOfPayment: () =>
      webhooks.eventsOf(transaction_id).filter(({ data }) => pick(JSON.parse(data), "refund.id") === publicId),
  };
}

export const refundTimeline: TimelinePart<"refund"> = {
  kind: "refund",
  objects: {
    noun: "refund",
    ids: ["refund"],
    elsewhere: "refund",
    find(stores, bookId, raw) {
      const row = stores.refunds.inBook(raw, bookId);
      return row === null ? null : objectOf(stores, row);
    },
    ofPayment: (stores, payment) => stores.refunds.ofTransaction(payment).map((row) => objectOf(stores, row)),
    // The money returned before it was credited: such a refund is done from the beginning.
    codeOf: (move, to) => (move === "create" && to === "REFUNDED" ? "refund.create_done" : undefined),
  },
};
