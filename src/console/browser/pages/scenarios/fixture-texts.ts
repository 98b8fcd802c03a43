import type { FixtureName } from "../../../../fixtures/built-in-fixtures.js";
import { pt } from "../../texts/index.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What each script that comes with the product ends in, in Portuguese. Its English is in the script itself. */
const tableIn = perLanguage<Readonly<Record<FixtureName, string>> | null>(null, pt.scenarios_fixture);

export function scriptText(name: string, english: string, language: Language): string {
  const texts: Readonly<Record<string, string>> | null = tableIn(language);
  return texts?.[name] ?? english;
}
