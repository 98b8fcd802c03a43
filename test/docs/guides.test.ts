import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { codeLinks, withCode } from "../../scripts/docs-site/code.js";
import { ENGLISH, otherLanguages } from "../../src/base/kernel/language.js";
import { docsFolder } from "../../src/base/pages/docs-folder.js";
import { TEXTS } from "../../src/base/pages/texts/languages.js";
import { EVENT_NAMES } from "../../src/service/features/webhooks/catalogue.js";
import { withBlocks } from "./blocks.js";
import { type Examples, runExamples } from "./examples.js";
import { samplesOf } from "./samples.js";
import { runWebhookExamples } from "./webhook-examples.js";

/**
 * The guides: their JSON comes from a running server (`npm run docs` writes it anew when it is stale), and each has its page in
 * Portuguese. Pages of other languages have links in the place of the code. The built page has the code there.
 */

let examples: Examples;
beforeAll(async () => {
  examples = { ...(await runExamples()), ...(await runWebhookExamples()) };
});

const english = readdirSync("docs/guides").filter((name) => name.endsWith(".md"));
const read = (path: string) => readFileSync(path, "utf8");
const isPage = (name: string) => name.endsWith(".md");
/** Each page of another language, by its path inside of `docs` without the folder of the language. */
const TRANSLATED = otherLanguages(ENGLISH).flatMap((language) => {
  const folder = `docs/${docsFolder(language)}`;
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isPage) : [];
  return names.map((name) => ({ path: name.replaceAll("\\", "/"), folder, word: TEXTS[language].docs.code }));
});
/** A page in English, the translated one, and the word of its links to code. */
const PAIRS: readonly (readonly [string, string, string])[] = [
  ["README.md", "README.pt-BR.md", ""],
  ...TRANSLATED.map(({ path, folder, word }) => [`docs/${path}`, folder + path, word] as const),
];

/** The levels of the headings, in their order. */
function outline(text: string): string[] {
  return [...text.replace(/```[\s\S]*?```/g, "").matchAll(/^#+(?= )/gm)].map(([marks]) => marks);
}

/** How many columns each table has, in their order, and how many rows. */
function tables(text: string): string[] {
  const found = text.replace(/```[\s\S]*?```/g, "").match(/(?:^\|.*\n?)+/gm) ?? [];
  return found.map((rows) => `${rows.trim().split("\n").length} rows`);
}

/** The words in backticks that a translation must keep: names, commands and values. */
function codes(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code).sort();
}

/** Links from a translated page to the headings above the blocks of code of the English one. */
function headingsOfCode(path: string): string[] {
  let heading = "";
  return [...read(`docs/${path}`).matchAll(/^( *)```[\s\S]*?^\1```$|^#+ (.*)$/gm)].flatMap(([, , title]) => {
    if (title === undefined) return [`${"../".repeat(path.split("/").length)}${path}#${heading}`];
    heading = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    return [];
  });
}

test.each(english)("docs/guides/%s has the answers of the source", async (name) => {
  const path = `docs/guides/${name}`;
  await expect(withBlocks(read(path), examples)).toMatchFileSnapshot(`../../${path}`);
});

test("qa-pay/webhooks has the events of these pages as samples", async () => {
  const events = Object.fromEntries(EVENT_NAMES.map((name) => [name, examples[`event ${name}`]]));
  const text = `${JSON.stringify(events, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../src/service/webhooks/samples.json");
});

test("every event has a sample", () => {
  const text = read("docs/guides/webhook-samples.md");
  const missing = EVENT_NAMES.filter((name) => !text.includes(`<!-- json event ${name} -->`));
  const howTo = "write <!-- json event NAME --> and <!-- end --> below a heading of both pages, then run npm run docs";
  expect(missing, `${missing.join(", ")} is missing in docs/guides/webhook-samples.md: ${howTo}`).toEqual([]);
});

describe.each(PAIRS)("%s and %s", (source, translated, word) => {
  test("are both there, with the same headings and tables", () => {
    expect(existsSync(source), `${source} is missing`).toBe(true);
    expect(outline(read(translated))).toEqual(outline(read(source)));
    expect(tables(read(translated))).toEqual(tables(read(source)));
  });

  test("have the same code and name the same things", () => {
    const [english, text] = [read(source), read(translated)];
    const code = (page: string) => samplesOf(page).map((sample) => [sample.info, sample.text]);
    expect(code(withCode(text, english, word))).toEqual(code(english));
    expect(codes(text)).toEqual(codes(english));
  });
});

test.each(TRANSLATED.map((page) => [page.folder + page.path, page] as const))(
  "%s has a link with its word to the heading of each block of code",
  (translated, { path, word }) => {
    expect(codeLinks(read(translated), word)).toEqual(headingsOfCode(path));
  },
);

test("every guide is there in Portuguese", () => {
  const pages = TRANSLATED.map(({ path, folder }) => folder + path);
  const missing = english.map((name) => `docs/pt-br/guides/${name}`).filter((path) => !pages.includes(path));
  expect(missing).toEqual([]);
});
