import { expect, it } from "vitest";
import { shellWord, wordsIn } from "../../../src/base/kernel/shell.js";

it.each([
  ["node buy.mjs --amount 5", ["node", "buy.mjs", "--amount", "5"]],
  ["  a   b\tc\n", ["a", "b", "c"]],
  [`sh -c 'echo "$ORDER" | cat'`, ["sh", "-c", 'echo "$ORDER" | cat']],
  [`a "b \\"c\\" \\d" e\\ f`, ["a", 'b "c" \\d', "e f"]],
  [`'a'"b"c ''`, ["abc", ""]],
  ["$HOME * ; > out", ["$HOME", "*", ";", ">", "out"]],
  ["", []],
])("finds the words of %j", (line, words) => {
  expect(wordsIn(line)).toEqual(words);
});

it.each(["a 'b", 'a "b', "a\\"])("finds no words where a quote does not end: %j", (line) => {
  expect(wordsIn(line)).toBeNull();
});

it("finds the words again that were quoted", () => {
  const words = ["", "a b", "it's", '"', "$HOME", "é\n", "\\"];
  expect(wordsIn(words.map(shellWord).join(" "))).toEqual(words);
});
