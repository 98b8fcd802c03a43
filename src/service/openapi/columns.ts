import type { z } from "zod";
import { capitalize } from "../../base/kernel/capitalize.js";
import type { CellFormat, CliColumn, CliContract, ColumnList, ListedColumn } from "../../base/kernel/contract.js";
import { answerSchema, isMoney, type Resolve, typesOf } from "./fields.js";
import type { JsonSchema } from "./schemas.js";

/** The columns of a table from their paths: how a field is shown follows from its schema, its head from its name. */

const ACRONYMS: Readonly<Record<string, string>> = { url: "URL", med: "MED" };

/** `next_release_at` is headed `Next release`, `customer.name` is headed `Name`. */
function headOf(path: string): string {
  const name = path.split(".").at(-1) ?? path;
  const words = (/[a-z]/.test(name) ? name.replace(/(?<=[a-z])[A-Z]/g, " $&") : name).toLowerCase().split(/[ _]/);
  const last = words.length > 1 && words.at(-1) === "at" ? -1 : undefined;
  const text = words
    .slice(0, last)
    .map((word) => ACRONYMS[word] ?? word)
    .join(" ")
    .replace("end to end", "end-to-end");
  return capitalize(text);
}

/** The schema of a field, or an empty one inside free JSON. Undefined when the schema has no such field. */
function fieldAt(written: JsonSchema, [name, ...rest]: readonly string[], resolve: Resolve): JsonSchema | undefined {
  const schema = resolve(written);
  if (name === undefined) return schema;
  const { properties, items, anyOf = [] } = schema;
  if (properties !== undefined) {
    const member = properties[name];
    return member === undefined ? undefined : fieldAt(member, rest, resolve);
  }
  if (items !== undefined) return /^\d+$/.test(name) ? fieldAt(items, rest, resolve) : undefined;
  if (anyOf.length > 0) {
    return anyOf.map((one) => fieldAt(one, [name, ...rest], resolve)).find((found) => found !== undefined);
  }
  return typesOf(schema).includes("object") ? {} : undefined;
}

function formatOfList(items: JsonSchema): CellFormat {
  const { bucket, volume, gross } = items.properties ?? {};
  if (bucket !== undefined) return "entries";
  return volume === undefined && gross === undefined ? "list" : "volumes";
}

function formatOf(path: string, schema: JsonSchema, resolve: Resolve): CellFormat {
  const name = path.split(".").at(-1) ?? path;
  const [type] = typesOf(schema).filter((one) => one !== "null");
  if (schema.format === "date-time") return "time";
  if (schema.items !== undefined) return formatOfList(resolve(schema.items));
  if (type === "object" && /[vV]olume/.test(name)) return "volumes";
  if (isMoney(name, type)) return "money";
  if (name === "transactionId") return "payment";
  if (schema.enum !== undefined && /[sS]tatus$|^(?:outcome|verdict)$/.test(name)) return "status";
  return type === "string" && /[dD]ocument$|tax_id$/.test(name) ? "document" : "text";
}

/** Reads the description of a column: `destination.pix_key as To` says its head, too. */
function toListedColumns(list: ColumnList): ListedColumn[] {
  if (typeof list !== "string") return list.flatMap((one) => (typeof one === "string" ? toListedColumns(one) : [one]));
  return list.split(", ").map((text) => {
    const [path = "", header] = text.split(" as ");
    return { path, ...(header === undefined ? {} : { header }) };
  });
}

/**
 * The columns of what a command prints: of an object, or of the rows of a list, and of the list below an object. Throws for
 * a column that the answer does not have.
 */
export function tablesOf(schema: z.ZodType, { rows, columns, below }: Pick<CliContract, "rows" | "columns" | "below">) {
  const { whole, rowOf, resolve } = answerSchema(schema);
  const columnOf = (row: JsonSchema, { isBeside, ...column }: ListedColumn): CliColumn => {
    const { path } = column;
    const field = isBeside ? {} : fieldAt(row, path.split("."), resolve);
    if (field === undefined) throw new Error(`the answer has no field ${path} for a column`);
    const format = formatOf(path, field, resolve);
    return { header: headOf(path), ...(format === "text" ? {} : { format }), ...column };
  };
  const tableOf = (list: ColumnList, member: string | undefined) => {
    const row = member === undefined ? whole : rowOf(member);
    return toListedColumns(list).map((column) => columnOf(row, column));
  };
  return {
    columns: tableOf(columns, rows),
    ...(below === undefined ? {} : { below: { ...below, columns: tableOf(below.columns, below.rows) } }),
  };
}
