import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { csvLine } from "../../../src/programs/cli/terminal/csv.js";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { payment } from "../../support/payments.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Lists for a spreadsheet: their columns, their values and their first bytes (docs/decisions/047-lists-for-the-support-desk.md). */

const emulator = sharedEmulator({
  frozen: true,
  preview: new Set(["charge-list"]),
  qr: "base64",
});
const cli = sharedCli(emulator);
const DESCRIPTION = "Two lines:\none, and\r\nanother; “São João”";

beforeAll(async () => {
  await payment(emulator, {
    customerName: "=1+1",
    metadata: { description: DESCRIPTION, order: "-132,68", when: { day: 7 } },
  });
});

/** Rows as a spreadsheet reads them: each kind of line break outside of quotes ends one. */
const readCsv = (text: string): string[][] =>
  parse(text, { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true });

async function csv(...words: string[]): Promise<string[][]> {
  const { code, out, err } = await cli.run([...words, "--output", "csv"]);
  expect([code, err]).toEqual([0, ""]);
  return readCsv(out);
}

/** True if a spreadsheet would run a text: it begins like a formula, and is no number with a sign. */
function isRun(text: string): boolean {
  return /^[=+\-@＝＋－＠\t\r\n]/u.test(text) && !/^[+-]\d+([.,]\d+)*(e[+-]?\d+)?$/i.test(text);
}

describe("--columns", () => {
  it("chooses the columns of csv in their order, members of a free object too", async () => {
    const columns = "metadata.description,Amount,customerName,metadata.order,metadata.when,metadata.missing";
    expect(await csv("payments", "list", "--columns", columns)).toEqual([
      ["metadata.description", "amount", "customerName", "metadata.order", "metadata.when", "metadata.missing"],
      [DESCRIPTION, "1990", "'=1+1", "-132,68", '{"day":7}', ""],
    ]);
  });

  it("may be repeated, with spaces behind the commas", async () => {
    const rows = await csv("payments", "list", "--columns", "status, amount", "--columns", "currency");
    expect(rows).toEqual([
      ["status", "amount", "currency"],
      ["WAITING_PAYMENT", "1990", "BRL"],
    ]);
  });

  it("chooses the columns of a table, with amounts and times as people read them", async () => {
    const words = ["payments", "list", "--utc", "--columns", "amount,createdAt,pixExpiresAt,netAmount"];
    const { code, out } = await cli.run(words);
    const [head = "", row = ""] = out.split("\n");
    expect([code, head.split(/ {2,}/)]).toEqual([0, ["Amount", "Created (UTC)", "pixExpiresAt", "netAmount"]]);
    expect(row).toMatch(/^R\$ 19,90 {2}\S+ \S+Z {2}\S+ \S+Z {2}1990$/);
  });

  it("shows a column that a narrow screen would leave out", async () => {
    const { out, err } = await cli.run(["payments", "list", "--columns", "id,paidAt"], { isScreen: true, columns: 60 });
    expect([out.split("\n")[0], err]).toEqual([expect.stringMatching(/^Payment +Paid$/), ""]);
  });

  it("of an unknown name ends with 2, names the columns that there are, and sends nothing", async () => {
    for (const list of operations.filter(({ rows }) => rows !== undefined)) {
      const ids = list.arguments.map(() => "id_1");
      const words = [...list.command.split(" "), ...ids, "--columns", "nonsense", "--base-url", "http://127.0.0.1:9"];
      const { code, out, err } = await cli.run(words);
      expect([list.command, code, out]).toEqual([list.command, 2, ""]);
      expect(err).toMatch(/^Error: There is no column nonsense\.\n(Did you mean .*\n)?There are: \w/);
      for (const { path } of list.rowFields) expect(err).toContain(path);
    }
    const { err } = await cli.run(["payments", "list", "--columns", "id,custmerName"]);
    expect(err).toContain("\nDid you mean customerName?\nThere are: id, status, amount, ");
    expect((await cli.run(["profiles", "list", "--columns", "hots"])).code).toBe(2);
    expect((await cli.run(["payments", "list", "--columns", " , "])).code).toBe(2);
  });
});

describe("csv of a list", () => {
  it.each(["payments list", "charges list"])("of %s has no image, unless --columns names it", async (list) => {
    const image = list === "payments list" ? "pixQrCode" : "pix.qr_code_base64";
    const [head = []] = await csv(...list.split(" "));
    expect(head).not.toContain(image);
    expect((await cli.run([...list.split(" "), "--output", "csv"])).out).not.toMatch(/iVBORw0KGgo|data:image/);
    expect((await csv(...list.split(" "), "--columns", image))[1]?.[0]).toMatch(/iVBORw0KGgo/);
  });

  it("is taken by every list, those of the emulator and the profiles too", async () => {
    for (const { command, rows, rowFields } of operations) {
      if (rows === undefined) continue;
      const { out } = await cli.run([...command.split(" "), "--columns", rowFields[0]?.path ?? "", "--help"]);
      expect(out).toContain("--columns <names>");
      expect(out).toContain("--excel");
    }
    expect((await csv("sandbox", "events", "--columns", "type"))[1]).toEqual(["payment.created"]);
    expect((await csv("profiles", "list", "--columns", "base_url,name"))[0]).toEqual(["base_url", "name"]);
  });

  it("is read back with every value unchanged, but for the apostrophe in front of a formula", () => {
    // With characters of every width, and those that readers of CSV take for something else.
    const text = fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n\",;'1a \u0000é漢😀\u2028\ufeff") });
    const value = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        const fields = values.map((_value, index) => `f${index}`);
        const row = Object.fromEntries(values.map((one, index) => [`f${index}`, one]));
        const [cells = [], ...more] = readCsv(String(csvLine({ isScreen: false }, fields, row)));
        expect(more).toEqual([]);
        expect(cells).toEqual(values.map((one) => (typeof one === "string" && isRun(one) ? `'${one}` : String(one))));
      }),
    );
  });
});
