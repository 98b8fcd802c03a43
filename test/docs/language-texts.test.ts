import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENGLISH, LANGUAGES, otherLanguages } from "../../src/base/kernel/language.js";

/** The texts of pages and commands: a file for each language, in four folders. `npm run docs` writes the modules that import them. */

const KERNEL = "src/base/kernel/language";
const CONSOLE = "src/web/console/browser/texts";
/** The English texts of commands stand in the code. */
const COMMANDS = "src/programs/cli/texts";
const FOLDERS = ["src/base/pages/texts", "src/web/checkout/texts", CONSOLE, COMMANDS];

const languagesIn = (folder: string) => (folder === COMMANDS ? otherLanguages(ENGLISH) : LANGUAGES);

const variableOf = (language: string) =>
  language.toLowerCase().replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function moduleOf(folder: string): string {
  const up = "../".repeat(folder.split("/").length - 1);
  const imports = [...LANGUAGES].sort().map((language) => {
    return `import ${variableOf(language)} from "./${language}.json" with { type: "json" };`;
  });
  const entries = LANGUAGES.map((language) => {
    const variable = variableOf(language);
    return variable === language ? `  ${language},` : `  "${language}": ${variable},`;
  });
  return `import type { Language } from "${up}${KERNEL.slice("src/".length)}.js";
${imports.join("\n")}

/**
 * The texts of each language of ${KERNEL}.ts. \`npm run docs\` writes this module. A text that a language lacks is a type
 * error, and test/base/kernel/texts.test.ts names it.
 */
export const TEXTS = {
${entries.join("\n")}
} satisfies Readonly<Record<Language, typeof en>>;
`;
}

/** A browser and a command load the translation that their reader wants, and no other. */
function loadingModuleOf(folder: string): string {
  const up = "../".repeat(folder.split("/").length - 1);
  const entries = otherLanguages(ENGLISH).map(
    (language) => `  "${language}": () => import("./${language}.json", { with: { type: "json" } }),`,
  );
  return `import type { Translation } from "${up}${KERNEL.slice("src/".length)}.js";
import type { TranslatedTexts } from "./types.js";

/**
 * Loads the texts of each translation of ${KERNEL}.ts. \`npm run docs\` writes this module. A text that a language lacks is
 * a type error, and test/base/kernel/texts.test.ts names it.
 */
export const TRANSLATIONS = {
${entries.join("\n")}
} satisfies Readonly<Record<Translation, () => Promise<{ default: TranslatedTexts }>>>;
`;
}

describe.each(FOLDERS)("%s", (folder) => {
  it("has a file for each language", () => {
    const files = languagesIn(folder).map((language) => `${folder}/${language}.json`);
    const missing = files.filter((path) => !existsSync(path));
    expect(missing, "translate pt-BR.json of that folder").toEqual([]);
  });

  it("has no file of another language", () => {
    const names: readonly string[] = languagesIn(folder).map((language) => `${language}.json`);
    const others = readdirSync(folder).filter((name) => name.endsWith(".json") && !names.includes(name));
    expect(others, `add the language to LANGUAGES of ${KERNEL}.ts`).toEqual([]);
  });

  it("is imported by a module with all of them", async () => {
    const text = folder === CONSOLE || folder === COMMANDS ? loadingModuleOf(folder) : moduleOf(folder);
    await expect(text).toMatchFileSnapshot(`../../${folder}/languages.ts`);
  });
});
