import { describe, expect, it } from "vitest";
import { createMarkdown } from "../../../scripts/docs-site/markdown.js";
import { addressOf, pageElsewhere, pagesOf } from "../../../scripts/docs-site/navigation.js";
import { movedHtml, pageHtml } from "../../../scripts/docs-site/page.js";
import { searchedSections } from "../../../scripts/docs-site/sections.js";

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

describe("sections with names of languages", () => {
  const text =
    "## Start\n\n### Node\n\n<details><summary>a.mjs</summary>\n\n    a\n\n</details>\n\n### Go\n\nb\n\n## End\n\n### Go\n\nc";
  const html = render(text);

  it("that follow one another are a choice of one, the first at the start", () => {
    const buttons = [
      ...html.matchAll(/<input type="radio" name="choice-0" id="choose-(\S+)" value="(\w+)"( checked)?>/g),
    ];
    expect(buttons.map(([, id, name, checked]) => [id, name, checked !== undefined])).toEqual([
      ["node", "Node", true],
      ["go", "Go", false],
    ]);
    expect(html.match(/<section><h3 id="(?:node|go)">/g)).toHaveLength(2);
    expect(html).toMatch(/<\/section><\/fieldset>\s*<h2 id="end">/);
    expect(html).toContain("<legend>Language of the code</legend>");
    expect(render(text, "pt-br/guides/refunds")).toContain("<legend>Linguagem do código</legend>");
  });

  it("show code that is folded in the file", () => {
    expect(html).not.toContain("<details>");
    expect(render("<details><summary>a</summary>\n\nb\n\n</details>")).toContain("<details>");
  });

  it("are no choice where one stands alone", () => {
    expect(html.match(/<fieldset/g)).toHaveLength(1);
    expect(html).toContain('<h3 id="go-1">Go</h3>\n<p>c</p>');
  });

  it("are found by the title above the choice", () => {
    const titles = searchedSections(new Map([["guides/a", `# A\n\n${text}`]]), "en").map(({ title }) => title);
    expect(titles).toEqual(["A", "Start", "Start: Node", "Start: Go", "End", "Go"]);
  });
});

it("an old address leads to the section that has its content, in its language and without a script", () => {
  const titles = new Map([["pt-br/guides/webhooks", "Receba <webhooks>"]]);
  const html = movedHtml({ titles, version: "1" }, "pt-br/guides/webhooks-go", "pt-br/guides/webhooks#go");
  expect(html).toContain('<html lang="pt-BR">');
  expect(html).toContain('<meta http-equiv="refresh" content="0; url=webhooks.html#go">');
  expect(html).toContain('<a href="webhooks.html#go">Receba &lt;webhooks&gt;</a>');
  expect(html).not.toContain("<script");
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
