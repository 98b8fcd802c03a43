import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { payment } from "../../support/payments.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `payments find`: the search of a support desk, on any host, by reading alone. */

const LIVE = "qa_live_0123456789abcdef";

const emulator = sharedEmulator({ frozen: true });
let host: Host;
const cli = sharedCli();
/** The requests that came to the host, as `GET /v1/payments?…`. */
let asked: string[] = [];
/** The payments that the tests look for, by their names. */
const made: Record<string, string> = {};

/** A host that has nothing but `/v1`, with the payments of the emulator. */
async function startService(): Promise<Host> {
  return startHost(async ({ method, url = "" }, outgoing) => {
    asked.push(`${method} ${url}`);
    const { status, body } = url.startsWith("/v1/") ? await emulator.call("GET", url) : { status: 404, body: "none" };
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}

async function makePayments(): Promise<void> {
  const charge = async (name: string, body: Loose) => {
    const { id } = await emulator.charge(body);
    made[name] = id.replace("ch_", "tx_");
    return id;
  };
  const maria = await charge("maria", {
    amount: 1990,
    customer: { name: "Maria José da Conceição", document: DOCUMENTS.cpfPunctuated, email: "maria@loja.example" },
    description: "Pedido 4711, caixa azul",
  });
  await emulator.sandbox(`/charges/${maria}/pay`, { payer_name: "Pagador de Teste" });
  await charge("eva", { amount: 700, customer: { name: "Eva Dias" }, metadata: { order_id: 8003 } });
  await charge("longer", { amount: 700, customer: { name: "Eva Luz" }, metadata: { order_id: 80_031 } });
  await charge("rui", {
    amount: 129_000,
    customer: { name: "Rui Silva" },
    metadata: { order: "PED-77", at: "2026-11-24T12:30:41.000Z" },
  });
  made.card = `tx_${(await payment(emulator, { amount: 1990, customerName: "Ana Silva", paymentMethods: ["CREDIT_CARD"] })).id}`;
  made.endToEnd = (await emulator.call("GET", `/v1/charges/${maria}`)).body.settlement.end_to_end_id;
}

beforeAll(async () => {
  await makePayments();
  host = await startService();
  await cli.run(["profiles", "add", "prod", "--base-url", host.url, "--api-key", LIVE, "--read-only"]);
});
afterAll(async () => {
  await host.close();
});

const find = (words: readonly string[], options: CliOptions = {}) =>
  cli.run(["payments", "find", ...words, "--profile", "prod"], options);

async function found(...words: string[]): Promise<Loose[]> {
  const { code, out, err } = await find([...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out).data;
}

describe("payments find, with a read-only profile and a live key", () => {
  it.each([
    ["maria jose", ["maria"], "name Maria José da Conceição"],
    ["CONCEICAO", ["maria"], "name Maria José da Conceição"],
    ["maria@LOJA", ["maria"], "e-mail maria@loja.example"],
    ["529.982.247-25", ["maria"], "document ***.982.247-**"],
    ["52998224725", ["maria"], "document ***.982.247-**"],
    ["***.982.247-**", ["maria"], "document ***.982.247-**"],
    ["1990", ["card", "maria"], "amount R$ 19,90"],
    ["19,90", ["card", "maria"], "amount R$ 19,90"],
    ["R$ 19,90", ["card", "maria"], "amount R$ 19,90"],
    ["R$ 1.290,00", ["rui"], "amount R$ 1.290,00"],
    ["1290", ["rui"], "amount R$ 1.290,00"],
    ["caixa azul", ["maria"], "metadata description: Pedido 4711, caixa azul"],
    ["ped-77", ["rui"], "metadata order: PED-77"],
    ["#8003", ["eva"], "metadata order_id: 8003"],
    ["pedido 8003", ["eva"], "metadata order_id: 8003"],
    ["Order no. 8003", ["eva"], "metadata order_id: 8003"],
    ["#4711", ["maria"], "metadata description: Pedido 4711, caixa azul"],
    ["pedido nº 4711", ["maria"], "metadata description: Pedido 4711, caixa azul"],
    ["order PED-77", ["rui"], "metadata order: PED-77"],
  ])("finds %s", async (text, names, matched) => {
    const rows = await found(text);
    expect(rows.map(({ id }) => id)).toEqual(names.map((name) => made[name]));
    for (const row of rows) expect(row.matched).toEqual([matched]);
  });

  it("finds a payment by its id in any form, and by the beginning of it", async () => {
    const id = String(made.rui);
    for (const text of [id, id.replace("tx_", "ch_"), id.slice(3), id.toUpperCase(), id.slice(0, -4)]) {
      expect(await found(text)).toMatchObject([{ id, matched: [`id ${id}`] }]);
    }
  });

  it("finds what has every one of several terms, and says where each of them is", async () => {
    expect(await found("silva", "19,90")).toMatchObject([
      { id: made.card, matched: ["name Ana Silva", "amount R$ 19,90"] },
    ]);
    expect(await found("silva maria")).toEqual([]);
    expect(await found("silva", "19.90")).toMatchObject([{ id: made.card }]);
    expect(await found("Rui", "R$", "1290.00")).toMatchObject([{ id: made.rui }]);
    expect(await found("caixa", "maria", "1990")).toMatchObject([{ id: made.maria }]);
    expect(await found("eva", "pedido", "8003")).toMatchObject([{ id: made.eva }]);
    expect(await found("#8003", "7,00")).toMatchObject([{ id: made.eva }]);
    for (const amount of ["1290.00", "1290,00", "R$ 1290,00", "R$1.290,00", "129000"]) {
      expect(await found("silva", amount, "rui")).toMatchObject([{ id: made.rui }]);
    }
  });

  it("finds the payments of a day, alone and beside other terms", async () => {
    const { body } = await emulator.call("GET", `/v1/payments/${made.rui}`);
    const day = body.createdAt.slice(0, 10);
    const [year, month, date] = day.split("-");
    for (const written of [day, `${date}/${month}/${year}`]) {
      const rows = await found(written, "--utc");
      expect(rows).toHaveLength(5);
      expect(rows[0].matched).toEqual([`created ${written}`]);
      expect(await found("silva", written, "rui", "--utc")).toMatchObject([{ id: made.rui }]);
    }
    expect(await found("28/11/1999", "--utc")).toEqual([]);
    const { err } = await find(["28/11/1999", "--utc"]);
    expect(err).toMatch(/Nothing found in 5 payments since 1999-11-28 00:00:00Z\.\n$/);
  });

  it("takes no part of an instant in metadata for a short number", async () => {
    expect(await found("41")).toEqual([]);
    expect(await found("12:30:41")).toMatchObject([{ id: made.rui }]);
  });

  it("says how often each term is there when no payment has all of them", async () => {
    const { err } = await find(["silva", "129.90", "PED-77"]);
    expect(err).toMatch(
      /^None has all of it in \d+ payments since .*: silva in 2, 129\.90 in none, PED-77 in 1\. Look further/m,
    );
  });

  it("finds a payment by its end-to-end id, and reads only the charges that may have it", async () => {
    asked = [];
    expect(await found(String(made.endToEnd))).toMatchObject([
      { id: made.maria, matched: [`end-to-end id ${made.endToEnd}`] },
    ]);
    expect(asked.filter((line) => line.includes("/v1/charges/"))).toEqual([
      `GET /v1/charges/ch_${String(made.maria).slice(3)}`,
    ]);
    const other = `${String(made.endToEnd).slice(0, -1)}_`.replace(
      "_",
      String(made.endToEnd).endsWith("a") ? "b" : "a",
    );
    expect(await found(other)).toEqual([]);
  });

  it("shows a table like the list, with what has matched, and how many were read", async () => {
    const { code, out, err } = await find(["silva", "--utc"]);
    const [head = "", first = ""] = out.split("\n");
    expect(head.split(/ {2,}/)).toEqual([
      ...["Payment", "Status", "Amount", "Methods", "Customer", "Charge", "Created (UTC)", "Paid", "Matched"],
    ]);
    expect([code, first]).toEqual([0, expect.stringMatching(/name Ana Silva$/)]);
    expect(err).toMatch(/^LIVE · \S+\n2 found in 5 payments since \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n$/);
  });

  it("says that nothing was found, and where to look next", async () => {
    const { code, out, err } = await find(["nobody"]);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toMatch(/Nothing found in 5 payments since .*\. Look further back with --start-date\.\n$/);
    expect(JSON.parse((await find(["nobody", "--json"])).out)).toEqual({ data: [], has_more: false });
  });

  it("prints csv with the columns that are chosen", async () => {
    const { out } = await find(["rui", "--output", "csv", "--columns", "amount,customerName,matched"]);
    expect(out).toBe('amount,customerName,matched\r\n129000,Rui Silva,"[""name Rui Silva""]"\r\n');
  });

  it("sends only GET requests, for the last 30 days by default, with the largest pages", async () => {
    asked = [];
    const now = Date.UTC(2026, 10, 23);
    await find(["silva"], { now: () => now });
    expect(asked).toEqual([
      "GET /v1/payments?limit=1",
      "GET /v1/payments?limit=100&startDate=2026-10-24T00%3A00%3A00.000Z",
    ]);
    asked = [];
    await find(["silva", "--start-date", "2026-01-02T00:00:00Z", "--end-date", "2026-02-01T00:00:00Z"]);
    expect(asked[0]).toContain("startDate=2026-01-02T00%3A00%3A00Z&endDate=2026-02-01T00%3A00%3A00Z");
    asked = [];
    await find(["silva", "--end-date", "2026-02-01T00:00:00Z"]);
    expect(asked[0]).toContain("endDate=2026-02-01T00%3A00%3A00Z&startDate=2026-01-02T00%3A00%3A00.000Z");
    expect(await found("silva", "--start-date", "2999-01-01T00:00:00Z")).toEqual([]);
  });

  it("counts the 30 days from the newest payment when the clock of the host is behind that of the machine", async () => {
    const created = Date.parse((await emulator.call("GET", "/v1/payments?limit=1")).body.data[0].createdAt);
    const dayAfter = (days: number) => ({ now: () => created + days * 86_400_000 });
    expect((await find(["silva"], dayAfter(400))).err).toContain("2 found in 5 payments since ");
    asked = [];
    await find(["silva"], dayAfter(-5));
    const start = new Date(created - 35 * 86_400_000).toISOString();
    expect(decodeURIComponent(String(asked.at(-1)))).toContain(`startDate=${start}`);
  });

  it("reads a day as the one where the person is, and as the one in UTC with --utc", async () => {
    const zone = process.env.TZ;
    process.env.TZ = "America/Sao_Paulo";
    try {
      asked = [];
      await find(["silva", "--start-date", "2026-11-01"]);
      await find(["silva", "--start-date", "2026-11-01", "--utc"]);
      expect(asked.map((request) => decodeURIComponent(request))).toEqual([
        expect.stringContaining("startDate=2026-11-01T03:00:00.000Z"),
        expect.stringContaining("startDate=2026-11-01T00:00:00.000Z"),
      ]);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it("needs a text, and refuses an empty one", async () => {
    for (const words of [[], [" "]]) {
      const { code, out } = await find(words);
      expect([code, out]).toEqual([2, ""]);
    }
    expect((await find(["silva", "--columns", "mached"])).err).toContain("Did you mean matched?");
  });
});

describe("payments find on a host with many payments", () => {
  const row = (number: number) => ({ id: `tx_${number}`, customerName: number % 500 === 0 ? "Ana" : "Rui" });

  async function hostThat(answer: (page: number) => Loose): Promise<Host> {
    return startHost(({ url = "" }, outgoing) => {
      const page = Number(new URL(url, "http://host").searchParams.get("page") ?? 1);
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(page)));
    });
  }
  const abroad = ({ url }: Host, ...words: string[]) =>
    cli.run(["payments", "find", "ana", "--base-url", url, "--api-key", LIVE, ...words], { now: ticking() });
  /** A clock that goes on by a second at every look. */
  function ticking(): () => number {
    let now = Date.UTC(2026, 10, 23);
    return () => (now += 1_000);
  }

  it("reads every page, and reports its progress", async () => {
    const big = await hostThat((page) => ({
      data: Array.from({ length: 100 }, (_, index) => row((page - 1) * 100 + index)),
      ...{ page, limit: 100, total: 2_000 },
    }));
    const { code, out, err } = await abroad(big, "--output", "jsonl");
    await big.close();
    expect([
      code,
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ]).toEqual([0, ["tx_0", "tx_500", "tx_1000", "tx_1500"]]);
    expect(err).toMatch(/\n\d+ read so far\n/);
    expect(err).toMatch(/\n4 found in 2000 payments since /);
  });

  it("ends when the host answers with the same page for ever", async () => {
    const circle = await hostThat((page) => ({ data: [row(0), row(1)], page, limit: 2, total: 1_000_000 }));
    const { code, out, err } = await abroad(circle, "--json");
    await circle.close();
    expect([code, JSON.parse(out)]).toEqual([7, { data: [{ ...row(0), matched: ["name Ana"] }], has_more: true }]);
    expect(err).toContain("brings nothing new");
  });

  it("ends when the host names the same next page again", async () => {
    const stuck = await hostThat(() => ({ data: [row(0), row(1)], page: 1, limit: 2, total: 4 }));
    const { code, err } = await abroad(stuck);
    await stuck.close();
    expect([code, err]).toEqual([7, expect.stringContaining("names the same next page again (page 2)")]);
  });
});
