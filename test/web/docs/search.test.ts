import { describe, expect, it } from "vitest";
import { readPages } from "../../../scripts/docs-site/read-pages.js";
import { searchedSections } from "../../../scripts/docs-site/sections.js";
import type { Language } from "../../../src/base/kernel/language.js";
import { searchIn } from "../../../src/web/docs/browser/search.js";

/** The search of the documentation, over the pages as they are: words of readers, and the section that comes first. */

const pages = await readPages();

const EXPECTED: Readonly<Record<Language, readonly (readonly [wanted: string, first: string])[]>> = {
  en: [
    ["timestamp ahead", "guides/webhooks.html#the-timestamp-is-old-or-ahead"],
    ["stale_timestamp", "guides/webhooks.html#the-timestamp-is-old-or-ahead"],
    ["clock", "guides/clock.html"],
    ["half refund", "guides/refunds.html#ask-for-the-refund"],
    ["partial refund", "guides/refunds.html#ask-for-the-refund"],
    ["no compiler", "guides/faq.html#does-it-need-a-compiler"],
    ["node-gyp", "guides/faq.html#does-it-need-a-compiler"],
    ["fake timers", "guides/test-kit.html#fake-timers"],
    ["receiver go", "guides/webhooks.html#go"],
    ["python receiver", "guides/webhooks.html#python"],
    ["verifyWebhook", "guides/webhooks.html#verifywebhook"],
    ["order unpaid", "guides/why.html"],
    ["idempotency", "service/idempotency.html"],
  ],
  "pt-BR": [
    ["timestamp adiantado", "pt-br/guides/webhooks.html#o-timestamp-é-velho-ou-está-adiantado"],
    ["relógio", "pt-br/guides/clock.html"],
    ["relogio", "pt-br/guides/clock.html"],
    ["meio reembolso", "pt-br/guides/refunds.html#peça-a-devolução"],
    ["meia devolução", "pt-br/guides/refunds.html#peça-a-devolução"],
    ["devolução parcial", "pt-br/guides/refunds.html#peça-a-devolução"],
    ["sem compilador", "pt-br/guides/faq.html#é-preciso-um-compilador"],
    ["fake timers", "pt-br/guides/test-kit.html#timers-falsos"],
    ["timestamp ahead", "pt-br/guides/webhooks.html#o-timestamp-é-velho-ou-está-adiantado"],
    ["clock", "pt-br/guides/clock.html"],
    ["half refund", "pt-br/guides/refunds.html#peça-a-devolução"],
    ["partial refund", "pt-br/guides/refunds.html#peça-a-devolução"],
    ["no compiler", "pt-br/guides/faq.html#é-preciso-um-compilador"],
    ["node-gyp", "pt-br/guides/faq.html#é-preciso-um-compilador"],
    ["timers falsos", "pt-br/guides/test-kit.html#timers-falsos"],
    ["python receiver", "pt-br/guides/webhooks.html#python"],
    ["order unpaid", "pt-br/guides/why.html"],
    ["receptor python", "pt-br/guides/webhooks.html#python"],
    ["pedido não pago", "pt-br/guides/why.html"],
  ],
};

describe.each(Object.entries(EXPECTED))("the search in %s", (language, expected) => {
  const search = searchIn(searchedSections(pages, language as Language));

  it.each(expected)("%s first finds %s", (wanted, first) => {
    expect(search(wanted).map(({ section }) => section.id)[0]).toBe(first);
  });
});

describe("the search", () => {
  const section = (id: string, text: string) => ({ id, page: "Page", title: "Title", text });
  const search = searchIn([section("one", "a partial amount"), section("two", "another text")]);

  it("finds a section by another word for the same", () => {
    expect(search("half").map(({ section: { id }, terms }) => [id, terms])).toEqual([["one", ["partial"]]]);
  });

  it("finds what has some of the words where nothing has all of them", () => {
    expect(
      search("another half")
        .map(({ section: { id } }) => id)
        .sort(),
    ).toEqual(["one", "two"]);
    expect(search("zzzzzz")).toEqual([]);
  });
});
