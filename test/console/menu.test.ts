import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { en } from "../../src/console/browser/texts/index.js";

/** What says the pages of the menu once more (docs/ARCHITECTURE.md#to-add). */

/** The menu is read as text: its module asks the browser for a language as it is loaded. */
const menu = readFileSync("src/console/browser/shell/menu.ts", "utf8");
const names = Object.values(en.menu);
const letters = [...menu.matchAll(/ letter: "(.)",/g)].map(([, letter = ""]) => letter);

it("docs/CONSOLE.md says of every page of the menu what it is for", () => {
  const rows = readFileSync("docs/CONSOLE.md", "utf8").matchAll(/^\| ([^|]+) \|/gm);
  const told = [...rows].flatMap(([, cell = ""]) => cell.split(", "));
  const faults = names
    .filter((page) => !told.includes(page))
    .map((page) => `${page}: add a row for it to the table of pages in docs/CONSOLE.md`);
  expect(faults).toEqual([]);
});

it("no two pages have the same letter", () => {
  expect(names).toContain("Charges");
  expect(letters).toHaveLength(names.length);
  expect(letters.filter((letter, index) => letters.indexOf(letter) !== index)).toEqual([]);
});
