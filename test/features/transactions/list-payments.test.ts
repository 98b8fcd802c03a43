import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, REQUESTS, readPayment } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});
afterAll(() => emulator.close());

const get = (query = "", key = emulator.key) => emulator.call("GET", `/v1/payments${query}`, { key });
async function list(query = ""): Promise<Loose> {
  const answer = await get(query);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
const amounts = async (query = "") => (await list(query)).data.map(({ amount }: Loose) => amount);
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });

describe("the list of payments", () => {
  beforeEach(() => emulator.sandbox("/reset"));

  it("is an empty page at first", async () => {
    expect(await list()).toStrictEqual({ data: [], total: 0, page: 1, limit: 20 });
  });

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

  it("comes in pages", async () => {
    for (let amount = 1; amount <= 25; amount++) await payment(emulator, { amount });
    const newest = Array.from({ length: 25 }, (_, index) => 25 - index);
    expect(await list()).toMatchObject({ total: 25, page: 1, limit: 20 });
    expect(await amounts()).toEqual(newest.slice(0, 20));
    expect(await amounts("?page=2")).toEqual(newest.slice(20));
    expect(await amounts("?limit=10&page=3")).toEqual(newest.slice(20));
    expect(await amounts("?limit=1&page=25")).toEqual([1]);
    expect(await amounts("?limit=100")).toEqual(newest);
    expect(await list("?limit=7&page=2")).toMatchObject({ total: 25, page: 2, limit: 7 });
    expect(await amounts("?limit=10&page=2&sortOrder=asc")).toEqual(newest.slice(5, 15).reverse());
  });

  it("shows a payment as it is now, however often it was listed before", async () => {
    const [first, second] = [
      await payment(emulator),
      await payment(emulator, { paymentMethods: ["PIX", "CREDIT_CARD"] }),
    ];
    const statuses = async () => (await list()).data.map(({ status }: Loose) => status);
    for (let turn = 0; turn < 2; turn++) expect(await statuses()).toEqual(["WAITING_PAYMENT", "WAITING_PAYMENT"]);
    await emulator.sandbox(`/charges/${first.id}/pay`);
    for (let turn = 0; turn < 2; turn++) expect(await statuses()).toEqual(["WAITING_PAYMENT", "PAID"]);
    await emulator.sandbox(`/charges/${second.id}/expire`);
    for (let turn = 0; turn < 2; turn++) expect(await statuses()).toEqual(["EXPIRED", "PAID"]);
    await emulator.sandbox("/reset");
    expect(await list()).toMatchObject({ data: [], total: 0 });
  });

  it("is empty beyond its last page, under the same total", async () => {
    await payment(emulator);
    for (const page of [2, 3, 1_000_000]) {
      expect(await list(`?page=${page}`)).toStrictEqual({ data: [], total: 1, page, limit: 20 });
    }
    expect(await list("?page=2&limit=1&status=WAITING_PAYMENT")).toMatchObject({ data: [], total: 1 });
  });

  it("belongs to one account and mode", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    const { id } = await payment(emulator, {}, { key: emulator.live });
    expect((await get("", emulator.live)).body).toMatchObject({ total: 1, data: [{ id: `tx_${id}` }] });
    for (const key of [emulator.key, second.test_key, second.live_key]) {
      expect((await get("", key)).body).toMatchObject({ total: 0, data: [] });
    }
  });

  it("needs a key", async () => {
    expectRefused(await emulator.call("GET", "/v1/payments?page=x", { key: null }), "unauthorized");
  });

  it("is filtered by status", async () => {
    const [, paid, cancelled] = [await payment(emulator), await payment(emulator), await payment(emulator)];
    const approved = await payment(emulator, REQUESTS.CREDIT_CARD);
    for (const { id } of [paid, approved]) await emulator.sandbox(`/charges/${id}/pay`);
    await emulator.call("POST", `/v1/payments/${cancelled.id}/cancel`);
    for (const [status, total] of Object.entries({
      PENDING: 0,
      WAITING_PAYMENT: 1,
      PROCESSING: 0,
      PAID: 1,
      APPROVED: 1,
      REFUSED: 0,
      CANCELLED: 1,
      EXPIRED: 0,
      REFUNDED: 0,
      CHARGEBACK: 0,
      DISPUTE: 0,
    })) {
      const { data, ...rest } = await list(`?status=${status}`);
      expect([status, data.map((item: Loose) => item.status), rest.total]).toEqual([
        status,
        Array(total).fill(status),
        total,
      ]);
    }
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

describe("a query of the list", () => {
  it.each([
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=1.5", "page"],
    ["page=one", "page"],
    ["page=", "page"],
    ["page=%201", "page"],
    ["page=1e1", "page"],
    ["page=0x1", "page"],
    ["page=99999999999999999999", "page"],
    ["page=1&page=2", "page"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-5", "limit"],
    ["limit=ten", "limit"],
    ["limit=", "limit"],
    ["status=paid", "status"],
    ["status=pending", "status"],
    ["status=", "status"],
    ["status=PAID,EXPIRED", "status"],
    ["startDate=yesterday", "startDate"],
    ["startDate=", "startDate"],
    ["startDate=2031-02-30", "startDate"],
    ["startDate=2031-13-01", "startDate"],
    ["startDate=2031-03-10T25:00:00Z", "startDate"],
    ["startDate=10/03/2031", "startDate"],
    ["startDate=1700000000", "startDate"],
    ["endDate=2031-03-10T03:00:00+00:00", "endDate"],
    ["endDate=2031-03-10T03:00", "endDate"],
    ["endDate=now", "endDate"],
    ["sortBy=", "sortBy"],
    ["sortBy=created_at", "sortBy"],
    ["sortBy=Amount", "sortBy"],
    ["sortBy=metadata.order", "sortBy"],
    ["sortBy=amount;DROP%20TABLE%20transactions", "sortBy"],
    ["sortBy=toString", "sortBy"],
    ["sortBy=__proto__", "sortBy"],
    ["sortOrder=ASC", "sortOrder"],
    ["sortOrder=up", "sortOrder"],
    ["sortOrder=", "sortOrder"],
    ["offset=0", "offset"],
    ["starting_after=x", "starting_after"],
    ["Status=PAID", "Status"],
    ["start_date=2031-03-10", "start_date"],
  ])("is refused with the parameter's name: ?%s", async (query, param) => {
    expectRefused(await get(`?${query}`), "invalid_request", param);
  });

  it("may have nothing behind its mark", async () => {
    expect((await get("?")).status).toBe(200);
  });
});
