/**
 * The nouns of the product and the names of the identifiers in its paths, for the OpenAPI document and the help of the
 * command line.
 */

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

/** The name of an identifier, by the path segment in front of it. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  charges: "Id of the charge: ch_… or the part behind it",
  payments: "Id of the payment: tx_… or the part behind it",
  cases: "Id of the MED case: med_…",
  "med-cases": "Id of the MED case: med_…",
  infractions: "Id of the MED case: med_…",
  evidence: "Id of the evidence: ev_…",
  refunds: "Id of the refund: rf_…",
  payouts: "Id of the payout: po_…",
  endpoints: "Id of the endpoint: we_…",
  "api-keys": "Id of the API key: key_…",
  deliveries: "Id of the delivery: wd_…",
  faults: "Id of the fault rule: flt_…",
  snapshots: "Name of the snapshot",
  timeline: "Id of the charge, payment, refund, payout or MED case",
  requests: "Number of the request",
  accounts: "Id of the account: acc_…",
  events: "Id of the event: evt_…",
  emails: "Id of the e-mail: em_…",
};

/** The list that an id is picked from, where it is not the one at the path in front of it; by that path's last segment. */
export const PICKED_FROM: Readonly<Record<string, IdList>> = {
  // The list of charges is a preview and not always served. Charges are payments, too, so the list of payments is named.
  charges: { list: "payments list", method: "PIX", prefix: "ch_" },
  "med-cases": { list: "med list" },
};

export interface IdList {
  /** The command of a list. */
  readonly list: string;
  /** Only rows with this payment method count. */
  readonly method?: string;
  /** What takes the place of the prefix of the list's ids. */
  readonly prefix?: string;
}

export interface PathParameter {
  readonly name: string;
  readonly description: string;
}

/** The `{name}` segments of a path, in order. */
export function pathParameters(path: string): PathParameter[] {
  const segments = path.split("/");
  return segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [{ name, description: IDENTIFIERS[segments[index - 1] ?? ""] ?? "" }];
  });
}
