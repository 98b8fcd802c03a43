import * as z from "zod";
import { isEmailAddress } from "../../kernel/email.js";
import { BareTaxId, TaxId } from "../../kernel/schemas.js";
import { type DetailColumn, type DetailName, type Details, detailsWithin, type HiddenColumn } from "./details.js";

/** The details of a payment as fields of bodies and of answers. */

const FORMS = {
  text: (about: string) => z.string().optional().describe(about),
  tax_id: (about: string) => TaxId.optional().describe(about),
  bare_tax_id: (about: string) => BareTaxId.optional().describe(about),
  email: (about: string) =>
    z
      .string()
      .refine(isEmailAddress, "must be an e-mail address")
      .optional()
      .meta({ format: "email", description: about }),
};

type Fields<Of extends "charge" | "payment", Within extends string, Field, Hidden = never> = {
  [Column in Exclude<DetailColumn, Hidden> as DetailName<Column, Of, Within>]: Field;
};

/** The fields of a body. All of them may be left out. */
export function bodyDetails<Of extends "charge" | "payment", Within extends string>(of: Of, within: Within) {
  const fields = detailsWithin(of, within).map(({ name, about, form = "text" as const }) => [name, FORMS[form](about)]);
  return Object.fromEntries(fields) as Fields<Of, Within, z.ZodOptional<z.ZodString>>;
}

/** The fields of an answer. */
function answered(of: "charge" | "payment", within: string) {
  return detailsWithin(of, within).filter(({ isHidden }) => isHidden === undefined);
}

/** Of a charge: what was not given is left out. */
export function chargeDetails<Within extends string>(within: Within) {
  const details = answered("charge", within);
  const shape = Object.fromEntries(details.map(({ name }) => [name, z.string().optional()]));
  return {
    shape: shape as Fields<"charge", Within, z.ZodOptional<z.ZodString>>,
    of(row: Details) {
      const shown: Record<string, string> = {};
      for (const { name, column } of details) {
        const value = row[column];
        if (value !== null) shown[name] = value;
      }
      return shown as Partial<Fields<"charge", Within, string>>;
    },
  };
}

/** Of a payment: what was not given is null. */
export function paymentDetails() {
  const details = answered("payment", "");
  type Shown<Field> = Fields<"payment", "", Field, HiddenColumn<"payment">>;
  const shape = Object.fromEntries(details.map(({ name }) => [name, z.string().nullable()]));
  return {
    shape: shape as Shown<z.ZodNullable<z.ZodString>>,
    of: (row: Details) =>
      Object.fromEntries(details.map(({ name, column }) => [name, row[column]])) as Shown<string | null>,
  };
}
