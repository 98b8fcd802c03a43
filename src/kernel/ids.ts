/** Formats of the identifiers in the contract (section 2) and how they are read back. */

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

/** What an id is of, by its prefix. */
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

/** What an id is of, for an id that has a prefix; null for any other text. */
export function kindOf(id: string): string | null {
  return KINDS[/^[a-z]+_/.exec(id)?.[0] ?? ""] ?? null;
}

/**
 * The UUID inside an id, or null when the text is none of the accepted forms. A malformed id is an unknown id, so the
 * caller answers 404 and never has to tell the two apart.
 */
export function rawId(text: string, ...prefixes: string[]): string | null {
  for (const prefix of prefixes) {
    if (prefix !== "" && !text.startsWith(prefix)) continue;
    const rest = text.slice(prefix.length);
    if (UUID.test(rest)) return rest;
  }
  return null;
}
