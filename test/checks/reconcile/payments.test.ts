import { expect, it } from "vitest";
import { listPayments } from "../../../src/checks/reconcile/payments.js";

/** The list of a host, read to its end. */

/**
 * A host with payments of these instants. It shows a page of those from an instant on, and remembers the last page that was
 * requested.
 */
function hostOf(instants: readonly number[]) {
  const all = instants.map((at, index) => ({ id: `tx_${index}`, createdAt: new Date(at).toISOString() }));
  let deepest = 0;
  return {
    all,
    deepest: () => deepest,
    reader: {
      async list({ page, limit, startDate }: Readonly<Record<string, string | number>>) {
        deepest = Math.max(deepest, Number(page));
        const left = all.filter(({ createdAt }) => startDate === undefined || createdAt >= String(startDate));
        const first = (Number(page) - 1) * Number(limit);
        return { data: left.slice(first, first + Number(limit)), total: left.length, page, limit };
      },
      get: () => Promise.reject(new Error("nobody asked for it")),
    },
  };
}

it.each([
  ["one a millisecond", (index: number) => index, 100],
  ["seven a millisecond", (index: number) => Math.floor(index / 7), 100],
  ["more in one instant than are read in a row", (index: number) => (index < 5_000 ? index : 5_000), 200],
])("reads each payment once, and few pages deep: %s", async (_name, at, deepest) => {
  const { all, reader, deepest: asked } = hostOf(Array.from({ length: 10_050 }, (_, index) => at(index)));
  const seen: unknown[] = [];
  for await (const payment of listPayments(reader, {}, () => undefined)) seen.push(payment);
  expect(seen).toEqual(all);
  expect(asked()).toBeLessThanOrEqual(deepest);
});
