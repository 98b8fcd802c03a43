import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

/** The parts of other packages in the built package, and its remaining dependencies. */

/** The packages with a native part, which cannot be bundled. */
const NATIVE = Object.keys(manifest.optionalDependencies);
/** Packages of the project that uses qa-pay. */
const PEERS = Object.keys(manifest.peerDependenciesMeta);

const files = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

function namesIn(texts: readonly { text: string }[], pattern: RegExp): string[] {
  return [...new Set(texts.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))].sort();
}

/** The name of a package in what a module imports: `@inquirer/core` of `@inquirer/core/dist/index.js`. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** Behind a quote stands text: Ajv can write its validators into a file, which would require parts of it. */
const IMPORTED = /(?:\bfrom |\bimport\(|(?<!['`])\brequire\d*\(|\bload\()"([@a-z][^"\n]*)"/g;

describe("the bundle", () => {
  it("imports nothing that is not installed with it, on demand either", () => {
    const code = files("dist", /\.c?js$/).filter(({ name }) => !name.startsWith("console"));
    const wanted = namesIn(code, IMPORTED).filter((name) => !name.startsWith("node:") && !isBuiltin(name));
    expect(new Set(wanted.map(packageOf))).toEqual(new Set([...NATIVE, ...PEERS]));
  });

  it("installs no package but those with a native part, and runs no script of its own", () => {
    expect(Object.keys(manifest)).not.toContain("dependencies");
    expect(NATIVE).toEqual(["@napi-rs/keyring"]);
    expect(PEERS).toEqual(["better-sqlite3", "vitest"]);
    expect(Object.keys(manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$/)]),
    );
  });

  // npm 10 resolves the packages of each peer dependency that is declared, an optional one too, with all their dependencies.
  it("does not depend on Vitest and better-sqlite3, so that no version of them can stop an install", () => {
    expect(Object.keys(manifest)).not.toContain("peerDependencies");
    const optional = { optional: true };
    expect(manifest.peerDependenciesMeta).toEqual({ "better-sqlite3": optional, vitest: optional });
  });

  it("has no file that fails when it is loaded, also of those that a test rarely needs", () => {
    const all = files("dist", /\.cjs$/).map(({ name }) => resolve("dist", name));
    expect(all.length).toBeGreaterThan(50);
    const load = `for (const file of ${JSON.stringify(all)}) try { require(file); } catch (error) { console.log(file, error.message); }`;
    expect(execFileSync(process.execPath, ["-e", load], { encoding: "utf8" })).toBe("");
  });
});

describe("LICENSES.txt", () => {
  const licences = readFileSync("dist/LICENSES.txt", "utf8").split(/^-{80}$/m);
  const titles = licences.map((text) => text.trim().split(" ")[0]);

  it("has the licence of every package in the program", () => {
    const path = /^\s*\/\/!? node_modules\/(?:.*node_modules\/)?((?:@[^/\n]+\/)?[^/\n]+)\//gm;
    const bundled = namesIn(files("dist", /\.c?js$/), path);
    expect(bundled.length).toBeGreaterThan(30);
    expect(titles).toEqual(expect.arrayContaining(bundled));
  });

  it("has the licence of every package that the console's page imports", () => {
    const sources = files("src/web/console/browser", /\.tsx?$/);
    const named = namesIn(sources, /\bfrom "([@a-z][^"\n]*)"/g).map(packageOf);
    // The page shows programs as examples, and these import more.
    const imported = named.filter((name) => name !== "qa-pay" && name !== "vitest" && !name.startsWith("node:"));
    expect(imported).toContain("preact");
    expect(titles).toEqual(expect.arrayContaining(imported));
  });

  it("has the licences of the SQLite binaries, and of what is compiled into them", () => {
    expect(titles).toEqual(expect.arrayContaining(["@photostructure/sqlite", "node-addon-api"]));
  });

  it("has the text of each, with its name, version and kind", () => {
    for (const text of licences) {
      expect(text.trim()).toMatch(/^\S+ \d+\.\d+\.\d+\S* \([\w.-]+\)\n\n[\s\S]*(permi|redistribut|licensed under)/i);
      expect(text.length, text.slice(0, 60)).toBeGreaterThan(400);
    }
  });
});
