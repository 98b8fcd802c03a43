import ts from "typescript";
import { describe, expect, it } from "vitest";
import { type TextModule, textModule, textModules, textsOf, withoutTexts } from "../../scripts/files-per-language.js";

/** How the build puts the texts of the console into files for each language. */

const SOURCE = `
import { texts } from "../../state/language.js";
import { perLanguage } from "../../words/per-language.js";

export const words = texts(
  { title: "Payouts", count: (count: number) => (count === 1 ? "one" : \`\${count} of them\`) },
  { title: "Saques", count: (count) => (count === 1 ? "um" : \`\${count} deles\`) },
);
export const rules = perLanguage<readonly RegExp[]>([/^a request$/], [/^uma requisição$/]);
export const page = () => <h1>{words.value.title}</h1>;
`;

const module = (source: string) => textModule("/pages/payouts/index.tsx", source);

/** The texts of a module as its file in one language has them. */
function fileOf(one: TextModule, language: "en" | "pt-BR"): Record<string, unknown> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const code = ts.transpileModule(textsOf([one], language), { compilerOptions }).outputText;
  const exported: { exports: { texts?: Record<string, unknown> } } = { exports: {} };
  new Function("module", "exports", code)(exported, exported.exports);
  return exported.exports.texts ?? {};
}

describe("the texts of the console in the build", () => {
  it("are in no module that shows them", () => {
    const left = withoutTexts(module(SOURCE), "payments");
    expect(left).not.toMatch(/Payouts|Saques|of them|deles|requisição|a request/);
    expect(left).toContain("words = inLanguageOfPage(textsIn(");
    expect(left).toContain("rules = textsIn(");
    expect(left).toContain("<h1>{words.value.title}</h1>");
    expect(left).toContain('import "text-files:payments";');
  });

  it("are in the file of their language, with their functions and patterns", () => {
    const [en, pt] = [Object.values(fileOf(module(SOURCE), "en")), Object.values(fileOf(module(SOURCE), "pt-BR"))];
    expect(en).toEqual([{ title: "Payouts", count: expect.any(Function) }, [/^a request$/]]);
    expect(pt).toEqual([{ title: "Saques", count: expect.any(Function) }, [/^uma requisição$/]]);
    const counted = [en, pt].map(([words]) => (words as { count: (count: number) => string }).count(2));
    expect(counted).toEqual(["2 of them", "2 deles"]);
  });

  it("may name nothing that stands outside of them, because their file would not find it", () => {
    const source = 'const shop = "QA";\nexport const words = texts({ name: shop }, { name: "QA" });';
    expect(() => module(source)).toThrow("shop");
  });

  it("are found in all modules of the console, in both languages", () => {
    const modules = textModules();
    expect(modules.length).toBeGreaterThan(40);
    for (const one of modules) {
      expect(Object.keys(fileOf(one, "en")), one.path).toEqual(Object.keys(fileOf(one, "pt-BR")));
      expect(withoutTexts(one, "shell"), one.path).not.toMatch(/\b(?:texts|perLanguage)(?:<[^(]*>)?\(\s*[[{"]/);
    }
  });
});
