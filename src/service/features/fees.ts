import * as z from "zod";
import type { Fee } from "../../base/kernel/money.js";
import type { Reader } from "../../base/kernel/options.js";
import { METHOD_NAMES, type PaymentMethod } from "./transactions/catalogue.js";

/** Fees by payment method, and of a cashout as PIX_OUT. A method that is left out has no fees. */
export type Fees = Readonly<Record<string, { readonly provider: Fee; readonly platform: Fee }>>;

/** A part of an amount: `fixed` in the smallest unit of the currency, and `bps` in hundredths of a percent. */
type FeeInput = { readonly fixed?: number | undefined; readonly bps?: number | undefined };

export type FeesInput = {
  readonly [Method in PaymentMethod | "PIX_OUT"]?: {
    readonly provider?: FeeInput | undefined;
    readonly platform?: FeeInput | undefined;
  };
};

const MAX_BPS = 10_000;
const FeeSchema = z.strictObject({
  fixed: z.int().min(0).default(0),
  bps: z.int().min(0).max(MAX_BPS).default(0),
});
const FeesSchema = z.partialRecord(
  z.enum([...METHOD_NAMES, "PIX_OUT"]),
  z.strictObject({
    provider: FeeSchema.default({ fixed: 0, bps: 0 }),
    platform: FeeSchema.default({ fixed: 0, bps: 0 }),
  }),
);

export const FEES_EXAMPLE = '{"PIX":{"platform":{"fixed":30,"bps":99}}}';
/** The levels of the table of fees, in the words of a refusal. */
const AT_DEPTH = [
  "an object with payment methods",
  "an object with provider and platform",
  "an object with fixed and bps",
];
const OF_FEE: Readonly<Record<string, string>> = {
  fixed: "a whole number from 0",
  bps: `a whole number from 0 to ${MAX_BPS}`,
};

/** The problem of a table of fees: the wrong member, and its allowed values. */
function feeFault(issue: z.core.$ZodIssue): string {
  const { code, path } = issue;
  const isName = code === "unrecognized_keys" || code === "invalid_key";
  const [stranger] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const way = stranger === undefined ? path : [...path, stranger];
  if (isName && way.length === 1) return `${String(way[0])} is none of ${[...METHOD_NAMES, "PIX_OUT"].join(", ")}`;
  const holder = isName ? way.slice(0, -1) : way;
  const what = AT_DEPTH[holder.length] ?? OF_FEE[String(holder.at(-1))] ?? "";
  const named = isName ? `, without ${String(way.at(-1))}` : "";
  return `${holder.length === 0 ? "it" : holder.join(".")} must be ${what}${named}`;
}

export const readFees: Reader<Fees> = (given, refuse) => {
  const { success, data, error } = FeesSchema.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  const reason = issue === undefined ? "" : `: ${feeFault(issue)}`;
  return refuse.says(` takes fees by payment method such as ${FEES_EXAMPLE}${reason}.`);
};
