import { expect, it } from "vitest";
import { ambientUses } from "./ambient.js";
import { typeAssertions } from "./assertions.js";
import { silentFunctions } from "./comments.js";
import { longTitles } from "./commit-titles.js";
import { shapelessDecisions } from "./decisions.js";
import { stalePaths, unnamedFolders } from "./documents.js";
import { namedLanguages } from "./languages.js";
import { clientStartUp, emptyFolders, layering } from "./layers.js";
import { laterMarks } from "./leftovers.js";
import { writtenPrefixes } from "./prefixes.js";
import { deadReferences, vagueReferences } from "./references.js";
import { treeOf, type Violation } from "./tree.js";
import { impatientReadings, shortWaits } from "./waiting.js";

type Rule = (tree: ReturnType<typeof treeOf>) => Violation[];

const SAMPLE = "src/base/kernel/sample.ts";

/** The violations that a rule finds in made-up files, as `path:line problem`. A text is the one file `SAMPLE`. */
function found(rule: Rule, files: string | Readonly<Record<string, string>>): string[] {
  const tree = treeOf(typeof files === "string" ? { [SAMPLE]: files } : files);
  return rule(tree).map(({ path, line, problem }) => `${path}:${line} ${problem}`);
}

const lines = (count: number) => "\n".repeat(count);
const MARK = ["TO", "DO"].join("");
const PAGE = { "docs/service/charges.md": "# Charges\n\n## The charge's code (Pix)\n\n```\n# no heading\n```\n" };
const NAMED = {
  "CONTRIBUTING.md": "",
  "src/README.md": "",
  "src/base/db/open.ts": "",
  "src/service/features/a/machine.ts": "",
};
const PATHS =
  "`src/base/db/open.ts:12` `src/base/db/` `src/service/features/*/machine.ts` `src/service/features/<noun>/{machine,rules}.ts` `npm test`";
const DECISION = "# Title\n\n**Question.** a\n\n**Decided.**\n\n- b\n\n**Why.** c\n\n**Rejected.** d\n";
const decision = (text: string, name = "001-a.md") => ({
  "docs/decisions/README.md": "- [001 Title](001-a.md)\n- [001 Title](001-b.md)\n",
  [`docs/decisions/${name}`]: text,
});
const PARTS = "Question, Decided, Why, Rejected";
const WAITING = [
  "expect(await page.locator('a').count()).toBe(2);",
  "expect(await dialog.innerText(), 'why').not.toContain('b');",
  "await expect.poll(() => dialog.innerText()).toContain('b');",
  "expect(await readCase(id)).toBe(1); expect(rows.count()).toBe(1);",
].join("\n");
const WAY = "in client commands: src/programs/cli/main.ts → src/programs/cli/commands/a.ts → src/service/features/x.ts";

/** Examples that each rule lets pass, and others that it finds. */
const CASES: readonly [rule: Rule, what: string, files: Parameters<typeof found>[1], finds: readonly string[]][] = [
  [
    silentFunctions,
    "long functions that are exported without a comment",
    `export function a() {${lines(19)}}\n/** Why. */\nexport function b() {${lines(19)}}\n// Why.\nexport async function c() {${lines(19)}}
function d() {${lines(19)}}\nexport function e() {${lines(18)}}\nexport function f(): void;`,
    [`${SAMPLE}:1 exports function a of 20 lines without a comment`],
  ],
  [
    typeAssertions,
    "type assertions, but not `as const`",
    "const a = b as unknown as c;\n<d>e; f as const; g as h;\ni as j;\nk as l;",
    [`${SAMPLE}:4 has 6 type assertions, more than 5`, "src:1 has 6 type assertions, more than one in 500 lines"],
  ],
  [
    typeAssertions,
    "JSON whose type nobody checks, but not what is unknown",
    [
      "const a: A = JSON.parse(t); let b: unknown; b = JSON.parse(t); const c: unknown = JSON.parse(t); d(JSON.parse(t));",
      "const e = JSON.parse(t); let f: A; f = JSON.parse(t); JSON.parse(t).a; const g = (): unknown => JSON.parse(t);",
      "function h(): A { return JSON.parse(t); }",
      "const i = (): A => JSON.parse(t);",
    ].join("\n"),
    [`${SAMPLE}:4 has 6 type assertions, more than 5`, "src:1 has 6 type assertions, more than one in 500 lines"],
  ],
  [
    clientStartUp,
    "what client commands load, over any number of files",
    {
      "src/programs/cli/main.ts":
        'import "./tree/command-tree.js"; import("./commands/a.js"); import("../start/emulator.js");',
      "src/programs/cli/tree/command-tree.ts": 'import "../../../api/registry.js";',
      "src/programs/cli/commands/a.ts": 'import "../../../service/features/x.js";',
      "src/service/features/x.ts":
        'import { z } from "zod";\nimport type { D } from "../../base/db/d.js";\nimport "../../api/http/h.js";',
      "src/base/db/d.ts": "",
      "src/api/http/h.ts": "",
      "src/api/registry.ts": 'import "zod";',
      "src/programs/start/emulator.ts": 'import "zod";',
    },
    [`src/service/features/x.ts:1 loads zod ${WAY}`, `src/service/features/x.ts:3 loads ../../api/http/h.js ${WAY}`],
  ],
  [
    unnamedFolders,
    "folders of src that its overview lacks, and groups without a heading",
    {
      "src/README.md": "| Group | Folders |\n| `base` | `kernel` |\n| `web` | `checkout` |",
      "src/base/attic/x.ts": "",
      "src/base/kernel/k.ts": "",
      "docs/ARCHITECTURE.md": "### `src/base`",
    },
    [
      "src/README.md:1 does not name the folder attic of src",
      'docs/ARCHITECTURE.md:1 has no heading "web", a group of src/README.md',
    ],
  ],
  [stalePaths, "files, folders, lines and patterns that exist", { ...NAMED, "docs/ARCHITECTURE.md": PATHS }, []],
  [
    stalePaths,
    "files that do not exist",
    {
      ...NAMED,
      "docs/ARCHITECTURE.md": "first\n`src/base/db/close.ts` and `src/d` and `src/service/features/*/gone.ts`",
    },
    ["src/base/db/close.ts", "src/d", "src/service/features/*/gone.ts"].map(
      (path) => `docs/ARCHITECTURE.md:2 names ${path}, which does not exist`,
    ),
  ],
  [
    deadReferences,
    "pages and their headings",
    {
      ...PAGE,
      "src/a.ts": "// docs/service/charges.md and docs/service/charges.md#the-charges-code-pix.",
      "docs/service/b.md": "[a](charges.md#charges) [b](../service) [c](#b) [d](https://e.test/#f)\n\n# B",
    },
    [],
  ],
  [
    deadReferences,
    "what leads nowhere, in a comment and in a document",
    {
      ...PAGE,
      "src/a.ts": "\n// docs/service/charge.md, docs/service/charges.md#no-heading",
      "README.md": "[a](docs/service/gone.md) [b](docs/service/charges.md#gone)",
    },
    [
      "README.md:1 points to docs/service/gone.md, which does not exist",
      "README.md:1 points to docs/service/charges.md#gone, which does not exist",
      "src/a.ts:2 points to docs/service/charge.md, which does not exist",
      "src/a.ts:2 points to docs/service/charges.md#no-heading, which does not exist",
    ],
  ],
  [
    vagueReferences,
    "sections of something that is not here",
    '/** (contract, section 4.2; decisions on charges) */\n// the contract\'s section 3\ndescribe("4.9 a key", f);',
    [`${SAMPLE}:1 says contract, section 4`, `${SAMPLE}:2 says contract's section 3`, `${SAMPLE}:3 says "4.9 a`],
  ],
  [
    vagueReferences,
    "sections of a standard, numbers and pages",
    '// RFC 6838, section 4.2.8\nf(1.5);\n/** docs/decisions/017-refunds.md: 0.5 s */\nsay("takes 1.5 s");',
    [],
  ],
  [shapelessDecisions, "a page with four parts, and the index", decision(DECISION), []],
  [
    shapelessDecisions,
    "a missing part, and a part without words",
    decision(DECISION.replace("**Why.** c\n\n", "").replace("- b\n\n", "")),
    [`docs/decisions/001-a.md:1 has the parts Question, Rejected, not ${PARTS}`],
  ],
  [
    shapelessDecisions,
    "a number that is given twice, a name of another form, and a page that the index does not list",
    { ...decision(DECISION), ...decision(DECISION, "001-b.md"), ...decision(DECISION, "2.md") },
    [
      "docs/decisions/001-b.md:1 has the number 001 of another page",
      "docs/decisions/2.md:1 is not named 042-some-words.md",
      "docs/decisions/2.md:1 is not in docs/decisions/README.md by its title",
    ],
  ],
  [
    impatientReadings,
    "expectations in a browser that read the page once",
    { "test/browser/a.test.ts": WAITING, "test/programs/cli/a.test.ts": WAITING },
    ["test/browser/a.test.ts:1 expects count() at once", "test/browser/a.test.ts:2 expects innerText() at once"],
  ],
  [
    shortWaits,
    "waits without a limit of their own",
    {
      "test/a.test.ts":
        "await vi.waitFor(() => f(), PATIENCE);\nawait vi.waitFor(() => f());\nawait receiver.waitFor(1);",
    },
    ["test/a.test.ts:2 waits for one second at most"],
  ],
  [
    writtenPrefixes,
    "prefixes of ids, and not words that end like one",
    {
      [SAMPLE]: "const a = 'ch_' + id, b = 'ch_…';\n" + `const c = \`reward_\${id}\`;\nconst d = \`a wd_\${id}\`;`,
      "src/service/webhooks/sign.ts": "const a = 'wd_' + id;",
    },
    [`${SAMPLE}:1 writes ch_`, `${SAMPLE}:3 writes wd_`],
  ],
  [
    namedLanguages,
    "comparisons, tables and lists with a language, and not the language of a text",
    {
      [SAMPLE]: [
        'const a = b === "en" ? 1 : 2;\nif ("pt-BR" !== b) c();\nconst d = { "pt-BR": 1 };\nconst e = { en: 1 };',
        'const f = ["en", "de"];\nswitch (b) {\n  case "pt":\n}',
        'const g = { lang: "en" }; h("pt-BR"); const i = b === "de" || b === ENGLISH ? "en" : i.en;',
      ].join("\n"),
      "src/base/kernel/language.ts": 'const a = ["en"];',
      "src/web/checkout/texts/languages.ts": "const a = { en };\nconst b = { en: 1 };",
      "scripts/docs-site/page.ts": 'const a = b == "en";',
      "test/a.test.ts": 'const a = b === "en";',
    },
    [
      "scripts/docs-site/page.ts:1 knows the language en",
      ...[1, 2, 3, 4, 5, 7].map(
        (line) => `${SAMPLE}:${line} knows the language ${{ 2: "pt-BR", 3: "pt-BR", 7: "pt" }[line] ?? "en"}`,
      ),
    ],
  ],
  [
    laterMarks,
    "marks of unfinished work, and not words that contain one",
    `// ${MARK}: more\nconst ${MARK}S = 1;\ntest.${MARK.toLowerCase()}("more");`,
    [`${SAMPLE}:1 says ${MARK}`, `${SAMPLE}:3 says .${MARK.toLowerCase()}(`],
  ],
];

it.each(CASES.map(([rule, what, files, finds]) => [rule.name, what, rule, files, finds] as const))(
  "%s: %s",
  (_name, _what, rule, files, finds) => {
    expect(found(rule, files)).toEqual(finds);
  },
);

it("emptyFolders: a folder that no file is in", () => {
  const folders = found(emptyFolders, "").map((fault) => fault.split(":")[0]);
  expect(folders).toContain("src/base/pix");
  expect(folders).not.toContain("src/base/kernel");
});

const RULES = ["wallets", "refunds"].flatMap((noun) =>
  ["actions", "machine", "store"].map((name) => `src/service/features/${noun}/${name}.ts`),
);
const TARGETS = [
  "src/base/kernel/k.ts",
  "src/base/db/open.ts",
  "src/api/registry.ts",
  "src/programs/cli/terminal/io.ts",
  ...RULES,
];

it.each<[what: string, path: string, fine: readonly string[], refused: readonly string[]]>([
  [
    "a folder imports from itself and from those before it, types included",
    "src/base/db/x.ts",
    ['import "./open.js";', 'import "../kernel/k.js";'],
    [
      'import type { A } from "../../service/features/refunds/actions.js";',
      'await import("../../programs/cli/terminal/io.js");',
    ],
  ],
  ["and not from a later one of its group", "src/base/kernel/x.ts", [], ['import "../db/open.js";']],
  ["a folder outside the groups is refused", "src/base/attic/x.ts", [], ['import "../kernel/k.js";']],
  [
    "machines are pure",
    "src/service/features/refunds/machine.ts",
    ['import type { S } from "./store.js";'],
    ['import "./actions.js";'],
  ],
  [
    "no server in commands",
    "src/programs/cli/x.ts",
    ['import type { R } from "../../api/registry.js";'],
    ['import "../../base/db/open.js";'],
  ],
  [
    "features import actions, machines and types of each other",
    "src/service/features/refunds/actions.ts",
    [
      'import "../wallets/actions.js"; import "../wallets/machine.js";',
      'import type { B } from "../wallets/store.js";',
    ],
    ['import { b } from "../wallets/store.js";'],
  ],
  [
    "a feature imports from those before it, types included",
    "src/service/features/wallets/actions.ts",
    ['import "./machine.js";'],
    ['import "../refunds/actions.js";', 'import type { R } from "../refunds/store.js";'],
  ],
  [
    "what is put together from all nouns imports none of them by name",
    "src/programs/start/x.ts",
    ['import "../../service/features/index.js";', 'import "../../service/features/wallets/actions.js";'],
    [
      'import "../../service/features/refunds/actions.js";',
      'import type { R } from "../../service/features/refunds/store.js";',
    ],
  ],
  ["a feature without a place is refused", "src/service/features/attic/x.ts", [], ['import "../wallets/actions.js";']],
])("layering: %s", (_what, path, fine, refused) => {
  const imports = [...fine, ...refused];
  const files = Object.fromEntries(TARGETS.map((one) => [one, ""]));
  const wrong = layering(treeOf({ ...files, [path]: imports.join("\n") })).map(({ line }) => imports[line - 1]);
  expect(wrong).toEqual(refused);
});

it("ambientUses: time, chance, network and environment that nobody passed in", () => {
  const taken: Readonly<Record<string, readonly string[]>> = {
    "Date.now(); new Date(); new Date(5);": ["uses Date.now", "reads the real clock with Date"],
    "import { randomUUID as id } from 'node:crypto'; id(); Math.random();": ["uses randomUUID", "uses Math.random"],
    "performance.now(); console.log(1);": ["uses performance", "uses console"],
    "setTimeout(() => 1, 5); AbortSignal.timeout(5); fetch('x');": [
      ...["uses setTimeout", "uses AbortSignal.timeout", "uses fetch"],
    ],
    "process.env.HOME; process.platform; const { argv } = process;": ["uses process.env", "uses process"],
    "export const f = (fetch: () => void, r: { setTimeout(): void }) => [fetch(), r.setTimeout()];": [],
    "export interface Io { fetch: typeof fetch; timer: ReturnType<typeof setTimeout>; now: Date }": [],
  };
  const files = Object.keys(taken).map((text, index) => [`src/sample-${index}.ts`, `${text} export {};`]);
  const seen = ambientUses(treeOf(Object.fromEntries(files))).map(({ path, problem }) => `${path} ${problem}`);
  const wanted = Object.values(taken).flatMap((problems, index) =>
    problems.map((one) => `src/sample-${index}.ts ${one}`),
  );
  expect(seen.toSorted()).toEqual(wanted.toSorted());
});

it("ambientUses: real time and chance are taken where a service or a command is put together", () => {
  const files = {
    "src/base/platform/real-runtime.ts": "export const [realTime, realWaiting, createRuntime, createIds] = [];",
    "src/programs/start/core.ts":
      'import { createRuntime } from "../../base/platform/real-runtime.js"; createRuntime();',
    "src/emulator/sandbox/a.ts": 'import { createIds } from "../../base/platform/real-runtime.js"; createIds();',
    "src/emulator/sandbox/b.ts":
      'import type { realTime } from "../../base/platform/real-runtime.js"; export type R = typeof realTime;',
    "src/emulator/sandbox/c.ts": 'import { realTime } from "../../base/platform/real-runtime.js"; realTime();',
    "src/programs/cli/commands/d.ts":
      'const { realWaiting } = await import("../../../base/platform/real-runtime.js"); realWaiting();',
  };
  expect(found(ambientUses, files)).toEqual([
    "src/emulator/sandbox/c.ts:1 takes realTime",
    "src/programs/cli/commands/d.ts:1 takes realWaiting",
  ]);
});

it("a title of 91 characters is too long", () => {
  const commits = `aaa ${"a".repeat(90)}\nbbb ${"b".repeat(91)}`;
  expect(longTitles(commits)).toEqual(["bbb has a title of 91 characters, more than 90"]);
  expect(longTitles("")).toEqual([]);
});
