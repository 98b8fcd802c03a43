import fc from "fast-check";
import { press } from "../checkout/pages.js";
import type { Loose } from "./emulator.js";
import { PNG } from "./med.js";
import {
  keyOf,
  type Made,
  makeCharge,
  makePayment,
  type Owned,
  pick,
  pickPaid,
  type Step,
  step,
  type World,
  which,
} from "./money-steps.js";
import { send } from "./raw-http.js";

/** Random steps of what goes wrong: receivers, faults, chaos, jumps of the clock, snapshots, resets and kills. */

export interface UnrestWorld extends World {
  /** Where receivers are; the last part of the path of each is its fate. */
  readonly receiver: string;
  /** The names of what has been saved. */
  readonly saved: Set<string>;
  /** Charges that somebody may ask for once more, by what they were asked for with. */
  readonly asked: { readonly key: string; readonly headers: Record<string, string>; readonly body: object }[];
  /** Called before a reset or a restore takes away what is there. */
  beforeLoss(): void;
  /** Kills the emulator in the middle of `work` and starts it again. */
  kill(turns: number, work: () => Promise<unknown>): Promise<void>;
}

/** How a receiver takes what it is sent. */
const FATES = ["takes", "takes", "late", "refuses", "gone", "closes", "hangs"] as const;

const fate = fc.constantFrom(...FATES);
const live = fc.constantFrom(false, false, true);
const pickKey = fc.boolean();

const EVENTS = [
  ["charge.created", "charge.paid", "charge.expired", "charge.failed"],
  ["payment.created", "payment.status_changed", "payment.refunded"],
  ["payout.created", "withdrawal.status_changed", "med_case.created", "med_case.updated", "med.resolved"],
] as const;

const addEndpoint = step(
  "endpoint",
  fc.record({ fate, live, events: fc.constantFrom(...EVENTS) }),
  async (given, world: UnrestWorld) => {
    const body = { url: `${world.receiver}/${given.fate}`, events: given.events };
    await world.ask({ path: "/v1/webhooks/endpoints", key: keyOf(world, given.live), body });
  },
);

const CARD: Made["kind"] = { currency: "BRL", paymentMethods: ["CREDIT_CARD"] };
const PIX: Made["kind"] = { currency: "BRL", paymentMethods: ["PIX"] };

const createHooked = step("payment with a webhookUrl", fc.record({ fate, live }), async (given, world: UnrestWorld) => {
  const webhookUrl = `${world.receiver}/${given.fate}`;
  const made = await makePayment(world, { kind: PIX, amount: 1_990, live: given.live }, { webhookUrl });
  if (made === null) return;
  const paid = await world.ask({ path: `/_sandbox/charges/${made.id}/pay`, key: made.key, body: {} });
  if (paid !== null) world.paid.push(made);
});

const SCRIPTS = [{ pay_after: 30 }, { pay_after: 1, med_after: 60 }, { fail: "AC06" }] as const;

const createScripted = step(
  "scripted charge",
  fc.record({ script: fc.constantFrom(...SCRIPTS), live }),
  async (given, world: UnrestWorld) => {
    const made = await makeCharge(world, 1_990, given.live, { metadata: { _sandbox: given.script } });
    if (made !== null && "pay_after" in given.script) world.paid.push(made);
  },
);

const repeat = step(
  "charge asked for again",
  fc.record({ which, live, how: fc.constantFrom("new", "same", "other") }),
  async ({ which: index, live: isLive, how }, world: UnrestWorld) => {
    const known = pick(world.asked, index);
    if (known === undefined || how === "new") {
      const headers = { "idempotency-key": `asked-again-${world.asked.length}-${index}` };
      const body = { amount: 500 + index, payment_method: "pix" };
      const given = { key: keyOf(world, isLive), headers, body };
      world.asked.push(given);
      await world.ask({ path: "/v1/charges", ...given });
      return;
    }
    const body = how === "same" ? known.body : { ...known.body, description: "another" };
    await world.ask({ path: "/v1/charges", ...known, body });
  },
);

const CARD_STEPS = ["approve", "refuse", "challenge", "authenticate", "fail_authentication"];

const cardPage = step(
  "card page",
  fc.record({ live, amount: fc.integer({ min: 1, max: 9_999 }), steps: fc.array(fc.constantFrom(...CARD_STEPS)) }),
  async ({ live: isLive, amount, steps }, world: UnrestWorld) => {
    const made = await makePayment(world, { kind: CARD, amount, live: isLive });
    if (made === null) return;
    const read = await world.ask({ method: "GET", path: `/v1/payments/${made.id}`, key: made.key });
    if (read === null) return;
    for (const one of ["approve", ...steps].reverse()) await press(read.cardRedirectUrl, one);
    world.paid.push(made);
  },
);

const EFFECTS = [{ drop: "after" }, { drop: "before" }, { status: 503 }, { status: 429 }] as const;

const fault = step(
  "fault",
  fc.record({ effect: fc.constantFrom(...EFFECTS), times: fc.constantFrom(1, 2) }),
  async ({ effect, times }, { ask, emulator }: UnrestWorld) => {
    const match = { method: "POST", path: "/v1/*" };
    await ask({ path: "/_sandbox/faults", key: emulator.key, body: { match, effect, times }, expected: [201] });
  },
);

const CHAOS = [
  { duplicate: 0.5 },
  { reorder: 0.5 },
  { delay_ms: 1_500 },
  { corrupt_signature: 0.4 },
  { stale_timestamp: 0.4 },
  { duplicate: 0, reorder: 0, delay_ms: 0, corrupt_signature: 0, stale_timestamp: 0 },
];

const chaos = step("chaos", fc.constantFrom(...CHAOS), async (body, { ask, emulator }: UnrestWorld) => {
  await ask({ path: "/_sandbox/webhooks/chaos", key: emulator.key, body, expected: [200] });
});

const resend = step(
  "resend",
  fc.record({ which, live: pickKey, to: fc.option(fate) }),
  async ({ which: index, live: isLive, to }, world: UnrestWorld) => {
    const key = keyOf(world, isLive);
    const { data } = await world.ask({ method: "GET", path: "/_sandbox/webhooks/deliveries?limit=50", key });
    const found = pick<Loose>(data, index);
    if (found === undefined) return;
    const body = to === null ? {} : { url: `${world.receiver}/${to}` };
    await world.ask({ path: `/_sandbox/webhooks/deliveries/${found.id}/resend`, key, body, expected: [201, 404] });
  },
);

const resendLast = step("resend of a payment", fc.record({ which }), async ({ which: index }, world: UnrestWorld) => {
  const found = pick(world.payments, index);
  if (found !== undefined) await world.ask({ path: `/v1/payments/${found.id}/resend-webhook`, key: found.key });
});

const ACTIONS: readonly (readonly [path: string, body: object])[] = [
  ["/v1/med/cases/{id}/appeal", { reason: "It was delivered and signed for." }],
  ["/v1/med/cases/{id}/accept", {}],
  ["/_sandbox/med-cases/{id}/withdraw", {}],
  ["/_sandbox/med-cases/{id}/request-evidence", {}],
];

const answerCase = step(
  "answer of a case",
  fc.record({ which, action: fc.constantFrom(...ACTIONS) }),
  async ({ which: index, action: [path, body] }, { ask, cases }: UnrestWorld) => {
    const found = pick(cases, index);
    if (found !== undefined) await ask({ path: path.replace("{id}", found.id), key: found.key, body });
  },
);

/** As far as it gets: what is refused ends it. */
async function addEvidence({ ask }: World, { id, key }: Owned, isSent: boolean): Promise<void> {
  const path = `/v1/med/cases/${id}/evidence`;
  const body = { file_name: "nota.png", file_size: PNG.length, mime_type: "image/png" };
  const ticket = await ask({ path, key, body });
  if (ticket === null) return;
  const { upload_url: url, upload_method: method, upload_headers: headers } = ticket;
  if (isSent) await send(url, { method, headers, body: PNG });
  await ask({ path: `${path}/${ticket.id}/complete`, key });
}

const evidence = step(
  "evidence",
  fc.record({ which, isSent: fc.constantFrom(true, true, false) }),
  async ({ which: index, isSent }, world: UnrestWorld) => {
    const paid = pickPaid(world, index);
    if (world.cases.length === 0 && paid !== undefined) {
      const made = await world.ask({ path: "/_sandbox/med-cases", key: paid.key, body: { charge_id: paid.id } });
      if (made !== null) world.cases.push({ id: made.id, key: paid.key });
    }
    const found = pick(world.cases, index);
    if (found !== undefined) await addEvidence(world, found, isSent);
  },
);

const CLOCK = [
  ["freeze"],
  ["resume"],
  ["advance", { to: "next" }],
  // Long enough for the last attempt of every delivery.
  ["advance", { seconds: 7 * 86_400 }],
] as const;

const clock = step("clock", fc.constantFrom(...CLOCK), async ([how, body], { ask, emulator }: UnrestWorld) => {
  const path = `/_sandbox/clock/${how}`;
  await ask({ path, key: emulator.key, expected: [200], ...(body === undefined ? {} : { body }) });
});

const NAMES = ["one", "two"];

const save = step("save", fc.constantFrom(...NAMES), async (name, { ask, emulator, saved }: UnrestWorld) => {
  await ask({ path: "/_sandbox/snapshots", key: emulator.key, body: { name }, expected: [201] });
  saved.add(name);
});

const restore = step(
  "restore",
  fc.constantFrom(...NAMES),
  async (name, { ask, emulator, saved, beforeLoss }: UnrestWorld) => {
    beforeLoss();
    const expected = [saved.has(name) ? 200 : 404];
    await ask({ path: `/_sandbox/snapshots/${name}/restore`, key: emulator.key, expected });
  },
);

const reset = step("reset", fc.constant(null), async (_, { ask, emulator, beforeLoss }: UnrestWorld) => {
  beforeLoss();
  await ask({ path: "/_sandbox/reset", key: emulator.key });
});

/** The clients are cut off, so whatever they are answered nobody knows. */
const kill = step(
  "kill",
  fc.record({ turns: fc.integer({ min: 1, max: 12 }), work: fc.constantFrom("charges", "payments", "time") }),
  async ({ turns, work }, world: UnrestWorld) => {
    const { emulator } = world;
    const live = [false, true, false];
    await world.kill(turns, () => {
      if (work === "time") return emulator.sandbox("/clock/advance", { seconds: 3_600 });
      if (work === "charges") return Promise.allSettled(live.map((isLive) => makeCharge(world, 700, isLive)));
      const unpaid = world.payments.slice(-6);
      return Promise.allSettled(unpaid.map(({ id, key }) => emulator.sandbox(`/charges/${id}/pay`, {}, { key })));
    });
  },
);

/** Each step with how often it is taken. What undoes much is rare: otherwise nothing would grow old. */
export const UNREST_STEPS: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Step<UnrestWorld>> }[] =
  [
    { weight: 12, arbitrary: addEndpoint },
    { weight: 9, arbitrary: createHooked },
    { weight: 9, arbitrary: createScripted },
    { weight: 9, arbitrary: repeat },
    { weight: 9, arbitrary: cardPage },
    { weight: 6, arbitrary: fault },
    { weight: 9, arbitrary: chaos },
    { weight: 9, arbitrary: resend },
    { weight: 4, arbitrary: resendLast },
    { weight: 9, arbitrary: answerCase },
    { weight: 12, arbitrary: evidence },
    { weight: 12, arbitrary: clock },
    { weight: 5, arbitrary: save },
    { weight: 3, arbitrary: restore },
    { weight: 1, arbitrary: reset },
    { weight: 4, arbitrary: kill },
  ];
