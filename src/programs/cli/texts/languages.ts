import type { Translation } from "../../../base/kernel/language.js";
import type { TranslatedTexts } from "./types.js";

/**
 * Loads the texts of each translation of src/base/kernel/language.ts. `npm run docs` writes this module. A text that a language lacks is
 * a type error, and test/base/kernel/texts.test.ts names it.
 */
export const TRANSLATIONS = {
  "pt-BR": () => import("./pt-BR.json", { with: { type: "json" } }),
} satisfies Readonly<Record<Translation, () => Promise<{ default: TranslatedTexts }>>>;
