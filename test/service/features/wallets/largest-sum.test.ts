import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_AMOUNT, MAX_SUM } from "../../../../src/base/kernel/money.js";
import { freshKey, type Loose } from "../../../support/emulator.js";
import { type LargeAccount, openLargeAccount } from "../../../support/large-account.js";
import { postRefund } from "../../../support/refunds.js";

/** docs/service/wallets.md#largest-sum */

let account: LargeAccount;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  account = await openLargeAccount({ log: { warn: (text) => void warnings.push(text), error: console.error } });
});
afterEach(() => account.close());

const pay = (id: string, body: unknown = {}) => account.emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body });
const read = async (path: string): Promise<Loose> => {
  const { status, body } = await account.emulator.call("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

/** Everything that answers a sum. */
async function sums() {
  const [wallets, balance, stats, metrics, ledger, balances] = [
    await read("/v1/wallets"),
    await read("/v1/wallets/balance"),
    await read("/v1/payments/stats?days=36500"),
    await read("/v1/payments/metrics?days=36500"),
    await read("/_sandbox/ledger/check"),
    await read("/_sandbox/ledger/balances"),
  ];
  return { wallets, balance, stats, metrics, ledger, balances };
}

describe("a payment with which the account would have received more than the largest sum", () => {
  it("is refused, and nothing changes", async () => {
    await account.receive(MAX_SUM - 1990);
    const last = await account.emulator.charge({ amount: 1990 });
    const tooMuch = await account.emulator.charge({ amount: 1 });
    expect((await pay(last.id)).body.outcome).toBe("paid");
    const before = await sums();
    const refused = await pay(tooMuch.id);
    expect(refused.status).toBe(422);
    expect(refused.body.error).toMatchObject({ type: "invalid_request_error", code: "unprocessable_entity" });
    expect(refused.body.error.message).toContain(`more than ${MAX_SUM} in the smallest unit`);
    expect(await sums()).toEqual(before);
    expect((await read(`/v1/charges/${tooMuch.id}`)).status).toBe("pending");
    expect(before.wallets[0].balance).toBe(MAX_SUM);
    expect(before.stats.volumeByCurrency).toEqual([{ currency: "BRL", volume: MAX_SUM, count: 2 }]);
    expect(before.metrics.volumeByCurrency[0].gross).toBe(MAX_SUM);
    expect(before.ledger).toMatchObject({ ok: true, problems: [] });
  });

  it("is refused in another currency too, because a method's volume adds currencies", async () => {
    await account.receive(MAX_SUM);
    const body = { amount: 1, currency: "EUR", paymentMethods: ["CREDIT_CARD"], idempotencyKey: freshKey() };
    const { id } = (await account.emulator.call("POST", "/v1/payments", { body })).body;
    expect((await pay(id)).status).toBe(422);
  });

  it("is refused while what is held for review takes the room, and taken when that went back", async () => {
    await account.receive(MAX_SUM - 100);
    const held = await account.emulator.charge({
      amount: 100,
      expected_payer_tax_id: "52998224725",
      customer: { name: "Maria" },
    });
    expect((await pay(held.id, { payer_document: null })).body.outcome).toBe("processing");
    const next = await account.emulator.charge({ amount: 60 });
    expect((await pay(next.id)).status).toBe(422);
    await account.emulator.sandbox(`/charges/${held.id}/review`, { decision: "reject" });
    expect((await pay(next.id)).body.outcome).toBe("paid");
  });

  it("goes back when a scenario pays it, is shown in the timeline, and the charge expires in its time", async () => {
    await account.receive(MAX_SUM);
    const { id } = await account.emulator.charge({
      amount: 5,
      metadata: { _sandbox: { pay_after: 10 } },
      expires_in: 60,
    });
    await account.emulator.sandbox("/clock/advance", { seconds: 20 });
    expect((await read(`/v1/charges/${id}`)).status).toBe("pending");
    const texts = (await read(`/_sandbox/timeline/${id}`)).items.map(({ text }: Loose) => text);
    expect(texts).toContainEqual(
      expect.stringContaining("went back: R$ 0,05, because the account's sums would be too large"),
    );
    await account.emulator.sandbox("/clock/advance", { seconds: 60 });
    expect((await read(`/v1/charges/${id}`)).status).toBe("expired");
    expect(warnings).toEqual([]);
  });

  it("is taken by the other mode, and after a reset", async () => {
    await account.receive(MAX_SUM);
    const other = await account.emulator.charge({ amount: 5 }, { key: account.emulator.live });
    const paid = await account.emulator.call("POST", `/_sandbox/charges/${other.id}/pay`, {
      body: {},
      key: account.emulator.live,
    });
    expect(paid.body.outcome).toBe("paid");
    await account.emulator.sandbox("/reset");
    expect((await pay((await account.emulator.charge({ amount: 5 })).id)).body.outcome).toBe("paid");
  });
});

describe("money that leaves a wallet and would take it below the largest sum", () => {
  it("is refused as payout, and nothing changes", async () => {
    await account.receive(1990);
    const payout = () => account.emulator.call("POST", "/_sandbox/payouts", { body: { amount: MAX_AMOUNT } });
    expect((await payout()).status).toBe(201);
    await account.lack(MAX_SUM - MAX_AMOUNT + 1);
    const before = await read("/_sandbox/ledger/balances");
    const refused = await payout();
    expect([refused.status, refused.body.error.code]).toEqual([422, "unprocessable_entity"]);
    expect(await read("/_sandbox/ledger/balances")).toEqual(before);
    expect((await read("/_sandbox/payouts")).data).toHaveLength(1);
  });

  it("is refused as refund and as MED case, and a case of a scenario is dropped and logged", async () => {
    await account.receive(1990);
    const [{ id }] = (await read("/v1/payments")).data;
    const contested = await account.emulator.charge({
      amount: 70,
      metadata: { _sandbox: { pay_after: 0, med_after: 60 } },
    });
    await account.emulator.sandbox("/clock/advance", { seconds: 1 });
    await account.lack(MAX_SUM);
    expect((await postRefund(account.emulator, id, { amount: 10 })).status).toBe(422);
    const med = await account.emulator.call("POST", "/_sandbox/med-cases", {
      body: { charge_id: id.replace("tx_", "ch_") },
    });
    expect(med.status).toBe(422);
    await account.emulator.sandbox("/clock/advance", { seconds: 3_600 });
    expect((await read(`/v1/charges/${contested.id}`)).status).toBe("paid");
    expect((await read("/v1/med/cases")).data).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^job med\.open of \S+ was not done: The amount in available would be more than/);
  });
});

it("unpaid charges may add up to more, and every sum is still answered", async () => {
  await account.store(MAX_SUM, MAX_SUM, MAX_SUM);
  const { stats, ledger } = await sums();
  expect(stats).toMatchObject({ totalTransactions: 3, volumeByCurrency: [] });
  expect(ledger.ok).toBe(true);
});

it("whatever amounts arrive in whatever order, each is taken or refused, and every sum is exact", async () => {
  const large = fc.integer({ min: 1, max: MAX_SUM });
  const amounts = fc.array(fc.oneof(large, fc.integer({ min: 1, max: MAX_AMOUNT })), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(amounts, async (wanted) => {
      await account.emulator.sandbox("/reset");
      await account.store(...wanted);
      let total = 0n;
      const listed = (await read("/v1/payments?limit=100&sortBy=createdAt&sortOrder=asc")).data;
      for (const { id, amount } of listed) {
        const fits = total + BigInt(amount) <= BigInt(MAX_SUM);
        expect((await pay(id)).status).toBe(fits ? 200 : 422);
        if (fits) total += BigInt(amount);
      }
      const { balance, stats, ledger } = await sums();
      expect(ledger).toMatchObject({ ok: true, problems: [] });
      expect([BigInt(balance.available), BigInt(stats.volumeByCurrency[0]?.volume ?? 0)]).toEqual([total, total]);
    }),
    { numRuns: 3, seed: 1 },
  );
});
