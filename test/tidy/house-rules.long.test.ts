import { describe, expect, it } from "vitest";
import { ambientUses } from "./ambient.js";
import { typeAssertions } from "./assertions.js";
import { silentFunctions } from "./comments.js";
import { commitsSinceRule, longTitles } from "./commit-titles.js";
import { shapelessDecisions } from "./decisions.js";
import { stalePaths, unnamedFolders } from "./documents.js";
import { namedLanguages } from "./languages.js";
import { clientStartUp, emptyFolders, layering } from "./layers.js";
import { laterMarks } from "./leftovers.js";
import { writtenPrefixes } from "./prefixes.js";
import { deadReferences, vagueReferences } from "./references.js";
import { projectTree, report, type Tree, type Violation } from "./tree.js";
import { impatientReadings, shortWaits } from "./waiting.js";

/** Each rule, its text, and the advice for a violation. There is no list of exemptions. */
const rules: [title: string, find: (tree: Tree) => Violation[], howToFix: string][] = [
  [
    "long functions that are exported have a comment",
    silentFunctions,
    "Say above it in a sentence what it returns, in which unit, and what it throws, and not how:",
  ],
  [
    "types are seldom asserted",
    typeAssertions,
    "Let the compiler see it: a guard, a declared type at the source, or a helper such as namesOf, parseObject, pick, errorCode:",
  ],
  ["prefixes of ids are written once", writtenPrefixes, "Take it from ID_PREFIX of src/base/kernel/ids.ts:"],
  [
    "no code knows a language by its name",
    namedLanguages,
    "Make it a text of each language, or take it from LANGUAGES or ENGLISH of src/base/kernel/language.ts:",
  ],
  ["layers are kept", layering, "Turn the import round, pass the value in, or see docs/ARCHITECTURE.md:"],
  ["every folder of the groups has files", emptyFolders, "Take the name out of GROUPS:"],
  [
    "client commands start light",
    clientStartUp,
    "Load it with `await import(...)` where it is used, or import its types alone:",
  ],
  [
    "the real world is passed in",
    ambientUses,
    "Take it from the Runtime or the Io that is passed in (src/base/platform/real-runtime.ts, src/programs/cli/terminal/io.ts):",
  ],
  ["documents name paths that exist", stalePaths, "Correct the document:"],
  [
    "src/README.md names every folder",
    unnamedFolders,
    "Name the folder in its group there, and say what is in it in docs/ARCHITECTURE.md#where-things-are:",
  ],
  ["references lead to a page and a heading", deadReferences, "Name a heading that is there:"],
  [
    "rules are named by their page",
    vagueReferences,
    "Name the page and heading, such as docs/service/charges.md#expiry, or leave the reference out:",
  ],
  ["decisions have one form", shapelessDecisions, "Complete the page, see docs/decisions/README.md:"],
  ["nothing is left for later", laterMarks, "Do it now, or open an issue:"],
  [
    "tests in a browser wait",
    impatientReadings,
    "Write `await expect.poll(() => …)`, which waits for what is expected:",
  ],
  ["tests wait as long as a busy machine takes", shortWaits, "Pass PATIENCE of test/support/patience.ts:"],
];

describe("house rules", () => {
  const tree = projectTree();

  it.each(rules)(
    "%s",
    (_title, find, howToFix) => {
      const text = report(find(tree), howToFix);
      if (text !== "") expect.fail(text);
      // Reading all files as a compiler does takes long on a machine that has other work.
    },
    120_000,
  );

  it("titles of commits are short", () => {
    const found = longTitles(commitsSinceRule());
    if (found.length > 0) expect.fail(`Name one thing in the title, and the rest in the body:\n${found.join("\n")}`);
  });
});
