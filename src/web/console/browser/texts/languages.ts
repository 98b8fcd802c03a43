import type { Language } from "../../../../base/kernel/language.js";
import en from "./en.json" with { type: "json" };
import ptBr from "./pt-BR.json" with { type: "json" };

/**
 * The texts of each language of src/base/kernel/language.ts. `npm run docs` writes this module. A text that a language lacks is a type
 * error, and test/base/kernel/texts.test.ts names it.
 */
export const TEXTS = {
  en,
  "pt-BR": ptBr,
} satisfies Readonly<Record<Language, typeof en>>;
