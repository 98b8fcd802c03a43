/** The formats of identifiers (docs/service/requests.md#ids). */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const ID_PREFIX = {
  charge: "ch_",
  transaction: "tx_",
  refund: "rf_",
  payout: "po_",
  medCase: "med_",
  evidence: "ev_",
  email: "em_",
  event: "evt_",
  delivery: "wd_",
  endpoint: "we_",
  apiKey: "key_",
  account: "acc_",
  user: "usr_",
  audit: "aud_",
  request: "req_",
  fault: "flt_",
} as const;

/** The kind of object that an id belongs to, by its prefix. */
const KINDS: Readonly<Record<string, string>> = {
  [ID_PREFIX.charge]: "a charge",
  [ID_PREFIX.transaction]: "a payment",
  [ID_PREFIX.refund]: "a refund",
  [ID_PREFIX.payout]: "a payout",
  [ID_PREFIX.medCase]: "a MED case",
  [ID_PREFIX.evidence]: "a piece of evidence",
  [ID_PREFIX.event]: "an event",
  [ID_PREFIX.delivery]: "a delivery",
  [ID_PREFIX.endpoint]: "a webhook endpoint",
  [ID_PREFIX.apiKey]: "an API key",
  [ID_PREFIX.request]: "a request",
  [ID_PREFIX.fault]: "a fault rule",
};

/** The kind of object that an id belongs to; null for a text without a known prefix. */
export function kindOf(id: string): string | null {
  return KINDS[/^[a-z]+_/.exec(id)?.[0] ?? ""] ?? null;
}

/**
 * The UUID of an id; null for a text of another form. A malformed id is treated like an unknown one: both are answered
 * with 404.
 */
export function rawId(text: string, ...prefixes: string[]): string | null {
  for (const prefix of prefixes) {
    if (prefix !== "" && !text.startsWith(prefix)) continue;
    const rest = text.slice(prefix.length);
    if (UUID.test(rest)) return rest;
  }
  return null;
}
