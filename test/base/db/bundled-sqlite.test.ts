import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { loadBundledSqlite, type Machine } from "../../../src/base/db/bundled-sqlite.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";

/** The SQLite that comes with the package: which binary a machine loads, and what is said where there is none. */

const real = createRequire(import.meta.url);
const folder = fresh(newFolder);

/** A file that begins as an executable does which wants this loader. */
function executable(loader: string): string {
  const file = join(folder.path, "node");
  writeFileSync(file, Buffer.concat([Buffer.from("\x7fELF"), Buffer.alloc(700), Buffer.from(`${loader}\0`)]));
  return file;
}

/** The end of the path that a machine loads. Nothing is loaded: it may be the binary of another platform. */
function chosen(platform: string, arch: string, loader = "/lib64/ld-linux-x86-64.so.2"): string {
  const require = Object.assign((file: string) => file.split("/").slice(-2).join("/"), { ...real });
  return String(loadBundledSqlite(require, { platform, arch, execPath: executable(loader) }));
}

describe("the bundled SQLite", () => {
  it("has a binary for each platform that Node 20 has, under a name of its own", () => {
    const platforms = ["darwin", "linux", "win32"].flatMap((name) =>
      ["arm64", "x64"].map((arch) => [name, arch] as const),
    );
    const names = platforms.map(([platform, arch]) => chosen(platform, arch));
    expect(names).toEqual(platforms.map(([platform, arch]) => `${platform}-${arch}/@photostructure+sqlite.glibc.node`));
  });

  it("on Linux is for the C library that Node was linked with", () => {
    const loader = "/lib/ld-musl-aarch64.so.1";
    expect(chosen("linux", "arm64", loader)).toBe("linux-arm64/@photostructure+sqlite.musl.node");
    expect(chosen("linux", "arm64", "/lib/ld-linux-aarch64.so.1")).toBe(
      "linux-arm64/@photostructure+sqlite.glibc.node",
    );
  });

  it("is loaded on this machine, with the interface of node:sqlite", () => {
    expect(loadBundledSqlite(real)).toMatchObject({ DatabaseSync: expect.any(Function) });
  });
});

describe("where the bundled SQLite cannot be used, it is said why", () => {
  const machine: Machine = { platform: "linux", arch: "x64", execPath: process.execPath };
  const refusal = (arch: string) => () =>
    loadBundledSqlite(real, { ...machine, arch }, pathToFileURL(`${folder.path}/`));

  it("on a platform without a binary", () => {
    expect(refusal("riscv64")).toThrow("the one that comes with qa-pay has no binary for linux-riscv64");
  });

  it("when the binary does not fit, or is damaged", () => {
    mkdirSync(join(folder.path, "linux-x64"));
    for (const library of ["glibc", "musl"]) {
      writeFileSync(join(folder.path, "linux-x64", `@photostructure+sqlite.${library}.node`), "no program");
    }
    expect(refusal("x64")).toThrow(/^the one that comes with qa-pay cannot be loaded \(.*\)$/);
  });
});
