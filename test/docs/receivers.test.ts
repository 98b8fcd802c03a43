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

const shopPages = readdirSync(FOLDER).filter((name) => name.startsWith("survive-"));
const pages = ["integrate.md", "webhooks.md", "suites.md", "recipes.md", ...shopPages];
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

test.each(pages)("docs/guides/%s shows the files as they are", async (name) => {
  const shown = textOf(name).replace(
    BLOCK,
    (_block, fence: string, file: string) => `${fence}${readFileSync(file, "utf8")}\`\`\``,
  );
  await expect(shown).toMatchFileSnapshot(`../../${FOLDER}/${name}`);
});

test("every receiver is on the page about webhooks, and a test of it in each language on that about suites", () => {
  const shownOn = (name: string) => [...textOf(name).matchAll(BLOCK)].map(([, , file = ""]) => file);
  const receivers = RECEIVERS.map(({ file }) => `examples/receivers/${file}`);
  expect(shownOn("webhooks.md").sort()).toEqual(receivers.sort());
  const tests = shownOn("suites.md").filter((file) => /receiver.*(?:test|spec)|test_receiver/i.test(file));
  expect(tests.map((file) => file.split("/")[2]).sort()).toEqual(SUITES.map(({ folder }) => folder).sort());
});
