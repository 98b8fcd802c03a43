import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Jobs } from "../job.js";
import { advanceRefundWhenDue, canArrive } from "./actions.js";
import { REFUND_STATUSES } from "./machine.js";

const Advance = z.object({ from: z.enum(REFUND_STATUSES) });

declare module "../tx.js" {
  interface JobPayloads {
    "refund.advance": z.output<typeof Advance>;
  }
}

export const refundJobs: Pick<Jobs, "refund.advance"> = {
  "refund.advance": {
    payload: Advance,
    run: (tx, subject, { from }) => advanceRefundWhenDue(tx, subject, from),
    preview({ refunds }, id, { from }) {
      const refund = refunds.anywhere(id);
      if (refund === null || refund.status !== from) return null;
      const last = canArrive(refund) ? "refund_completes" : "refund_fails";
      return { subject: ID_PREFIX.refund + id, code: from === "PENDING" ? "refund_starts" : last, params: {} };
    },
  },
};
