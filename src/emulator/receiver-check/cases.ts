import { ID_PREFIX } from "../../base/kernel/ids.js";
import { phpText } from "../../base/kernel/json-printers.js";
import { SAMPLE_PAYER_CNPJ } from "../../base/kernel/tax-id.js";
import { changeBody } from "../../service/features/webhooks/chaos.js";
import type { Content, Delivery, DeliveryMaker } from "./deliveries.js";
import { type Expectation, expectationOf } from "./right-answers.js";
import type { CaseName } from "./texts.js";

/** The checks of a receiver of webhooks: for each case its deliveries and the expected answer. The sentences are in texts.ts. */

export interface TestCase {
  readonly name: CaseName;
  readonly expects: Expectation;
  /**
   * The way the deliveries are sent; without it, one after the other. `in pieces` sends each body in two parts with a
   * pause between them.
   */
  readonly manner?: "at once" | "in pieces";
  readonly deliveries: (maker: DeliveryMaker) => Delivery[];
}

const TEN_MINUTES = 600_000;
const LARGE = 100_000;
const CONCURRENT = 10;

/** A canonical and a legacy event, because the two are signed in different ways. */
function bothForms(maker: DeliveryMaker): readonly [Content, Content] {
  return [paid(maker), maker.event("payment.completed", maker.payment())];
}

function paid(maker: DeliveryMaker): Content {
  return maker.event("charge.paid", maker.charge("paid"));
}

/** Changes the last digit of a signature, so that it is wrong but has the right length. */
function withWrongDigit(header: string): string {
  return header.slice(0, -1) + (header.endsWith("0") ? "1" : "0");
}

function buildMalformed(maker: DeliveryMaker, content: Content): string[] {
  const [t = "", digest = ""] = maker.sign(content).split(",");
  return ["nonsense", t, digest, `${t},${digest.slice(0, 20)}`, `t=soon,${digest}`];
}

const ODD_CUSTOMER = {
  name: "Zoe\u0308 \u{1f469}\u{200d}\u{1f4bb} \u05e9\u05dc\u05d5\u05dd \u202eabc\u202c",
  email: "zoe@example.com",
};
const COMPANY = { name: "Padaria do Bairro Ltda", document: SAMPLE_PAYER_CNPJ, email: "padaria@example.com" };
const ODD_NOTE = { note: "10 \u20ac \u2192 R$ 59,90 \u{1f389} A\u030a\u{1f1e7}\u{1f1f7}" };

/** Cases that are sent in one manner, by their names. */
function cases(
  byName: { readonly [Name in CaseName]?: TestCase["deliveries"] },
  manner?: TestCase["manner"],
): TestCase[] {
  const all = Object.entries(byName) as [CaseName, TestCase["deliveries"]][];
  const how = manner === undefined ? {} : { manner };
  return all.map(([name, deliveries]) => ({ name, expects: expectationOf(name), deliveries, ...how }));
}

const VALID = cases({
  "charge.created": (maker) => [maker.deliver(maker.event("charge.created", maker.charge("pending")))],
  "charge.paid": (maker) => [maker.deliver(paid(maker))],
  "payment.completed": (maker) => [maker.deliver(maker.event("payment.completed", maker.payment()))],
  "med_case.created": (maker) => [maker.deliver(maker.event("med_case.created", maker.medCase()))],
  "payout.paid": (maker) => [maker.deliver(maker.event("payout.paid", maker.payout()))],
  "same-event"(maker) {
    const content = paid(maker);
    return [maker.deliver(content), maker.deliver(content)];
  },
  retry(maker) {
    const content = paid(maker);
    const deliveryId = ID_PREFIX.delivery + maker.uuid();
    return [maker.deliver(content, { deliveryId, at: maker.now - 10_000 }), maker.deliver(content, { deliveryId })];
  },
});

const FORGED = cases({
  "wrong-signature": (maker) =>
    bothForms(maker).map((one) => maker.deliver(one, { signature: withWrongDigit(maker.sign(one)) })),
  "other-body"(maker) {
    const raiseAmount = (one: Content) => ({ ...one, body: one.body.replace('"amount":1990', '"amount":199000') });
    return bothForms(maker).map((one) => maker.deliver(raiseAmount(one), { signature: maker.sign(one) }));
  },
  "wrong-secret"(maker) {
    const secret = `${maker.uuid()}${maker.uuid()}`.replaceAll("-", "");
    return bothForms(maker).map((one) => maker.deliver(one, { secret }));
  },
  "no-signature": (maker) => bothForms(maker).map((one) => maker.deliver(one, { signature: null })),
  "malformed-signature"(maker) {
    const content = paid(maker);
    return buildMalformed(maker, content).map((signature) => maker.deliver(content, { signature }));
  },
  "legacy-on-canonical"(maker) {
    const content = paid(maker);
    return [maker.deliver(content, { signature: maker.sign({ ...content, type: "payment.completed" }) })];
  },
  "stale-timestamp": (maker) => [maker.deliver(paid(maker), { at: maker.now - TEN_MINUTES })],
});

const OPEN = cases({
  "future-timestamp": (maker) => [maker.deliver(paid(maker), { at: maker.now + TEN_MINUTES })],
  "old-secret": (maker) => bothForms(maker).map((one) => maker.deliver(one, { secret: maker.oldSecret })),
});

const UNUSUAL = cases({
  "unknown-event"(maker) {
    const { body } = maker.event("charge.created", { id: `sub_${maker.uuid()}`, object: "subscription" });
    const type = "subscription.renewed";
    return [maker.deliver({ type, body: body.replace('"type":"charge.created"', `"type":"${type}"`) })];
  },
  "unknown-fields"(maker) {
    const charge = { ...maker.charge("paid"), installments: { count: 1, plan: null } };
    const { type, body } = maker.event("charge.paid", charge);
    return [maker.deliver({ type, body: `${body.slice(0, -1)},"sequence":17}` })];
  },
  "unknown-values": (maker) =>
    bothForms(maker).map(({ type, body }) => maker.deliver({ type, body: changeBody(body, ["unknown_values"]) })),
  "letters-in-cnpj": (maker) => [
    maker.deliver(maker.event("charge.paid", maker.charge("paid", { customer: COMPANY }))),
  ],
  "out-of-order"(maker) {
    const last = maker.charge("paid");
    const first = { ...last, status: "pending", settlement: {} };
    return [maker.deliver(maker.event("charge.paid", last)), maker.deliver(maker.event("charge.created", first))];
  },
  unicode(maker) {
    const charge = maker.charge("paid", { customer: ODD_CUSTOMER, metadata: ODD_NOTE });
    return [maker.deliver(maker.event("charge.paid", charge))];
  },
  escapes(maker) {
    const charge = maker.charge("paid", { customer: ODD_CUSTOMER, metadata: ODD_NOTE });
    return [maker.deliver(maker.event("charge.paid", phpText(charge)))];
  },
  "large-body"(maker) {
    const note = (length: number) => maker.charge("paid", { metadata: { note: "x".repeat(length) } });
    const empty = maker.event("charge.paid", note(0)).body.length;
    return [maker.deliver(maker.event("charge.paid", note(LARGE - empty)))];
  },
});

const IN_PIECES = cases(
  {
    "slow-body": (maker) => [maker.deliver(maker.event("charge.paid", maker.charge("paid", { metadata: ODD_NOTE })))],
  },
  "in pieces",
);

const AT_ONCE = cases(
  { "at-once": (maker) => Array.from({ length: CONCURRENT }, () => maker.deliver(paid(maker))) },
  "at once",
);

/** All cases, in the order in which the results are shown. */
export const CASES: readonly TestCase[] = [...VALID, ...FORGED, ...OPEN, ...UNUSUAL, ...IN_PIECES, ...AT_ONCE];

/**
 * The cases with these names, or all. Without the secret before a rotation there is no case old-secret. `impossible` is a name
 * that none of the possible cases has.
 */
export function casesFor(only: readonly string[] | undefined, hasOldSecret: boolean) {
  const possible = CASES.filter(({ name }) => name !== "old-secret" || hasOldSecret);
  const impossible = only?.find((name) => !possible.some((one) => one.name === name));
  return { cases: only === undefined ? possible : possible.filter(({ name }) => only.includes(name)), impossible };
}
