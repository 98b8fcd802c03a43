import { NoQuery } from "../../../base/kernel/schemas.js";
import { defineOperation } from "../../../service/features/operation.js";
import type { Controls } from "../control-interface.js";
import { Survival } from "../survival-board.js";

export const sandboxSurvive = defineOperation({
  id: "sandbox.survive",
  route: "GET /_sandbox/survive",
  summary: "Show how far the run of `qa-pay survive` is that started this emulator",
  description:
    "Answers the results of `qa-pay survive` so far, while it runs: how many schedules were run, each fault with how often " +
    "the shop failed by it, and the failures with their steps. `survive` starts an emulator for its run; at every other one " +
    "`state` is `none`. It takes no parameter and refuses any.",
  query: NoQuery,
  success: { status: 200, description: "The results so far", schema: Survival },
  cli: {
    examples: ["qa-pay sandbox survive", "qa-pay sandbox survive --json"],
    columns: "state, seed, planned, schedules, survived, failed",
    below: {
      rows: "failures",
      columns: "oracle, schedule, text, command",
    },
  },
}).control((_, { survival }: Controls) => survival());
