import type { OperationId, OperationInput } from "../../../../api/client/types.js";
import type { FieldSpec } from "../parts/field-values.js";
import { texts } from "../state/language.js";
import { contractField } from "./contract-form.js";
import { type Label, labelOf, snake } from "./known-fields.js";

/** Forms by the names of an operation's fields. The contract defines the kind and values of a field. */

const hints = texts("hints");

type BodyOf<Id extends OperationId> =
  OperationInput<Id> extends { readonly body?: infer Body } ? keyof NonNullable<Body> & string : never;

/** A field of the body, or one inside another with a dot. */
type BodyPath<Id extends OperationId> = BodyOf<Id> | `${BodyOf<Id>}.${string}`;

/** A field of a form, and its differences from the contract. */
export type Asked<Id extends OperationId> =
  | BodyPath<Id>
  | (Omit<FieldSpec, "name" | "label"> & {
      readonly name: BodyPath<Id>;
      /** The field's name in the texts, if it is not that of the body. */
      readonly label?: Label;
    });

/** Fields that are folded under a name until somebody opens it. */
export function folded<Id extends OperationId>(group: string, asked: readonly Asked<Id>[]): readonly Asked<Id>[] {
  return asked.map((one) => ({ ...(typeof one === "string" ? { name: one } : one), group }));
}

export function fieldsOf<Id extends OperationId>(id: Id, asked: readonly Asked<Id>[]): readonly FieldSpec[] {
  const known: Readonly<Record<string, string>> = hints.value;
  return asked.map((one) => {
    const given: Omit<FieldSpec, "label"> & { readonly label?: Label } = typeof one === "string" ? { name: one } : one;
    const label = given.label ?? snake(given.name.replaceAll(".", "_"));
    const hint = known[label];
    return {
      ...contractField(id, given.name),
      ...(hint === undefined ? {} : { hint }),
      ...given,
      label: labelOf(label),
    };
  });
}
