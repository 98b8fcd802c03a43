import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { MOVED } from "../../scripts/docs-site/navigation.js";
import { newPlace } from "../support/binary.js";
import { begin, type Running } from "../support/running.js";
import { shared, sharedCli } from "../support/shared.js";
import { openShell } from "../support/shell.js";

/** The documentation as the build made it, and the command that serves it. */

const SITE = "dist/docs";
const KB = 1_024;
const MOST = 2_500 * KB;

/** The files as the build stored them, by their names in the site: pages and texts of the search are compressed. */
const stored = new Map(
  readdirSync(SITE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => posix.relative(SITE, join(parentPath, name).replaceAll("\\", "/")))
    .map((name) => [name.replace(/\.br$/, ""), name]),
);
const files = [...stored.keys()];
const pages = files.filter((name) => name.endsWith(".html"));
const bytesOf = (name: string) => {
  const bytes = readFileSync(join(SITE, stored.get(name) ?? name));
  return stored.get(name) === name ? bytes : brotliDecompressSync(bytes);
};
const textOf = (name: string) => bytesOf(name).toString("utf8");
const idsOf = (name: string) => new Set([...textOf(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

describe("the site", () => {
  it("has a page for each Markdown file, and for each old address", () => {
    const sources = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
    const expected = sources.map((name) => name.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html"));
    const moved = [...MOVED.keys()].flatMap((path) => [`${path}.html`, `pt-br/${path}.html`]);
    expect(pages.sort()).toEqual([...expected, ...moved].sort());
  });

  it("has no link that leads nowhere, in a page or to a heading of one", () => {
    const ids = new Map(pages.map((name) => [name, idsOf(name)]));
    const broken = pages.flatMap((name) =>
      [...textOf(name).matchAll(/(?:href|src)="([^"]+)"/g)].flatMap(([, address = ""]) => {
        const [path = "", anchor] = decodeURI(address).split("#");
        if (/^(?:https?|mailto):/.test(path)) return [];
        const target = path === "" ? name : posix.join(posix.dirname(name), path);
        const isThere = files.includes(target) && (anchor === undefined || ids.get(target)?.has(anchor));
        return isThere ? [] : [`${name}: ${address}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("has a list for agents that leads to pages", () => {
    const addresses = [...textOf("llms.txt").matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(20);
    expect(addresses.filter((address) => !pages.includes(String(address)))).toEqual([]);
  });

  it("loads nothing from another host, and has no script or style inside a page", () => {
    for (const name of pages) {
      const text = textOf(name);
      expect(text, name).not.toMatch(/ style="|<style|<script(?! type="module" src="[./]*assets\/site\.js")|onclick=/);
      expect(text, name).not.toMatch(/(?:src|srcset)="(?:https?:)?\/\//);
      expect(text, name).not.toMatch(/<link [^>]*href="(?:https?:)?\/\//);
    }
    expect(
      files
        .filter((name) => name.endsWith(".css"))
        .map(textOf)
        .join(""),
    ).not.toMatch(/@import|url\(/);
  });

  it("is within its size", () => {
    const sizes = files.map((name) => gzipSync(bytesOf(name)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST);
    expect(gzipSync(textOf("assets/site.js")).length).toBeLessThan(12 * KB);
  });

  it("stores every page and what the search reads compressed, and nothing twice", () => {
    const names = readdirSync(SITE, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => /\.(html|json)$/.test(name))).toEqual([]);
    expect(names.filter((name) => name.endsWith(".br")).length).toBe(pages.length + 2);
  });

  it("is searched in both languages", () => {
    for (const [language, page] of Object.entries({
      en: "guides/refunds.html",
      "pt-BR": "pt-br/guides/refunds.html",
    })) {
      const sections = JSON.parse(textOf(`assets/search.${language}.json`)) as { id: string; text: string }[];
      expect(sections.find(({ id }) => id === page)?.text).not.toBe("");
      expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
      expect(sections.map(({ id }) => id)).toContain("ERRORS.html");
    }
  });

  it("comes with the licence of what is in its script", () => {
    expect(readFileSync("dist/LICENSES.txt", "utf8")).toMatch(/^minisearch [\d.]+ \(MIT\)$/m);
  });
});

describe("qa-pay docs", () => {
  const place = shared(newPlace);
  const shell = shared(() => openShell(place));
  const cli = sharedCli();
  const running: Running[] = [];
  afterAll(async () => {
    for (const one of running) await one.stop();
  });

  /** Starts the command in this process. Returns what it prints. */
  async function printed(...words: readonly string[]): Promise<string> {
    const screen: string[] = [];
    const told = new Promise<string>((resolve) => {
      screen.push = (text) => {
        resolve(text);
        return 0;
      };
    });
    running.push(await begin(cli, ["docs", ...words], { screen }));
    return told;
  }

  it("prints the address and nothing else without a terminal, serves the pages there, and ends with 0 when it is stopped", async () => {
    const docs = shell.start("qa-pay docs");
    const url = (await docs.says(/http:\S+\n/)).trim();
    expect(docs.out()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const english = await fetch(url, { headers: { "accept-language": "en" } });
    expect([english.url, (await english.text()).includes('<html lang="en">')]).toEqual([`${url}index.html`, true]);
    const portuguese = await fetch(url, { headers: { "accept-language": "pt-BR" } });
    expect(portuguese.url).toBe(`${url}pt-br/index.html`);
    const taken = await cli.run(["docs", "--port", new URL(url).port]);
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining("is in use")]);
    expect(await docs.stop()).toBe(0);
  });

  it.each([
    ["refunds", "/guides/refunds"],
    ["ERRORS.md", "/ERRORS"],
    ["errors", "/ERRORS"],
    ["service/refunds", "/service/refunds"],
    ["pt-br/guides/refunds", "/pt-br/guides/refunds"],
  ])("%s leads to %s", async (page, path) => {
    const { url } = JSON.parse(await printed(page, "--json"));
    expect([new URL(url).pathname, (await fetch(url)).status]).toEqual([path, 200]);
  });

  it("refuses a page that is not there, and names the one that is meant", async () => {
    const { code, out, err } = await cli.run(["docs", "refnds"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("The documentation has no page refnds.\nDid you mean refunds?");
  });
});
