import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Jobs } from "../job.js";
import { releaseTranche } from "./actions.js";

const Nothing = z.object({});

declare module "../tx.js" {
  interface JobPayloads {
    "wallet.release": z.output<typeof Nothing>;
  }
}

/** The subject is the number of a tranche: each part of a payment is released by itself. */
export const walletJobs: Pick<Jobs, "wallet.release"> = {
  "wallet.release": {
    payload: Nothing,
    run: releaseTranche,
    preview({ ledger }, id) {
      const tranche = ledger.tranche(Number(id));
      if (tranche === null || tranche.released_at !== null) return null;
      return {
        subject: ID_PREFIX.charge + tranche.transaction_id,
        code: "money_released",
        params: { amount: tranche.amount, currency: tranche.currency },
      };
    },
    subjectsAbout: ({ ledger }, ids) => ledger.tranchesOf(JSON.stringify(ids)).map(({ id }) => String(id)),
  },
};
