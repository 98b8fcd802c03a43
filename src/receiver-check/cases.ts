import type { Content, Delivery, Kit } from "./kit.js";

/** The checks of a receiver of webhooks: for each case its deliveries, the expected answer, and advice for a wrong one. */

/** The expected answer: `accept` is a 2xx, `refuse` is a 4xx, `either` allows both. */
type Expectation = "accept" | "refuse" | "either";

export interface TestCase {
  readonly name: string;
  /** A description of the deliveries, on one line. */
  readonly sends: string;
  readonly expects: Expectation;
  /** The advice for a receiver that does not answer as expected. Cases that expect `either` have none. */
  readonly remedy?: string;
  /**
   * `passed`: a limit of the case. `accepted` and `refused`: the meaning of the answer when the case expects `either`.
   */
  readonly notes?: { readonly passed?: string; readonly accepted?: string; readonly refused?: string };
  /**
   * The way the deliveries are sent; without it, one after the other. `in pieces` sends each body in two parts with a
   * pause between them.
   */
  readonly manner?: "at once" | "in pieces";
  deliveries(kit: Kit): Delivery[];
}

const TEN_MINUTES = 600_000;
const LARGE = 100_000;
const CONCURRENT = 10;

const READ_BYTES = "Verify the bytes as received, before parsing. Use the secret as text; do not decode it from hex.";
const COMPARE =
  "Compute the HMAC of the body as received. When it does not match, refuse with a 4xx before any other work.";

/** A canonical and a legacy event, because the two are signed in different ways. */
function bothForms(kit: Kit): readonly [Content, Content] {
  return [paid(kit), kit.event("payment.completed", kit.payment())];
}

function paid(kit: Kit): Content {
  return kit.event("charge.paid", kit.charge("paid"));
}

/** Changes the last digit of a signature, so that it is wrong but has the right length. */
function withWrongDigit(header: string): string {
  return header.slice(0, -1) + (header.endsWith("0") ? "1" : "0");
}

function malformed(kit: Kit, content: Content): string[] {
  const [t = "", digest = ""] = kit.sign(content).split(",");
  return ["nonsense", t, digest, `${t},${digest.slice(0, 20)}`, `t=soon,${digest}`];
}

/** Writes JSON with escapes that JSON.stringify does not use. The parsed value is the same, but the bytes differ. */
function escaped(value: object): string {
  const hex = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[^\x20-\x7e]/g, hex);
}

const ODD_CUSTOMER = {
  name: "Zoe\u0308 \u{1f469}\u{200d}\u{1f4bb} \u05e9\u05dc\u05d5\u05dd \u202eabc\u202c",
  email: "zoe@example.com",
};
const ODD_NOTE = { note: "10 \u20ac \u2192 R$ 59,90 \u{1f389} A\u030a\u{1f1e7}\u{1f1f7}" };

const VALID: readonly TestCase[] = [
  {
    name: "charge.created",
    sends: "a charge.created, signed",
    expects: "accept",
    remedy: READ_BYTES,
    deliveries: (kit) => [kit.deliver(kit.event("charge.created", kit.charge("pending")))],
  },
  {
    name: "charge.paid",
    sends: "a charge.paid, signed",
    expects: "accept",
    remedy: READ_BYTES,
    deliveries: (kit) => [kit.deliver(paid(kit))],
  },
  {
    name: "payment.completed",
    sends: "a legacy payment.completed, signed sha256=…",
    expects: "accept",
    remedy: "Verify legacy events by sha256=<hex>, an HMAC of the body alone; their name is in `event`, not in `type`.",
    deliveries: (kit) => [kit.deliver(kit.event("payment.completed", kit.payment()))],
  },
  {
    name: "med_case.created",
    sends: "a med_case.created, signed",
    expects: "accept",
    remedy: "MED events come in the canonical envelope and signature: verify them like a charge.*, and answer 2xx.",
    deliveries: (kit) => [kit.deliver(kit.event("med_case.created", kit.medCase()))],
  },
  {
    name: "payout.paid",
    sends: "a payout.paid, signed",
    expects: "accept",
    remedy: "Payout events come in the canonical envelope and signature: verify them like a charge.*, and answer 2xx.",
    deliveries: (kit) => [kit.deliver(kit.event("payout.paid", kit.payout()))],
  },
];

const REPEATED: readonly TestCase[] = [
  {
    name: "same-event",
    sends: "the same event id in two deliveries",
    expects: "accept",
    remedy:
      "Acknowledge an event id that you know with a 2xx and do nothing: a refusal makes the service send it again.",
    notes: { passed: "whether the work was done only once cannot be seen from here" },
    deliveries(kit) {
      const content = paid(kit);
      return [kit.deliver(content), kit.deliver(content)];
    },
  },
  {
    name: "retry",
    sends: "one delivery twice, signed anew 10 s later",
    expects: "accept",
    remedy: "Acknowledge a delivery id that you know with a 2xx; a retry has a fresh timestamp and signature.",
    notes: { passed: "whether the work was done only once cannot be seen from here" },
    deliveries(kit) {
      const content = paid(kit);
      const deliveryId = `wd_${kit.uuid()}`;
      return [kit.deliver(content, { deliveryId, at: kit.now - 10_000 }), kit.deliver(content, { deliveryId })];
    },
  },
];

const FORGED: readonly TestCase[] = [
  {
    name: "wrong-signature",
    sends: "a last digit changed, canonical and legacy",
    expects: "refuse",
    remedy: COMPARE,
    deliveries: (kit) => bothForms(kit).map((one) => kit.deliver(one, { signature: withWrongDigit(kit.sign(one)) })),
  },
  {
    name: "other-body",
    sends: "a signature made for another amount",
    expects: "refuse",
    remedy: "Compute the HMAC over the whole body as received: in this case the amount was changed after signing.",
    deliveries(kit) {
      const raised = (one: Content) => ({ ...one, body: one.body.replace('"amount":1990', '"amount":199000') });
      return bothForms(kit).map((one) => kit.deliver(raised(one), { signature: kit.sign(one) }));
    },
  },
  {
    name: "wrong-secret",
    sends: "signed with another secret",
    expects: "refuse",
    remedy: COMPARE,
    deliveries(kit) {
      const secret = `${kit.uuid()}${kit.uuid()}`.replaceAll("-", "");
      return bothForms(kit).map((one) => kit.deliver(one, { secret }));
    },
  },
  {
    name: "no-signature",
    sends: "no X-QA-Signature at all",
    expects: "refuse",
    remedy: "Refuse a request without a signature with a 4xx: anybody who knows the address can send one.",
    deliveries: (kit) => bothForms(kit).map((one) => kit.deliver(one, { signature: null })),
  },
  {
    name: "malformed-signature",
    sends: "five headers of neither form",
    expects: "refuse",
    remedy: "Check the form and length of the header before comparing, and refuse a header without them with a 4xx.",
    deliveries(kit) {
      const content = paid(kit);
      return malformed(kit, content).map((signature) => kit.deliver(content, { signature }));
    },
  },
  {
    name: "legacy-on-canonical",
    sends: "a charge.paid signed sha256=…, without time",
    expects: "refuse",
    remedy: "Accept sha256=… for legacy events only: it has no timestamp, so an old delivery could be sent again.",
    deliveries(kit) {
      const content = paid(kit);
      return [kit.deliver(content, { signature: kit.sign({ ...content, type: "payment.completed" }) })];
    },
  },
];

const TIMED: readonly TestCase[] = [
  {
    name: "stale-timestamp",
    sends: "signed 10 minutes ago",
    expects: "refuse",
    remedy:
      "Refuse a t more than some 5 minutes old with a 4xx: otherwise a recorded delivery can be played back for ever.",
    deliveries: (kit) => [kit.deliver(paid(kit), { at: kit.now - TEN_MINUTES })],
  },
  {
    name: "future-timestamp",
    sends: "signed 10 minutes ahead",
    expects: "either",
    notes: {
      accepted: "a timestamp 10 minutes ahead is accepted: such a delivery can be played back for that much longer",
      refused:
        "a timestamp 10 minutes ahead is refused: keep the receiver's clock right, or it refuses good deliveries too",
    },
    deliveries: (kit) => [kit.deliver(paid(kit), { at: kit.now + TEN_MINUTES })],
  },
  {
    name: "old-secret",
    sends: "signed with the secret before the rotation",
    expects: "either",
    notes: {
      accepted: "the old secret is accepted: right during a rotation; refuse it when the rotation is done",
      refused: "the old secret is refused: right after a rotation; during one, accept both secrets",
    },
    deliveries: (kit) => bothForms(kit).map((one) => kit.deliver(one, { secret: kit.oldSecret })),
  },
];

const UNUSUAL: readonly TestCase[] = [
  {
    name: "unknown-event",
    sends: "an event type that does not exist yet",
    expects: "accept",
    remedy: "Answer 2xx to an unknown type and ignore it: new types are added without notice.",
    deliveries(kit) {
      const { body } = kit.event("charge.created", { id: `sub_${kit.uuid()}`, object: "subscription" });
      const type = "subscription.renewed";
      return [kit.deliver({ type, body: body.replace('"type":"charge.created"', `"type":"${type}"`) })];
    },
  },
  {
    name: "unknown-fields",
    sends: "fields that do not exist yet",
    expects: "accept",
    remedy: "Ignore unknown fields instead of refusing them: new fields are added without notice.",
    deliveries(kit) {
      const charge = { ...kit.charge("paid"), installments: { count: 1, plan: null } };
      const { type, body } = kit.event("charge.paid", charge);
      return [kit.deliver({ type, body: `${body.slice(0, -1)},"sequence":17}` })];
    },
  },
  {
    name: "out-of-order",
    sends: "a charge.paid before its charge.created",
    expects: "accept",
    remedy: "Events may come in any order: use each event's own data, or fetch the charge. Require no earlier event.",
    deliveries(kit) {
      const last = kit.charge("paid");
      const first = { ...last, status: "pending", settlement: {} };
      return [kit.deliver(kit.event("charge.paid", last)), kit.deliver(kit.event("charge.created", first))];
    },
  },
  {
    name: "unicode",
    sends: "emoji, right-to-left and combining characters",
    expects: "accept",
    remedy: "Verify the bytes as received. Do not normalise the text, and decode it as UTF-8 only.",
    deliveries(kit) {
      const charge = kit.charge("paid", { customer: ODD_CUSTOMER, metadata: ODD_NOTE });
      return [kit.deliver(kit.event("charge.paid", charge))];
    },
  },
  {
    name: "escapes",
    sends: "\\u escapes and \\/ in the body",
    expects: "accept",
    remedy: "Verify the bytes as received, before parsing: printing the parsed body again gives other bytes.",
    deliveries(kit) {
      const charge = kit.charge("paid", { customer: ODD_CUSTOMER, metadata: ODD_NOTE });
      return [kit.deliver(kit.event("charge.paid", escaped(charge)))];
    },
  },
];

const HEAVY: readonly TestCase[] = [
  {
    name: "large-body",
    sends: "a body of 100 kB",
    expects: "accept",
    remedy: "Raise the limit of the body to at least 1 MB: metadata comes back in events.",
    deliveries(kit) {
      const note = (length: number) => kit.charge("paid", { metadata: { note: "x".repeat(length) } });
      const empty = kit.event("charge.paid", note(0)).body.length;
      return [kit.deliver(kit.event("charge.paid", note(LARGE - empty)))];
    },
  },
  {
    name: "slow-body",
    sends: "a body in two pieces, cut within a character",
    expects: "accept",
    remedy: "Collect the whole body as bytes before you verify it: a part may come late and end inside a character.",
    manner: "in pieces",
    deliveries: (kit) => [kit.deliver(kit.event("charge.paid", kit.charge("paid", { metadata: ODD_NOTE })))],
  },
  {
    name: "at-once",
    sends: `${CONCURRENT} events at the same time`,
    expects: "accept",
    remedy: "Put events into a queue and answer 2xx at once: on a busy day many events come at the same time.",
    manner: "at once",
    deliveries: (kit) => Array.from({ length: CONCURRENT }, () => kit.deliver(paid(kit))),
  },
];

/** All cases, in the order in which the results are shown. */
export const CASES: readonly TestCase[] = [...VALID, ...REPEATED, ...FORGED, ...TIMED, ...UNUSUAL, ...HEAVY];
