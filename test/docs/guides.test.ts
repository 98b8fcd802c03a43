import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { codeLinks, withCode } from "../../scripts/docs-site/code.js";
import { EVENT_NAMES } from "../../src/service/features/webhooks/catalogue.js";
import { withBlocks } from "./blocks.js";
import { type Examples, runExamples } from "./examples.js";
import { samplesOf } from "./samples.js";
import { runWebhookExamples } from "./webhook-examples.js";

/**
 * The guides: their JSON comes from a running server (`npm run docs` writes it anew when it is stale), and each has its page in
 * Portuguese, with links in the place of the code. The built page has the code there.
 */

let examples: Examples;
beforeAll(async () => {
  examples = { ...(await runExamples()), ...(await runWebhookExamples()) };
});

const english = readdirSync("docs/guides").filter((name) => name.endsWith(".md"));
const read = (path: string) => readFileSync(path, "utf8");
/** A page in English, and the one in Portuguese. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["README.md", "README.pt-BR.md"],
  ["docs/README.md", "docs/pt-br/README.md"],
  ...english.map((name) => [`docs/guides/${name}`, `docs/pt-br/guides/${name}`] as const),
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

/** Links from the page in Portuguese to the headings above the blocks of code of the English one. */
function headingsOfCode(name: string): string[] {
  let heading = "";
  return [...read(`docs/guides/${name}`).matchAll(/^( *)```[\s\S]*?^\1```$|^#+ (.*)$/gm)].flatMap(([, , title]) => {
    if (title === undefined) return [`../../guides/${name}#${heading}`];
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

describe.each(PAIRS)("%s and %s", (source, translated) => {
  test("are both there, with the same headings and tables", () => {
    expect(existsSync(translated), `${translated} is missing`).toBe(true);
    expect(outline(read(translated))).toEqual(outline(read(source)));
    expect(tables(read(translated))).toEqual(tables(read(source)));
  });

  test("have the same code and name the same things", () => {
    const [english, text] = [read(source), read(translated)];
    const code = (page: string) => samplesOf(page).map((sample) => [sample.info, sample.text]);
    expect(code(withCode(text, english))).toEqual(code(english));
    expect(codes(text)).toEqual(codes(english));
  });
});

test.each(english)("docs/pt-br/guides/%s has a link to the heading of each block of code: [Código](…)", (name) => {
  expect(codeLinks(read(`docs/pt-br/guides/${name}`))).toEqual(headingsOfCode(name));
});

test("no page in Portuguese is left over", () => {
  const names = readdirSync("docs/pt-br/guides");
  expect(names.filter((name) => !english.includes(name))).toEqual([]);
});
