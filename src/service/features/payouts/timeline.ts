import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { TimelinePart } from "../timeline-part.js";

export const payoutTimeline: TimelinePart<"payout"> = {
  kind: "payout",
  objects: {
    noun: "payout",
    ids: ["payout"],
    elsewhere: "payout",
    find({ payouts }, bookId, raw) {
      const row = payouts.inBook(raw, bookId);
      if (row === null) return null;
      const { id, amount, currency, failure_reason } = row;
      return {
        ...({ noun: "payout", id, publicIds: [ID_PREFIX.payout + id], payment: null } as const),
        params(move) {
          if (move === "create") return { amount, currency };
          return move === "fail" ? { reason: failure_reason } : {};
        },
      };
    },
    ofPayment: () => [],
  },
};
