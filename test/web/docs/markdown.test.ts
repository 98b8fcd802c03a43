import { describe, expect, it } from "vitest";
import { createMarkdown } from "../../../scripts/docs-site/markdown.js";
import { addressOf, pageElsewhere, pagesOf } from "../../../scripts/docs-site/navigation.js";
import { pageHtml } from "../../../scripts/docs-site/page.js";

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
    const group = { title: "start", pages: ["guides/clock", "guides/*"] } as const;
    expect(pagesOf(group, "en", known)).toEqual(["guides/clock", "guides/new"]);
  });

  it("leads readers of another language to the English page that has no translation", () => {
    const group = { title: "start", pages: ["guides/clock", "guides/*", "service/charges"] } as const;
    expect(pagesOf(group, "pt-BR", known)).toEqual(["pt-br/guides/clock", "guides/new", "service/charges"]);
  });

  const titles = new Map([
    ["README", "Documentation"],
    ["pt-br/README", "Documentação"],
    ["guides/quick-start", "Quick start"],
    ["service/README", "Rules"],
  ]);
  const page = (path: string) => pageHtml({ titles, version: "1" }, path, "<h1>Title</h1>");

  it("says which pages are in English only, and of a group that all are", () => {
    const portuguese = page("pt-br/README");
    expect(portuguese).toContain(">Comece aqui</summary>");
    expect(portuguese).toContain('<a href="../guides/quick-start.html" lang="en">Quick start</a> (em inglês)</li>');
    expect(portuguese).toContain(">Regras do serviço (em inglês)</summary>");
    expect(portuguese).toContain('<a href="../service/index.html" lang="en">Rules</a></li>');
    expect(page("README")).not.toMatch(/<li><a[^>]* lang=|\(in English\)/);
  });

  it("links to the same page in another language, else to the first one", () => {
    const all = new Set([...known, "pt-br/README"]);
    expect(pageElsewhere("guides/clock", "pt-BR", all)).toBe("pt-br/guides/clock");
    expect(pageElsewhere("pt-br/guides/clock", "en", all)).toBe("guides/clock");
    expect(pageElsewhere("guides/new", "pt-BR", all)).toBe("pt-br/README");
    expect(addressOf("decisions/README")).toBe("decisions/index.html");
    expect(page("service/README")).toContain('hreflang="pt-BR" href="../pt-br/index.html">Português</a>');
  });

  it("offers no language that has no first page", () => {
    expect(pageElsewhere("guides/new", "pt-BR", known)).toBeNull();
    const english = new Map([["README", "Documentation"]]);
    expect(pageHtml({ titles: english, version: "1" }, "README", "")).not.toContain("hreflang");
  });
});
