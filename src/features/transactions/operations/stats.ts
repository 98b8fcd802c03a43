import { z } from "zod";
import { queryInteger } from "../../../kernel/schemas.js";
import { saoPauloDay } from "../../../kernel/time.js";
import { defineOperation } from "../../operation.js";
import { statsOf } from "../figures.js";
import { MethodName } from "../wire-payment.js";

const Volumes = z.record(z.string(), z.int());

/** docs/service/payments.md#statistics */
export const paymentStats = defineOperation({
  id: "payments.stats",
  method: "GET",
  path: "/v1/payments/stats",
  auth: "key",
  surface: "api",
  summary: "Count payments and volumes of the last days",
  description:
    "Counts transactions and paid volume of the last `days` calendar days in São Paulo, today included. A " +
    "transaction belongs to the day of its creation and counts as paid whatever happened to it later. Totals cover " +
    "the whole window, `dailyVolume` its latest 366 days.",
  query: z.strictObject({
    days: queryInteger(1, 36_500, 7).meta({ description: "Calendar days in São Paulo, today included" }),
  }),
  success: {
    status: 200,
    description: "Totals of the whole window; at most the latest 366 days one by one",
    schema: z.object({
      totalTransactions: z.int(),
      paidTransactions: z.int(),
      todayTransactions: z.int(),
      successRate: z.int().meta({ description: "Percent of the transactions that were paid" }),
      volumeByCurrency: z.array(z.object({ currency: z.string(), volume: z.int(), count: z.int() })),
      todayVolumeByCurrency: Volumes,
      dailyVolume: z.array(z.object({ date: z.string().meta({ format: "date" }), currencies: Volumes })),
      methodBreakdown: z.array(z.object({ method: MethodName, volume: z.int(), count: z.int() })),
    }),
  },
  errors: [],
  cli: {
    command: "payments stats",
    examples: ["qa-pay payments stats", "qa-pay payments stats --days 30 --json"],
    columns: [
      { header: "Payments", path: "totalTransactions" },
      { header: "Paid", path: "paidTransactions" },
      { header: "Today", path: "todayTransactions" },
      { header: "Success, %", path: "successRate" },
      { header: "Volume", path: "volumeByCurrency", format: "volumes" },
      { header: "Volume today", path: "todayVolumeByCurrency", format: "volumes" },
      { header: "By method", path: "methodBreakdown", format: "volumes" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const today = saoPauloDay(reader.now);
  const first = today - query.days + 1;
  return statsOf(reader.transactions.figures(caller.bookId, first, null), first, today);
});
