import * as z from "zod";
import { isEmailAddress } from "../../../base/kernel/email.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { BareTaxId, TaxId, textUpTo } from "../../../base/kernel/schemas.js";
import { type DetailField, type Resource, requestedIn } from "./details.js";

/** The schemas of the declared texts (details.ts) in requests. Client commands load the declarations, and no schema. */

const FORMS = {
  taxId: TaxId.optional(),
  bareTaxId: BareTaxId.optional(),
  email: z.string().refine(isEmailAddress, "must be an e-mail address").optional().meta({ format: "email" }),
};

export function textSchema({ form, most, about }: Pick<DetailField, "form" | "most" | "about">) {
  const text = most === undefined ? z.string() : textUpTo(most);
  return (form === undefined ? text.optional() : FORMS[form]).describe(about);
}

/** Returns the schemas of the texts in the object `within` of a body, or outside of any for an empty text. */
export function requestSchemas<Of extends Resource, In extends string>(of: Of, within: In) {
  const members = requestedIn(of, within);
  return byName(namesOf(members), (name) => textSchema(members[name]));
}
