import { describe, expect, it } from "vitest";
import { createEmulator } from "../../../src/index.js";
import { shared } from "../../support/shared.js";

/** `emulator.reconcile`: the comparison of the command, for tests of a shop. */

const emulator = shared(() => createEmulator({ frozen: true }));

describe("reconcile", () => {
  it("compares rows with the payments of the test book", async () => {
    const { client, reconcile, url } = emulator;
    const create = (order: string, amount: number) =>
      client["charges.create"]({
        body: { amount, payment_method: "pix", metadata: { order } },
        idempotencyKey: `idempotency-${order}`,
      });
    const [one, two] = [await create("1", 1990), await create("2", 500)];
    await client["sandbox.charges.pay"]({ params: { id: one.id }, body: {} });
    const rows = [
      { id: one.id, order: 1, status: "open", amount: 1990 },
      { id: null, order: "2", status: "novo", amount: "5,00" },
    ];
    const { checked, matched, differences, counts } = await reconcile([rows[0] ?? {}]);
    expect([checked, matched, counts.missed_payment]).toEqual([1, 0, 1]);
    expect(differences).toEqual([
      {
        code: "missed_payment",
        order: "1",
        id: one.id,
        shop: { status: "open", amount: 1990 },
        service: { status: "paid", amount: 1990 },
        text: "Order 1 is open in the shop, but R$ 19,90 was paid at the service.",
        command: `npx qa-pay why ${one.id} --base-url ${url}`,
      },
    ]);
    const all = await reconcile([{ ...rows[0], status: "paid", amount: "19,90" }, rows[1] ?? {}], {
      amounts: "decimal",
      status: { open: ["NOVO"] },
    });
    expect(all).toMatchObject({ checked: 2, matched: 2, differences: [] });
    const mapped = await reconcile([{ charge: { id: two.id }, state: "paid" }], {
      map: { id: "charge.id", status: "state" },
      from: new Date(0),
      to: "1970-01-02",
    });
    expect(mapped.differences.map(({ code, id }) => [code, id])).toEqual([["unearned_order", two.id]]);
  });

  it.each([
    [[{ status: "bezahlt" }], {}, "row 1: The status bezahlt is not known. See the option status."],
    [
      [{ id: "a", status: "paid", amount: 1.5 }],
      {},
      "row 1: The amount 1.5 is no whole number of centavos. See the option amounts.",
    ],
    [
      [
        { id: "a", status: "paid" },
        { id: "tx_a", status: "paid" },
      ],
      {},
      "row 2: The id a appears twice: 1 has it too.",
    ],
    [[], { since: "2026" }, "reconcile has no option since"],
    [[], { map: { ids: "a" } }, "map takes names of id, order, status and amount"],
    [[], { status: { paid: "PAGO" } }, "status takes lists of words"],
    [[], { from: "yesterday" }, "from takes an instant"],
  ])("refuses %j with %j", async (rows, options, message) => {
    await expect(emulator.reconcile(rows, options as object)).rejects.toThrow(message);
  });
});
