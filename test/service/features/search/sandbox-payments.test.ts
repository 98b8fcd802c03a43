import { beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS } from "../../../support/payments.js";
import { paidPayment } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

const list = async (query: string): Promise<Loose> => (await emulator.call("GET", `/_sandbox/payments${query}`)).body;
const names = ({ data }: Loose) => data.map(({ customerName }: Loose) => customerName);
const ids = ({ data }: Loose) => data.map(({ id }: Loose) => id);

describe("the list of payments by method and text", () => {
  let between = "";

  beforeAll(async () => {
    await payment(emulator, { ...REQUESTS.BOLETO, customerName: "Maria Boleto" });
    await emulator.sandbox("/clock/advance", { seconds: 1 });
    for (const name of ["Maria Um", "Ana", "Maria Dois"]) await emulator.charge({ customer: { name } });
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    between = (await emulator.sandbox("/clock")).now;
    await paidPayment(emulator, { customerName: "Maria Paga" });
    await emulator.charge({ customer: { name: "Bia" } });
  });

  it("has all of them, the newest first, as /v1/payments has", async () => {
    const { data } = (await emulator.call("GET", "/v1/payments")).body;
    expect((await list("")).data).toEqual(data);
  });

  it("has those of one method, however many newer ones there are", async () => {
    expect(names(await list("?method=BOLETO&limit=1"))).toEqual(["Maria Boleto"]);
  });

  it("has what all filters and the text fit together", async () => {
    expect(names(await list("?q=maria"))).toEqual(["Maria Paga", "Maria Dois", "Maria Um", "Maria Boleto"]);
    expect(names(await list("?q=maria&status=PAID"))).toEqual(["Maria Paga"]);
    expect(names(await list("?q=maria&method=BOLETO"))).toEqual(["Maria Boleto"]);
    expect(names(await list(`?q=maria&startDate=${between}`))).toEqual(["Maria Paga"]);
    expect(names(await list(`?q=maria&endDate=${new Date(Date.parse(between) - 1).toISOString()}&method=PIX`))).toEqual(
      ["Maria Dois", "Maria Um"],
    );
    expect(names(await list("?q=ana&status=PAID"))).toEqual([]);
  });

  it("finds a payment by its id once", async () => {
    const [{ id }] = (await list("?status=PAID")).data;
    expect(ids(await list(`?q=${id}`))).toEqual([id]);
  });

  it("counts each status between two instants, whatever the other filters say", async () => {
    expect((await list("?method=BOLETO&q=maria")).counts).toMatchObject({ WAITING_PAYMENT: 5, PAID: 1, EXPIRED: 0 });
    expect((await list(`?startDate=${between}`)).counts).toMatchObject({ WAITING_PAYMENT: 1, PAID: 1 });
  });

  it("adds up what is paid or approved between two instants, by currency, and lists it alone", async () => {
    const { id } = await payment(emulator, { ...REQUESTS.CREDIT_CARD, customerName: "Maria Aprovada", amount: 5000 });
    await emulator.sandbox(`/charges/${id}/pay`);
    const paid = (await list("?settled=true")).data;
    expect(paid.map(({ status }: Loose) => status)).toEqual(["APPROVED", "PAID"]);
    const amount = paid.reduce((sum: number, one: Loose) => sum + one.amount, 0);
    expect((await list("")).paid).toEqual([{ currency: "BRL", count: 2, amount }]);
    expect((await list("?q=ana&status=EXPIRED")).paid).toEqual([{ currency: "BRL", count: 2, amount }]);
    expect((await list(`?endDate=${new Date(Date.parse(between) - 1).toISOString()}`)).paid).toEqual([]);
    expect(names(await list("?settled=true&q=maria&status=PAID"))).toEqual(["Maria Paga"]);
    expect((await list("?settled=true&status=EXPIRED")).data).toEqual([]);
  });

  it.each([["method=CASH"], ["status=paid"], ["startDate=yesterday"], ["after=nobody"], ["q="], ["search=maria"]])(
    "refuses %s",
    async (query) => {
      const refused = await emulator.call("GET", `/_sandbox/payments?${query}`);
      expectRefused(refused, "invalid_request", query.split("=")[0] ?? "");
    },
  );
});
