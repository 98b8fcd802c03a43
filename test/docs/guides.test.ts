import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_NAMES } from "../../src/features/webhooks/catalogue.js";
import { withBlocks } from "./blocks.js";
import { type Examples, runExamples } from "./examples.js";
import { samplesOf, withTexts } from "./samples.js";
import { runWebhookExamples } from "./webhook-examples.js";

/**
 * The guides: their JSON comes from a running server, and each has its page in Portuguese with the same samples. `npm run
 * docs` writes what is stale anew, samples of the Portuguese pages too.
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

test.each(english)("docs/guides/%s has the answers of the source", async (name) => {
  const path = `docs/guides/${name}`;
  await expect(withBlocks(read(path), examples)).toMatchFileSnapshot(`../../${path}`);
});

test("qa-pay/webhooks has the events of these pages as samples", async () => {
  const events = Object.fromEntries(EVENT_NAMES.map((name) => [name, examples[`event ${name}`]]));
  const text = `${JSON.stringify(events, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../src/webhooks/samples.json");
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

  test("have the same samples and name the same things", async () => {
    const samples = samplesOf(withBlocks(read(source), examples));
    const text = read(translated);
    const own = samplesOf(text);
    expect(own.map(({ info }) => info)).toEqual(samples.map(({ info }) => info));
    const made = withTexts(
      text,
      own,
      samples.map((sample) => sample.text),
    );
    await expect(made).toMatchFileSnapshot(`../../${translated}`);
    expect(codes(text)).toEqual(codes(read(source)));
  });
});

test("no page in Portuguese is left over", () => {
  const names = readdirSync("docs/pt-br/guides");
  expect(names.filter((name) => !english.includes(name))).toEqual([]);
});
