// @ts-check
// The sizes that the console's page may have. They are measured on an installed package, compressed one by one, as files
// come to a browser.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const KB = 1_024;
/** What has to come before anything can be drawn. */
const ENTRY = 30 * KB;
/** All scripts that the largest page loads, with the facts about commands. */
const PAGE = 75 * KB;
const STYLES = 8 * KB;
/** What the console takes of the package. */
const PACKAGE = 180 * KB;

/**
 * The file with all files that it imports at once, not those that it loads later.
 * @param {string} folder
 * @param {string} name
 * @param {Set<string>} known
 */
function withImports(folder, name, known = new Set()) {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(join(folder, name), "utf8");
  for (const [, other = ""] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    withImports(folder, other, known);
  return known;
}

/**
 * The pages and the facts that the entry loads later, each with all that it imports.
 * @param {string} folder
 * @param {Set<string>} entry
 */
function loadedLater(folder, entry) {
  const texts = [...entry].map((name) => readFileSync(join(folder, name), "utf8"));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/import\("\.\/([\w.-]+\.js)"\)/g)].map(([, name = ""]) => name),
  );
  return names.map((name) => withImports(folder, name));
}

/**
 * Throws when the console in this folder is larger than it may be. Returns its sizes in bytes.
 * @param {string} folder
 */
export function checkConsoleBudget(folder) {
  const names = readdirSync(folder);
  /** @param {Iterable<string>} some */
  const sum = (some) => [...some].reduce((total, name) => total + gzipSync(readFileSync(join(folder, name))).length, 0);
  const entry = withImports(folder, "main.js");
  const facts = names.filter((name) => name.startsWith("commands-"));
  const pages = loadedLater(folder, entry).map((page) => sum(new Set([...entry, ...facts, ...page])));
  const sizes = {
    entry: sum(entry),
    page: Math.max(...pages),
    scripts: sum(names.filter((name) => name.endsWith(".js"))),
    styles: sum(names.filter((name) => name.endsWith(".css"))),
    all: sum(names),
  };
  const told = JSON.stringify(sizes);
  assert(sizes.entry <= ENTRY, `The console's entry may have ${ENTRY} bytes: ${told}`);
  assert(sizes.page <= PAGE, `The scripts of a page of the console may have ${PAGE} bytes: ${told}`);
  assert(sizes.styles <= STYLES, `The console's styles may have ${STYLES} bytes: ${told}`);
  assert(sizes.all <= PACKAGE, `The console may take ${PACKAGE} bytes of the package: ${told}`);
  return sizes;
}
