import * as z from "zod";
import { isNameOf, namesOf } from "../../../base/kernel/names.js";
import { REFUND_STATUSES } from "../refunds/machine.js";
import { METHOD_NAMES } from "../transactions/catalogue.js";

const Nothing = z.object({});

/**
 * The kinds of due work, each with the form of its payload. A kind is never renamed and its payload only grows optional
 * fields: jobs of older versions may still wait in a database.
 */
const PAYLOADS = {
  "med.open": z.object({ rest: z.int().exactOptional() }),
  "refund.advance": z.object({ from: z.enum(REFUND_STATUSES) }),
  "transaction.expire": Nothing,
  "transaction.finalise": Nothing,
  "transaction.pay": z.object({
    amount: z.int().exactOptional(),
    payerName: z.string().exactOptional(),
    payerDocument: z.string().nullable().exactOptional(),
    method: z.enum(METHOD_NAMES).exactOptional(),
  }),
  "wallet.release": Nothing,
} as const;

export type JobKind = keyof typeof PAYLOADS;
export const JOB_KINDS = namesOf(PAYLOADS);
export type JobPayload<Kind extends JobKind> = z.output<(typeof PAYLOADS)[Kind]>;

/** The arguments of a job behind its instant: none for a kind without a payload. */
export type PayloadArgument<Kind extends JobKind> =
  JobPayload<Kind> extends Record<string, never> ? [] : [payload: JobPayload<Kind>];

const SCHEMAS: { readonly [Kind in JobKind]: z.ZodType<JobPayload<Kind>> } = PAYLOADS;

/** Reads a stored payload. Throws for text that is not a payload of this kind. */
export function readPayload<Kind extends JobKind>(kind: Kind, payload: string): JobPayload<Kind> {
  return SCHEMAS[kind].parse(JSON.parse(payload));
}

export function isPayload(kind: string, payload: string): boolean {
  try {
    return isNameOf(SCHEMAS, kind) && SCHEMAS[kind].safeParse(JSON.parse(payload)).success;
  } catch {
    return false;
  }
}
