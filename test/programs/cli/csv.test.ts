import { beforeAll, describe, expect, it } from "vitest";
import { csvHeader, csvLine } from "../../../src/programs/cli/terminal/csv.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Lists as CSV (docs/decisions/047-lists-for-the-support-desk.md). */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const cli = sharedCli(emulator);
let id: string;

beforeAll(async () => {
  id = (await emulator.charge({ amount: 1_990, customer: { name: '=HYPERLINK("http://evil")' }, metadata: { a: "b" } }))
    .id;
});

describe("--output csv", () => {
  it("names the fields of the answer in the first line, and has amounts in centavos", async () => {
    const { code, out, err } = await cli.run(["charges", "list", "--output", "csv"]);
    const [head = "", row = "", ...rest] = out.split("\r\n");
    expect([code, err, rest]).toEqual([0, "", [""]]);
    expect(head).toMatch(/^id,object,amount,currency,status,payment_method,customer\.name,customer\.document,/);
    expect(row.startsWith(`${id},charge,1990,BRL,pending,pix,"'=HYPERLINK(""http://evil"")",`)).toBe(true);
    expect(row).toContain('"{""a"":""b""}"');
  });

  it("has the same columns when there is no row", async () => {
    const { code, out, err } = await cli.run(["med", "list", "--output", "csv"]);
    expect([code, out.split("\r\n")]).toEqual([0, [expect.stringMatching(/^id,object,type,status,amount,/), ""]]);
    expect(err).toBe("Nothing to show.\n");
  });
});

describe("a row of CSV", () => {
  const inFile = { isScreen: false };
  const cell = (value: unknown, io = inFile) => String(csvLine(io, ["it"], { it: value })).slice(0, -2);

  it.each([
    ["plain", "plain"],
    ["a, b", '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    [" padded ", '" padded "'],
    ["", ""],
    [null, ""],
    [undefined, ""],
    [1990, "1990"],
    [-50, "-50"],
    [true, "true"],
    [["PIX", "BOLETO"], '"[""PIX"",""BOLETO""]"'],
    ["山田", "山田"],
  ])("has %j as %s", (value, expected) => {
    expect(cell(value)).toBe(expected);
  });

  it.each(["=1+1", "+55 11 99999-0000", "-2+3", "-A1", "@SUM(A1)", "＝1", "-", "+", "-1;=2"])(
    "writes the text %j so that it is no formula",
    (text) => {
      expect(cell(text)).toBe(`'${text}`);
    },
  );

  it.each(["-2", "-132.68", "+5511999990000", "-1.234.567", "-1e9", "-1,234,567.89"])(
    "leaves the number %j as it is, also when it is a text",
    (text) => {
      expect(cell(text).replaceAll('"', "")).toBe(text);
    },
  );

  it.each([
    ["-132,68", '"-132,68"'],
    ["\tx", "'\tx"],
    ["a\r\nb", '"a\r\nb"'],
    ["a\nb", '"a\nb"'],
    ["\u001b[2J", "\u001b[2J"],
    ["\r=1", `"'\r=1"`],
  ])("keeps the characters of %j in a file", (text, expected) => {
    expect(cell(text)).toBe(expected);
  });

  it("shows control characters as escapes on a screen, so that no text steers the terminal", () => {
    expect(cell("\u001b[2J", { isScreen: true })).toBe("\\u001b[2J");
    expect(cell("a\r\nb", { isScreen: true })).toBe('"a\\r\nb"');
  });

  it("has nested fields under their path", () => {
    expect(String(csvHeader(inFile, ["id", "customer.name"]))).toBe("id,customer.name\r\n");
    expect(String(csvLine(inFile, ["id", "customer.name"], { id: 1, customer: { name: "Ana" } }))).toBe("1,Ana\r\n");
    expect(String(csvLine(inFile, ["id", "customer.name"], { id: 1, customer: null }))).toBe("1,\r\n");
  });
});
