import { z } from "zod";
import { Currency, queryInteger } from "../../../kernel/schemas.js";
import { saoPauloDay } from "../../../kernel/time.js";
import { defineOperation } from "../../operation.js";
import { metricsOf } from "../figures.js";

const Funnel = z.object({
  created: z.int(),
  pending: z.int(),
  paid: z.int().meta({ description: "Paid at some time, whatever happened later" }),
  expired: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  refunded: z.int(),
  disputed: z.int(),
  conversion: z.number().meta({ description: "Percent of the created that were paid, to one decimal" }),
});
const Volume = z.object({ currency: z.string(), gross: z.int(), net: z.int(), fees: z.int(), refunded: z.int() });

/**
 * docs/service/payments.md#metrics. The contract does not say what the answer looks like
 * (docs/service/payments.md#metrics).
 */
export const paymentMetrics = defineOperation({
  id: "payments.metrics",
  method: "GET",
  path: "/v1/payments/metrics",
  auth: "key",
  surface: "api",
  summary: "Measure conversion, time to pay and volumes of the last days",
  description:
    "Tells how many transactions of the last `days` came to which end and how many percent were paid, the median " +
    "and the 95th percentile of the seconds until payment, and volumes by currency, with a row for each day. " +
    "`currency` narrows it to one. It changes nothing.",
  query: z.strictObject({
    days: queryInteger(1, 36_500, 7).meta({ description: "Calendar days in São Paulo, today included" }),
    currency: Currency.optional().meta({ description: "Only this currency" }),
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
  errors: [],
  cli: {
    command: "payments metrics",
    examples: ["qa-pay payments metrics --days 30", "qa-pay payments metrics --currency BRL --json"],
    columns: [
      { header: "Created", path: "funnel.created" },
      { header: "Paid", path: "funnel.paid" },
      { header: "Conversion, %", path: "funnel.conversion" },
      { header: "Expired", path: "funnel.expired" },
      { header: "Failed", path: "funnel.failed" },
      { header: "Cancelled", path: "funnel.cancelled" },
      { header: "Refunded", path: "funnel.refunded" },
      { header: "Disputed", path: "funnel.disputed" },
      { header: "Median, s", path: "secondsToPay.median" },
      { header: "95 %, s", path: "secondsToPay.p95" },
      { header: "Volume", path: "volumeByCurrency", format: "volumes" },
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
