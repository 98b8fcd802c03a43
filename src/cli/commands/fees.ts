import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { ServiceSettings } from "../../features/settings.js";
import { METHOD_NAMES } from "../../features/transactions/catalogue.js";
import { EXIT } from "../exit-codes.js";
import { Failure } from "../failure.js";

/** What has a fee: every payment method, and the Pix that a cashout sends. */
const CHARGED = [...METHOD_NAMES, "PIX_OUT"] as const;
const FeeSchema = z.strictObject({
  fixed: z.int().min(0).default(0),
  bps: z.int().min(0).max(10_000).default(0),
});
const FeesSchema = z.partialRecord(
  z.enum(CHARGED),
  z.strictObject({
    provider: FeeSchema.default({ fixed: 0, bps: 0 }),
    platform: FeeSchema.default({ fixed: 0, bps: 0 }),
  }),
);

/** Reads `--fees`: JSON or `@file`, by payment method, `fixed` in centavos and `bps` in hundredths of a percent. */
export function readFees(text: string, cwd: string): ServiceSettings["fees"] {
  const example = '{"PIX":{"platform":{"fixed":30,"bps":99}}}';
  try {
    const json = text.startsWith("@") ? readFileSync(resolve(cwd, text.slice(1)), "utf8") : text;
    return FeesSchema.parse(JSON.parse(json)) as ServiceSettings["fees"];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : message;
    throw new Failure(EXIT.usage, "usage", `--fees takes JSON such as ${example}, or @file: ${reason}`);
  }
}
