import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { CliColumn } from "../../../base/kernel/contract.js";
import { joinWords, t } from "../../../base/kernel/wording.js";
import type { RowField } from "../../../service/openapi/fields.js";
import { suggestion, usage } from "../terminal/failure.js";
import { listItems } from "../terminal/read-value.js";
import { formOf, type ListFlags } from "../tree/syntax.js";

/** `--columns`: which fields of its rows a list shows, as a table or as CSV. */

/** The fields and columns of a list's rows. */
export type RowSpec = Pick<OperationSpec, "rowFields" | "columns">;

/** The fields of CSV when no columns are chosen. An image is a long text that nobody reads in a spreadsheet. */
export function csvFields({ rowFields }: RowSpec): readonly RowField[] {
  return rowFields.filter(({ kind }) => kind !== "image");
}

/** The field with this name, in any case; also a member of a free object, such as `metadata.order`. */
function fieldOf(name: string, fields: readonly RowField[]): RowField {
  const field = fields.find(({ path }) => path.toLowerCase() === name.toLowerCase());
  if (field !== undefined) return field;
  if (fields.some(({ path, kind }) => kind === "open" && name.startsWith(`${path}.`))) return { path: name };
  const names = fields.map(({ path }) => path);
  const meant = suggestion(name, names);
  throw usage(
    t`There is no column ${name}.`,
    joinWords([...(meant === undefined ? [] : [meant]), t`There are: ${names.join(", ")}`], "\n"),
  );
}

/** A field as a column of the table: as the list always shows it, or else under its own name. */
function columnOf({ path, kind }: RowField, columns: readonly CliColumn[]): CliColumn {
  const usual = columns.find((column) => column.path === path && column.format !== "charge");
  if (usual === undefined) return { header: path, path, ...(kind === "time" ? { format: "time" as const } : {}) };
  const { ifWide: _always, ...column } = usual;
  return column;
}

/**
 * The list with the columns that `--columns` names. Throws Failure (exit 2) for an unknown column, and for a flag that the
 * form of the output does not take.
 */
export function withColumns<List extends RowSpec>(list: List, flags: ListFlags): List {
  const form = formOf(flags);
  if (flags.excel && form !== "csv") throw usage(t`--excel writes csv, so it cannot be combined with ${form}.`);
  if (flags.columns === undefined) return list;
  if (form === "json" || form === "jsonl") throw usage(t`--columns works with a table and with csv, not with ${form}.`);
  const names = listItems(...flags.columns).filter((name) => name !== "");
  const fields = names.map((name) => fieldOf(name, list.rowFields));
  if (fields.length === 0) throw usage(t`--columns takes the names of columns, separated by commas.`);
  // An image that `--columns` names is a column like any other.
  const rowFields = fields.map((field) => (field.kind === "image" ? { path: field.path } : field));
  return { ...list, rowFields, columns: fields.map((field) => columnOf(field, list.columns)) };
}
