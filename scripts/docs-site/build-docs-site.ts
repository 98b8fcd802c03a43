import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { constants } from "node:zlib";
import Eleventy from "@11ty/eleventy";
import { LANGUAGES } from "../../src/base/kernel/language.js";
import { docsFolder } from "../../src/base/pages/docs-folder.js";
import { compressTexts } from "../compress-texts.js";
import type { EsbuildPlugin } from "../evaluate-module.js";
import { createMarkdown } from "./markdown.js";
import { addressOf, MOVED } from "./navigation.js";
import { movedHtml, pageHtml, type Site } from "./page.js";
import { readPages, SOURCE } from "./read-pages.js";
import { searchedSections } from "./sections.js";

/** The documentation as a site: each Markdown file of `docs` becomes a page of plain HTML with relative links. */

/** The styles of the site, in their order. */
const SHEETS = ["tokens", "shapes", "page"].map((name) => `src/base/pages/${name}.css`);

function titleOf(text: string): string {
  return (/^# (.*)/m.exec(text)?.[1] ?? "").replaceAll("`", "");
}

/** Writes the texts that the search looks through, a file for each language. */
async function writeSections(pages: ReadonlyMap<string, string>, folder: string): Promise<void> {
  await mkdir(join(folder, "assets"), { recursive: true });
  for (const language of LANGUAGES) {
    const sections = searchedSections(pages, language);
    if (sections.length > 0) await writeFile(join(folder, `assets/search.${language}.json`), JSON.stringify(sections));
  }
}

/** Writes a page to each old address, in every language that has the page to which it leads. */
async function writeMoved(site: Site, folder: string): Promise<void> {
  for (const language of LANGUAGES) {
    for (const [path, target] of MOVED) {
      const [from, to] = [docsFolder(language) + path, docsFolder(language) + target];
      const isThere = site.titles.has(to.replace(/#.*/, ""));
      if (isThere) await writeFile(join(folder, addressOf(from)), movedHtml(site, from, to));
    }
  }
}

/** The list of the documents for agents, with the addresses that they have in the site. */
async function writeList(folder: string): Promise<void> {
  const text = await readFile(join(SOURCE, "llms.txt"), "utf8");
  const linked = text.replace(
    /\]\(([\w./-]+)\.md\)/g,
    (_link, path: string) => `](${addressOf(path.replace("../", ""))})`,
  );
  await writeFile(join(folder, "llms.txt"), linked);
}

/** The best quality but one takes less than half of the time of the best, for files that are a fortieth larger. */
const QUALITY = constants.BROTLI_MAX_QUALITY - 1;

/** Builds the whole site into a folder. */
async function buildDocsSite(folder: string, version: string): Promise<void> {
  const pages = await readPages();
  // Pages of an earlier build, which may have no source any more. The bundler has written the assets anew.
  await mkdir(folder, { recursive: true });
  const old = (await readdir(folder)).filter((name) => name !== "assets");
  for (const name of old) await rm(join(folder, name), { recursive: true });
  const site: Site = { version, titles: new Map([...pages].map(([path, text]) => [path, titleOf(text)])) };
  const eleventy = new Eleventy(SOURCE, folder, {
    quietMode: true,
    configPath: false,
    config(config) {
      // How long the pages took would stand between the lines of the build.
      config.benchmarkManager.get("Configuration").setIsVerbose(false);
      config.setTemplateFormats(["md"]);
      config.setLibrary("md", createMarkdown());
      config.addGlobalData(
        "eleventyComputed.permalink",
        () =>
          ({ page }: { page: { filePathStem: string } }) =>
            addressOf(page.filePathStem.slice(1)),
      );
      config.addTransform("page", function (body) {
        return pageHtml(site, this.page.filePathStem.slice(1), body);
      });
      config.addPassthroughCopy({
        [`${SOURCE}/images`]: "images",
        "src/web/console/browser/public/icon.svg": "assets/icon.svg",
      });
      return { markdownTemplateEngine: false, htmlTemplateEngine: false, dataTemplateEngine: false };
    },
  });
  // Neither is it of interest how many pages there are. Errors are thrown.
  eleventy.disableLogger();
  await eleventy.write();
  const sheets = await Promise.all(SHEETS.map((path) => readFile(path, "utf8")));
  await writeFile(join(folder, "assets/docs.css"), sheets.join(""));
  await writeSections(pages, folder);
  await writeMoved(site, folder);
  await writeList(folder);
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(html|json)$/.test(name));
  await compressTexts(
    names.map((name) => join(folder, name)),
    QUALITY,
  );
}

/** Builds the site after the scripts that go into it. */
export function docsSite(folder: string): EsbuildPlugin {
  return {
    name: "docs-site",
    setup(build) {
      build.onEnd(async ({ errors }) => {
        if (errors.length > 0) return;
        const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
        await buildDocsSite(folder, version);
      });
    },
  };
}
