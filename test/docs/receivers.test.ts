import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECEIVERS } from "../../scripts/receivers.mjs";
import { SUITES } from "../../scripts/suites.mjs";

/**
 * The receivers of examples/receivers, files of examples/suites and the shops on the pages of the guides. A block that says
 * `from=<file>` has the text of that file; `npm run docs` writes it anew.
 */

const FOLDER = "docs/guides";
const BLOCK = /^(```.* from=(\S+)\n)[\s\S]*?^```$/gm;

const receiverPages = readdirSync(FOLDER).filter((name) => name.startsWith("webhooks"));
const shopPages = readdirSync(FOLDER).filter((name) => name.startsWith("survive-"));
const pages = [...receiverPages, ...shopPages, "suites.md", "recipes.md"];
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

test.each(pages)("docs/guides/%s shows the files as they are", async (name) => {
  const shown = textOf(name).replace(
    BLOCK,
    (_block, fence: string, file: string) => `${fence}${readFileSync(file, "utf8")}\`\`\``,
  );
  await expect(shown).toMatchFileSnapshot(`../../${FOLDER}/${name}`);
});

test("every receiver and a test of it in each language is on a page, and every page of a language is on the first one", () => {
  const shown = receiverPages.flatMap((name) => [...textOf(name).matchAll(BLOCK)].map(([, , file = ""]) => file));
  const receivers = shown.filter((file) => !file.startsWith("examples/suites/"));
  expect(receivers.sort()).toEqual(RECEIVERS.map(({ file }) => `examples/receivers/${file}`).sort());
  const tested = shown.filter((file) => /receiver.*(?:test|spec)|test_receiver/i.test(file));
  expect(tested.map((file) => file.split("/")[2]).sort()).toEqual(SUITES.map(({ folder }) => folder).sort());
  const first = textOf("webhooks.md");
  expect(receiverPages.filter((name) => name !== "webhooks.md" && !first.includes(`(${name})`))).toEqual([]);
});
