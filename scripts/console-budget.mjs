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
/** All scripts that somebody loads who opens every page, in one language. */
const PERSON = 123_000;
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

/** The files with texts of one language, as scripts/console-files.ts names them. */
const LANGUAGES = ["en", "pt-BR"];
/** @param {string} name */
const languageOf = (name) => LANGUAGES.find((one) => name.startsWith(`texts-${one}-`));

/**
 * What these files load later.
 * @param {string} folder
 * @param {Iterable<string>} names
 */
function loadedLater(folder, names) {
  const texts = [...names].map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.flatMap((text) => [...text.matchAll(/import\("\.\/([\w.-]+\.js)"\)/g)].map(([, name = ""]) => name));
}

/**
 * The files with those of their texts in one language.
 * @param {string} folder
 * @param {Set<string>} names
 * @param {string} language
 */
function withTexts(folder, names, language) {
  return new Set([...names, ...loadedLater(folder, names).filter((name) => languageOf(name) === language)]);
}

/**
 * Throws when the console in this folder is larger than it may be. Returns its sizes in bytes.
 * @param {string} folder
 */
export function checkConsoleBudget(folder) {
  const names = readdirSync(folder);
  /** @param {Iterable<string>} some */
  const sum = (some) => [...some].reduce((total, name) => total + gzipSync(readFileSync(join(folder, name))).length, 0);
  const main = withImports(folder, "main.js");
  const scripts = names.filter((name) => name.endsWith(".js"));
  const facts = scripts.filter((name) => name.startsWith("commands-"));
  const pages = loadedLater(folder, main).filter((name) => languageOf(name) === undefined);
  /** @param {(language: string) => number} size */
  const largest = (size) => Math.max(...LANGUAGES.map(size));
  const sizes = {
    entry: largest((language) => sum(withTexts(folder, main, language))),
    page: Math.max(
      ...pages.map((page) => {
        const files = new Set([...main, ...facts, ...withImports(folder, page)]);
        return largest((language) => sum(withTexts(folder, files, language)));
      }),
    ),
    person: largest((language) => sum(scripts.filter((name) => [undefined, language].includes(languageOf(name))))),
    scripts: sum(scripts),
    styles: sum(names.filter((name) => name.endsWith(".css"))),
    all: sum(names),
  };
  const told = JSON.stringify(sizes);
  assert(sizes.entry <= ENTRY, `The console's entry may have ${ENTRY} bytes: ${told}`);
  assert(sizes.page <= PAGE, `The scripts of a page of the console may have ${PAGE} bytes: ${told}`);
  assert(sizes.person <= PERSON, `All scripts of the console in one language may have ${PERSON} bytes: ${told}`);
  assert(sizes.styles <= STYLES, `The console's styles may have ${STYLES} bytes: ${told}`);
  assert(sizes.all <= PACKAGE, `The console may take ${PACKAGE} bytes of the package: ${told}`);
  return sizes;
}
