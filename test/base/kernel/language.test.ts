import { expect, it } from "vitest";
import { LANGUAGES, languageName, languageOfTag, otherLanguages } from "../../../src/base/kernel/language.js";

/** The languages of pages. Which one a request gets is in test/web/docs/pages.test.ts. */

it.each([
  ["pt", "pt-BR"],
  ["pt-PT", "pt-BR"],
  [" PT-br ", "pt-BR"],
  ["en-GB", "en"],
  ["eng", undefined],
  ["de", undefined],
  ["", undefined],
])("the tag %j means %s", (tag, language) => {
  expect(languageOfTag(tag)).toBe(language);
});

it("a language has a name in its own words", () => {
  expect([languageName("en"), languageName("pt-BR")]).toEqual(["English", "Português"]);
  expect(new Set(LANGUAGES.map(languageName)).size).toBe(LANGUAGES.length);
});

it("a page offers every language but its own", () => {
  expect(LANGUAGES.map(otherLanguages)).toEqual(LANGUAGES.map((one) => LANGUAGES.filter((other) => other !== one)));
});
