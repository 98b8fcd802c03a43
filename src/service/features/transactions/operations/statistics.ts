import * as z from "zod";
import { Currency, queryInteger } from "../../../../base/kernel/schemas.js";
import { saoPauloDay } from "../../../../base/kernel/time.js";
import { defineOperation } from "../../operation.js";
import { metricsOf, statsOf } from "../figures.js";
import { MethodName } from "../payment-resource.js";

const Volumes = z.record(z.string(), z.int());

/** docs/service/payments.md#statistics */
export const paymentStats = defineOperation({
  id: "payments.stats",
  route: "GET /v1/payments/stats",
  summary: "Count payments and volumes of the last days",
  description:
    "Counts transactions and paid volume of the last `days` calendar days in São Paulo, today included. A " +
    "transaction belongs to the day of its creation and counts as paid whatever happened to it later. Totals cover " +
    "the whole window, `dailyVolume` its latest 366 days.",
  query: z.strictObject({
    days: queryInteger(1, 36_500, 7).describe("Calendar days in São Paulo, today included"),
  }),
  success: {
    status: 200,
    description: "Totals of the whole window; at most the latest 366 days one by one",
    schema: z.object({
      totalTransactions: z.int(),
      paidTransactions: z.int(),
      todayTransactions: z.int(),
      successRate: z.int().describe("Percent of the transactions that were paid"),
      volumeByCurrency: z.array(z.object({ currency: z.string(), volume: z.int(), count: z.int() })),
      todayVolumeByCurrency: Volumes,
      dailyVolume: z.array(z.object({ date: z.string().meta({ format: "date" }), currencies: Volumes })),
      methodBreakdown: z.array(z.object({ method: MethodName, volume: z.int(), count: z.int() })),
    }),
  },
  cli: {
    examples: ["qa-pay payments stats", "qa-pay payments stats --days 30 --json"],
    columns: [
      "totalTransactions as Payments, paidTransactions as Paid, todayTransactions as Today",
      { header: "Success, %", path: "successRate" },
      "volumeByCurrency as Volume, todayVolumeByCurrency as Volume today, methodBreakdown as By method",
    ],
  },
}).read(({ caller, query }, reader) => {
  const today = saoPauloDay(reader.now);
  const first = today - query.days + 1;
  return statsOf(reader.transactions.figures(caller.bookId, first, null), first, today);
});

const Funnel = z.object({
  created: z.int(),
  pending: z.int(),
  paid: z.int().describe("Paid at some time, whatever happened later"),
  expired: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  refunded: z.int(),
  disputed: z.int(),
  conversion: z.number().describe("Percent of the created that were paid, to one decimal"),
});
const Volume = z.object({ currency: z.string(), gross: z.int(), net: z.int(), fees: z.int(), refunded: z.int() });

/** docs/service/payments.md#metrics, which does not define the form of the answer. */
export const paymentMetrics = defineOperation({
  id: "payments.metrics",
  route: "GET /v1/payments/metrics",
  summary: "Measure conversion, time to pay and volumes of the last days",
  description:
    "Counts the transactions of the last `days` by their outcome and the percentage that were paid, the median " +
    "and the 95th percentile of the seconds until payment, and volumes by currency, with a row for each day. " +
    "`currency` narrows it to one. It changes nothing.",
  query: z.strictObject({
    days: queryInteger(1, 36_500, 7).describe("Calendar days in São Paulo, today included"),
    currency: Currency.optional().describe("Only this currency"),
  }),
  success: {
    status: 200,
    description: "The funnel, how long payers took, volumes by currency, and each day",
    schema: z.object({
      days: z.int(),
      currency: z.string().nullable(),
      funnel: Funnel,
      secondsToPay: z.object({ median: z.int().nullable(), p95: z.int().nullable() }),
      volumeByCurrency: z.array(Volume),
      daily: z.array(
        z.object({
          date: z.string().meta({ format: "date" }),
          created: z.int(),
          paid: z.int(),
          volumeByCurrency: z.array(Volume),
        }),
      ),
    }),
  },
  cli: {
    examples: ["qa-pay payments metrics --days 30", "qa-pay payments metrics --currency BRL --json"],
    columns: [
      "funnel.created, funnel.paid",
      { header: "Conversion, %", path: "funnel.conversion" },
      "funnel.expired, funnel.failed, funnel.cancelled, funnel.refunded, funnel.disputed",
      { header: "Median, s", path: "secondsToPay.median" },
      { header: "95 %, s", path: "secondsToPay.p95" },
      "volumeByCurrency as Volume",
    ],
  },
}).read(({ caller, query }, reader) => {
  const { days, currency } = query;
  const today = saoPauloDay(reader.now);
  const first = today - days + 1;
  const only = currency ?? null;
  const figures = reader.transactions.figures(caller.bookId, first, only);
  const times = reader.transactions.paymentTimes(caller.bookId, first, only);
  return { days, currency: only, ...metricsOf(figures, times, first, today) };
});
