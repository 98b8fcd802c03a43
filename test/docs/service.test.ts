import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { registry } from "../../src/api/registry.js";
import { EVENT_NAMES } from "../../src/service/features/webhooks/catalogue.js";
import { withBlocks } from "./blocks.js";
import { type Examples, runExamples } from "./examples.js";

/** Tables and examples of docs/service. `npm run docs` writes those anew that are stale, and leaves the words alone. */

const folder = "docs/service";
let examples: Examples;

beforeAll(async () => {
  examples = await runExamples();
});

const pages = readdirSync(folder);
const rendered = (name: string) => withBlocks(readFileSync(`${folder}/${name}`, "utf8"), examples);

test.each(pages)("docs/service/%s has the tables and answers of the source", async (name) => {
  await expect(rendered(name)).toMatchFileSnapshot(`../../${folder}/${name}`);
});

test("every operation and every event is on a page", () => {
  const text = pages.map(rendered).join("");
  const operations = registry.map(({ contract }) => `${contract.method} ${contract.path}`);
  expect([...operations, ...EVENT_NAMES].filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
});

const GUIDES = ["webhooks", "refunds", "deduplicate", "quick-start", "integrate"];

test.each([
  "docs/service/webhooks.md",
  "docs/service/refunds.md",
  ...GUIDES.map((name) => `docs/guides/${name}.md`),
  ...GUIDES.map((name) => `docs/pt-br/guides/${name}.md`),
])("%s says to readers who choose events that only the legacy family reports refunds", (path) => {
  const paragraphs = readFileSync(path, "utf8").split("\n\n");
  const isSaid = (text: string) => text.includes("`payment.refunded`") && /legacy|canonical|legada|canônic/.test(text);
  expect(paragraphs.some(isSaid), `${path} must name payment.refunded and its family`).toBe(true);
});

test("the page of webhooks says which change of a payment sends each event of a payment", () => {
  const [, told = ""] = rendered("webhooks.md").split("## What a change reports");
  const ofPayments = EVENT_NAMES.filter((name) => /^(?:charge|payment|med_case|med)\./.test(name));
  const missing = ofPayments.filter((name) => !told.includes(`\`${name}\``));
  expect(missing, "write them into the table below that heading of docs/service/webhooks.md").toEqual([]);
});
