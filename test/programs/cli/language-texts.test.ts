import { describe, expect, it } from "vitest";
import { ENGLISH, LANGUAGES, type Translation } from "../../../src/base/kernel/language.js";
import { loadTranslation } from "../../../src/programs/cli/terminal/load-translation.js";
import { TRANSLATIONS } from "../../../src/programs/cli/texts/languages.js";
import type { TranslatedTexts } from "../../../src/programs/cli/texts/types.js";
import en from "../../../src/web/console/browser/texts/en.json" with { type: "json" };
import { TRANSLATIONS as CONSOLE } from "../../../src/web/console/browser/texts/languages.js";
import { everyHeading, headings, sentencesInCode, sentencesOfContracts, statesShown } from "../../support/wordings.js";

/** The files of texts of commands (docs/ARCHITECTURE.md#to-add). The English texts stand in the code. */

const inCode = sentencesInCode();
const inContracts = sentencesOfContracts();

/** The values that a text names, each once. */
const valuesIn = (text: string) => [...new Set(text.match(/\{[\w.]+(?=[:}])/g) ?? [])].sort();

const isTranslation = (language: string): language is Translation => language !== ENGLISH;

describe.each(LANGUAGES.filter(isTranslation))("the texts of commands in %s", async (language) => {
  const { default: own }: { default: TranslatedTexts } = await TRANSLATIONS[language]();
  const { default: shared } = await CONSOLE[language]();

  it("have each sentence that commands show, and no other", () => {
    const required = [...inCode.required, ...inContracts];
    expect(required.filter((text) => !Object.hasOwn(own.sentences, text))).toEqual([]);
    const used = new Set([...inCode.all, ...inContracts]);
    expect(Object.keys(own.sentences).filter((text) => !used.has(text))).toEqual([]);
  });

  it("have the head of each column, and no other", () => {
    expect([...headings].filter((head) => !Object.hasOwn(own.headings, head))).toEqual([]);
    expect(Object.keys(own.headings).filter((head) => !everyHeading.has(head))).toEqual([]);
  });

  it("have a word for each state", async () => {
    const { states } = await loadTranslation(language);
    expect(statesShown.filter((state) => states[state] === undefined)).toEqual([]);
  });

  it("name the same values as the English ones", () => {
    for (const [english, text] of Object.entries<string>(own.sentences)) {
      expect([english, valuesIn(text)]).toEqual([english, valuesIn(english)]);
    }
  });

  it("have a word of the console for the same heads", () => {
    const terms: Readonly<Record<string, string>> = shared.terms;
    const wordsFor = (english: string) =>
      Object.entries(en.terms).flatMap(([term, text]) => (text === english ? (terms[term] ?? []) : []));
    const differ = [...new Set(Object.values(en.terms))].flatMap((english) => {
      const [said, words] = [own.headings[english], wordsFor(english)];
      return said === undefined || words.includes(said) ? [] : [`${english}: ${said}, and ${words} in the console`];
    });
    expect(differ).toEqual([]);
  });
});
