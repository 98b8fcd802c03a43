import { codesOf, fill, type Message } from "../kernel/message.js";

/** What is said about each case of the check of a receiver, in English, and the advice about its answers (src/kernel/message.ts). */

interface CaseTexts {
  /** A description of the deliveries, on one line. */
  readonly sends: string;
  /** The advice for a receiver that does not answer as expected. */
  readonly remedy: string;
  /** A limit of the case. */
  readonly passed?: string;
  /** What the answer means when the case expects either. */
  readonly accepted?: string;
  readonly refused?: string;
}

const READ_BYTES = "Verify the bytes as received, before parsing. Use the secret as text; do not decode it from hex.";
const COMPARE =
  "Compute the HMAC of the body as received. When it does not match, refuse with a 4xx before any other work.";
const DONE_ONCE = "whether the work was done only once cannot be seen from here";

export const CASE_TEXTS = {
  "charge.created": {
    sends: "a charge.created, signed",
    remedy: READ_BYTES,
  },
  "charge.paid": {
    sends: "a charge.paid, signed",
    remedy: READ_BYTES,
  },
  "payment.completed": {
    sends: "a legacy payment.completed, signed sha256=…",
    remedy: "Verify legacy events by sha256=<hex>, an HMAC of the body alone; their name is in `event`, not in `type`.",
  },
  "med_case.created": {
    sends: "a med_case.created, signed",
    remedy: "MED events come in the canonical envelope and signature: verify them like a charge.*, and answer 2xx.",
  },
  "payout.paid": {
    sends: "a payout.paid, signed",
    remedy: "Payout events come in the canonical envelope and signature: verify them like a charge.*, and answer 2xx.",
  },
  "same-event": {
    sends: "the same event id in two deliveries",
    remedy:
      "Acknowledge an event id that you know with a 2xx and do nothing: a refusal makes the service send it again.",
    passed: DONE_ONCE,
  },
  retry: {
    sends: "one delivery twice, signed anew 10 s later",
    remedy: "Acknowledge a delivery id that you know with a 2xx; a retry has a fresh timestamp and signature.",
    passed: DONE_ONCE,
  },
  "wrong-signature": {
    sends: "a last digit changed, canonical and legacy",
    remedy: COMPARE,
  },
  "other-body": {
    sends: "a signature made for another amount",
    remedy: "Compute the HMAC over the whole body as received: in this case the amount was changed after signing.",
  },
  "wrong-secret": {
    sends: "signed with another secret",
    remedy: COMPARE,
  },
  "no-signature": {
    sends: "no X-QA-Signature at all",
    remedy: "Refuse a request without a signature with a 4xx: anybody who knows the address can send one.",
  },
  "malformed-signature": {
    sends: "five headers of neither form",
    remedy: "Check the form and length of the header before comparing, and refuse a header without them with a 4xx.",
  },
  "legacy-on-canonical": {
    sends: "a charge.paid signed sha256=…, without time",
    remedy: "Accept sha256=… for legacy events only: it has no timestamp, so an old delivery could be sent again.",
  },
  "stale-timestamp": {
    sends: "signed 10 minutes ago",
    remedy:
      "Refuse a t more than some 5 minutes old with a 4xx: otherwise a recorded delivery can be played back for ever.",
  },
  "future-timestamp": {
    sends: "signed 10 minutes ahead",
    remedy: "Answer 2xx or 4xx.",
    accepted: "a timestamp 10 minutes ahead is accepted: such a delivery can be played back for that much longer",
    refused:
      "a timestamp 10 minutes ahead is refused: keep the receiver's clock right, or it refuses good deliveries too",
  },
  "old-secret": {
    sends: "signed with the secret before the rotation",
    remedy: "Answer 2xx or 4xx.",
    accepted: "the old secret is accepted: right during a rotation; refuse it when the rotation is done",
    refused: "the old secret is refused: right after a rotation; during one, accept both secrets",
  },
  "unknown-event": {
    sends: "an event type that does not exist yet",
    remedy: "Answer 2xx to an unknown type and ignore it: new types are added without notice.",
  },
  "unknown-fields": {
    sends: "fields that do not exist yet",
    remedy: "Ignore unknown fields instead of refusing them: new fields are added without notice.",
  },
  "unknown-values": {
    sends: "values that do not exist yet in lists of values",
    remedy: "Take a value that you do not know as unknown instead of refusing the event: new values are added in time.",
  },
  "letters-in-cnpj": {
    sends: "a payer whose CNPJ has letters",
    remedy:
      "Keep the letters of a CNPJ: since July 2026 its first twelve places may have them. Store it as text, remove only " +
      "punctuation, and check its digits by the rule for letters.",
  },
  "out-of-order": {
    sends: "a charge.paid before its charge.created",
    remedy: "Events may come in any order: use each event's own data, or fetch the charge. Require no earlier event.",
  },
  unicode: {
    sends: "emoji, right-to-left and combining characters",
    remedy: "Verify the bytes as received. Do not normalise the text, and decode it as UTF-8 only.",
  },
  escapes: {
    sends: "\\u escapes and \\/ in the body",
    remedy: "Verify the bytes as received, before parsing: printing the parsed body again gives other bytes.",
  },
  "large-body": {
    sends: "a body of 100 kB",
    remedy: "Raise the limit of the body to at least 1 MB: metadata comes back in events.",
  },
  "slow-body": {
    sends: "a body in two pieces, cut within a character",
    remedy: "Collect the whole body as bytes before you verify it: a part may come late and end inside a character.",
  },
  "at-once": {
    sends: "10 events at the same time",
    remedy: "Put events into a queue and answer 2xx at once: on a busy day many events come at the same time.",
  },
} as const satisfies Readonly<Record<string, CaseTexts>>;

export type CaseName = keyof typeof CASE_TEXTS;

/** Advice that is the same for every case. `remedy` is that of the case. */
export const ADVICE_TEXTS = {
  late: "There was {error}: answer first and work afterwards. The service waits 30 seconds and then sends again.",
  no_answer: "There was no answer ({error}): answer every request, and use a TLS certificate that clients trust.",
  redirect: "A redirect ({status}) is not followed and counts as a failure: register the address it points to.",
  rate_limit:
    "The receiver limits the rate (429): the service would wait and send again. Remove the limit for this test.",
  failed: "The receiver failed ({status}). {remedy}",
  failed_to_refuse:
    "The receiver failed ({status}) instead of refusing with a 4xx: the service would send again. {remedy}",
  mixed: "{accepted} of {all} deliveries are accepted",
} as const;

/** The advice and the notes that each case has in words of its own. */
const OWN_CODES = ["remedy", "passed", "accepted", "refused"] as const;

export const ADVICE_CODES = [...codesOf(ADVICE_TEXTS), ...OWN_CODES] as const;
export type AdviceCode = keyof typeof ADVICE_TEXTS | (typeof OWN_CODES)[number];

/** What the failures have in common. */
export const HINT_TEXTS = {
  all_refused: "All valid deliveries were refused. Does the receiver know this secret, and is this its address?",
} as const;

export type HintCode = keyof typeof HINT_TEXTS;

/** Everything that is said in one language. */
export interface ReceiverTexts {
  readonly cases: { readonly [Name in CaseName]: Readonly<Record<keyof (typeof CASE_TEXTS)[Name], string>> };
  readonly advice: Readonly<Record<keyof typeof ADVICE_TEXTS, string>>;
  readonly hints: Readonly<Record<HintCode, string>>;
}

export const ENGLISH: ReceiverTexts = { cases: CASE_TEXTS, advice: ADVICE_TEXTS, hints: HINT_TEXTS };

/** The text of an advice for a case; null when the case has none of this code. */
export function adviceText(texts: ReceiverTexts, name: CaseName, { code, params }: Message<AdviceCode>): string | null {
  const own: CaseTexts = texts.cases[name];
  if (code === "remedy" || code === "passed" || code === "accepted" || code === "refused") return own[code] ?? null;
  return fill(texts.advice[code], { ...params, remedy: own.remedy });
}
