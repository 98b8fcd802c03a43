import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import { excelLine } from "../../../src/programs/cli/terminal/csv.js";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import type { RowField } from "../../../src/service/openapi/fields.js";
import { payment } from "../../support/payments.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `--excel`: lists as a Brazilian Excel opens them by a double click. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const cli = sharedCli(emulator);
let createdAt: string;

beforeAll(async () => {
  await payment(emulator, {
    amount: 12_990,
    customerName: "=1+1; São João",
    customerDocument: "52998224725",
    metadata: { order: "00042" },
  });
  createdAt = (await emulator.call("GET", "/v1/payments")).body.data[0].createdAt;
});

/** The lines of an output as a Brazilian Excel reads them. */
async function excel(...words: string[]): Promise<string[][]> {
  const { code, out, err } = await cli.run([...words, "--excel"]);
  expect([code, err, out.startsWith("\ufeff"), out.lastIndexOf("\ufeff")]).toEqual([0, "", true, 0]);
  return parse(out.slice(1), { delimiter: ";", record_delimiter: "\r\n" });
}

/** An instant in the zone of this machine, by the locale of Brazil. */
const local = (instant: string) =>
  new Intl.DateTimeFormat("pt-BR", { dateStyle: "short", timeStyle: "medium" })
    .format(new Date(instant))
    .replace(",", "");

const COLUMNS = "createdAt,amount,netAmount,customerName,customerDocument,metadata.order,paidAt";

describe("--excel", () => {
  it.each([[[]], [["--output", "csv"]], [["--all", "--quiet"]]])(
    "writes csv with ;, amounts with a comma and local times, with %j",
    async (more) => {
      expect(await excel("payments", "list", "--columns", COLUMNS, ...more)).toEqual([
        COLUMNS.split(","),
        [
          local(createdAt),
          "129,90",
          expect.stringMatching(/^\d+,\d\d$/),
          "'=1+1; São João",
          "52998224725",
          '="00042"',
          "",
        ],
      ]);
    },
  );

  it("writes times in UTC with --utc", async () => {
    const [, row] = await excel("payments", "list", "--columns", "createdAt", "--utc");
    const [date = "", time = ""] = createdAt.slice(0, 19).split("T");
    expect(row).toEqual([`${date.split("-").reverse().join("/")} ${time}`]);
  });

  it("has the headings of every other csv, when there is no row too", async () => {
    for (const list of ["payments list", "charges list", "med list", "wallets list", "webhooks deliveries"]) {
      const [head] = await excel(...list.split(" "), "--quiet");
      const { out } = await cli.run([...list.split(" "), "--output", "csv"]);
      expect(head).toEqual(parse(out, { to: 1 })[0]);
    }
  });

  it("is taken by payments find", async () => {
    const words = ["payments", "find", "São João", "--columns", "amount,matched", "--excel", "--quiet"];
    const { code, out } = await cli.run(words);
    expect([code, out.split("\r\n")[0], out.split("\r\n")[1]?.startsWith("129,90;")]).toEqual([
      0,
      "\ufeffamount;matched",
      true,
    ]);
    const profiles = await cli.run(["profiles", "list", "--excel"]);
    expect([profiles.code, profiles.out]).toEqual([0, expect.stringMatching(/^\ufeffname;current;base_url;/)]);
  });

  it("is refused by every list for another form, and nothing is sent", async () => {
    for (const { command, rows, arguments: ids } of operations) {
      if (rows === undefined) continue;
      const words = [...command.split(" "), ...ids.map(() => "id_1"), "--excel", "--base-url", "http://127.0.0.1:9"];
      for (const form of ["table", "json", "jsonl"]) {
        const { code, out, err } = await cli.run([...words, "--output", form]);
        expect([command, code, out]).toEqual([command, 2, ""]);
        expect(err).toContain(`--excel writes csv, so it cannot be combined with ${form}.`);
      }
      expect((await cli.run([...words, "--json"])).code).toBe(2);
    }
  });
});

describe("a value for Excel", () => {
  const money: RowField = { path: "it", kind: "money" };
  const cell = (value: unknown, field: RowField = { path: "it" }, currency = "BRL") =>
    String(excelLine({ isScreen: false }, [field], { it: value, currency }, true)).slice(0, -2);

  it.each<[unknown, string, string]>([
    [12_990, "BRL", "129,90"],
    [1, "BRL", "0,01"],
    [0, "BRL", "0,00"],
    [-5, "BRL", "-0,05"],
    [-123_456_789, "BRL", "-1234567,89"],
    [999_999_999_999, "EUR", "9999999999,99"],
    [9_007_199_254_740_991, "BRL", "90071992547409,91"],
    [1990, "JPY", "1990"],
    [1, "BTC", "0,00000001"],
    [123_456_789, "BTC", "1,23456789"],
    [2_500_000, "USDT", "2,500000"],
    [1_234, "KWD", "1,234"],
    [12.5, "BRL", "0,125"],
    [null, "BRL", ""],
    [undefined, "BRL", ""],
    ["much", "BRL", "much"],
  ])("is the amount %j in %s as %s", (value, currency, expected) => {
    expect(cell(value, money, currency)).toBe(expected);
  });

  it.each<[unknown, string]>([
    ["2026-11-28T14:05:09.123Z", "28/11/2026 14:05:09"],
    ["2026-01-02T00:00:00Z", "02/01/2026 00:00:00"],
    [null, ""],
    ["soon", "soon"],
    ["=1+1", "'=1+1"],
  ])("is the instant %j as %s", (value, expected) => {
    expect(cell(value, { path: "it", kind: "time" })).toBe(expected);
  });

  it.each<[unknown, string]>([
    ["tx_01a216ee-5a37-700b-9443-85d16b761051", "tx_01a216ee-5a37-700b-9443-85d16b761051"],
    ["4711", "4711"],
    ["00042", '"=""00042"""'],
    ["12345678000195", '"=""12345678000195"""'],
    ["9007199254740993", '"=""9007199254740993"""'],
    ["+5511999990000", '"=""+5511999990000"""'],
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["a;b", '"a;b"'],
    ["a, b", "a, b"],
    ['say "hi"', '"say ""hi"""'],
    ["a\r\nb", '"a\r\nb"'],
    [0.5, "0,5"],
    [3, "3"],
    [true, "true"],
    [["PIX"], '"[""PIX""]"'],
    [null, ""],
  ])("is %j as %s", (value, expected) => {
    expect(cell(value)).toBe(expected);
  });
});
