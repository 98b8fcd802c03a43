import { describe, expect, it } from "vitest";
import { ambientUses } from "./ambient.js";
import { shapelessDecisions } from "./decisions.js";
import { stalePaths } from "./documents.js";
import { clientStartUp, layering } from "./layers.js";
import { deadFiles, laterMarks, switchedOffTests } from "./leftovers.js";
import { deadReferences, vagueReferences } from "./references.js";
import { longFiles, longFunctions } from "./size.js";
import { treeOf, type Violation } from "./tree.js";

type Rule = (tree: ReturnType<typeof treeOf>) => Violation[];

/** The violations that a rule finds in made-up files, as `path:line problem`. */
function found(rule: Rule, files: Record<string, string>): string[] {
  return rule(treeOf(files)).map(({ path, line, problem }) => `${path}:${line} ${problem}`);
}

/** The problems that a rule finds in one made-up source file. */
function problemsIn(rule: Rule, text: string, path = "src/kernel/sample.ts"): string[] {
  return rule(treeOf({ [path]: text })).map(({ line, problem }) => `${line} ${problem}`);
}

describe("size", () => {
  it("counts the lines of a file", () => {
    expect(problemsIn(longFiles, "export {};\n".repeat(400))).toEqual([]);
    expect(problemsIn(longFiles, "export {};\n".repeat(401))).toEqual(["401 has 401 lines, more than 400"]);
  });

  it("counts the lines of functions of every kind, and not those of the comment above", () => {
    const body = "\n".repeat(60);
    expect(problemsIn(longFunctions, `/**${body}*/\nexport function f() {${"\n".repeat(59)}}`)).toEqual([]);
    const text = `function f() {${body}}; const g = () => {${body}}; class C { m() {${body}} constructor() {${body}} }`;
    const names = ["function f", "function g", "function m", "the constructor"];
    expect(problemsIn(longFunctions, text).map((problem) => problem.replace(/^\d+ | has.*/g, ""))).toEqual(names);
  });
});

describe("layers", () => {
  /** The imports that break a rule when `path` holds them, in a tree where their targets exist. */
  function refused(path: string, imports: readonly string[]): string[] {
    const targets = [
      "src/kernel/k.ts",
      "src/pix/p.ts",
      "src/db/open.ts",
      "src/registry.ts",
      "src/emulator.ts",
      "src/cli/terminal/io.ts",
    ];
    const features = ["actions", "machine", "store", "rules", "wire-a"].flatMap((name) => [
      `src/features/a/${name}.ts`,
      `src/features/b/${name}.ts`,
    ]);
    const files = Object.fromEntries([...targets, ...features].map((target) => [target, ""]));
    const lines = layering(treeOf({ ...files, [path]: imports.join("\n") })).map(({ line }) => line);
    return imports.filter((_, index) => lines.includes(index + 1));
  }

  it("does not let kernel and pix import the layers above them", () => {
    const up = 'import type { A } from "../features/a/rules.js";';
    expect(refused("src/kernel/x.ts", ['import "./k.js";', 'import "zod";', up])).toEqual([up]);
    expect(refused("src/pix/x.ts", ['import "./p.js";', 'import "../kernel/k.js";', up])).toEqual([up]);
    expect(refused("src/kernel/x.ts", ['export * from "../pix/p.js";'])).toHaveLength(1);
  });

  it("keeps machine, rules, events and wire files pure", () => {
    const fine = [
      'import { w } from "./wire-a.js";',
      'import "../../pix/p.js";',
      'import type { S } from "./store.js";',
      'import "../b/machine.js";',
    ];
    const bad = [
      'import { type S } from "./store.js";',
      'import "./actions.js";',
      'export { x } from "../b/rules.js";',
    ];
    expect(refused("src/features/a/machine.ts", [...fine, ...bad])).toEqual(bad);
    expect(refused("src/features/a/wire-x.ts", [...fine, ...bad])).toEqual(bad);
    expect(refused("src/features/a/operations/x.ts", ['import "../actions.js";', 'import "../store.js";'])).toEqual([]);
  });

  it("allows one module to import the SQLite drivers", () => {
    const all = [
      'import type D from "better-sqlite3";',
      'const a = require("better-sqlite3");',
      'await import("node:sqlite");',
      'import "@photostructure/sqlite";',
    ];
    expect(refused("src/db/unit-of-work.ts", all)).toEqual(all);
    expect(refused("src/db/load-driver.ts", all)).toEqual([]);
  });

  it("keeps the commands out of everything but the command line", () => {
    const all = ['import type { Io } from "../cli/terminal/io.js";', 'await import("../cli/terminal/io.js");'];
    expect(refused("src/receiver-check/x.ts", all)).toEqual(all);
    expect(refused("src/cli/target/x.ts", ['import { Io } from "../terminal/io.js";'])).toEqual([]);
  });

  it("keeps the server out of cli and client", () => {
    const fine = ['import type { R } from "../registry.js";', 'await import("../emulator.js");'];
    const bad = ['import { r } from "../registry.js";', 'export * from "../db/open.js";'];
    expect(refused("src/cli/x.ts", [...fine, ...bad])).toEqual(bad);
    expect(refused("src/client/x.ts", [...fine, ...bad])).toEqual(bad);
    expect(refused("src/cli/tree/command-tree.ts", ['import { r } from "../../registry.js";'])).toEqual([]);
  });

  it("lets features import only actions, machines and types of each other", () => {
    const fine = [
      'import "../b/actions.js"; import "../b/machine.js";',
      'import type { B } from "../b/store.js";',
      'import "./store.js";',
    ];
    const bad = ['import { b } from "../b/store.js";', 'await import("../b/rules.js");'];
    expect(refused("src/features/a/actions.ts", [...fine, ...bad])).toEqual(bad);
  });

  it("follows the imports of client commands, over any number of files", () => {
    const files = {
      "src/cli/main.ts": 'import "./tree/command-tree.js"; import("./commands/a.js"); import("../emulator.js");',
      "src/cli/tree/command-tree.ts": 'import "../../registry.js";',
      "src/cli/commands/a.ts": 'import "../../features/x.js";',
      "src/features/x.ts": 'import { z } from "zod";\nimport type { D } from "../db/d.js";\nimport "../http/h.js";',
      "src/db/d.ts": "",
      "src/http/h.ts": "",
      "src/registry.ts": 'import "zod";',
      "src/emulator.ts": 'import "zod";',
    };
    const way = "in client commands: src/cli/main.ts → src/cli/commands/a.ts → src/features/x.ts";
    expect(found(clientStartUp, files)).toEqual(expect.arrayContaining([`src/features/x.ts:1 loads zod ${way}`]));
    expect(found(clientStartUp, files)).toContain(`src/features/x.ts:3 loads ../http/h.js ${way}`);
    expect(found(clientStartUp, files)).toHaveLength(2);
  });
});

describe("the real world", () => {
  const uses: [text: string, problems: string[]][] = [
    [
      "Date.now(); new Date(); Date();",
      ["uses Date.now", "reads the real clock with Date", "reads the real clock with Date"],
    ],
    ["new Date(5); Date.UTC(2026, 1); new Date('2026-01-01') instanceof Date;", []],
    ["Math.random(); Math.floor(1);", ["uses Math.random"]],
    ["import { randomUUID as id } from 'node:crypto'; id();", ["uses randomUUID"]],
    ["import * as c from 'node:crypto'; c.randomBytes(4); c.createHash('sha256');", ["uses randomBytes"]],
    ["crypto.randomUUID(); crypto.getRandomValues(new Uint8Array(1));", ["uses randomUUID", "uses getRandomValues"]],
    ["performance.now(); console.log(1);", ["uses performance", "uses console"]],
    ["setTimeout(() => 1, 5); globalThis.setInterval(() => 1, 5);", ["uses setTimeout", "uses setInterval"]],
    ["import { setTimeout as sleep } from 'node:timers/promises'; sleep(5);", ["uses setTimeout"]],
    ["import { request } from 'node:http'; request('').setTimeout(5);", []],
    ["AbortSignal.timeout(5); new AbortController().abort();", ["uses AbortSignal.timeout"]],
    ["fetch('x'); export const deps = { fetch };", ["uses fetch", "uses fetch"]],
    ["export const f = (fetch: () => void, r: { setTimeout(): void }) => [fetch(), r.setTimeout()];", []],
    ["export interface Io { fetch: typeof fetch; timer: ReturnType<typeof setTimeout>; now: Date }", []],
    [
      "process.env.HOME; process.exit(1); const { argv } = process;",
      ["uses process.env", "uses process.exit", "uses process"],
    ],
    ["import { env } from 'node:process'; env.HOME;", ["imports node:process"]],
    ["process.platform; process.pid; process.versions.node;", []],
  ];
  // All cases share one program, because reading the platform's types takes long.
  const files = Object.fromEntries(uses.map(([text], index) => [`src/sample-${index}.ts`, `${text} export {};`]));
  const violations = ambientUses(treeOf(files));

  it.each(uses)("%s", (text, problems) => {
    const path = `src/sample-${uses.findIndex(([sample]) => sample === text)}.ts`;
    const inSample = violations.filter((violation) => violation.path === path);
    expect(inSample).toEqual(problems.map((problem) => ({ path, line: 1, problem })));
  });

  it("is allowed in the two files that pass it to the others", () => {
    expect(found(ambientUses, { "src/runtime.ts": "Date.now();", "src/cli/terminal/io.ts": "process.env.X;" })).toEqual(
      [],
    );
  });
});

describe("documents", () => {
  const others = { "CONTRIBUTING.md": "", "src/db/open.ts": "", "src/features/a/machine.ts": "" };

  it("can name files, folders, lines and patterns that exist", () => {
    const text =
      "`src/db/open.ts:12` `src/db/` `src/features/*/machine.ts` `src/features/<noun>/{machine,rules}.ts` `npm test`";
    expect(found(stalePaths, { ...others, "docs/ARCHITECTURE.md": text })).toEqual([]);
  });

  it("cannot name a file that does not exist", () => {
    const text = "first\n`src/db/close.ts` and `src/d` and `src/features/*/gone.ts`";
    expect(found(stalePaths, { ...others, "docs/ARCHITECTURE.md": text })).toEqual(
      ["src/db/close.ts", "src/d", "src/features/*/gone.ts"].map(
        (path) => `docs/ARCHITECTURE.md:2 names ${path}, which does not exist`,
      ),
    );
    expect(found(stalePaths, others)).toEqual(["docs/ARCHITECTURE.md:1 is missing"]);
  });
});

describe("references", () => {
  const page = { "docs/service/charges.md": "# Charges\n\n## The charge's code (Pix)\n\n```\n# no heading\n```\n" };

  it("may name a page or one of its headings", () => {
    const files = {
      ...page,
      "src/a.ts": "// docs/service/charges.md and docs/service/charges.md#the-charges-code-pix.",
      "docs/service/b.md": "[a](charges.md#charges) [b](../service) [c](#b) [d](https://e.test/#f)\n\n# B",
    };
    expect(found(deadReferences, files)).toEqual([]);
  });

  it("may lead nowhere neither in a comment nor in a document", () => {
    const files = {
      ...page,
      "src/a.ts": "\n// docs/service/charge.md, docs/service/charges.md#no-heading",
      "README.md": "[a](docs/service/gone.md) [b](docs/service/charges.md#gone)",
    };
    expect(found(deadReferences, files)).toEqual([
      "README.md:1 points to docs/service/gone.md, which does not exist",
      "README.md:1 points to docs/service/charges.md#gone, which does not exist",
      "src/a.ts:2 points to docs/service/charge.md, which does not exist",
      "src/a.ts:2 points to docs/service/charges.md#no-heading, which does not exist",
    ]);
  });
});

describe("vague references", () => {
  it("are sections of something that is not here, in comments and in titles", () => {
    const text =
      '/** (contract, section 4.2; decisions on charges) */\n// the contract\'s section 3\ndescribe("4.9 a key", f);';
    expect(problemsIn(vagueReferences, text)).toEqual([
      "1 says contract, section 4",
      "2 says contract's section 3",
      '3 says "4.9 a',
    ]);
  });

  it("are not sections of a standard, numbers, or pages", () => {
    const text =
      '// RFC 6838, section 4.2.8\nf(1.5);\n/** docs/decisions/017-refunds.md: 0.5 s */\nsay("takes 1.5 s");';
    expect(problemsIn(vagueReferences, text)).toEqual([]);
  });
});

describe("decisions", () => {
  const page =
    "# Title\n\n**Context.** a\n**Decision.**\n- b\n**Alternatives.** c\n**Consequence.** d\n**Date.** 2026-11-21\n";
  const problems = (text: string) => found(shapelessDecisions, { "docs/decisions/001-a.md": text });

  it("have five parts in order, and an index beside them", () => {
    expect(problems(page)).toEqual([]);
    expect(found(shapelessDecisions, { "docs/decisions/README.md": "# Decisions" })).toEqual([]);
  });

  it("lack no part, no words and no date", () => {
    const parts = "Context, Decision, Alternatives, Consequence, Date";
    expect(problems(page.replace("**Alternatives.** c\n", ""))).toEqual([
      `docs/decisions/001-a.md:1 has the parts Context, Decision, Consequence, Date, not ${parts}`,
    ]);
    expect(problems(page.replace("- b\n", ""))).toEqual(["docs/decisions/001-a.md:1 says nothing under Decision"]);
    expect(problems(page.replace("2026-11-21", "today"))).toEqual([
      "docs/decisions/001-a.md:1 has no date such as 2026-11-21",
    ]);
    expect(problems(page.slice(2))).toEqual(["docs/decisions/001-a.md:1 does not begin with a title"]);
  });

  it("have a number of their own", () => {
    const files = { "docs/decisions/001-a.md": page, "docs/decisions/001-b.md": page, "docs/decisions/2.md": page };
    expect(found(shapelessDecisions, files)).toEqual([
      "docs/decisions/001-b.md:1 has the number 001 of another page",
      "docs/decisions/2.md:1 is not named 042-some-words.md",
    ]);
  });
});

describe("leftovers", () => {
  it("finds marks of unfinished work, but not words that contain one", () => {
    const mark = ["TO", "DO"].join("");
    expect(problemsIn(laterMarks, `// ${mark}: more\nconst ${mark}S = 1;`)).toEqual([`1 says ${mark}`]);
  });

  it("finds tests that do not run", () => {
    const text =
      'it.skip("a"); describe.only.each([])("b"); it.skipIf(1)("c"); test.todo("d"); list.skip(1); "it.only(";';
    const problems = ["1 has it.skip", "1 has describe.only", "1 has test.todo"];
    expect(problemsIn(switchedOffTests, text, "test/a.test.ts")).toEqual(problems);
  });

  it("finds files that nothing reaches", () => {
    const files = {
      "src/index.ts": 'export type { T } from "./types.js"; import("./later.js");',
      "src/types.ts": "",
      "src/later.ts": 'import sql from "./a.sql?raw";',
      "src/a.sql": "",
      "src/b.sql": "",
      "src/dead.ts": 'import "./index.js";',
      "src/sql.d.ts": "",
      "src/cli/main.ts": "",
      "src/vitest.ts": "",
      "src/compiled-code.ts": "",
      "src/webhooks/index.ts": "",
      "src/docs-site/browser/site.ts": "",
      "src/console/browser/main.tsx": 'import "./main.css"; import { Part } from "./part.js";',
      "src/console/browser/part.tsx": "",
      "src/console/browser/main.css": '@import "./used.css" layer(parts);',
      "src/console/browser/used.css": "",
      "src/console/browser/unused.css": "",
      "src/console/browser/public/icon.svg": "",
    };
    const dead = ["src/b.sql:1", "src/console/browser/unused.css:1", "src/dead.ts:1"];
    expect(found(deadFiles, files).map((text) => text.split(" ")[0])).toEqual(dead);
  });
});
