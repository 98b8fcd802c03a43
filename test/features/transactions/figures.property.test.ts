import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { payment, REQUESTS } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** After any sequence of changes over several days, counts and figures are those that counting one by one gives. */

const emulator = sharedEmulator({ frozen: true });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A midnight in São Paulo, and how far the clock goes at most afterwards. */
const MIDNIGHT = Date.parse("2031-03-10T03:00:00Z");

const METHODS = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];
/** How many were made after the one that is meant. */
const which = fc.nat({ max: 5 });
const create = fc.record({
  do: fc.constant("create" as const),
  method: fc.constantFrom(...METHODS),
  amount: fc.integer({ min: 100, max: 100_000 }),
});
const hold = fc.record({ do: fc.constant("hold" as const) });
const change = fc.record({
  do: fc.constant("change" as const),
  what: fc.constantFrom(
    "pay",
    "pay",
    "pay",
    "pay",
    "refund",
    "refund",
    "refund",
    "dispute",
    "dispute",
    "win",
    "approve",
    "cancel",
    "fail",
    "expire",
  ),
  payment: which,
  share: fc.constantFrom(1, 1, 2),
});
const advance = fc.record({
  do: fc.constant("advance" as const),
  // To just before and just after a midnight, or by hours.
  ms: fc.constantFrom(1, 59 * 60_000, 5 * HOUR, 11 * HOUR, DAY - 1, DAY, 2 * DAY + 1),
});
const step = fc.oneof(
  { weight: 6, arbitrary: create },
  { weight: 1, arbitrary: hold },
  { weight: 12, arbitrary: change },
  { weight: 2, arbitrary: advance },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Made {
  readonly id: string;
  readonly amount: number;
  caseId?: string;
}

const post = (path: string, body: object = {}) => emulator.call("POST", path, { body });

/** Does one change; a refusal is as good as a success, a failure of the service is not. */
async function alter(made: Made, what: string, share: number): Promise<void> {
  if (what === "refund") {
    const body = { idempotencyKey: freshKey(), amount: Math.ceil(made.amount / share) };
    const { status, body: refund } = await post(`/v1/payments/${made.id}/refund`, body);
    expect(status).toBeLessThan(500);
    if (status === 201) await post(`/_sandbox/refunds/${refund.id}/advance`, { to: "REFUNDED" });
    return;
  }
  const calls: Record<string, [path: string, body?: object]> = {
    cancel: [`/v1/payments/${made.id}/cancel`],
    dispute: ["/_sandbox/med-cases", { charge_id: made.id, type: share === 2 ? "chargeback" : "med" }],
    win: [`/_sandbox/med-cases/${made.caseId}/decide`, { outcome: "refunded_to_merchant" }],
    approve: [`/_sandbox/charges/${made.id}/review`, { decision: share === 2 ? "reject" : "approve" }],
  };
  const [path, body] = calls[what] ?? [`/_sandbox/charges/${made.id}/${what}`];
  const answer = await post(path, body);
  expect(answer.status).toBeLessThan(500);
  if (what === "dispute" && answer.status === 201) made.caseId = answer.body.id;
}

async function take(given: Step, all: Made[]): Promise<void> {
  if (given.do === "advance") {
    await emulator.sandbox("/clock/advance", { seconds: given.ms / 1_000 });
  } else if (given.do === "create") {
    const { id, amount } = await payment(emulator, { ...REQUESTS[given.method], amount: given.amount });
    all.push({ id, amount });
  } else if (given.do === "hold") {
    const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: null });
    all.push({ id: charge.id.slice(3), amount: charge.amount });
  } else {
    const made = all[all.length - 1 - (given.payment % Math.max(all.length, 1))];
    if (made !== undefined) await alter(made, given.what, given.share);
  }
}

/** Each payment as it is read by itself, newest first. */
async function readAll(all: readonly Made[]): Promise<Loose[]> {
  const read = await Promise.all(all.map(({ id }) => emulator.call("GET", `/v1/payments/${id}`)));
  return read.map(({ body }) => ({ ...body, id: `tx_${body.id}` })).reverse();
}

const STATUSES = ["WAITING_PAYMENT", "PROCESSING", "PAID", "APPROVED", "CANCELLED", "EXPIRED", "REFUNDED", "DISPUTE"];

/** The list under many filters, against the same filters applied here. */
async function checkCounts(items: readonly Loose[], now: number): Promise<void> {
  const created = items.map(({ createdAt }) => Date.parse(createdAt));
  const midnights = [0, 1, 2, 5].map((days) => MIDNIGHT + days * DAY);
  const marks = [...new Set([...midnights, now, created[0] ?? now, created.at(-1) ?? now])];
  const instants = marks.flatMap((mark) => [mark - 1, mark, mark + 1]);
  const bounds: [number | null, number | null][] = [
    [null, null],
    ...instants.flatMap((at, index): [number | null, number | null][] => [
      [at, null],
      [null, at],
      [at, instants[(index * 5 + 3) % instants.length] ?? null],
    ]),
  ];
  for (const [index, [from, to]] of bounds.entries()) {
    const status = index % 3 === 0 ? undefined : STATUSES[index % STATUSES.length];
    const query = new URLSearchParams({
      limit: "5",
      ...(from === null ? {} : { startDate: new Date(from).toISOString() }),
      ...(to === null ? {} : { endDate: new Date(to).toISOString() }),
      ...(status === undefined ? {} : { status }),
    });
    const wanted = items.filter(({ createdAt, status: own }) => {
      const at = Date.parse(createdAt);
      return (from === null || at >= from) && (to === null || at <= to) && (status === undefined || own === status);
    });
    const { body } = await emulator.call("GET", `/v1/payments?${query}`);
    expect({ query: `${query}`, total: body.total, data: body.data }).toStrictEqual({
      query: `${query}`,
      total: wanted.length,
      data: wanted.slice(0, 5),
    });
  }
}

const dayOf = (instant: string) => new Date(Date.parse(instant) - 3 * HOUR).toISOString().slice(0, 10);
const sum = (items: readonly Loose[]) => items.reduce((total, { amount }) => total + amount, 0);
const by = (items: readonly Loose[], field: string) =>
  [...new Set(items.map((item) => item[field]))].sort().map((value) => {
    const group = items.filter((item) => item[field] === value);
    return { value, volume: sum(group), count: group.length };
  });

/** Statistics of a window of days, against the same worked out here. */
async function checkStats(items: readonly Loose[], now: number, days: number): Promise<void> {
  const today = dayOf(new Date(now).toISOString());
  const window = Array.from({ length: days }, (_, index) =>
    dayOf(new Date(now - (days - 1 - index) * DAY).toISOString()),
  );
  const inside = items.filter(({ createdAt }) => window.includes(dayOf(createdAt)));
  const paid = inside.filter(({ paidAt }) => paidAt !== null);
  const { body } = await emulator.call("GET", `/v1/payments/stats?days=${days}`);
  expect(body).toMatchObject({
    totalTransactions: inside.length,
    paidTransactions: paid.length,
    todayTransactions: inside.filter(({ createdAt }) => dayOf(createdAt) === today).length,
    successRate: inside.length === 0 ? 0 : Math.round((100 * paid.length) / inside.length),
  });
  const sorted = (rows: Loose[], name: string) =>
    rows
      .map(({ [name]: value, volume, count }) => ({ value, volume, count }))
      .sort((a, b) => (a.value < b.value ? -1 : 1));
  expect(sorted(body.volumeByCurrency, "currency")).toEqual(by(paid, "currency"));
  expect(sorted(body.methodBreakdown, "method")).toEqual(by(paid, "paidWith"));
  expect(body.dailyVolume.map(({ date }: Loose) => date)).toEqual(window);
  for (const { date, currencies } of body.dailyVolume) {
    const ofDay = by(
      paid.filter(({ createdAt }) => dayOf(createdAt) === date),
      "currency",
    );
    const shown = Object.entries(currencies).filter(([, volume]) => volume !== 0);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(ofDay.map(({ value, volume }) => [value, volume])));
  }
}

/** The funnel of everything, against the statuses that are read one by one. */
async function checkFunnel(items: readonly Loose[]): Promise<void> {
  const count = (...statuses: string[]) => items.filter(({ status }) => statuses.includes(status)).length;
  const { body } = await emulator.call("GET", "/v1/payments/metrics?days=60");
  expect(body.funnel).toMatchObject({
    created: items.length,
    pending: count("PENDING", "WAITING_PAYMENT", "PROCESSING"),
    paid: items.filter(({ paidAt }) => paidAt !== null).length,
    expired: count("EXPIRED"),
    failed: count("REFUSED"),
    cancelled: count("CANCELLED"),
    refunded: count("REFUNDED"),
    disputed: count("DISPUTE", "CHARGEBACK"),
  });
}

describe("after any sequence of changes", () => {
  it("totals, statistics and the funnel equal a count of the rows", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60, size: "max" }), async (steps) => {
        await emulator.sandbox("/reset");
        await emulator.sandbox("/clock/advance", { to: new Date(MIDNIGHT - HOUR).toISOString() });
        const all: Made[] = [];
        for (const given of steps) await take(given, all);
        const now = Date.parse((await emulator.sandbox("/clock")).now);
        const items = await readAll(all);
        for (const { status } of items) seen.add(status);
        await checkCounts(items, now);
        for (const days of [1, 2, 7]) await checkStats(items, now, days);
        await checkFunnel(items);
      }),
      { seed: 20_261_121, numRuns: 15 },
    );
    // The sequences are not so random that a status never comes up.
    expect([...seen].sort()).toEqual([...STATUSES, "CHARGEBACK", "REFUSED"].sort());
  });

  it("and a refused change is not counted", async () => {
    await emulator.sandbox("/reset");
    const { id } = await payment(emulator);
    await post(`/_sandbox/charges/${id}/expire`);
    expectRefused(await post(`/v1/payments/${id}/cancel`), "invalid_request");
    const { body } = await emulator.call("GET", "/v1/payments?status=EXPIRED");
    expect(body.total).toBe(1);
    expect((await emulator.call("GET", "/v1/payments?status=CANCELLED")).body.total).toBe(0);
  });
});
