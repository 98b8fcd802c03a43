import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvHeader, csvLine } from "../../src/cli/terminal/csv.js";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";

/** Lists as CSV (docs/decisions/047-lists-for-the-support-desk.md). */

let emulator: TestEmulator;
let cli: TestCli;
let id: string;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true, settings: { previews: new Set(["charge-list"]) } });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
  id = (await emulator.charge({ amount: 1_990, customer: { name: '=HYPERLINK("http://evil")' }, metadata: { a: "b" } }))
    .id;
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

describe("--output csv", () => {
  it("names the fields of the answer in the first line, and gives amounts in centavos", async () => {
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

  it("has the columns of every page under one head with --all", async () => {
    for (const amount of [1, 2]) await emulator.charge({ amount });
    const { out, err } = await cli.run(["charges", "list", "--all", "--limit", "1", "--output", "csv"]);
    const lines = out.trimEnd().split("\r\n");
    expect([lines.length, lines.filter((line) => line.startsWith("id,"))]).toEqual([4, [lines[0]]]);
    expect(err).toBe("3 in all\n");
  });

  it("tells how to get the next page, as the table does", async () => {
    const { err } = await cli.run(["charges", "list", "--limit", "1", "--output", "csv"]);
    expect(err).toMatch(/^1 shown; for the next ones add --starting-after ch_\S+ \(--all shows every one\)\n$/);
  });

  it("names the file of an answer that is a file, and is an unknown flag of commands without a list", async () => {
    const { code, err } = await cli.run(["charges", "get", id, "--output", "csv"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--output")]);
  });

  it("is taken by the list of profiles", async () => {
    await cli.run([
      "profiles",
      "add",
      "one",
      "--base-url",
      "http://127.0.0.1:1",
      "--api-key",
      "qa_test_0123456789abcdef",
    ]);
    const { out } = await cli.run(["profiles", "list", "--output", "csv"]);
    expect(out.split("\r\n")[1]).toMatch(/^one,false,http:\/\/127\.0\.0\.1:1,qa_test_0123…,test/);
  });
});

describe("a row of CSV", () => {
  const cell = (value: unknown) => String(csvLine(["it"], { it: value })).slice(0, -2);

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

  it.each(["=1+1", "+55 11 99999-0000", "-2", "@SUM(A1)", "＝1"])("makes the text %j no formula", (text) => {
    expect(cell(text)).toBe(`'${text}`);
  });

  it.each([
    ["\tx", "'\\tx"],
    ["a\r\nb", "a\\r\\nb"],
    ["\u001b[2J", "\\u001b[2J"],
    ["\r=1", "'\\r=1"],
  ])("shows the control characters of %j as escapes, so that a row is one line", (text, expected) => {
    expect(cell(text)).toBe(expected);
  });

  it("has nested fields under their path", () => {
    expect(String(csvHeader(["id", "customer.name"]))).toBe("id,customer.name\r\n");
    expect(String(csvLine(["id", "customer.name"], { id: 1, customer: { name: "Ana" } }))).toBe("1,Ana\r\n");
    expect(String(csvLine(["id", "customer.name"], { id: 1, customer: null }))).toBe("1,\r\n");
  });
});
