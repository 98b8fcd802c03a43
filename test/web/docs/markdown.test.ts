import { describe, expect, it } from "vitest";
import { createMarkdown } from "../../../scripts/docs-site/markdown.js";
import { addressOf, pagesOf, translationOf } from "../../../scripts/docs-site/navigation.js";

/** How Markdown becomes a page of the documentation. */

const markdown = createMarkdown();
const render = (text: string, path = "guides/refunds") => markdown.render(text, { page: { filePathStem: `/${path}` } });

describe("a link", () => {
  it.each([
    ["clock.md", "clock.html"],
    ["../service/README.md", "../service/index.html"],
    ["../README.md#begin-here", "../index.html#begin-here"],
    ["#steps", "#steps"],
    ["https://example.com/a.md", "https://example.com/a.md"],
  ])("to %s leads to %s", (written, expected) => {
    expect(render(`[text](${written})`)).toBe(`<p><a href="${expected}">text</a></p>\n`);
  });

  it("to a file that is not in the site becomes its text", () => {
    expect(render("See [the **shop**](../../examples/shop/README.md) now.")).toBe(
      "<p>See the <strong>shop</strong> now.</p>\n",
    );
    expect(render("[README](../README.md)", "LIMITS")).toBe("<p>README</p>\n");
  });
});

describe("a heading", () => {
  it.each([
    ["## `qa-pay serve`", "qa-pay-serve"],
    ["### charge.paid", "chargepaid"],
    ["## O que é assinado", "o-que-é-assinado"],
  ])("%s has the anchor %s", (written, id) => {
    expect(render(written)).toContain(` id="${id}"`);
  });

  it("that comes twice has an anchor of its own each time", () => {
    expect([...render("## Flags\n\n## Flags").matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "flags",
      "flags-1",
    ]);
  });
});

it("a sample is coloured by classes alone, and its text is escaped", () => {
  const html = render('```sh service\necho "<b>" # said\n```');
  expect(html).toContain('<span class="hljs-string">&quot;&lt;b&gt;&quot;</span>');
  expect(html).not.toContain("style=");
});

describe("the menu", () => {
  const known = new Set(["README", "guides/clock", "guides/new", "pt-br/guides/clock", "service/charges"]);

  it("has a page that no group names at the place of the star", () => {
    const group = { title: { en: "", "pt-BR": "" }, pages: ["guides/clock", "guides/*"] };
    expect(pagesOf(group, "en", known)).toEqual(["guides/clock", "guides/new"]);
    expect(pagesOf(group, "pt-BR", known)).toEqual(["pt-br/guides/clock"]);
  });

  it("leads readers of Portuguese to the English pages of a group that has no others", () => {
    const group = { title: { en: "", "pt-BR": "" }, pages: ["service/charges"], isEnglish: true as const };
    expect(pagesOf(group, "pt-BR", known)).toEqual(["service/charges"]);
  });

  it("knows the same page in the other language", () => {
    expect(translationOf("guides/clock", known)).toBe("pt-br/guides/clock");
    expect(translationOf("pt-br/guides/clock", known)).toBe("guides/clock");
    expect([translationOf("guides/new", known), addressOf("decisions/README")]).toEqual([null, "decisions/index.html"]);
  });
});
