import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bodyOf, type Loose } from "../../../support/emulator.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

const get = (query = "", key = emulator.key) => emulator.call("GET", `/v1/payments${query}`, { key });
async function list(query = ""): Promise<Loose> {
  return bodyOf(await get(query));
}
const amounts = async (query = "") => (await list(query)).data.map(({ amount }: Loose) => amount);
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });

describe("the list of payments", () => {
  beforeEach(() => emulator.sandbox("/reset"));

  it("has payments and charges, newest first, as they are read but under tx_ ids", async () => {
    const first = await payment(emulator, REQUESTS.CRYPTO);
    await advance(1);
    const charge = await emulator.charge();
    const third = await payment(emulator, REQUESTS.BOLETO);
    const ids = [third.id, charge.id.slice(3), first.id];
    const read = await Promise.all(ids.map((id) => readPayment(emulator, id)));
    expect(await list()).toStrictEqual({
      data: read.map((item) => ({ ...item, id: `tx_${item.id}` })),
      total: 3,
      page: 1,
      limit: 20,
    });
  });

  it("has 20 payments on a page by default", async () => {
    for (let amount = 1; amount <= 21; amount++) await payment(emulator, { amount });
    expect(await list()).toMatchObject({ total: 21, page: 1, limit: 20 });
    expect(await amounts()).toEqual(Array.from({ length: 20 }, (_, index) => 21 - index));
    expect(await list("?limit=7&page=2")).toMatchObject({ total: 21, page: 2, limit: 7 });
    expect(await amounts("?limit=7&page=2&sortOrder=asc")).toEqual([8, 9, 10, 11, 12, 13, 14]);
  });

  it("is empty beyond its last page, under the same total", async () => {
    await payment(emulator);
    for (const page of [2, 3, 1_000_000]) {
      expect(await list(`?page=${page}`)).toStrictEqual({ data: [], total: 1, page, limit: 20 });
    }
    expect(await list("?page=2&limit=1&status=WAITING_PAYMENT")).toMatchObject({ data: [], total: 1 });
  });
});

describe("startDate and endDate", () => {
  const AT = ["2031-03-10T02:59:59.999Z", "2031-03-10T03:00:00.000Z", "2031-03-11T00:00:00.000Z"];
  beforeAll(async () => {
    await emulator.sandbox("/reset");
    for (const [index, to] of AT.entries()) {
      await emulator.sandbox("/clock/advance", { to });
      await payment(emulator, { amount: index + 1 });
    }
    await emulator.sandbox("/clock/advance", { to: "2031-04-01T00:00:00Z" });
  });

  it.each<[string, number[]]>([
    [`startDate=${AT[0]}`, [3, 2, 1]],
    ["startDate=2031-03-10T03:00:00.000Z", [3, 2]],
    ["startDate=2031-03-10T03:00:00Z", [3, 2]],
    ["startDate=2031-03-10T03:00:00.001Z", [3]],
    ["startDate=2031-03-11", [3]],
    ["startDate=2031-03-11T00:00:00.001Z", []],
    [`endDate=${AT[2]}`, [3, 2, 1]],
    ["endDate=2031-03-10T23:59:59.999Z", [2, 1]],
    [`endDate=${AT[1]}`, [2, 1]],
    [`endDate=${AT[0]}`, [1]],
    ["endDate=2031-03-10T02:59:59.998Z", []],
    [`startDate=${AT[1]}&endDate=${AT[1]}`, [2]],
    [`startDate=${AT[0]}&endDate=${AT[1]}`, [2, 1]],
    [`startDate=${AT[1]}&endDate=${AT[0]}`, []],
    ["startDate=2031-03-10T00:00:00.000-03:00", [3, 2]],
    ["endDate=2031-03-09T23:59:59.999-03:00", [1]],
    ["startDate=2031-03-10T03:00:00%2B00:00", [3, 2]],
    ["startDate=2000-01-01T00:00:00Z&endDate=2099-12-31T23:59:59Z", [3, 2, 1]],
    ["startDate=0001-01-01T00:00:00Z", [3, 2, 1]],
    [`startDate=0001-01-01T00:00:00Z&endDate=${AT[2]}`, [3, 2, 1]],
    [`startDate=0040-01-01T00:00:00Z&endDate=${AT[1]}`, [2, 1]],
    [`startDate=0980-01-01T00:00:00Z&endDate=${AT[1]}`, [2, 1]],
    ["startDate=0050-06-01T00:00:00Z&endDate=9999-12-31T23:59:59.999Z", [3, 2, 1]],
    ["endDate=0999-12-31T00:00:00Z", []],
    ["status=WAITING_PAYMENT&startDate=2031-03-10T03:00:00Z", []],
    ["status=EXPIRED&startDate=2031-03-10T03:00:00Z", [3, 2]],
  ])("are inclusive bounds: %s", async (query, expected) => {
    expect([await amounts(`?${query}`), (await list(`?${query}&limit=1`)).total]).toEqual([expected, expected.length]);
  });
});

it("a query of the list may have nothing behind its mark", async () => {
  expect((await get("?")).status).toBe(200);
});
