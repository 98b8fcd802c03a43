import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../src/api/fixtures/built-in-fixtures.js";
import { ATTEMPT_ERRORS } from "../../../src/base/kernel/attempt-errors.js";
import { ENGLISH, LANGUAGES, otherLanguages } from "../../../src/base/kernel/language.js";
import { fill } from "../../../src/base/kernel/message.js";
import { byName, namesOf } from "../../../src/base/kernel/names.js";
import { TEXTS as PAGES } from "../../../src/base/pages/texts/languages.js";
import { FAULTS, ORACLES } from "../../../src/checks/survive/faults.js";
import steps from "../../../src/checks/survive/texts.json" with { type: "json" };
import { ENGLISH as RECEIVER } from "../../../src/emulator/receiver-check/texts.js";
import {
  CAUSE_TEXTS,
  DUE_TEXTS,
  FOUND_TEXTS,
  ITEM_TEXTS,
  PROBLEM_TEXTS,
} from "../../../src/service/features/service-texts.js";
import { WHY_TEXTS } from "../../../src/service/features/why-codes.js";
import { TEXTS as CHECKOUT } from "../../../src/web/checkout/texts/languages.js";
import { type ServiceTexts, textsIn } from "../../../src/web/console/browser/texts/index.js";
import "../../support/console-texts.js";

/** The files of texts, for translators (docs/decisions/095-texts-in-files.md). */

type Texts = { readonly [key: string]: string | Texts | readonly string[] };

/** Each text by its path, such as `charges.empty`. */
function textsOf(texts: Texts, path: readonly string[] = []): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [[[...path, key].join("."), text]] : textsOf({ ...text } as Texts, [...path, key]),
  );
}

/** The values that a text names; the branches of a plural stand in braces too, and are none. */
function valuesOf(text: string): string[] {
  const named = text.replace(/(=\d+|other) \{/g, "").matchAll(/\{(\w+)[,:}]/g);
  return [...new Set([...named].map(([, name = ""]) => name))].sort();
}

/** The English texts of the service that translations have in the console's file. Verdicts have no table. */
const SERVICE: Readonly<Record<Exclude<keyof ServiceTexts, "receiver_verdicts">, Texts>> = {
  attempt_errors: ATTEMPT_ERRORS,
  due: DUE_TEXTS,
  found: FOUND_TEXTS,
  receiver_case: RECEIVER,
  scenarios_fixture: byName(namesOf(FIXTURES), (name) => FIXTURES[name]?.description ?? ""),
  survive_faults: FAULTS,
  survive_oracles: ORACLES,
  survive_steps: steps,
  timeline_causes: CAUSE_TEXTS,
  timeline_items: ITEM_TEXTS,
  wallet_problems: PROBLEM_TEXTS,
  why: WHY_TEXTS,
};

const CONSOLE = byName(LANGUAGES, textsIn);

const CATALOGUES = [
  ["src/base/pages/texts", PAGES, PAGES[ENGLISH]],
  ["src/web/checkout/texts", CHECKOUT, CHECKOUT[ENGLISH]],
  ["src/web/console/browser/texts", CONSOLE, { ...CONSOLE[ENGLISH], ...SERVICE }],
] as const;

/** Each file of a translation, with its texts and the English ones, some of which are the service's. */
const FILES = CATALOGUES.flatMap(([folder, texts, english]) =>
  otherLanguages(ENGLISH).map((language) => {
    const own = textsOf(texts[language]).filter(([path]) => !path.startsWith("receiver_verdicts."));
    return [`${folder}/${language}.json`, new Map(own), new Map(textsOf(english))] as const;
  }),
);

const isOfService = (path: string) => Object.hasOwn(SERVICE, path.replace(/\..*/, ""));

describe.each(FILES)("%s", (file, texts, english) => {
  it("has each text of the English file, and of the service where it has those, and no other", () => {
    const missing = [...english.keys()].filter((path) => !texts.has(path));
    expect(missing, `${file} lacks these texts`).toEqual([]);
    const others = [...texts.keys()].filter((path) => !english.has(path));
    expect(others, `${file} has texts that nothing shows`).toEqual([]);
  });

  it("names the same values in each text, where they are not the service's", () => {
    for (const [path, text] of english) {
      if (!isOfService(path)) expect([path, valuesOf(texts.get(path) ?? "")]).toEqual([path, valuesOf(text)]);
    }
  });
});

const ALL = CATALOGUES.flatMap(([folder, texts]) =>
  LANGUAGES.map((language) => [`${folder}/${language}.json`, textsOf(texts[language])] as const),
);

it.each(ALL)("each text of %s can be filled with its values", (_file, texts) => {
  for (const [path, text] of texts) {
    const values = Object.fromEntries(valuesOf(text).map((name) => [name, 2]));
    const lists = Object.fromEntries([...text.matchAll(/\{(\w+):(?:entries|list)\}/g)].map(([, name]) => [name, []]));
    expect(fill(text, { ...values, ...lists, currency: "BRL" }), path).not.toMatch(/[{}[\]]|plural/);
  }
});

const LOCALES = LANGUAGES.flatMap((language) => [
  [`locale of src/web/console/browser/texts/${language}.json`, CONSOLE[language].locale, language] as const,
  ...Object.entries(CHECKOUT[language].time.locales).map(([zone, locale]) => {
    return [`time.locales.${zone} of src/web/checkout/texts/${language}.json`, locale, language] as const;
  }),
]);

it.each(LOCALES)("%s is %s, which has to be a form of dates of that language", (_, locale, language) => {
  expect(new Intl.DateTimeFormat(locale).resolvedOptions().locale).toBe(locale);
  expect(locale.replace(/-.*/, "")).toBe(language.replace(/-.*/, ""));
});
