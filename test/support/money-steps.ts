import fc from "fast-check";
import { DOCUMENTS } from "./charges.js";
import { freshKey, type Loose, type TestEmulator } from "./emulator.js";

/** Random steps of payers, merchants and banks. A refusal is as good as a success. */

const KINDS = [
  { currency: "BRL", paymentMethods: ["PIX"] },
  { currency: "BRL", paymentMethods: ["PIX", "BOLETO", "CREDIT_CARD"] },
  { currency: "BRL", paymentMethods: ["BOLETO"] },
  { currency: "BRL", paymentMethods: ["CREDIT_CARD"] },
  { currency: "EUR", paymentMethods: ["CREDIT_CARD", "MULTIBANCO"] },
  { currency: "USDT", paymentMethods: ["CRYPTO"] },
] as const;

/** An object with the key of its book. */
export interface Owned {
  readonly id: string;
  readonly key: string;
}

export interface Made extends Owned {
  readonly amount: number;
  readonly kind: (typeof KINDS)[number];
}

export interface Asked {
  readonly path: string;
  readonly key: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The statuses that the answer may have, where more is known than that the service does not fail. */
  readonly expected?: readonly number[];
}

/** What exists. */
export interface World {
  readonly emulator: TestEmulator;
  /** One request; answers the body, or null for a refusal. Throws for an answer that must not be. */
  ask(asked: Asked): Promise<Loose>;
  readonly payments: Made[];
  /** Those of them that were paid at some time. */
  readonly paid: Made[];
  readonly refunds: Owned[];
  readonly payouts: Owned[];
  readonly cases: Owned[];
}

export function newObjects(): Pick<World, "payments" | "paid" | "refunds" | "payouts" | "cases"> {
  return { payments: [], paid: [], refunds: [], payouts: [], cases: [] };
}

export type Step<In extends World = World> = (world: In) => Promise<void>;

/** A step that reads as what it does when fast-check shows it. */
export function step<Given, In extends World = World>(
  name: string,
  given: fc.Arbitrary<Given>,
  take: (given: Given, world: In) => Promise<void>,
): fc.Arbitrary<Step<In>> {
  return given.map((value): Step<In> => {
    const run: Step<In> = (world) => take(value, world);
    return Object.assign(run, { toString: () => `${name} ${JSON.stringify(value)}` });
  });
}

export const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(items.length, 1)];
// Biased numbers would mean the same few all the time.
export const which = fc.noBias(fc.nat({ max: 1_000 }));
/** Mostly one that was paid, so that something comes of it. */
export const pickPaid = ({ paid, payments }: World, index: number) => pick(index % 8 === 0 ? payments : paid, index);
const amount = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 9_999_999_999 }));
export const keyOf = ({ emulator }: World, live: boolean) => (live ? emulator.live : emulator.key);

/** Makes a payment; `body` is for what is said beside kind and amount. */
export async function makePayment(
  world: World,
  { kind, amount: worth, live }: { kind: Made["kind"]; amount: number; live: boolean },
  body: object = {},
): Promise<Made | null> {
  const key = keyOf(world, live);
  const full = { ...kind, amount: worth, idempotencyKey: freshKey(), ...body };
  const answer = await world.ask({ path: "/v1/payments", key, body: full, expected: [201, 422] });
  if (answer === null) return null;
  const made = { id: answer.id, key, amount: worth, kind };
  world.payments.push(made);
  return made;
}

const createPayment = step(
  "payment",
  fc.record({ kind: fc.constantFrom(...KINDS), amount, live: fc.boolean(), paidAtOnce: fc.boolean() }),
  async ({ paidAtOnce, ...given }, world) => {
    const made = await makePayment(world, given);
    if (made === null || !paidAtOnce) return;
    await world.ask({ path: `/_sandbox/charges/${made.id}/pay`, key: made.key, body: {} });
    world.paid.push(made);
  },
);

/** Makes a charge by Pix; answers it as it is kept. */
export async function makeCharge(world: World, worth: number, live: boolean, body: object = {}): Promise<Made | null> {
  const key = keyOf(world, live);
  const full = { amount: worth, payment_method: "pix", ...body };
  const headers = { "idempotency-key": freshKey() };
  const answer = await world.ask({ path: "/v1/charges", key, body: full, headers, expected: [201] });
  if (answer === null) return null;
  const made = { id: String(answer.id).replace("ch_", ""), key, amount: worth, kind: KINDS[0] };
  world.payments.push(made);
  return made;
}

const createCharge = step(
  "charge",
  fc.record({ amount, expected: fc.boolean(), live: fc.boolean() }),
  async (given, world) => {
    const payer = given.expected ? { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf } : {};
    await makeCharge(world, given.amount, given.live, { expires_in: 60, ...payer });
  },
);

const pay = step(
  "pay",
  fc.record({
    which,
    method: which,
    off: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
    document: fc.constantFrom(undefined, undefined, null, DOCUMENTS.cpf, DOCUMENTS.otherCpf),
  }),
  async (given, { ask, payments, paid }) => {
    const found = pick(payments, given.which);
    if (found === undefined) return;
    const method = pick<string>(found.kind.paymentMethods, given.method);
    const body = { amount: Math.max(1, found.amount + given.off), payer_document: given.document, method };
    const answer = await ask({ path: `/_sandbox/charges/${found.id}/pay`, key: found.key, body });
    if (answer?.outcome === "paid") paid.push(found);
  },
);

const end = step(
  "end",
  fc.record({ which, how: fc.constantFrom("fail", "expire", "cancel", "approve", "reject") }),
  async ({ which: index, how }, { ask, payments }) => {
    const found = pick(payments, index);
    if (found === undefined) return;
    const path = how === "cancel" ? "/v1/payments" : "/_sandbox/charges";
    const isReview = how === "approve" || how === "reject";
    const body = isReview ? { decision: how } : {};
    await ask({ path: `${path}/${found.id}/${isReview ? "review" : how}`, key: found.key, body });
  },
);

const askRefund = step(
  "refund",
  fc.record({
    which,
    /** Of the payment; null is all that is left. */
    share: fc.constantFrom(null, null, 1, 0.5, 0.3, 1.1),
    how: fc.constantFrom(
      {},
      {},
      { strategy: "devolution" },
      { passFeeToTenant: true },
      { destinationKey: "maria@example.com", passFeeToTenant: true },
      { destinationKey: "nobody@shop.invalid", passFeeToTenant: true },
    ),
  }),
  async ({ which: index, share, how }, world) => {
    const found = pickPaid(world, index);
    if (found === undefined) return;
    const part = share === null ? {} : { amount: Math.ceil(found.amount * share) };
    const body = { idempotencyKey: freshKey(), ...part, ...how };
    const path = `/v1/payments/${found.id}/refund`;
    const made = await world.ask({ path, key: found.key, body, expected: [201, 400, 422] });
    if (made !== null) world.refunds.push({ id: made.id, key: found.key });
  },
);

const advanceRefund = step(
  "advance refund",
  fc.record({ which, to: fc.constantFrom("IN_PROGRESS", "REFUNDED", "FAILED") }),
  async ({ which: index, to }, { ask, refunds }) => {
    const found = pick(refunds, index);
    if (found === undefined) return;
    const path = `/_sandbox/refunds/${found.id}/advance`;
    await ask({ path, key: found.key, body: { to }, expected: [200, 400] });
  },
);

const payoutEnd = fc.constantFrom("pay", "fail");

/** Lets the bank pay or refuse a payout. One that has ended is refused. */
async function settlePayout({ ask }: World, { id, key }: Owned, how: string): Promise<void> {
  await ask({ path: `/_sandbox/payouts/${id}/${how}`, key, body: {}, expected: [200, 400] });
}

const askPayout = step(
  "payout",
  // Most end at once: a later step mostly picks one that has ended already.
  fc.record({ amount, currency: fc.constantFrom("BRL", "EUR"), live: fc.boolean(), end: fc.option(payoutEnd) }),
  async ({ live, end: how, ...body }, world) => {
    const key = keyOf(world, live);
    const made = await world.ask({ path: "/_sandbox/payouts", key, body, expected: [201] });
    world.payouts.push({ id: made.id, key });
    if (how !== null) await settlePayout(world, { id: made.id, key }, how);
  },
);

const endPayout = step("end payout", fc.record({ which, how: payoutEnd }), async ({ which: index, how }, world) => {
  const found = pick(world.payouts, index);
  if (found !== undefined) await settlePayout(world, found, how);
});

const openCase = step(
  "contest",
  fc.record({
    which,
    type: fc.constantFrom("med", "chargeback"),
    amount: fc.constantFrom(undefined, 1, 9_999_999_999),
  }),
  async ({ which: index, ...body }, world) => {
    const found = pickPaid(world, index);
    if (found === undefined) return;
    const made = await world.ask({
      path: "/_sandbox/med-cases",
      key: found.key,
      body: { charge_id: found.id, ...body },
    });
    if (made !== null) world.cases.push({ id: made.id, key: found.key });
  },
);

const decideCase = step(
  "decide",
  fc.record({ which, outcome: fc.constantFrom("upheld", "refunded_to_merchant", "closed_without_refund") }),
  async ({ which: index, outcome }, { ask, cases }) => {
    const found = pick(cases, index);
    if (found !== undefined) {
      await ask({ path: `/_sandbox/med-cases/${found.id}/decide`, key: found.key, body: { outcome } });
    }
  },
);

const time = step(
  "time",
  fc.constantFrom(0, 1, 2, 4, 60, 119.999, 120, 3_600, 91 * 86_400),
  async (seconds, { ask, emulator }) => {
    await ask({ path: "/_sandbox/clock/advance", key: emulator.key, body: { seconds }, expected: [200] });
  },
);

/** Steps that move money, or are on the way to it, each with how often it is taken. */
export const MONEY_STEPS: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Step> }[] = [
  { weight: 4, arbitrary: createPayment },
  { weight: 2, arbitrary: createCharge },
  { weight: 10, arbitrary: pay },
  { weight: 3, arbitrary: end },
  { weight: 9, arbitrary: askRefund },
  { weight: 6, arbitrary: advanceRefund },
  { weight: 2, arbitrary: askPayout },
  { weight: 2, arbitrary: endPayout },
  { weight: 2, arbitrary: openCase },
  { weight: 2, arbitrary: decideCase },
  { weight: 2, arbitrary: time },
];
