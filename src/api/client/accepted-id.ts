import { ID_PREFIX, UUID_FORM, withPrefix } from "../../base/kernel/ids.js";
import { identifiersIn, prefixBehind } from "../../base/kernel/nouns.js";
import { isWebAddress } from "../../base/kernel/page-address.js";
import { trimPasted, unwrapId } from "../../base/kernel/pasted-text.js";
import { payloadId } from "../../base/pix/pasted-code.js";

/** The reading of ids in the input of commands, and the texts that are sent unchanged. Pure functions. */

/** The flags with an id, by their fields, with the path segment of that kind of object; null for any kind. */
const ID_FIELDS: Readonly<Record<string, string | null>> = {
  charge_id: "charges",
  case_id: "cases",
  endpointId: "endpoints",
  endpoint: "endpoints",
  subject: null,
  reference: null,
};

/** The flags with the id of the previous page's last object, which is of the list's own kind. */
const CURSORS: readonly string[] = ["starting_after"];

/** An id of any kind of object, with its prefix or without. */
export const ID = new RegExp(`^(?:[a-z]{2,4}_)?${UUID_FORM}$`, "i");

/** A charge and its payment are one transaction with two ids, which differ in their prefix alone. */
export const TRANSACTION = new RegExp(`^(?:${ID_PREFIX.charge}|${ID_PREFIX.transaction})`);

/** The prefix of a charge or of a payment if one of the two is expected; null otherwise. */
export function transactionPrefix(kind: string | null): string | null {
  const prefix = kind === null ? null : prefixBehind(kind);
  return prefix === ID_PREFIX.charge || prefix === ID_PREFIX.transaction ? prefix : null;
}

/**
 * The id, or the address of a page, in a pasted text; of a Pix code the id of its charge. Returns null for any other
 * text.
 */
function idIn(text: string): string | null {
  const id = unwrapId(text);
  if (ID.test(id)) return id;
  return payloadId(text) ?? (isWebAddress(id) ? id : null);
}

/** The id or the address in a text. Another text, such as the name of a snapshot, is only trimmed. */
export function bareId(text: string): string {
  return idIn(text) ?? trimPasted(text);
}

/** An id in the form that the service accepts. Other text stays as it is, and the service refuses it by itself. */
export function toAcceptedId(text: string, kind: string | null): string {
  if (!ID.test(text)) return text;
  const id = text.toLowerCase();
  // The service accepts the id of a charge and of a payment without a prefix, too.
  const transaction = transactionPrefix(kind);
  if (transaction !== null) return id.replace(TRANSACTION, transaction);
  return withPrefix((kind === null ? null : prefixBehind(kind)) ?? "", id);
}

/** The kind of object that an argument names, by the path segment in front of it; null for any kind. */
export function kindOfArgument(
  path: string,
  { name, field }: { readonly name: string; readonly field?: string | undefined },
) {
  if (field !== undefined) return ID_FIELDS[field] ?? null;
  const before = identifiersIn(path).find((identifier) => identifier.name === name)?.segment ?? "";
  return before === "snapshots" || prefixBehind(before) !== null ? before : null;
}

/**
 * The value of a flag as it is sent: as an id if its field is one. `read` reads an id or an address of a page as the id
 * of one kind of object.
 */
export function toAcceptedField(
  path: string,
  field: string,
  text: string,
  read: (text: string, kind: string | null) => string,
): string {
  // Other text is not an id, such as a cursor of another form.
  if (idIn(text) === null) return text;
  const isCursor = CURSORS.includes(field);
  if (!isCursor && !Object.hasOwn(ID_FIELDS, field)) return text;
  const kind = isCursor ? (path.split("/").at(-1) ?? "") : (ID_FIELDS[field] ?? null);
  // A filter and a cursor need the prefix, also of a charge.
  return withPrefix((kind === null ? null : prefixBehind(kind)) ?? "", read(text, kind));
}

/** An id outside an address of a page; an empty text for such an address, whose id depends on the host. */
export function idAlone(text: string, kind: string | null): string {
  const id = bareId(text);
  return isWebAddress(id) ? "" : toAcceptedId(id, kind);
}
