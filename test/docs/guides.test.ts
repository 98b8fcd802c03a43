import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { createMarkdown } from "../../scripts/docs-site/markdown.js";
import { ENGLISH, otherLanguages } from "../../src/base/kernel/language.js";
import { docsFolder } from "../../src/base/pages/docs-folder.js";
import { EVENT_NAMES } from "../../src/service/features/webhooks/catalogue.js";
import { withBlocks } from "./blocks.js";
import { type Examples, runExamples } from "./examples.js";
import { samplesOf, showsSpeech } from "./samples.js";
import { commentsOf, type Translations, withoutSpeech, withTranslatedCode } from "./translated-code.js";
import { runWebhookExamples } from "./webhook-examples.js";

/**
 * The guides: their JSON comes from a running server (`npm run docs` writes it anew when it is stale), and each has its page in
 * Portuguese. Pages of other languages have the code of the English ones, with comments in their language.
 */

let examples: Examples;
beforeAll(async () => {
  examples = { ...(await runExamples()), ...(await runWebhookExamples()) };
});

const english = readdirSync("docs/guides").filter((name) => name.endsWith(".md"));
const read = (path: string) => readFileSync(path, "utf8");
const isPage = (name: string) => name.endsWith(".md");
/** A page in English, the translated one, and the folder of its language. */
const PAIRS = otherLanguages(ENGLISH).flatMap((language) => {
  const folder = `docs/${docsFolder(language)}`;
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isPage) : [];
  const pages = names.map((name) => name.replaceAll("\\", "/"));
  return [
    ["README.md", `README.${language}.md`, folder] as const,
    ...pages.map((name) => [`docs/${name}`, folder + name, folder] as const),
  ];
});

/** The comments of code in the language of a folder. */
const commentsIn = (folder: string) => JSON.parse(read(`${folder}comments.json`)) as Translations;

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

/** The code of a page as the highlighter of the site sees it, without comments and without spaces. */
function bareCode(page: string): string[] {
  const blocks =
    createMarkdown()
      .render(page, {})
      .match(/<pre>[\s\S]*?<\/pre>/g) ?? [];
  return blocks.map((block) =>
    block
      .replace(/<span class="hljs-doctag">(.*?)<\/span>/g, "$1")
      .replace(/<span class="hljs-(?:comment|string">&quot;&quot;&quot;)[^<]*<\/span>/g, "")
      .replace(/\s+/g, ""),
  );
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

describe.each(PAIRS)("%s and %s", (source, translated, folder) => {
  test("are both there, with the same headings and tables", () => {
    expect(existsSync(source), `${source} is missing`).toBe(true);
    expect(outline(read(translated))).toEqual(outline(read(source)));
    expect(tables(read(translated))).toEqual(tables(read(source)));
  });

  test("have the same code, with comments in the language of the page, and name the same things", async () => {
    const [english, text] = [withBlocks(read(source), examples), read(translated)];
    const howTo = `write an empty block (two lines of three backticks) into ${translated} for each of ${source}, then npm run docs`;
    expect(samplesOf(text).length, howTo).toBe(samplesOf(english).length);
    const written = withTranslatedCode(text, english, commentsIn(folder));
    await expect(written).toMatchFileSnapshot(`../../${translated}`);
    const compared = showsSpeech(english) ? withoutSpeech : (page: string) => page;
    expect(bareCode(compared(written))).toEqual(bareCode(compared(english)));
    expect(codes(text)).toEqual(codes(english));
  });
});

test.each([...new Set(PAIRS.map(([, , folder]) => folder))])(
  "%s has each comment of the code, and no other",
  (folder) => {
    const pages = PAIRS.flatMap(([source, , own]) => (own === folder ? [source] : []));
    const comments = new Set(pages.flatMap((path) => commentsOf(read(path))));
    expect(Object.keys(commentsIn(folder)).sort(), `write its texts into ${folder}comments.json`).toEqual(
      [...comments].sort(),
    );
  },
);

test("every guide is there in Portuguese", () => {
  const pages = PAIRS.map(([, translated]) => translated);
  const missing = english.map((name) => `docs/pt-br/guides/${name}`).filter((path) => !pages.includes(path));
  expect(missing).toEqual([]);
});
