import type { Content, Delivery, Kit } from "./events.js";

/** What `webhooks test` sends, as data: each case with what a receiver should answer, and what to mend when it does not. */

/** A 2xx, a 4xx, or whichever of the two the receiver holds right. */
type Expectation = "accept" | "refuse" | "either";

export interface TestCase {
  readonly name: string;
  /** What is sent, in one line. */
  readonly sends: string;
  readonly expects: Expectation;
  /** What to do when the answer is not the one expected. Cases that take either have none. */
  readonly remedy?: string;
  /** What cannot be told from the answers, or what an answer to a case that takes either means. */
  readonly notes?: { readonly passed?: string; readonly accepted?: string; readonly refused?: string };
  /** One after the other unless it says otherwise; `in pieces` holds the second piece of the body back for a moment. */
  readonly manner?: "at once" | "in pieces";
  deliveries(kit: Kit): Delivery[];
}

const TEN_MINUTES = 600_000;
const LARGE = 100_000;
const CONCURRENT = 10;

const READ_BYTES = "Verify the bytes as they came, before parsing, with the secret as text and not decoded from hex.";
const COMPARE =
  "Compute the HMAC of what came and refuse with a 4xx whatever does not match, before anything else is done.";

/** A canonical and a legacy event: the two are signed in different ways. */
function bothForms(kit: Kit): readonly [Content, Content] {
  return [paid(kit), kit.event("payment.completed", kit.payment())];
}

function paid(kit: Kit): Content {
  return kit.event("charge.paid", kit.charge("paid"));
}

/** Hex of the right length that is the digest of nothing here. */
function spoilt(header: string): string {
  return header.slice(0, -1) + (header.endsWith("0") ? "1" : "0");
}

function malformed(kit: Kit, content: Content): string[] {
  const [t = "", digest = ""] = kit.sign(content).split(",");
  return ["nonsense", t, digest, `${t},${digest.slice(0, 20)}`, `t=soon,${digest}`];
}

/** JSON as other printers write it: the same text to a parser, other bytes to a signature. */
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
    deliveries: (kit) => bothForms(kit).map((one) => kit.deliver(one, { signature: spoilt(kit.sign(one)) })),
  },
  {
    name: "other-body",
    sends: "a signature made for another amount",
    expects: "refuse",
    remedy: "Compute the HMAC over the whole body that came: here somebody raised the amount after it was signed.",
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
    remedy: "Refuse what has no signature with a 4xx: anybody who knows the address can send it.",
    deliveries: (kit) => bothForms(kit).map((one) => kit.deliver(one, { signature: null })),
  },
  {
    name: "malformed-signature",
    sends: "five headers of neither form",
    expects: "refuse",
    remedy: "Check the form and length of the header before comparing, and refuse with a 4xx what does not have it.",
    deliveries(kit) {
      const content = paid(kit);
      return malformed(kit, content).map((signature) => kit.deliver(content, { signature }));
    },
  },
  {
    name: "legacy-on-canonical",
    sends: "a charge.paid signed sha256=…, without time",
    expects: "refuse",
    remedy: "Take sha256=… for legacy events only: on a canonical one it would get round the check of the timestamp.",
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
      refused: "a timestamp 10 minutes ahead is refused: keep the clock right, or good deliveries will be too",
    },
    deliveries: (kit) => [kit.deliver(paid(kit), { at: kit.now + TEN_MINUTES })],
  },
  {
    name: "old-secret",
    sends: "signed with the secret before the rotation",
    expects: "either",
    notes: {
      accepted: "the old secret is accepted: right while a rotation is being deployed, to be ended after it",
      refused: "the old secret is refused: right after a rotation; while one is deployed, both should be accepted",
    },
    deliveries: (kit) => bothForms(kit).map((one) => kit.deliver(one, { secret: kit.oldSecret })),
  },
];

const UNUSUAL: readonly TestCase[] = [
  {
    name: "unknown-event",
    sends: "an event type that does not exist yet",
    expects: "accept",
    remedy: "Answer 2xx to a type that you do not know, and leave it: new ones appear without notice.",
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
    remedy: "Ignore fields that you do not know instead of refusing them: new ones appear without notice.",
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
    remedy: "Events overtake one another: take what each says, or fetch the charge, and demand no earlier event.",
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
    remedy: "Verify the bytes as they came, read as UTF-8, neither normalised nor decoded as another character set.",
    deliveries(kit) {
      const charge = kit.charge("paid", { customer: ODD_CUSTOMER, metadata: ODD_NOTE });
      return [kit.deliver(kit.event("charge.paid", charge))];
    },
  },
  {
    name: "escapes",
    sends: "\\u escapes and \\/ in the body",
    expects: "accept",
    remedy: "Verify the bytes as they came, before parsing: printing the parsed body again gives other bytes.",
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
    remedy: "Collect the whole body as bytes before you verify it: a piece may come late and end within a character.",
    manner: "in pieces",
    deliveries: (kit) => [kit.deliver(kit.event("charge.paid", kit.charge("paid", { metadata: ODD_NOTE })))],
  },
  {
    name: "at-once",
    sends: `${CONCURRENT} events at the same time`,
    expects: "accept",
    remedy: "Put events into a queue and answer 2xx at once: a busy day sends many at the same time.",
    manner: "at once",
    deliveries: (kit) => Array.from({ length: CONCURRENT }, () => kit.deliver(paid(kit))),
  },
];

/** In the order of the table. */
export const CASES: readonly TestCase[] = [...VALID, ...REPEATED, ...FORGED, ...TIMED, ...UNUSUAL, ...HEAVY];
