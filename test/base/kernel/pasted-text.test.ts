import { expect, test } from "vitest";
import { trimPasted, unwrapId } from "../../../src/base/kernel/pasted-text.js";

const ID = "ch_01a1fce5-07bb-7000-9ded-5f668d9661ce";

test.each([
  ["a carriage return", "1990\r"],
  ["blanks", "  1990 "],
  ["a tab", "\t1990"],
  ["a no-break space", "1990\u00a0"],
  ["a byte order mark", "\ufeff1990"],
  ["a zero-width space", "\u200b1990\u200b"],
  ["marks of direction", "\u202a1990\u202c"],
  ["an ideographic space", "1990\u3000"],
])("%s around a value is cut", (_name, text) => {
  expect(trimPasted(text)).toBe("1990");
});

test("white space and joiners inside a value stay", () => {
  expect(trimPasted(" Maria  Silva ")).toBe("Maria  Silva");
  expect(trimPasted("👩\u200d💻 loja")).toBe("👩\u200d💻 loja");
});

test.each([
  ["quotes", `"${ID}"`],
  ["curly quotes", `“${ID}”`],
  ["angle quotes", `«${ID}»`],
  ["backticks", `\`${ID}\``],
  ["stars", `**${ID}**`],
  ["a dot behind", `${ID}.`],
  ["brackets and a comma", `(${ID}),`],
  ["angle brackets", `<${ID}>`],
  ["a zero-width space inside", ID.replace("-", "\u200b-")],
  ["a word joiner", `\u2060${ID}`],
  ["marks of direction", `\u200e${ID}\u202c`],
  ["hyphens that do not break", ID.replaceAll("-", "\u2011")],
  ["dashes", ID.replaceAll("-", "–")],
  ["soft hyphens inside", ID.replace("fce5", "fc\u00ade5")],
  ["several of them", ` *“\u200b${ID.replaceAll("-", "\u2010")}”*.\r\n`],
])("an id is found with %s", (_name, text) => {
  expect(unwrapId(text)).toBe(ID);
});
