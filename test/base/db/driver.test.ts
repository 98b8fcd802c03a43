import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadBundledSqlite } from "../../../src/base/db/bundled-sqlite.js";
import { loadDriver } from "../../../src/base/db/load-driver.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";

/** Which SQLite is used, and what the message says where there is none. */

const MACHINE = { platform: "linux", arch: "x64", execPath: process.execPath };

const folder = fresh(newFolder);
/** Modules that this folder can load, on a Node with or without SQLite of its own. */
function requireOf({ own = false } = {}): NodeJS.Require {
  const load = createRequire(join(folder.path, "module.js"));
  const wrapped = (name: string) => {
    if (name !== "node:sqlite") return load(name);
    if (!own) throw new Error("No such built-in module: node:sqlite");
    return { DatabaseSync: class {} };
  };
  return Object.assign(wrapped, { resolve: load.resolve }) as NodeJS.Require;
}

/** Installs a better-sqlite3, whose package.json nobody may load by its name, with this main file. */
function installVersion(text: string, version = "13.2.0"): void {
  const to = join(folder.path, "node_modules", "better-sqlite3");
  mkdirSync(join(to, "lib"), { recursive: true });
  const manifest = { name: "better-sqlite3", version, exports: { ".": "./lib/index.js" } };
  writeFileSync(join(to, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(to, "lib", "index.js"), text);
}

/** Installs better-sqlite3 12, which finds its native part, or another module, at its first use. */
function installTwelve(use = ""): void {
  installVersion(`module.exports = class { constructor() { ${use} } close() {} };`, "12.11.1");
}

/** Installs better-sqlite3 without its native part, as package managers do that run no install scripts. */
function installWithoutNativePart(): void {
  installTwelve('throw new Error("Could not locate the bindings file. Tried:");');
}

/** Installs a better-sqlite3 that fails as the real one does there. */
function installFailing(message: string, code: string): void {
  const to = join(folder.path, "node_modules", "better-sqlite3");
  mkdirSync(to, { recursive: true });
  const error = `Object.assign(new Error(${JSON.stringify(message)}), { code: ${JSON.stringify(code)} })`;
  writeFileSync(join(to, "index.js"), `throw ${error};`);
}

const NODE_20 = { node: "20.19.0", napi: "9" };
const NODE_22 = { node: "22.13.0", napi: "9" };
const NODE_24 = { node: "24.19.0", napi: "10" };

/** The driver for a project, whatever this machine has; there is no bundled one. */
function load(require: NodeJS.Require, versions: { readonly node: string; readonly napi: string }) {
  return loadDriver({ require, versions, wanted: null, loadBundled: bundledFor("riscv64") });
}

/** Loads the bundled driver of a package for another machine. */
function bundledFor(arch: string) {
  return (require: NodeJS.Require) => loadBundledSqlite(require, { ...MACHINE, arch });
}

function refusal(require: NodeJS.Require, versions = NODE_20): Error {
  try {
    load(require, versions);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("there is a driver");
}

const REBUILD = "`npm rebuild better-sqlite3 --ignore-scripts=false`";
const INSTALL = "`npm install better-sqlite3@12`";

describe("where there is no driver", () => {
  it("because the package was left out, the advice is to install it: there is nothing to rebuild", () => {
    const { name, message, cause } = refusal(requireOf());
    expect(name).toBe("DatabaseError");
    expect(message).toMatch(
      /^No SQLite driver: better-sqlite3 is not installed, this Node has no SQLite of its own, and the one that comes with qa-pay has no binary for linux-riscv64\.\n/,
    );
    expect(message).toContain(INSTALL);
    expect(message).not.toContain("rebuild");
    expect(cause).toMatchObject({ code: "MODULE_NOT_FOUND" });
  });

  it("because its native part was never built, the advice is to build it, even where install scripts are switched off", () => {
    installWithoutNativePart();
    const { message } = refusal(requireOf());
    expect(message).toMatch(/^No SQLite driver: the native part of better-sqlite3 is missing /);
    expect(message).toContain(REBUILD);
    expect(message).not.toContain("npm install");
  });

  it.each([
    [
      "was built for another Node",
      "better-sqlite3 was built for another version of Node",
      "The module '/shop/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a " +
        "different Node.js version using\nNODE_MODULE_VERSION 127. This version of Node.js requires\nNODE_MODULE_VERSION 115.",
    ],
    [
      "was built for another machine",
      "the native part of better-sqlite3 is missing or does not fit this machine",
      "/shop/node_modules/better-sqlite3/build/Release/better_sqlite3.node: invalid ELF header",
    ],
  ])("because it %s, the advice is to build it anew", (_what, trouble, message) => {
    installFailing(message, "ERR_DLOPEN_FAILED");
    const error = refusal(requireOf());
    expect(error.message).toContain(`No SQLite driver: ${trouble}, `);
    expect(error.message).toContain(REBUILD);
  });

  it("because a package that it needs is not there, the advice is to install it", () => {
    installTwelve('require("bindings");');
    expect(refusal(requireOf()).message).toContain(INSTALL);
  });

  it("a newer Node is the other advice; its own SQLite is tried first where it is the better one", () => {
    for (const versions of [NODE_20, NODE_24]) {
      expect(refusal(requireOf(), versions).message).toContain(INSTALL);
      expect(refusal(requireOf(), versions).message).toContain("Node 22.13 or newer");
    }
  });
});

describe("where there is a driver", () => {
  it("it is the SQLite of Node when better-sqlite3 was left out or cannot be loaded", () => {
    expect(load(requireOf({ own: true }), NODE_22).name).toBe("node:sqlite");
    installWithoutNativePart();
    expect(load(requireOf({ own: true }), NODE_22).name).toBe("node:sqlite");
  });

  it("it is better-sqlite3 when it can be loaded, except version 12 on Node 24.19 and newer", () => {
    installTwelve();
    const both = requireOf({ own: true });
    expect(
      ["20.19.0", "22.13.0", "24.18.1", "24.19.0", "26.0.0"].map((node) => load(both, { node, napi: "10" }).name),
    ).toEqual(["better-sqlite3", "better-sqlite3", "better-sqlite3", "node:sqlite", "node:sqlite"]);
  });

  it("it is better-sqlite3 13 on every Node that can load it", () => {
    installVersion("module.exports = class { close() {} };");
    expect(load(requireOf({ own: true }), { node: "22.14.0", napi: "10" }).name).toBe("better-sqlite3");
    expect(load(requireOf({ own: true }), NODE_24).name).toBe("better-sqlite3");
  });
});

describe("the driver that comes with the package", () => {
  const loadBundled = () => ({ DatabaseSync: class {} });
  const chosen = (require: NodeJS.Require, versions = NODE_20, wanted: string | null = null) =>
    loadDriver({ require, versions, wanted, loadBundled }).name;

  it("is taken where there is no other one that works", () => {
    expect(chosen(requireOf())).toBe("@photostructure/sqlite");
    installWithoutNativePart();
    expect(chosen(requireOf())).toBe("@photostructure/sqlite");
    expect(chosen(requireOf(), NODE_24)).toBe("@photostructure/sqlite");
  });

  it("is not even looked for where there is another one", () => {
    const refuse = () => {
      throw new Error("it was looked for");
    };
    const name = (require: NodeJS.Require, versions: typeof NODE_20) =>
      loadDriver({ require, versions, wanted: null, loadBundled: refuse }).name;
    expect(name(requireOf({ own: true }), NODE_22)).toBe("node:sqlite");
    installTwelve();
    expect(name(requireOf(), NODE_20)).toBe("better-sqlite3");
  });

  it("is taken before all others when the environment names it, as any other is", () => {
    installTwelve();
    const all = requireOf({ own: true });
    expect(chosen(all, NODE_20, "@photostructure/sqlite")).toBe("@photostructure/sqlite");
    expect(chosen(all, NODE_20, "node:sqlite")).toBe("node:sqlite");
    expect(chosen(all, NODE_24, "better-sqlite3")).toBe("better-sqlite3");
  });

  it("is the only one that is tried then", () => {
    expect(() => chosen(requireOf(), NODE_20, "node:sqlite")).toThrow(
      "QA_PAY_SQLITE_DRIVER names node:sqlite, which cannot be used: No such built-in module: node:sqlite.",
    );
    expect(() => chosen(requireOf(), NODE_20, "sqlite3")).toThrow(
      "QA_PAY_SQLITE_DRIVER takes one of better-sqlite3, node:sqlite, @photostructure/sqlite, not sqlite3.",
    );
  });
});

describe("better-sqlite3 13 on a Node that it would crash", () => {
  const opened = 'throw new Error("better-sqlite3 was loaded");';

  it("is not loaded: the SQLite of Node takes its place", () => {
    installVersion(opened);
    expect(load(requireOf({ own: true }), NODE_22).name).toBe("node:sqlite");
  });

  it("is not loaded where there is no other driver: the advice is the version that fits", () => {
    installVersion(opened);
    const { message } = refusal(requireOf());
    expect(message).toMatch(/^No SQLite driver: better-sqlite3 13.2.0 needs Node 22.14 or newer, /);
    expect(message).toContain(INSTALL);
    expect(message).not.toContain("rebuild");
  });
});

it("a better-sqlite3 older than version 12, which the project that uses qa-pay needs is not loaded: the SQLite of Node takes its place, or the advice says so", () => {
  installVersion('throw new Error("better-sqlite3 was loaded");', "11.10.0");
  expect(load(requireOf({ own: true }), NODE_22).name).toBe("node:sqlite");
  const { message } = refusal(requireOf());
  expect(message).toMatch(/^No SQLite driver: better-sqlite3 11.10.0 is older than version 12, /);
  expect(message).toContain(INSTALL);
});
