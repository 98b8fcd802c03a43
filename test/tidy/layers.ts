import { NOUN_FOLDERS } from "../../src/service/features/index.js";
import { chain, type Import, importsOf, reach } from "./imports.js";
import { sources, type Tree, type Violation } from "./tree.js";

/** Their native part takes longer to load than a whole client command. */
const drivers = ["better-sqlite3", "node:sqlite", "@photostructure/sqlite"];
const clientEntry = "src/programs/cli/main.ts";
/** The build replaces imports of these files by their values: scripts/evaluate-module.ts. */
const precomputed = ["command-tree", "help-texts", "route-table"].map((name) => `src/programs/cli/tree/${name}.ts`);
const serverOnly =
  /^src\/(base\/db|service\/(delivery|jobs)|emulator\/snapshots|api\/http|programs\/start)\/|^src\/api\/registry\.ts$/;
/** Commands that start a server. They load it, so they need not start as fast as client commands. */
const serverCommand = /^src\/programs\/cli\/commands\/((demo|serve|exec|rush|survive)\/|incident\/replay\.ts$)/;
const pureFile =
  /^src\/service\/features\/([^/]+)\/(machine|rules|events|catalogue|chaos|details|([a-z]+-)?(envelope|resource))\.ts$/;
/** Modules that every feature may use: states and moves, the schemas of events, and what there is of a noun. */
const tables = /^src\/service\/features\/([^/]+\/(machine|catalogue|events)|events)\.ts$/;

/** These go across the nouns: the search, the timeline of an object, and what happens to it later. */
const acrossNouns = ["jobs", "search", "timeline"];

/** What is put together from all nouns, besides their lists. */
const forAllNouns =
  /^src\/(service\/(?!features\/(index|events|noun-texts)\.ts$)|emulator\/(snapshots|traces|sandbox)\/|programs\/(start|library|mcp)\/|api\/registry\.ts$)/;
/** The nouns that could go with their folders and their lines in the lists, but for their pages, checks, and the nouns that use them. */
const separable = ["emails", "refunds", "payouts", "med"];

/** The nouns in the order in which one needs another, as their list says, and then what goes across them. */
const NOUNS = [...NOUN_FOLDERS, ...acrossNouns];

/**
 * The groups of src in their order, and the folders of each in theirs. A folder imports from those that stand before it alone,
 * in its group and in the groups before, types included.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  base: ["kernel", "platform", "pix", "methods", "db", "documents", "pages"],
  service: ["features", "jobs", "openapi", "webhooks", "delivery"],
  emulator: ["snapshots", "traces", "receiver-check", "sandbox"],
  api: ["registry.ts", "http", "client", "fixtures"],
  checks: ["conformance", "incident", "reconcile", "why", "shop", "survive", "rush"],
  web: ["checkout", "docs", "console", "console/browser"],
  programs: ["start", "library", "mcp", "cli"],
};

/** The entries of the package stand beside the groups. */
const ENTRIES = ["src/index.ts", "src/vitest.ts"];

const FOLDERS = [
  ...Object.entries(GROUPS).flatMap(([group, folders]) => folders.map((folder) => `src/${group}/${folder}`)),
  ...ENTRIES,
];

export function layering(tree: Tree): Violation[] {
  const links = sources(tree).flatMap((path) => importsOf(tree, path));
  return links.flatMap((link) => {
    const rule = [groups, pureFiles, thinClient, betweenFeatures, laterFeature, oneOfAll].find((breaks) =>
      breaks(link),
    );
    return rule
      ? [{ path: link.from, line: link.line, problem: `imports ${link.specifier}: ${because.get(rule)}` }]
      : [];
  });
}

/** Folders of the groups, and nouns of the order of features, that no file is in. */
export function emptyFolders({ paths }: Tree): Violation[] {
  return [...FOLDERS, ...NOUNS.map((noun) => `src/service/features/${noun}`)]
    .filter((folder) => !paths.some((path) => path === folder || inFolder(path, folder)))
    .map((folder) => ({
      path: folder,
      line: 1,
      problem:
        "is in GROUPS of test/tidy/layers.ts or in src/service/features/index.ts, and there is no such file or folder",
    }));
}

type Rule = (link: Import) => boolean;

/** The place of a file in the order of the folders; -1 for a file in none of them. */
function placeOf(path: string): number {
  const inside = FOLDERS.filter((folder) => path === folder || inFolder(path, folder));
  return FOLDERS.indexOf(inside.toSorted((one, other) => other.length - one.length)[0] ?? "");
}

const groups: Rule = ({ from, target }) => {
  if (target === undefined || !inFolder(target, "src") || !inFolder(from, "src")) return false;
  const here = placeOf(from);
  const there = placeOf(target);
  return here < 0 || there < 0 || there > here;
};

const pureFiles: Rule = ({ from, target, kind }) => {
  const feature = pureFile.exec(from)?.[1];
  if (feature === undefined || target === undefined || kind === "type") return false;
  const isSibling = pureFile.exec(target)?.[1] === feature;
  return (
    !isSibling && !tables.test(target) && isOutside(target, ["src/base/kernel", "src/base/pix", "src/base/methods"])
  );
};

const thinClient: Rule = ({ from, target, kind }) =>
  isClientSide(from) &&
  !precomputed.includes(from) &&
  kind === "static" &&
  target !== undefined &&
  serverOnly.test(target);

const betweenFeatures: Rule = ({ from, target, kind }) => {
  const here = featureOf(from);
  const there = featureOf(target);
  if (here === undefined || there === undefined || here === there || kind === "type") return false;
  if (acrossNouns.includes(here)) return false;
  return !["actions", "catalogue", "events", "machine"].some(
    (name) => target === `src/service/features/${there}/${name}.ts`,
  );
};

const laterFeature: Rule = ({ from, target }) => {
  const here = featureOf(from);
  const there = featureOf(target);
  if (here === undefined || there === undefined || here === there) return false;
  return NOUNS.indexOf(there) >= NOUNS.indexOf(here) || !NOUNS.includes(there);
};

const oneOfAll: Rule = ({ from, target }) =>
  forAllNouns.test(from) && !isNoun(featureOf(from)) && separable.includes(featureOf(target) ?? "");

const because = new Map<Rule, string>([
  [groups, "it does not stand before (GROUPS in test/tidy/layers.ts)"],
  [
    pureFiles,
    "machine, rules, events, catalogue, chaos, details, envelope and resource files take values from src/base/kernel, src/base/pix, src/base/methods, each other and the machines, catalogues and events of all features",
  ],
  [thinClient, "cli and client load the server with `await import(...)` or not at all"],
  [
    betweenFeatures,
    "another feature is used through its actions.ts, catalogue.ts, events.ts or machine.ts, or for its types (`import type`)",
  ],
  [oneOfAll, "what is put together from all nouns reads their list (src/service/features/index.ts), types included"],
  [laterFeature, "a feature imports from those that stand before it in src/service/features/index.ts, types included"],
]);

/**
 * The modules that a client command really loads: everything that src/programs/cli/main.ts reaches by static imports, and by
 * dynamic ones inside cli and client. The server, zod and a native module cost more time than the command itself.
 */
export function clientStartUp(tree: Tree): Violation[] {
  const loads = ({ kind, target }: Import) =>
    !precomputed.includes(target ?? "") &&
    (kind === "static" || (kind === "dynamic" && isClientSide(target) && !serverCommand.test(target ?? "")));
  const reached = reach(tree, [clientEntry], loads);
  return [...reached.keys()].flatMap((path) => {
    const heavy = importsOf(tree, path).filter((link) => loads(link) && isHeavy(link));
    const way = chain(reached, path);
    return heavy.map(({ line, specifier }) => ({
      path,
      line,
      problem: `loads ${specifier} in client commands: ${way}`,
    }));
  });
}

function isHeavy({ target, specifier }: Import): boolean {
  if (target !== undefined) return serverOnly.test(target);
  return /^zod(\/|$)/.test(specifier) || drivers.includes(specifier);
}

function isClientSide(path: string | undefined): boolean {
  return path !== undefined && (inFolder(path, "src/programs/cli") || inFolder(path, "src/api/client"));
}

function isOutside(path: string | undefined, folders: readonly string[]): boolean {
  return path !== undefined && !folders.some((folder) => inFolder(path, folder));
}

function inFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function isNoun(feature: string | undefined): boolean {
  return NOUN_FOLDERS.some((folder) => folder === feature);
}

function featureOf(path: string | undefined): string | undefined {
  return path && /^src\/service\/features\/([^/]+)\//.exec(path)?.[1];
}
