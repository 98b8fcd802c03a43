import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Jobs } from "../job.js";
import { isContestable, openCaseWhenDue } from "./actions.js";

const Opening = z.object({ rest: z.int().exactOptional() });

declare module "../tx.js" {
  interface JobPayloads {
    "med.open": z.output<typeof Opening>;
  }
}

export const medJobs: Pick<Jobs, "med.open"> = {
  "med.open": {
    payload: Opening,
    run: (tx, subject, { rest }) => openCaseWhenDue(tx, subject, rest),
    preview(stores, id) {
      const row = stores.transactions.anywhere(id);
      if (row === null || !isContestable(stores, row)) return null;
      return { subject: ID_PREFIX.charge + id, code: "case_opens", params: {} };
    },
  },
};
