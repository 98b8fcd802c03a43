// @ts-check
// Usage: node scripts/smoke-consumers.mjs <folder where the packed package is installed>
// Uses the package from projects of several kinds: ES modules, CommonJS, TypeScript with three
// ways of module resolution, Vitest and node:test. Each project is a folder below the one with the
// installed package, so Node and TypeScript find the package as in a workspace.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder] = process.argv.slice(2);
assert(folder, "Name the folder where the packed package is installed");
const modules = resolve("node_modules");

// The test runner comes from this project: to download it takes long.
const linked = ["vitest"];

for (const name of linked) {
  // On Windows, a junction needs no rights.
  if (existsSync(join(modules, name))) symlinkSync(join(modules, name), join(folder, "node_modules", name), "junction");
}
cpSync("examples", join(folder, "examples"), { recursive: true });
/** @type {[string, () => void][]} */
const projects = [
  ["ES modules", () => script(folder, "esm.mjs")],
  ["CommonJS", () => script(folder, "cjs.cjs")],
  ["TypeScript, nodenext", () => compile(folder, "nodenext", "nodenext")],
  ["TypeScript, node16", () => compile(folder, "node16", "node16")],
  ["TypeScript, bundler", () => compile(folder, "esnext", "bundler")],
  ["Vitest", () => vitest(folder)],
  ["node:test", () => node(join(folder, "examples", "shop"), ["--test"])],
];
for (const [name, use] of projects) {
  use();
  console.log(`The package works in a project with ${name}.`);
}

/**
 * Runs Node, which must say nothing on standard error, such as a warning.
 * @param {string} cwd
 * @param {string[]} args
 */
function node(cwd, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  assert.equal(status, 0, `node ${args.join(" ")} failed:\n${stdout}${stderr}`);
  assert.equal(stderr, "", `node ${args.join(" ")} wrote to standard error`);
}

/**
 * @param {string} folder
 * @param {string} file
 */
function script(folder, file) {
  copyFileSync(join("scripts", "consumers", file), join(folder, file));
  node(folder, [file]);
}

/**
 * Compiles the same file as an ES module and as CommonJS, without the types of Node or of a browser. The types of Vitest
 * need both, so its own files are not checked.
 * @param {string} folder
 * @param {string} module
 * @param {string} resolution
 */
function compile(folder, module, resolution) {
  const project = join(folder, `types-${resolution}`);
  mkdirSync(project);
  const endings = resolution === "bundler" ? ["ts"] : ["mts", "cts"];
  for (const ending of endings) {
    copyFileSync(join("scripts", "consumers", "types.ts"), join(project, `types.${ending}`));
    copyFileSync(join("scripts", "consumers", "vitest-types.ts"), join(project, `vitest-types.${ending}`));
  }
  const options = {
    module,
    moduleResolution: resolution,
    target: "es2022",
    lib: ["es2022"],
    strict: true,
    noEmit: true,
  };
  tsc(
    project,
    { ...options, skipLibCheck: false, types: [] },
    endings.map((ending) => `types.${ending}`),
  );
  const withNode = { types: ["node"], typeRoots: [join(modules, "@types")] };
  tsc(
    project,
    { ...options, skipLibCheck: true, ...withNode },
    endings.map((ending) => `vitest-types.${ending}`),
  );
}

/**
 * @param {string} project
 * @param {object} compilerOptions
 * @param {string[]} files
 */
function tsc(project, compilerOptions, files) {
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  execFileSync(process.execPath, [join(modules, "typescript", "bin", "tsc"), "-p", project], { stdio: "inherit" });
}

/** @param {string} folder */
function vitest(folder) {
  const cwd = join(folder, "examples", "shop-vitest");
  const run = [join(modules, "vitest", "vitest.mjs"), "run", "--root", cwd, "--testTimeout", "60000"];
  execFileSync(process.execPath, run, { cwd, stdio: "inherit" });
}
