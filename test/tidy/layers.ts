import { chain, type Import, importsOf, reach } from "./imports.js";
import { sources, type Tree, type Violation } from "./tree.js";

const drivers = ["better-sqlite3", "node:sqlite", "@photostructure/sqlite"];
const clientEntry = "src/cli/main.ts";
/** The build replaces imports of these files by their values: scripts/precompute-command-tree.ts. */
const precomputed = ["src/cli/tree/command-tree.ts", "src/cli/tree/body-routes.ts"];
/** The console shows the commands of operations. The build replaces this file by its values. */
const consoleFacts = "src/console/browser/facts/commands.ts";
const serverOnly = /^src\/(db|http|delivery|jobs|service)\/|^src\/(emulator|registry)\.ts$/;
/** Commands that start a server. They load it, so they need not start as fast as client commands. */
const serverCommand = /^src\/cli\/commands\/(serve|exec)\//;
const pureFile = /^src\/features\/([^/]+)\/(machine|rules|events|catalogue|envelope|wire(-[^/]+)?)\.ts$/;
/** A feature may use the states of every other feature. */
const machine = /^src\/features\/[^/]+\/machine\.ts$/;

export function layering(tree: Tree): Violation[] {
  const links = sources(tree).flatMap((path) => importsOf(tree, path));
  return links.flatMap((link) => {
    const rule = [kernel, pix, methods, documents, pureFiles, driver, commandLine, thinClient, betweenFeatures].find(
      (breaks) => breaks(link),
    );
    return rule
      ? [{ path: link.from, line: link.line, problem: `imports ${link.specifier}: ${because.get(rule)}` }]
      : [];
  });
}

type Rule = (link: Import) => boolean;

const kernel: Rule = ({ from, target }) => inFolder(from, "src/kernel") && isOutside(target, ["src/kernel"]);

const pix: Rule = ({ from, target }) => inFolder(from, "src/pix") && isOutside(target, ["src/kernel", "src/pix"]);

const methods: Rule = ({ from, target }) =>
  inFolder(from, "src/methods") && isOutside(target, ["src/kernel", "src/methods"]);

const documents: Rule = ({ from, target }) =>
  inFolder(from, "src/documents") && isOutside(target, ["src/kernel", "src/methods", "src/documents"]);

const pureFiles: Rule = ({ from, target, kind }) => {
  const feature = pureFile.exec(from)?.[1];
  if (feature === undefined || target === undefined || kind === "type") return false;
  const isSibling = pureFile.exec(target)?.[1] === feature;
  return !isSibling && !machine.test(target) && isOutside(target, ["src/kernel", "src/pix", "src/methods"]);
};

const driver: Rule = ({ from, specifier }) => from !== "src/db/load-driver.ts" && drivers.includes(specifier);

const commandLine: Rule = ({ from, target }) =>
  !inFolder(from, "src/cli") && from !== consoleFacts && target !== undefined && inFolder(target, "src/cli");

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
  return !["actions", "catalogue", "machine"].some((name) => target === `src/features/${there}/${name}.ts`);
};

const because = new Map<Rule, string>([
  [kernel, "src/kernel stands alone"],
  [pix, "src/pix knows nothing of ours but src/kernel"],
  [methods, "src/methods knows nothing of ours but src/kernel"],
  [documents, "src/documents knows nothing of ours but src/kernel and src/methods"],
  [
    pureFiles,
    "machine, rules, events, catalogue, envelope and wire files take values from src/kernel, src/pix, src/methods, each other and the machines of all features",
  ],
  [driver, "src/db/load-driver.ts alone knows the SQLite driver"],
  [commandLine, "nothing but src/cli knows the commands"],
  [thinClient, "cli and client load the server with `await import(...)` or not at all"],
  [
    betweenFeatures,
    "another feature is used through its actions.ts, catalogue.ts or machine.ts, or for its types (`import type`)",
  ],
]);

/**
 * What a client command really loads: everything that src/cli/main.ts reaches by static imports, and by dynamic ones
 * inside cli and client. The server, zod and a native module cost more time than the command itself.
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
  return path !== undefined && (inFolder(path, "src/cli") || inFolder(path, "src/client"));
}

function isOutside(path: string | undefined, folders: readonly string[]): boolean {
  return path !== undefined && !folders.some((folder) => inFolder(path, folder));
}

function inFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function featureOf(path: string | undefined): string | undefined {
  return path && /^src\/features\/([^/]+)\//.exec(path)?.[1];
}
