import {
  bareId,
  kindOfArgument,
  TRANSACTION,
  toAcceptedField,
  toAcceptedId,
  transactionPrefix,
} from "../../../api/client/accepted-id.js";
import type { OperationSpec } from "../../../api/client/describe-operations.js";
import { isWebAddress, pageAddress } from "../../../base/kernel/page-address.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { t } from "../../../base/kernel/wording.js";
import { isSameHost } from "../host/address.js";
import type { Host } from "../host/connection.js";
import { usage } from "../terminal/failure.js";

/**
 * Ids as people have them at hand: with quotes, white space or unseen characters around them, as the Pix code of the charge, in capitals, without their prefix, as the id of the
 * charge where its payment is meant, or as the address of a page that shows the object.
 */

/** For each part of the console: the path segments of the service whose ids it shows. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  charges: ["charges", "payments"],
  payments: ["charges", "payments"],
  webhooks: ["deliveries", "events"],
  med: ["cases", "med-cases", "infractions"],
  mail: ["emails"],
};

/**
 * Returns the id in a text. `kind` is the path segment of the wanted kind of object, null for any kind. Throws
 * Failure (exit 2) for an address of another kind of object or of another host: the same command on another host would
 * act on another object, or on real money.
 */
export function parsePastedId(text: string, kind: string | null, { url }: Pick<Host, "url">): string {
  const id = kind === "snapshots" ? trimPasted(text) : bareId(text);
  if (!isWebAddress(id)) return toAcceptedId(id, kind);
  const page = pageAddress(id);
  if (page === null) {
    const hint = t`It takes the id, or the address of a page of the console or the checkout.`;
    throw usage(t`${id} is not the address of a page that shows an object.`, hint);
  }
  const { origin, part } = page;
  const isWanted = kind === null || part === null || (SHOWN[part] ?? [part]).includes(kind);
  if (!isWanted) throw usage(t`${id} is the address of ${part}, but this command takes one of ${kind}.`);
  const prefix = part === null ? null : transactionPrefix(kind);
  const found = prefix === null ? toAcceptedId(page.id, kind) : prefix + page.id.replace(TRANSACTION, "");
  if (isSameHost(origin, url)) return found;
  const hint = t`Name its host with --base-url or --profile. To use this id on ${url}, use it alone: ${found}.`;
  throw usage(t`The address belongs to ${origin}, but this command uses ${url}.`, hint);
}

type Argument = OperationSpec["arguments"][number];

/** True if an argument is a text for the query, such as the words of a search. It is sent as it was written. */
export function isInQuery({ flags }: OperationSpec, { field }: Argument): boolean {
  return flags.some((flag) => flag.place === "query" && flag.field === field);
}

/** The arguments of a command as ids, and texts for the query unchanged. */
export function parsePastedIds(spec: OperationSpec, host: Host, words: readonly string[]): string[] {
  return spec.arguments.map((argument, index) => {
    const given = words[index] ?? "";
    return isInQuery(spec, argument) ? given : parsePastedId(given, kindOfArgument(spec.path, argument), host);
  });
}

/** The value of a flag, as an id when its field is one. */
export function parsePastedField({ path }: OperationSpec, field: string, value: unknown, host: Host): unknown {
  return typeof value === "string"
    ? toAcceptedField(path, field, value, (text, kind) => parsePastedId(text, kind, host))
    : value;
}
