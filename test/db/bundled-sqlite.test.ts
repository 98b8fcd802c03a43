import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { loadBundledSqlite, platformName } from "../../src/db/bundled-sqlite.js";
import { newFolder } from "../support/folder.js";
import { fresh } from "../support/shared.js";

/** The SQLite that comes with the package: where it is unpacked, what is loaded of it, and what it refuses. */

const real = createRequire(import.meta.url);
const MACHINE = { platform: "linux", arch: "x64", execPath: process.execPath };

const folder = fresh(newFolder);
let packed: string;
let cache: string;
let temporary: string;

beforeEach(() => {
  packed = join(folder.path, "packed");
  cache = join(folder.path, "home", ".cache", "qa-pay");
  temporary = join(folder.path, "tmp");
  for (const path of [packed, temporary]) mkdirSync(path);
});

/**
 * Writes a package with these binaries, which are texts here. They have to differ between tests: a process loads each
 * binary once.
 */
function pack(binaries: Readonly<Record<string, string>>): void {
  const sums = Object.entries(binaries).map(([name, text]) => {
    writeFileSync(join(packed, `${name}.node.br`), brotliCompressSync(text));
    return [name, createHash("sha256").update(text).digest("hex")];
  });
  writeFileSync(join(packed, "binaries.json"), JSON.stringify(Object.fromEntries(sums)));
}

/** The files that were loaded, with what they held at that moment. */
type Loads = { readonly file: string; readonly text: string }[];

/** Loads the bundled SQLite as a program does. In the folders that are named, no binary can be loaded. */
function load({ machine = MACHINE, home = cache as string | null, noExec = [] as readonly string[] } = {}) {
  const loads: Loads = [];
  const require = (name: string) => {
    if (!name.endsWith(".node")) return real(name);
    if (noExec.some((one) => name.startsWith(one))) throw new Error(`${name}: failed to map segment`);
    loads.push({ file: name, text: readFileSync(name, "utf8") });
    return { name };
  };
  const places = { packed: pathToFileURL(`${packed}/`), cache: home, temporary };
  const module = loadBundledSqlite(
    Object.assign(require, { resolve: real.resolve }) as NodeJS.Require,
    machine,
    places,
  );
  return { module, loads };
}

/** The only file in the cache. */
function kept(): string {
  const names = readdirSync(cache);
  expect(names).toEqual([expect.stringMatching(/^sqlite-[0-9a-f]{32}\.node$/)]);
  return join(cache, names[0] ?? "");
}

/** Where a binary is kept, so that a test can put something there before its first use. */
function placeOf(text: string): string {
  const sum = createHash("sha256").update(text).digest("hex");
  return join(cache, `sqlite-${sum.slice(0, 32)}.node`);
}

const mode = (path: string) => statSync(path).mode & 0o777;

describe("the first use", () => {
  it("unpacks the binary for this machine into the cache of the user, for this user alone", () => {
    pack({ "linux-x64": "first", "linux-arm64": "another" });
    expect(load().loads).toEqual([{ file: kept(), text: "first" }]);
    expect(kept()).toBe(placeOf("first"));
    expect([mode(cache), mode(dirname(cache)), mode(kept())]).toEqual([0o700, 0o700, 0o600]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("takes the rights of others away from a folder that is there", () => {
    pack({ "linux-x64": "tightened" });
    mkdirSync(cache, { recursive: true });
    chmodSync(cache, 0o777);
    expect(load().loads).toEqual([{ file: kept(), text: "tightened" }]);
    expect(mode(cache)).toBe(0o700);
  });

  it("replaces what lies in its place and is not what the build wrote", () => {
    pack({ "linux-x64": "replacing" });
    mkdirSync(cache, { recursive: true });
    writeFileSync(placeOf("replacing"), "something else");
    expect(load().loads).toEqual([{ file: kept(), text: "replacing" }]);
  });
});

describe("a later use", () => {
  it("loads what is kept, without the package's own file", () => {
    pack({ "linux-x64": "kept" });
    mkdirSync(cache, { recursive: true });
    writeFileSync(placeOf("kept"), "kept");
    rmSync(join(packed, "linux-x64.node.br"));
    expect(load().loads).toEqual([{ file: placeOf("kept"), text: "kept" }]);
  });

  it("in the same process loads nothing", () => {
    pack({ "linux-x64": "once" });
    const { module } = load();
    const again = load();
    expect(again.module).toBe(module);
    expect(again.loads).toEqual([]);
  });
});

describe("where the cache cannot be used, the binary is loaded from a folder of its own, which is removed", () => {
  function expectTemporary(text: string, options: Parameters<typeof load>[0] = {}): void {
    pack({ "linux-x64": text });
    const { loads } = load(options);
    expect(loads).toEqual([{ file: expect.stringContaining(join(temporary, "qa-pay-sqlite-")), text }]);
    expect(readdirSync(temporary)).toEqual([]);
  }

  it("because a file is in its way", () => {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(cache, "");
    expectTemporary("no folder");
  });

  it("because the user has no home", () => {
    expectTemporary("no home", { home: null });
    expect(existsSync(cache)).toBe(false);
  });

  it("because nothing may be executed there", () => {
    expectTemporary("no execution", { noExec: [cache] });
  });

  it.skipIf(process.geteuid?.() !== 0)("because it belongs to another user, who could replace a checked file", () => {
    mkdirSync(cache, { recursive: true });
    writeFileSync(placeOf("of another"), "of another");
    chownSync(cache, 65_534, 65_534);
    expectTemporary("of another");
  });
});

describe("what cannot be loaded is refused", () => {
  const refusal = (options: Parameters<typeof load>[0] = {}): string => {
    try {
      load(options);
    } catch (error) {
      expect((error as Error).name).toBe("BundledSqliteError");
      return (error as Error).message;
    }
    throw new Error("it was loaded");
  };

  it("on a platform without a binary", () => {
    pack({ "linux-x64": "not for this one" });
    const message = "the one that comes with qa-pay has no binary for freebsd-x64";
    expect(refusal({ machine: { ...MACHINE, platform: "freebsd" } })).toBe(message);
  });

  it("when the package has no binaries at all", () => {
    expect(refusal()).toBe("the one that comes with qa-pay is missing");
  });

  it.each([
    ["another binary", () => brotliCompressSync("changed by somebody")],
    ["half of a file", () => brotliCompressSync("whole ".repeat(1_000)).subarray(0, 8)],
  ])("when the package holds %s, and nothing is written", (_what, damaged) => {
    pack({ "linux-x64": "whole ".repeat(1_000) });
    writeFileSync(join(packed, "linux-x64.node.br"), damaged());
    expect(refusal()).toBe("the one that comes with qa-pay is damaged (linux-x64)");
    expect([readdirSync(cache), readdirSync(temporary)]).toEqual([[], []]);
  });

  it("when no folder lets it be executed; both are named", () => {
    pack({ "linux-x64": "nowhere" });
    const message = refusal({ noExec: [folder.path] });
    expect(message).toMatch(/^the one that comes with qa-pay cannot be loaded \(.*failed to map segment; .*\)$/);
    expect(message).toContain(cache);
    expect(message).toContain(join(temporary, "qa-pay-sqlite-"));
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("the name of a platform", () => {
  /** A file that begins as an executable does which wants this loader. */
  function executable(loader: string): string {
    const file = join(folder.path, "node");
    writeFileSync(file, Buffer.concat([Buffer.from("\x7fELF"), Buffer.alloc(700), Buffer.from(`${loader}\0`)]));
    return file;
  }

  it("on Linux says which C library Node was linked with", () => {
    const name = (execPath: string) => platformName({ platform: "linux", arch: "arm64", execPath });
    expect(name(executable("/lib/ld-musl-aarch64.so.1"))).toBe("linux-arm64-musl");
    expect(name(executable("/lib/ld-linux-aarch64.so.1"))).toBe("linux-arm64");
  });

  it.each(["darwin", "win32"])("on %s is that of Node, whose file is not read", (platform) => {
    expect(platformName({ platform, arch: "x64", execPath: join(folder.path, "none") })).toBe(`${platform}-x64`);
  });
});
