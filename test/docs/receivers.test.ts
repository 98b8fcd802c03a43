import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECEIVERS } from "../../scripts/receivers.mjs";

/**
 * The receivers of examples/receivers on the pages of the guides. A block that says `from=<file>` has the text of that file;
 * `npm run docs` writes it anew.
 */

const FOLDER = "docs/guides";
const BLOCK = /^(```.* from=(\S+)\n)[\s\S]*?^```$/gm;

const pages = readdirSync(FOLDER).filter((name) => name.startsWith("webhooks"));
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

test.each(pages)("docs/guides/%s shows the receivers as they are", async (name) => {
  const shown = textOf(name).replace(
    BLOCK,
    (_block, fence: string, file: string) => `${fence}${readFileSync(file, "utf8")}\`\`\``,
  );
  await expect(shown).toMatchFileSnapshot(`../../${FOLDER}/${name}`);
});

test("every receiver is on a page, and every page of a language is on the first one", () => {
  const shown = pages.flatMap((name) => [...textOf(name).matchAll(BLOCK)].map(([, , file]) => file));
  expect(shown.sort()).toEqual(RECEIVERS.map(({ file }) => `examples/receivers/${file}`).sort());
  const first = textOf("webhooks.md");
  expect(pages.filter((name) => name !== "webhooks.md" && !first.includes(`(${name})`))).toEqual([]);
});
