// @ts-check
// Usage: npm run single-file [-- --output <file>] [-- --node <binary>]
// Makes one executable file of qa-pay and Node, which runs where no Node is installed. It has Node's own SQLite.
// Without --node it is for this machine: the Node to carry is downloaded from the registry into a temporary folder. With
// --node it is for the platform of that binary, which must be of the same version. It needs `npm run build` first.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "tsup";
import { shell } from "./platform.mjs";

/** The Node that is carried. It has to know --build-sea and modules as main script, so it is not the one that builds. */
const NODE = "26.10.0";
const DIST = "dist";

const { values } = parseArgs({ options: { output: { type: "string" }, node: { type: "string" } } });
const suffix = process.platform === "win32" ? ".exe" : "";
const output = resolve(values.output ?? join(DIST, "single-file", `qa-pay${suffix}`));

const work = mkdtempSync(join(tmpdir(), "qa-pay-single-"));
try {
  await bundle();
  const own = downloadNode();
  const carried = values.node === undefined ? own : resolve(values.node);
  // Another version would not understand what this one prepares, and would fail only when the file is used.
  const isSameVersion = readFileSync(carried).includes(`/release/v${NODE}/`);
  assert(isSameVersion, `--node takes the binary of Node ${NODE}, and this is another one`);
  makeExecutable(own, carried);
  console.log(`${output}: ${Math.round(statSync(output).size / 1_000_000)} MB, with Node ${NODE}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Makes one module of everything that `npm run build` made and of all packages that it loads. */
async function bundle() {
  const own = [
    'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);',
    'const __filename = process.getBuiltinModule("node:url").fileURLToPath(import.meta.url);',
  ];
  await build({
    config: false,
    silent: true,
    entry: { main: "scripts/single-file-entry.mjs" },
    outDir: work,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    platform: "node",
    target: "node24",
    splitting: false,
    dts: false,
    removeNodeProtocol: false,
    noExternal: [/./],
    // Native packages cannot be carried. Node's own SQLite replaces the one, and a file the keychain.
    external: ["better-sqlite3", "@napi-rs/keyring"],
    // CommonJS in the bundle requires built-in modules, and finds its files by its own name.
    banner: { js: own.join("\n") },
  });
}

/** Downloads the Node of this machine. Returns the path of its binary. */
function downloadNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const target = `${platform}-${process.arch}`;
  // The package of this one platform has another name.
  const name = `node-${target === "darwin-arm64" ? "bin-" : ""}${target}@${NODE}`;
  const run = { cwd: work, shell, encoding: /** @type {const} */ ("utf8") };
  const file = execFileSync("npm", ["pack", "--silent", name], run).trim();
  execFileSync("tar", ["-xzf", file], { cwd: work });
  return join(work, "package", "bin", `node${suffix}`);
}

/**
 * @param {string} own a Node that runs here
 * @param {string} carried the Node that the executable consists of
 */
function makeExecutable(own, carried) {
  mkdirSync(dirname(output), { recursive: true });
  const config = {
    main: join(work, "main.mjs"),
    mainFormat: "module",
    executable: carried,
    output,
    disableExperimentalSEAWarning: true,
    // The cache is code of this platform's processor.
    useCodeCache: own === carried,
    assets: assets(),
  };
  const file = join(work, "single-file.json");
  writeFileSync(file, JSON.stringify(config));
  execFileSync(own, ["--build-sea", file], { stdio: ["ignore", "ignore", "inherit"] });
}

/** The files that the code reads by their place: pages of the console and of the documents. Names as in the package. */
function assets() {
  const names = readdirSync(DIST, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const wanted = names.filter((name) => /^console\/[^/]+$|^docs\/.+\.\w+$/.test(name));
  assert(wanted.includes("console/main.js.br"), "npm run build has not made the console");
  return Object.fromEntries(wanted.map((name) => [name, resolve(DIST, name)]));
}
