import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { textsIn } from "../../../src/web/console/browser/texts/index.js";
import "../../support/console-texts.js";
import { pageLetters, pageNames } from "../../support/console-menu.js";

/** Other lists of the menu's pages (docs/ARCHITECTURE.md#to-add). */

const en = textsIn("en");
const titles: Readonly<Record<string, string>> = en.menu;

it("the menu has pages, each with a name and a letter", () => {
  expect(pageNames).toContain("charges");
  expect(pageLetters).toHaveLength(pageNames.length);
  expect([...pageNames].sort()).toEqual(Object.keys(titles).sort());
});

it("docs/CONSOLE.md says of every page of the menu what it is for", () => {
  const rows = readFileSync("docs/CONSOLE.md", "utf8").matchAll(/^\| ([^|]+) \|/gm);
  const told = [...rows].flatMap(([, cell = ""]) => cell.split(", "));
  const faults = Object.values(titles)
    .filter((page) => !told.includes(page))
    .map((page) => `${page}: add a row for it to the table of pages in docs/CONSOLE.md`);
  expect(faults).toEqual([]);
});

it("no two pages have the same letter", () => {
  expect(pageLetters.filter((letter, index) => pageLetters.indexOf(letter) !== index)).toEqual([]);
});

it("every list that can be empty says how to create the first row", () => {
  const teaching = pageNames.filter((page) => {
    const file = `src/web/console/browser/pages/${page}/index.tsx`;
    return existsSync(file) && / empty: ["{]/.test(readFileSync(file, "utf8"));
  });
  expect(teaching).toContain("charges");
  const faults = teaching
    .filter((page) => !Object.hasOwn(en.empty, page))
    .map(
      (page) => `${page}: add it to "empty" of src/web/console/browser/texts/en.json and of the other languages there`,
    );
  expect(faults).toEqual([]);
});
