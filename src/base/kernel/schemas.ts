import * as z from "zod";
import type { IdempotencyKind } from "./contract.js";
import { MAX_DETAILS } from "./errors.js";
import { inexactPaths } from "./exact-numbers.js";
import { KEY_LENGTHS, keyLengthText } from "./idempotency-key.js";
import { idPattern, rawId } from "./ids.js";
import { MAX_AMOUNT } from "./money.js";
import { saysSomething } from "./pasted-text.js";
import { BARE_TAX_ID_PATTERN, TAX_ID_PATTERN } from "./tax-id.js";
import { DATE_TIME_PATTERN, INSTANT_PATTERN, parseInstant } from "./time.js";

/** Schemas that several operations share. The OpenAPI document refers to them by name. */

export const IsoInstant = z.string().meta({ format: "date-time", description: "ISO 8601 UTC timestamp" });

export const TextParams = z
  .record(z.string(), z.unknown())
  .describe("What stands in the text: amounts in the smallest unit, instants in ISO 8601");

export const Currency = z.string().regex(/^[A-Z]{3,8}$/, "must be 3 to 8 capital letters");

/** Metadata. It is returned as it was sent, so a number that JavaScript cannot keep exactly is refused. */
export const Metadata = z.record(z.string(), z.unknown()).superRefine((metadata, context) => {
  const message = "is a number that cannot be kept exactly: send it as a string";
  for (const path of inexactPaths(metadata, MAX_DETAILS))
    context.addIssue({ code: "custom", path: [...path], message });
});

/** The query of a list without parameters. It refuses every parameter. */
export const NoQuery = z.strictObject({});

/** The id of an object as a filter of a list; its value is the UUID. A text that is no such id is refused. */
export function idFilter(what: string, ...prefixes: string[]) {
  return z
    .string()
    .transform((text, context) => {
      const raw = rawId(text, ...prefixes);
      if (raw !== null) return raw;
      context.addIssue({ code: "custom", message: `must be the id of ${what}` });
      return z.NEVER;
    })
    .meta({ pattern: idPattern(...prefixes) });
}

/** The id of the last object of the page before. The operation refuses an id that is none of the caller's objects. */
export function idCursor(prefix: string) {
  return z.string().meta({ pattern: idPattern(prefix) });
}

/** The message for a missing idempotency key of the body: a client may have sent it in the header, as for charges. */
function whyNoKey({ input }: { readonly input?: unknown }): string | undefined {
  return input === undefined
    ? "is required as a field of the body; the header Idempotency-Key is for charges"
    : undefined;
}

/** The idempotency key of a body. */
export function keyInBody(kind: IdempotencyKind) {
  const [least, most] = KEY_LENGTHS[kind];
  const refusal = `must have ${keyLengthText(kind)}`;
  return z
    .string({ error: whyNoKey })
    .min(least, refusal)
    .max(most, refusal)
    .describe(`Unique for each intended ${kind}, ${keyLengthText(kind)}`);
}

export function textUpTo(most: number) {
  return z.string().max(most, `must have at most ${most} characters`);
}

export const Amount = z.int().min(1).max(MAX_AMOUNT);

/** A text for a person. White space and other characters that nobody can see are no text. */
export const Words = z
  .string()
  .refine(saysSomething, "must not be empty or white space alone")
  .meta({ pattern: "\\S" });

/** A CPF or CNPJ. The operation checks its check digits, which a pattern cannot. */
export const TaxId = z.string().meta({ pattern: TAX_ID_PATTERN });

/** The same without punctuation. */
export const BareTaxId = z.string().meta({ pattern: BARE_TAX_ID_PATTERN });

function wholeNumber(min: number, max: number) {
  const digits = z.string().regex(/^(?:0|[1-9]\d{0,14})$/, `must be a whole number from ${min} to ${max}`);
  // The typed client accepts a number, too. In the query string it is text.
  return (digits as unknown as z.ZodType<string, string | number>)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
}

/** A whole number in a query string, refused (never clamped) outside its range. */
export function queryInteger(min: number, max: number, fallback: number) {
  return wholeNumber(min, max).default(fallback).meta({ minimum: min, maximum: max });
}

export function optionalQueryInteger(min: number, max: number) {
  return wholeNumber(min, max).optional().meta({ minimum: min, maximum: max });
}

/** An ISO 8601 instant or date in a query string or body, as milliseconds since the epoch. */
export const InstantInput = z
  .string()
  .transform((text, context) => {
    const at = parseInstant(text);
    if (at !== null) return at;
    context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time such as 2026-11-21T12:00:00Z" });
    return z.NEVER;
  })
  // No `format`: that of a date-time demands seconds, and generators of code know only one form of a value.
  .meta({ pattern: INSTANT_PATTERN });

/** An ISO 8601 instant. A plain date is refused. */
export const DateTimeInput = z
  .string()
  .regex(/T/, "must be an ISO 8601 date-time such as 2026-11-21T12:00:00Z")
  .pipe(InstantInput)
  .meta({ pattern: DATE_TIME_PATTERN });
