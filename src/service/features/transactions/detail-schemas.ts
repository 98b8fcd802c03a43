import * as z from "zod";
import { isEmailAddress } from "../../../base/kernel/email.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { BareTaxId, TaxId, textUpTo } from "../../../base/kernel/schemas.js";
import { type Resource, requestedIn } from "./details.js";

const FORMS = {
  taxId: TaxId.optional(),
  bareTaxId: BareTaxId.optional(),
  email: z.string().refine(isEmailAddress, "must be an e-mail address").optional().meta({ format: "email" }),
};

/** The schemas of the declared texts in a body: of the object `within`, or outside of any for an empty text. */
export function requestSchemas<Of extends Resource, In extends string>(of: Of, within: In) {
  const members = requestedIn(of, within);
  return byName(namesOf(members), (name) => {
    const { form, most, about } = members[name];
    const text = (most === undefined ? z.string() : textUpTo(most)).optional();
    return (form === undefined ? text : FORMS[form]).describe(about);
  });
}
