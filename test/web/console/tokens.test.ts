import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The values that the styles of the console, of the payer's pages and of the documentation are made of. */

const STYLES = "src/web/console/browser/style";
const PAYERS = ["payer", "checkout", "card"].map((name) => `src/web/checkout/browser/${name}.css`);
const DOCUMENTS = ["src/base/pages/shapes.css", "src/base/pages/page.css", "src/checks/survive/report/report.css"];
const sheet = (path: string) => readFileSync(path, "utf8");
const tokens = sheet("src/base/pages/tokens.css");

/** Each colour as its text for light and for dark. */
const COLOURS = new Map(
  [...tokens.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = "", light, dark, both = ""]) => [name, { light: light ?? both, dark: dark ?? both }],
  ),
);

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ["page", "surface", "sunken", "raised"];
const STATES = ["good", "bad", "warn", "wait", "over", "own"];

/** Colours, their backgrounds, and the contrast that they need. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...["text", "text-2", "muted", "accent"].flatMap((name) => SURFACES.map((on) => [name, on, 4.5] as const)),
  ...["page", "surface"].map((on) => ["line-strong", on, 3] as const),
  ...STATES.map((name) => [name, `${name}-fill`, 4.5] as const),
  ["accent", "accent-tint", 4.5],
  ["on-fill", "accent-fill", 4.5],
  ["on-fill", "danger-fill", 4.5],
];

describe("the tokens", () => {
  it.each(PAIRS)("%s on %s has a contrast of %d at least, in light and dark", (name, on, least) => {
    for (const scheme of ["light", "dark"] as const) {
      const [one = "", other = ""] = [name, on].map((each) => COLOURS.get(each)?.[scheme]);
      expect(contrast(one, other), scheme).toBeGreaterThanOrEqual(least);
    }
  });

  it("are six sizes of type and seven distances", () => {
    expect(tokens.match(/--type-\d: [\d.]+rem/g)).toHaveLength(6);
    expect(tokens.match(/--space-\d: \d+px/g)).toHaveLength(7);
  });

  it("are there under each name that a style uses", () => {
    const console = readdirSync(STYLES).map((file) => `${STYLES}/${file}`);
    const styles = [tokens, ...[...console, ...PAYERS, ...DOCUMENTS].map(sheet)];
    const known = new Set(styles.flatMap((style) => style.match(/--[\w-]+(?=:)/g) ?? []));
    const used = styles.flatMap((style) => [...style.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name));
    expect(used.length).toBeGreaterThan(100);
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
  });

  it.each([...PAYERS, ...DOCUMENTS])("are given no second value by %s", (path) => {
    const own =
      sheet(path)
        .replace(/@media print \{[\s\S]*/, "")
        .match(/--[\w-]+(?=:)/g) ?? [];
    const colours = own.filter((name) => COLOURS.has(name.slice(2)));
    expect(colours).toEqual([]);
  });

  it("are the colours of the payer's pages, which have none of their own", () => {
    expect(sheet("src/web/checkout/browser/payer.css").match(/#[\da-f]{6}\b/g)).toBeNull();
  });
});
