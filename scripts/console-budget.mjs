// @ts-check
// The sizes that the console's page may have. They are measured on an installed package, compressed one by one, as files
// come to a browser.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const KB = 1_024;
/** What the first page loads before it can be drawn. */
const ENTRY = 30 * KB;
const SCRIPTS = 75 * KB;
const STYLES = 8 * KB;
/** By how much the console may enlarge the package. */
const PACKAGE = 100 * KB;

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
 * Throws when the console in this folder is larger than it may be. Returns its sizes in bytes.
 * @param {string} folder
 */
export function checkConsoleBudget(folder) {
  const names = readdirSync(folder);
  /** @param {Iterable<string>} some */
  const sum = (some) => [...some].reduce((total, name) => total + gzipSync(readFileSync(join(folder, name))).length, 0);
  const sizes = {
    entry: sum(withImports(folder, "main.js")),
    scripts: sum(names.filter((name) => name.endsWith(".js"))),
    styles: sum(names.filter((name) => name.endsWith(".css"))),
    all: sum(names),
  };
  const told = JSON.stringify(sizes);
  assert(sizes.entry <= ENTRY, `The console's entry may have ${ENTRY} bytes: ${told}`);
  assert(sizes.scripts <= SCRIPTS, `The console's scripts may have ${SCRIPTS} bytes: ${told}`);
  assert(sizes.styles <= STYLES, `The console's styles may have ${STYLES} bytes: ${told}`);
  assert(sizes.all <= PACKAGE, `The console may take ${PACKAGE} bytes of the package: ${told}`);
  return sizes;
}
