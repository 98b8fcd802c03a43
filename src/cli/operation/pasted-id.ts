import { ID_PREFIX } from "../../kernel/ids.js";
import { isWebAddress, pageAddress } from "../../kernel/page-address.js";
import { isSameHost } from "../target/choose-target.js";
import type { Target } from "../target/target.js";
import { usage } from "../terminal/failure.js";
import type { OperationSpec } from "../tree/describe-operations.js";

/** Ids as people paste them: with quotes or white space around them, or as the address of a page that shows the object. */

/** For each part of the console: the path segments of the service whose ids it shows. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  charges: ["charges", "payments"],
  payments: ["charges", "payments"],
  med: ["cases", "med-cases", "infractions"],
  mail: ["emails"],
};

/** The prefix of an id that the console or the checkout may show in another form. */
const PREFIXES: Readonly<Record<string, string>> = { charges: ID_PREFIX.charge, payments: ID_PREFIX.transaction };

/** The flags that take an id, by their fields, with the path segment of that kind of object; null for any kind. */
const ID_FIELDS: Readonly<Record<string, string | null>> = {
  charge_id: "charges",
  case_id: "cases",
  endpointId: "endpoints",
  endpoint: "endpoints",
  subject: null,
};

/** The path segments in front of an id of one kind. Others, such as `timeline`, take an id of any kind. */
const ONE_KIND: ReadonlySet<string> = new Set([
  ...["charges", "payments", "cases", "med-cases", "infractions", "evidence", "refunds", "payouts"],
  ...["endpoints", "api-keys", "deliveries", "faults", "snapshots"],
]);

/** Removes the white space, quotes, brackets and commas around an id that was copied from a table, a mail or a log. */
function bare(text: string): string {
  return text.replace(/^[\s"'“”‘’<]+|[\s"'“”‘’>,;]+$/gu, "");
}

/**
 * Returns the id in a pasted text. `kind` is the path segment of the wanted kind of object, null for any kind. Throws
 * Failure (exit 2) for an address of another kind of object or of another host: the same command on another host would
 * act on another object, or on real money.
 */
export function pastedId(text: string, kind: string | null, { baseUrl }: Pick<Target, "baseUrl">): string {
  const id = bare(text);
  if (!isWebAddress(id)) return id;
  const page = pageAddress(id);
  if (page === null) {
    const hint = "Addresses of the console and of checkout pages are taken, or the id alone.";
    throw usage(`${id} is not the address of a page that shows an object.`, hint);
  }
  const { origin, part } = page;
  const isWanted = kind === null || part === null || (SHOWN[part] ?? [part]).includes(kind);
  if (!isWanted) throw usage(`${id} is an address of ${part}, and this command takes one of ${kind}.`);
  const prefix = kind !== null && part !== null && Object.hasOwn(SHOWN, part) ? PREFIXES[kind] : undefined;
  const found = prefix === undefined ? page.id : prefix + page.id.replace(/^(ch|tx)_/, "");
  if (isSameHost(origin, baseUrl)) return found;
  const hint = `Name its host with --base-url or --profile. To use this id on ${baseUrl}, give it alone: ${found}.`;
  throw usage(`The address is of ${origin}, and this command goes to ${baseUrl}.`, hint);
}

/** The kind of object that an argument names, by the path segment in front of it; null for any kind. */
function kindOf({ path }: OperationSpec, { name, field }: Argument): string | null {
  if (field !== undefined) return ID_FIELDS[field] ?? null;
  const segments = path.split("/");
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
  return ONE_KIND.has(before) ? before : null;
}

type Argument = OperationSpec["arguments"][number];

/** Whether an argument is a text for the query, such as the words of a search. It is sent as it was written. */
export function isInQuery({ flags }: OperationSpec, { field }: Argument): boolean {
  return flags.some((flag) => flag.place === "query" && flag.field === field);
}

/** The arguments of a command as ids, and texts for the query unchanged. */
export function pastedIds(spec: OperationSpec, target: Target, words: readonly string[]): string[] {
  return spec.arguments.map((argument, index) => {
    const given = words[index] ?? "";
    return isInQuery(spec, argument) ? given : pastedId(given, kindOf(spec, argument), target);
  });
}

/** The value of a flag, as an id when its field is one. */
export function pastedField(field: string, value: unknown, target: Target): unknown {
  const isId = typeof value === "string" && isWebAddress(bare(value)) && Object.hasOwn(ID_FIELDS, field);
  return isId ? pastedId(value, ID_FIELDS[field] ?? null, target) : value;
}
