import type { OperationId, OperationInput } from "../../../../api/client/types.js";
import { commands } from "../facts/commands.js";
import type { FilterSpec } from "../parts/filters.js";
import { bound } from "../words/dates.js";
import { type Label, labelOf } from "./known-fields.js";

/** The filters of a list by the names of its operation's query. Their choices are those of the contract. The search comes first. */

type QueryOf<Id extends OperationId> =
  OperationInput<Id> extends { readonly query?: infer Query } ? NonNullable<Query> : never;

type QueryField<Id extends OperationId> = keyof QueryOf<Id> & string;

export type Filter<Id extends OperationId> =
  | QueryField<Id>
  | (Pick<FilterSpec, "kind" | "choices" | "suggestions" | "none" | "isInSight"> & {
      readonly field: QueryField<Id>;
      /** Its name in the address of the page, and in the texts, if it differs there. */
      readonly at?: string;
      readonly label?: Label;
      /** The values of the query by those of the address, where they differ. Other values of the address are ignored. */
      readonly sends?: Readonly<Record<string, string>>;
    });

export interface WholeFilter {
  readonly field: string;
  readonly spec: FilterSpec;
  readonly sends?: Readonly<Record<string, string>>;
}

const flagOf = (id: string, name: string) => commands[id]?.flags.find(({ field }) => field === name);

/** The possible values of a field of the query, by the contract. */
export const choicesOf = (id: string, name: string) => flagOf(id, name)?.choices ?? [];

/** True if the query has a field, such as the cursor of a list. */
export const hasField = (id: string, name: string) => flagOf(id, name) !== undefined;

/** Returns the filters of a list with all facts from the contract. The search is first. */
export function filtersOf<Id extends OperationId>(id: Id, all: readonly Filter<Id>[]): readonly WholeFilter[] {
  const isSearch = (one: Filter<Id>) => (typeof one === "string" ? one : one.field) === "q";
  return all
    .toSorted((one, other) => Number(isSearch(other)) - Number(isSearch(one)))
    .map((one) => {
      const filter = typeof one === "string" ? { field: one } : one;
      const { field, at = field, label = at, sends, ...given } = filter;
      const { type, choices } = flagOf(id, field) ?? {};
      const written = type === "integer" ? "number" : "text";
      const kind = (given.choices ?? choices) === undefined ? written : "choice";
      return {
        field,
        ...(sends === undefined ? {} : { sends }),
        spec: {
          name: at,
          label: labelOf(label),
          ...(choices === undefined ? {} : { choices }),
          ...given,
          kind: given.kind ?? kind,
        },
      };
    });
}

type Query = Readonly<Record<string, string>>;

/** The query of a list for the filters in the address of its page. */
export function listQuery(filters: readonly WholeFilter[], address: Query): Query {
  const given = filters.flatMap(({ field, sends, spec: { name, kind } }) => {
    const written = address[name]?.trim() ?? "";
    const text = sends === undefined ? written : (sends[written] ?? "");
    if (text === "") return [];
    return [[field, kind === "date" ? bound(text, /end|before|until/.test(field) ? "last" : "first") : text]];
  });
  return Object.fromEntries(given);
}
