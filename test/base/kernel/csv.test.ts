import { expect, test } from "vitest";
import { csvOf } from "../../../src/base/kernel/csv.js";

test("rows as CSV have every field of any row, a mark for UTF-8, and no formula that a spreadsheet would run", () => {
  const rows = [
    { id: "tx_1", name: '=HYPERLINK("http://evil")', amount: -132 },
    { id: "tx_2", tags: ["a", "b"], name: "Zé, Filhos", note: null },
  ];
  expect(csvOf(rows).split("\r\n")).toEqual([
    "\ufeffid,name,amount,tags,note",
    `tx_1,"'=HYPERLINK(""http://evil"")",-132,,`,
    'tx_2,"Zé, Filhos",,"[""a"",""b""]",',
    "",
  ]);
});
