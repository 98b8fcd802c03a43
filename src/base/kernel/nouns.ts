import { ID_PREFIX, type IdKind, KIND_NAMES, kindName, withPrefix } from "./ids.js";

/** The nouns of the product and the identifiers in its paths, for the OpenAPI document and the help of commands. */

export const NOUNS: Readonly<Record<string, string>> = {
  charges: "Pix charges",
  wallets: "Balances",
  payments: "Payments by every method, refunds and figures",
  med: "Contested payments (MED) and their evidence",
  "api-keys": "API keys, managed by a user who is logged in",
  auth: "Dashboard login",
  webhooks: "Webhook endpoints, deliveries and events",
  sandbox: "Simulated payers, providers and time (emulator only)",
};

/** The noun that a path belongs to. The control interface counts as one noun; paths with `pix` belong to charges. */
export function nounOf(path: string): string {
  const [root, ...rest] = path.split("/").filter((segment) => segment !== "" && segment !== "pix");
  return root === "_sandbox" ? "sandbox" : (rest[0] ?? "");
}

/** The kind of object whose id stands in a path, by the path segment in front of it. */
const SEGMENTS: Readonly<Record<string, IdKind>> = {
  charges: "charge",
  payments: "transaction",
  cases: "medCase",
  "med-cases": "medCase",
  infractions: "medCase",
  evidence: "evidence",
  refunds: "refund",
  payouts: "payout",
  endpoints: "endpoint",
  collectors: "collector",
  "api-keys": "apiKey",
  deliveries: "delivery",
  faults: "fault",
  accounts: "account",
  events: "event",
  emails: "email",
};

/** Identifiers of a path that are no id of one kind. */
const OTHERS: Readonly<Record<string, string>> = {
  snapshots: "Name of the snapshot",
  timeline: "Id of the charge, payment, refund, payout or MED case",
  incidents: "Id of the charge, payment, refund or MED case",
  why: "Id of a charge, payment, refund, payout, delivery, event or MED case, or id or number of a request",
  requests: "Number of the request",
};

/** Kinds that the service takes without their prefix, too. */
const BARE: readonly string[] = ["charges", "payments"];

function describeSegment(segment: string): string {
  const kind = SEGMENTS[segment];
  if (kind === undefined) return OTHERS[segment] ?? "";
  const name = KIND_NAMES[kind].short ?? kindName(kind);
  return `Id of the ${name}: ${ID_PREFIX[kind]}…${BARE.includes(segment) ? " or the same id without the prefix" : ""}`;
}

/** The prefix of the ids behind a path segment; null where an id may be of any kind, or is none. */
export function prefixBehind(segment: string): string | null {
  const kind = SEGMENTS[segment];
  return kind === undefined ? null : ID_PREFIX[kind];
}

/** The prefixes with which the service takes the ids behind a path segment; the empty one is an id without a prefix. */
export function prefixesOf(segment: string): readonly string[] {
  const { charge, transaction, refund, payout, medCase } = ID_PREFIX;
  if (segment === "timeline") return [charge, transaction, refund, payout, medCase];
  if (segment === "incidents") return [charge, transaction, refund, medCase];
  const prefix = prefixBehind(segment);
  if (prefix === null) return [];
  return BARE.includes(segment) ? [prefix, ""] : [prefix];
}

/** The list that an id is picked from, where it is not the one at the path in front of it; by that path's last segment. */
export const PICKED_FROM: Readonly<Record<string, IdList>> = {
  // The list of charges is a preview and not always served. Charges are payments, too, so the list of payments is named.
  charges: { list: "payments list", method: "PIX", prefix: ID_PREFIX.charge },
  "med-cases": { list: "med list" },
};

export interface IdList {
  readonly list: string;
  /** Only rows with this payment method count. */
  readonly method?: string;
  /** The prefix that replaces the one of the list's ids. */
  readonly prefix?: string;
}

export interface PathParameter {
  readonly name: string;
  readonly description: string;
}

interface Identifier extends PathParameter {
  /** The path segment in front of it. */
  readonly segment: string;
}

export function identifiersIn(path: string): Identifier[] {
  const segments = path.split("/");
  return segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const before = segments[index - 1] ?? "";
    return name === undefined ? [] : [{ name, segment: before, description: describeSegment(before) }];
  });
}

export function pathParameters(path: string): PathParameter[] {
  return identifiersIn(path).map(({ name, description }) => ({ name, description }));
}

/** The ids of a path, each with the prefix that the service wants, so that people may leave it out. */
export function idsOfPath(path: string, ids: Readonly<Record<string, string>>): Record<string, string> {
  const prefixes = new Map(identifiersIn(path).map(({ name, segment }) => [name, prefixesOf(segment)]));
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => {
      const [prefix = "", ...others] = prefixes.get(name) ?? [];
      return [name, others.length === 0 ? withPrefix(prefix, id) : id];
    }),
  );
}
