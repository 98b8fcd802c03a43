import { namesOf } from "./names.js";

/** The formats of identifiers (docs/service/requests.md#ids). */

export const UUID_FORM = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const UUID = new RegExp(`^${UUID_FORM}$`);

interface Kind {
  readonly prefix: string;
  /** The name of an object: with its article, and short where the context is clear. */
  readonly one: string;
  readonly short?: string;
}

const KINDS = {
  charge: { prefix: "ch_", one: "a charge" },
  transaction: { prefix: "tx_", one: "a payment" },
  refund: { prefix: "rf_", one: "a refund" },
  payout: { prefix: "po_", one: "a payout" },
  medCase: { prefix: "med_", one: "a MED case" },
  evidence: { prefix: "ev_", one: "a piece of evidence", short: "evidence" },
  email: { prefix: "em_", one: "an e-mail" },
  event: { prefix: "evt_", one: "an event" },
  delivery: { prefix: "wd_", one: "a delivery" },
  endpoint: { prefix: "we_", one: "a webhook endpoint", short: "endpoint" },
  collector: { prefix: "col_", one: "a collector of webhooks", short: "collector" },
  apiKey: { prefix: "key_", one: "an API key" },
  account: { prefix: "acc_", one: "an account" },
  user: { prefix: "usr_", one: "a user" },
  audit: { prefix: "aud_", one: "an entry of the audit log" },
  request: { prefix: "req_", one: "a request" },
  fault: { prefix: "flt_", one: "a fault rule" },
} as const satisfies Record<string, Kind>;

export type IdKind = keyof typeof KINDS;

export const KIND_NAMES: Readonly<Record<IdKind, Kind>> = KINDS;

export const ID_PREFIX = Object.fromEntries(Object.entries(KINDS).map(([kind, { prefix }]) => [kind, prefix])) as {
  readonly [Name in IdKind]: (typeof KINDS)[Name]["prefix"];
};

/** The name for objects of a kind, without an article. */
export function kindName(kind: IdKind): string {
  return KIND_NAMES[kind].one.replace(/^an? /, "");
}

/** The names of some kinds, such as "charge, payment or MED case". */
export function kindNames(kinds: readonly IdKind[]): string {
  return kinds
    .map(kindName)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
}

/** The kind of object that an id belongs to; null for a text without a known prefix. */
export function kindOf(id: string): IdKind | null {
  return namesOf(KINDS).find((kind) => id.startsWith(ID_PREFIX[kind])) ?? null;
}

/** For a bare UUID of an object whose id needs its prefix, such as a MED case, the whole id; null for any other text. */
export function missingPrefix(kind: IdKind, id: string): string | null {
  return kind !== "charge" && kind !== "transaction" && UUID.test(id) ? ID_PREFIX[kind] + id : null;
}

/**
 * An id with its prefix: a bare UUID gets this one. The control interface and the command line take ids in both forms, and the
 * service takes only charges and payments without their prefix (docs/service/requests.md#ids).
 */
export function withPrefix(prefix: string, id: string): string {
  return UUID.test(id) ? prefix + id : id;
}

/** The id of the charge that a payment is, which Pix can pay. The id of the payment may lack its prefix. */
export function chargeIdOf(payment: string): string {
  return ID_PREFIX.charge + payment.replace(ID_PREFIX.transaction, "");
}

/** The UUID of an id; null for another form, which is treated like an unknown id: both are answered with 404. */
export function rawId(text: string, ...prefixes: string[]): string | null {
  for (const prefix of prefixes) {
    if (prefix !== "" && !text.startsWith(prefix)) continue;
    const rest = text.slice(prefix.length);
    if (UUID.test(rest)) return rest;
  }
  return null;
}

/** The pattern of the ids that `rawId` takes with these prefixes. The empty prefix stands for an id without one. */
export function idPattern(...prefixes: string[]): string {
  const named = prefixes.filter((prefix) => prefix !== "");
  const isOptional = named.length < prefixes.length;
  const [only = "", ...others] = named;
  if (others.length === 0 && !isOptional) return `^${only}${UUID_FORM}$`;
  return `^(?:${named.join("|")})${isOptional ? "?" : ""}${UUID_FORM}$`;
}
