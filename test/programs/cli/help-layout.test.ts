import { expect, it } from "vitest";
import { layOutHelp } from "../../../src/programs/cli/tree/help-layout.js";
import { helpTexts } from "../../../src/programs/cli/tree/help-texts.js";

/** A help text is kept with each paragraph in one line, and broken for the terminal that shows it. */

const shown = (text: string, columns: number, program = "qa-pay") => String(layOutHelp(text, columns, program));
const WORDS = "one two three four five six seven eight nine ten";

it("further lines of a paragraph begin below its first word", () => {
  expect(shown(`  --flag  \t${WORDS}`, 52)).toBe(
    "  --flag  one two three four five six seven eight\n          nine ten",
  );
});

it("a paragraph without a head has the whole width", () => {
  expect(shown(`\t${WORDS}`, 40)).toBe("one two three four five six seven eight\nnine ten");
});

it("a paragraph with less room than forty columns is left whole", () => {
  expect(shown(`  --flag  \t${WORDS}`, 49)).toBe(`  --flag  ${WORDS}`);
});

it("a word that is longer than a line stands alone", () => {
  const long = "x".repeat(50);
  expect(shown(`\ta ${long} b`, 40)).toBe(`a\n${long}\nb`);
});

it("other lines stay as they are, with commands as the person starts them", () => {
  const example = "  $ qa-pay charges create --amount 1990 --customer-name 'Maria Silva'";
  expect(shown(example, 40)).toBe(example);
  expect(shown(example, 40, "npx qa-pay")).toBe(example.replace("qa-pay", "npx qa-pay"));
});

it("the commands of every day fit on a screen of 80 columns and 24 lines", () => {
  const [everyday = ""] = shown(helpTexts[""] ?? "", 80).split("\nMore:\n");
  expect(everyday).toMatch(/^Usage: [\s\S]*\nEveryday:\n/);
  expect(everyday.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
});
