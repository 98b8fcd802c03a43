import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { growingTable, textCell } from "../../../src/programs/cli/terminal/table.js";
import type { CliOptions } from "../../support/cli.js";
import { payment } from "../../support/payments.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Lists are never wider than the screen, and ids and amounts in them are always complete. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const cli = sharedCli(emulator);
const ids: Record<"payments" | "charges", string[]> = { payments: [], charges: [] };
const LONG_NAME = "Maria Aparecida da Conceição Figueiredo de Albuquerque e Vasconcelos";

beforeAll(async () => {
  const url = `http://127.0.0.1:9/${"webhooks/".repeat(12)}`;
  await emulator.call("POST", "/v1/webhooks/endpoints", { body: { url, events: ["charge.created", "charge.paid"] } });
  for (const amount of [1, 1_990, 999_999_999_999]) {
    const { id } = await emulator.charge({ amount, customer: { name: LONG_NAME } });
    ids.charges.push(id);
    ids.payments.push(id.replace("ch_", "tx_"));
  }
  const { id } = await payment(emulator, {
    paymentMethods: ["PIX", "BOLETO"],
    customerName: "山田太郎 ".repeat(9).trim(),
  });
  ids.payments.push(`tx_${id}`);
});

/** How many columns of a terminal a line takes: East Asian characters take two, colour codes none. */
function columnsOf(line: string): number {
  const plain = stripVTControlCharacters(line);
  return [...plain].reduce((sum, character) => sum + (/\p{Script=Han}/u.test(character) ? 2 : 1), 0);
}

async function shown(line: string, options: CliOptions): Promise<string[]> {
  const { code, out } = await cli.run(line.split(" "), options);
  expect(code).toBe(0);
  return out.trimEnd().split("\n");
}

const AMOUNTS = ["R$ 0,01", "R$ 19,90", "R$ 9.999.999.999,99"];

const LISTS = ["payments list", "charges list", "webhooks deliveries", "webhooks endpoints list", "sandbox events"];

describe.each([40, 80, 120])("on a screen of %i columns", (columns) => {
  const screen: CliOptions = { isScreen: true, columns };

  it.each(LISTS)("%s has the same width with colours", async (list) => {
    const plain = await shown(`${list} --no-color`, { ...screen, answers: [] });
    const coloured = await shown(list, { ...screen, answers: [] });
    expect(coloured.map((line) => stripVTControlCharacters(line).trimEnd())).toEqual(plain);
  });

  it.each(["payments", "charges"] as const)("%s list shows every id and amount completely", async (noun) => {
    const text = (await shown(`${noun} list`, screen)).join("\n").replaceAll("\u00a0", " ");
    for (const part of [...ids[noun], ...AMOUNTS]) expect(text).toContain(part);
  });
});

describe("a list", () => {
  it("is shortened in its widest column only, when that is enough", async () => {
    const lines = await shown("payments list", { isScreen: true, columns: 140 });
    expect(lines[0]).toMatch(/^Payment +Status +Amount +Methods +Customer +Created \(UTC\S*\) +Paid$/);
    expect(lines.slice(1).join("\n")).toContain("Maria Aparecida");
    expect(lines.slice(1).filter((line) => line.includes("…"))).toHaveLength(4);
    expect(lines.join("\n")).toContain("PIX, BOLETO");
    expect(lines.every((line) => columnsOf(line) <= 140)).toBe(true);
  });

  it("has a block of lines for each row when shortening is not enough", async () => {
    const lines = await shown("payments list --utc", { isScreen: true, columns: 60 });
    expect(lines.slice(0, 7)).toEqual([
      expect.stringMatching(/^Payment {8}tx_[0-9a-f-]{36}$/),
      expect.stringMatching(/^Status {9}• /),
      expect.stringMatching(/^Amount {9}R\$\s19,90$/),
      "Methods        PIX, BOLETO",
      expect.stringMatching(/^Customer {7}山田.*…$/),
      expect.stringMatching(/^Charge {9}ch_[0-9a-f-]{36}$/),
      expect.stringMatching(/^Created \(UTC\) {2}\d{4}-/),
    ]);
    expect(lines[7]).toBe("");
  });

  it("leaves out the columns that may be missing before it has blocks, and says so", async () => {
    const words = ["webhooks", "deliveries"];
    const { out, err } = await cli.run(words, { isScreen: true, columns: 120 });
    const [head = "", row = ""] = out.split("\n");
    expect(head).toMatch(/^Created \(UTC\S*\) +Event +About +Status +Attempts +Answer/);
    expect(head).not.toContain("Delivery");
    expect(row).toContain(String(ids.payments.at(-1)?.replace("tx_", "ch_")));
    expect(err).toMatch(/^Not shown at this width: Delivery, .*\(--output csv has every field\)\.\n$/);
    expect((await cli.run([...words, "--quiet"], { isScreen: true, columns: 120 })).err).toBe("");
    const wide = await cli.run(words, { isScreen: true, columns: 250 });
    expect([wide.err, wide.out]).toEqual(["", expect.stringMatching(/ Delivery +Error +Next try\n/)]);
  });

  it("names the charge of a payment that Pix can pay, and of an event of a MED case", async () => {
    await payment(emulator, { paymentMethods: ["BOLETO"] });
    const [first, ...others] = (await shown("payments list --limit 2", { isScreen: false })).slice(1);
    expect(first).not.toContain("ch_");
    expect(others[0]).toContain(String(ids.payments.at(-1)?.replace("tx_", "ch_")));
    await emulator.call("POST", "/v1/webhooks/endpoints", {
      body: { url: "http://127.0.0.1:9/med", events: ["med_case.created", "payment.completed"] },
    });
    const charge = await emulator.charge({ amount: 100 });
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    await emulator.sandbox("/med-cases", { charge_id: charge.id });
    const lines = await shown("webhooks deliveries --limit 100", { isScreen: false });
    const about = (event: string) => lines.find((line) => line.includes(event))?.split(/ {2,}/)[2];
    expect(about("med_case.created")).toBe(charge.id);
    expect(about("payment.completed")).toBe(charge.id.replace("ch_", "tx_"));
  });

  it("shows what a search has matched whole, in a block and further lines on a narrow screen", async () => {
    const { code, out } = await cli.run(["sandbox", "search", "vasconcelos 19,90"], { isScreen: true, columns: 60 });
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        "Kind  charge",
        `Id    ${ids.charges[1]}`,
        "What  charge of R$ 19,90, pending, customer Maria Aparecida",
        "      da Conceição Figueiredo de Albuquerque e Vasconcelos",
        "",
      ],
    ]);
  });

  it("is not shortened in a file or a pipe, nor on a screen of unknown width", async () => {
    for (const options of [
      { columns: 40, isScreen: false },
      { columns: 0, isScreen: true },
    ]) {
      const lines = await shown("payments list", options);
      expect(lines[0]).toMatch(/^Payment +Status/);
      expect(lines.join("\n")).toContain(LONG_NAME);
      expect(lines.join("\n")).not.toContain("…");
    }
  });

  it("is not shortened for a program, however narrow the screen is", async () => {
    const lines = await shown("payments list --output jsonl", { isScreen: true, columns: 40 });
    expect(lines.map((line) => JSON.parse(line).customerName)).toContain(LONG_NAME);
  });
});

describe("a text that is shortened", () => {
  const paint = { strong: (text: string) => text, dim: (text: string) => text };
  const inRoom = (text: string, room: number) =>
    growingTable(["Text", "Id"], room, paint)([[textCell(text), textCell("tx_1")]]);
  const cut = (text: string, width: number) =>
    inRoom(text, width + 6)
      .split("\n")[1]
      ?.split(/ {2,}/)[0];

  it.each([
    ["Order for Maria Silva", 16, "Order for Maria…"],
    ["Order for Maria Silva", 21, "Order for Maria Silva"],
    ["Opened for R$ 79,00 today", 17, "Opened for R$…"],
    ["Opened for R$ 79,00 today", 20, "Opened for R$ 79,00…"],
    ["The case med_01980000-0000 is open", 20, "The case…"],
    ["/v1/charges/ch_01980000-0000/pay?x=1", 24, "/v1/charges/…"],
    ["日本語のとても長い説明文です。", 15, "日本語のとても…"],
    ["👩‍👩‍👧 family, and much more", 14, "👩‍👩‍👧 family, an…"],
  ])("%j in %i columns is %j", (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it("is never a single word, so that names and ids stay complete", () => {
    expect(inRoom("payment.status_changed", 20)).toBe("Text  payment.status_changed\nId    tx_1\n");
  });

  it("has 12 columns at least; with fewer there are blocks", () => {
    expect(inRoom("One two three four", 18)).toBe("Text          Id\nOne two thr…  tx_1\n");
    expect(inRoom("One two three four", 17)).toBe("Text  One two thr…\nId    tx_1\n");
  });
});
