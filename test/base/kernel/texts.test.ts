import { describe, expect, it } from "vitest";
import { fill } from "../../../src/base/kernel/message.js";
import steps from "../../../src/checks/survive/texts.json" with { type: "json" };
import checkoutEn from "../../../src/web/checkout/texts/en.json" with { type: "json" };
import checkoutPt from "../../../src/web/checkout/texts/pt-BR.json" with { type: "json" };
import { en, pt } from "../../../src/web/console/browser/texts/index.js";

/** The files of texts, for translators (docs/decisions/095-texts-in-files.md). */

type Texts = { readonly [key: string]: string | Texts | readonly string[] };

/** Each text by its path, such as `charges.empty`. */
function textsOf(texts: Texts, path: readonly string[] = []): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [[[...path, key].join("."), text]] : textsOf({ ...text } as Texts, [...path, key]),
  );
}

/** The values that a text names; the branches of a plural stand in braces too, and are none. */
function namesOf(text: string): ReadonlySet<string> {
  const named = text.replace(/(=\d+|other) \{/g, "").matchAll(/\{(\w+)[,:}]/g);
  return new Set([...named].map(([, name = ""]) => name));
}

const CATALOGUES = [
  ["console", textsOf(en), textsOf(pt)],
  ["checkout", textsOf(checkoutEn), textsOf(checkoutPt)],
  ["steps of survive", textsOf(steps), textsOf(pt.survive_steps)],
] as const;

describe.each(CATALOGUES)("each text of the %s", (_name, english, portuguese) => {
  it("names the same values in Portuguese", () => {
    const others = new Map(portuguese);
    for (const [path, text] of english) expect([path, namesOf(others.get(path) ?? "")]).toEqual([path, namesOf(text)]);
  });

  it("can be filled with its values", () => {
    for (const [path, text] of [...english, ...portuguese]) {
      const values = Object.fromEntries([...namesOf(text)].map((name) => [name, 2]));
      const lists = Object.fromEntries([...text.matchAll(/\{(\w+):(?:entries|list)\}/g)].map(([, name]) => [name, []]));
      expect(fill(text, { ...values, ...lists, currency: "BRL" }), path).not.toMatch(/[{}[\]]|plural/);
    }
  });
});
