import fc from "fast-check";
import { expect, it } from "vitest";
import { open } from "../../checkout/pages.js";
import { balance, expectCharge } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { payment, readPayment } from "../../support/payments.js";
import { sharedEmulator } from "../../support/shared.js";

/** Whatever happens to payments by several methods, every face of each tells the same story. */

const emulator = sharedEmulator({ frozen: true });

/** What shows that it can be paid with a method. */
const CODES = { PIX: "pixCopyPaste", CREDIT_CARD: "cardRedirectUrl", BOLETO: "boletoLine" } as const;
type Method = keyof typeof CODES;
const METHODS = Object.keys(CODES) as Method[];

const PUBLIC: Readonly<Record<string, string>> = {
  WAITING_PAYMENT: "pending",
  PAID: "paid",
  APPROVED: "paid",
  REFUSED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const which = fc.nat({ max: 4 });
const create = fc.record({
  do: fc.constant("create" as const),
  methods: fc.subarray(METHODS, { minLength: 1 }).chain((few) => fc.shuffledSubarray(few, { minLength: few.length })),
  amount: fc.integer({ min: 100, max: 100_000 }),
});
const pay = fc.record({
  do: fc.constant("pay" as const),
  payment: which,
  method: fc.constantFrom(...METHODS, undefined),
  extra: fc.constantFrom(0, 0, 0, -1, 1),
});
const end = fc.record({ do: fc.constantFrom("expire" as const, "fail" as const, "cancel" as const), payment: which });
// Around the hour of Pix and card, and to the days of a boleto.
const seconds = fc.constantFrom(1, 59 * MINUTE, 60 * MINUTE, 60 * MINUTE, DAY, 3 * DAY);
const advance = fc.record({ do: fc.constant("advance" as const), seconds });
const step = fc.oneof(
  { weight: 5, arbitrary: create },
  { weight: 4, arbitrary: pay },
  { weight: 2, arbitrary: end },
  { weight: 3, arbitrary: advance },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Made {
  readonly id: string;
  readonly methods: readonly Method[];
  readonly amount: number;
}

const post = (path: string, body: object = {}) => emulator.call("POST", path, { body });

async function take(given: Step, all: Made[]): Promise<void> {
  if (given.do === "advance") {
    await emulator.sandbox("/clock/advance", { seconds: given.seconds });
  } else if (given.do === "create") {
    const { methods, amount } = given;
    const { id } = await payment(emulator, { amount, paymentMethods: methods });
    all.push({ id, methods, amount });
    // What was answered once must not be answered again when it is no longer so.
    await emulator.call("GET", `/v1/charges/${id}`);
  } else {
    const made = all[all.length - 1 - given.payment];
    if (made === undefined) return;
    const paths = { cancel: `/v1/payments/${made.id}/cancel`, pay: "", expire: "", fail: "" };
    const path = paths[given.do] || `/_sandbox/charges/${made.id}/${given.do}`;
    const body = given.do === "pay" ? { method: given.method, amount: made.amount + given.extra } : {};
    expect((await post(path, body)).status).toBeLessThan(500);
  }
}

/** The newest event of a payment among `types`. */
async function newest(id: string, ...types: string[]): Promise<Loose> {
  const { data } = await emulator.sandbox(`/events?subject=${id}&limit=100`);
  return data.find(({ type }: Loose) => types.includes(type))?.payload;
}

async function checkCharge(made: Made, read: Loose): Promise<void> {
  const answer = await emulator.call("GET", `/v1/charges/${made.id}`);
  if (!made.methods.includes("PIX")) {
    expect(answer.status).toBe(404);
    return;
  }
  const charge = expectCharge(answer.body);
  const { paidWith, pixCopyPaste, pixExpiresAt } = read;
  expect(charge).toMatchObject({
    status: PUBLIC[read.status],
    payment_method: (paidWith ?? "PIX").toLowerCase(),
    metadata: read.metadata,
  });
  expect("end_to_end_id" in charge.settlement).toBe(paidWith === "PIX");
  expect("pix" in charge).toBe(paidWith === null || paidWith === "PIX");
  expect(charge.pix?.br_code ?? null).toBe(pixCopyPaste);
  if (charge.pix !== undefined) expect(charge.pix.expires_at).toBe(pixExpiresAt);
}

async function checkEvents({ id, methods }: Made, read: Loose): Promise<void> {
  const charge = (await newest(id, "charge.created", "charge.paid", "charge.failed", "charge.expired")).data.object;
  expect([charge.status, charge.payment_method]).toEqual([
    PUBLIC[read.status],
    (read.paidWith ?? (methods.includes("PIX") ? "PIX" : methods[0])).toLowerCase(),
  ]);
  // What has happened is told as it is read; what still waits may have lost a code since.
  const isOver = read.status !== "WAITING_PAYMENT";
  if (isOver && methods.includes("PIX")) {
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body).toStrictEqual(charge);
  }
  expect((await newest(id, "payment.created", "payment.status_changed")).data.status).toBe(read.status);
  const completed = await newest(id, "payment.completed");
  expect([completed?.data.paidWith ?? null, completed?.data.occurredAt ?? null]).toEqual([read.paidWith, read.paidAt]);
}

/** The methods with which it can be paid, by the codes that are shown. */
const shownOf = (read: Loose) => METHODS.filter((method) => read[CODES[method]] !== null);

async function checkPages({ id, methods }: Made, read: Loose): Promise<void> {
  const { checkout_url } = (await newest(id, "charge.created")).data.object;
  const status = JSON.parse((await open(checkout_url.replace("?", "/status?"))).text);
  const waits = read.status === "WAITING_PAYMENT";
  expect([status.status, status.methods]).toEqual([PUBLIC[read.status], waits ? shownOf(read) : []]);
  const text = (await open(checkout_url)).text;
  for (const method of methods) expect(text.includes(`data-method="${method}"`)).toBe(status.methods.includes(method));
  const image = await open(`${emulator.url}/qr/${id}.png`);
  expect(image.status).toBe(read.pixCopyPaste === null ? 404 : 200);
  if (!methods.includes("PIX")) return;
  const payload = await open(`${emulator.url}/qr/v2/${id.replaceAll("-", "")}`);
  const said =
    payload.status === 410 ? null : JSON.parse(Buffer.from(String(payload.text.split(".")[1]), "base64url").toString());
  expect(said?.status === "ATIVA").toBe(status.methods.includes("PIX"));
  expect(said?.status === "CONCLUIDA").toBe(read.paidWith === "PIX");
}

async function checkSums(reads: readonly Loose[]): Promise<void> {
  const paid = reads.filter(({ paidAt }) => paidAt !== null);
  const { body } = await emulator.call("GET", "/v1/payments/stats?days=366");
  expect([body.totalTransactions, body.paidTransactions]).toEqual([reads.length, paid.length]);
  const volumes = METHODS.map((method) => {
    const group = paid.filter(({ paidWith }) => paidWith === method);
    return { method, volume: group.reduce((sum, { amount }) => sum + amount, 0), count: group.length };
  });
  const used = volumes.filter(({ count }) => count > 0).sort((one, other) => (one.method < other.method ? -1 : 1));
  expect(body.methodBreakdown).toEqual(used);
  expect((await balance(emulator)).available).toBe(used.reduce((sum, { volume }) => sum + volume, 0));
}

/** Pays with every method whose code is not shown, then with one whose code is: the money goes back, or is kept. */
async function checkPayable({ id, methods }: Made, read: Loose, turn: number): Promise<void> {
  const shown = shownOf(read);
  const others = methods.filter((method) => !shown.includes(method));
  const outcome = async (method: Method) => (await post(`/_sandbox/charges/${id}/pay`, { method })).body.outcome;
  for (const method of others) expect([method, await outcome(method)]).toEqual([method, "returned"]);
  const chosen = shown[turn % Math.max(shown.length, 1)] ?? "PIX";
  expect(await outcome(chosen)).toBe(read.status === "WAITING_PAYMENT" ? "paid" : "returned");
}

it("charge, payment, events, pages, statistics and the simulated payer agree on every payment", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: "max" }), async (steps) => {
      await emulator.sandbox("/reset");
      const all: Made[] = [];
      for (const given of steps) await take(given, all);
      const reads = await Promise.all(all.map(({ id }) => readPayment(emulator, id)));
      const listed = (await emulator.call("GET", "/v1/payments?limit=100&sortOrder=asc")).body.data;
      expect(listed).toStrictEqual(reads.map((read) => ({ ...read, id: `tx_${read.id}` })));
      await checkSums(reads);
      for (const [index, made] of all.entries()) {
        const read = reads[index];
        const hidden = made.methods.length - shownOf(read).length;
        seen.add(`${read.status} ${read.paidWith ?? (hidden === 0 ? "whole" : "run out")}`);
        await checkCharge(made, read);
        await checkEvents(made, read);
        await checkPages(made, read);
        await checkPayable(made, read, index);
      }
    }),
    { seed: 20_261_121, numRuns: 20 },
  );
  // The sequences are not so random that something never comes up.
  expect([...seen].sort()).toEqual([
    "APPROVED CREDIT_CARD",
    "CANCELLED run out",
    "CANCELLED whole",
    "EXPIRED run out",
    "EXPIRED whole",
    "PAID BOLETO",
    "PAID PIX",
    "REFUSED run out",
    "REFUSED whole",
    "WAITING_PAYMENT run out",
    "WAITING_PAYMENT whole",
  ]);
});
