import { hash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reasonOf } from "../kernel/reason.js";
import { makeFolder, refuseShared } from "../platform/own-folder.js";
import { cacheFolder } from "../platform/real-runtime.js";
import { tighten } from "./place.js";
import { readBytes } from "./read-bytes.js";

/**
 * The SQLite that comes with the package: a native binary for each platform, compressed. The one for this machine is
 * unpacked at its first use and loaded from there, because Node loads a native binary only from a file.
 */

/** The build makes this folder. The built package has it beside its own code. */
const FOLDER = new URL(
  import.meta.url.endsWith("/src/db/bundled-sqlite.ts") ? "../../dist/sqlite/" : "./sqlite/",
  import.meta.url,
);

/** `binaries.json`: the SHA-256 of each unpacked binary, by the name of its platform. */
type Sums = Readonly<Record<string, string>>;

/** The bundled SQLite cannot be used. The message is a part of a sentence. */
class BundledSqliteError extends Error {
  override readonly name = "BundledSqliteError";
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly execPath: string;
}

/** Where binaries are, and where they may be unpacked. */
export interface BinaryPlaces {
  readonly packed: URL;
  /** Null where the system names none. */
  readonly cache: string | null;
  readonly temporary: string;
}

/** Bytes at the beginning of an executable, among which Linux expects the name of its loader. */
const HEADER = 4_096;

/** Whether the C library that this Node was linked with is musl, as on Alpine Linux. */
function usesMusl(execPath: string): boolean {
  return readBytes(execPath, 0, HEADER).includes("/ld-musl-");
}

/** The name of a platform, as the build gives it: `linux-x64`, `linux-x64-musl`. */
export function platformName({ platform, arch, execPath }: Machine): string {
  const name = `${platform}-${arch}`;
  return platform === "linux" && usesMusl(execPath) ? `${name}-musl` : name;
}

function sumOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

interface Binary {
  readonly sum: string;
  bytes(): Uint8Array;
}

/** The binary for a platform. Throws BundledSqliteError when there is none, or it is not what the build wrote. */
function findBinary(packed: URL, platform: string, require: NodeJS.Require): Binary {
  let sums: Sums;
  try {
    sums = JSON.parse(fs.readFileSync(new URL("binaries.json", packed), "utf8"));
  } catch (cause) {
    throw new BundledSqliteError("the one that comes with qa-pay is missing", { cause });
  }
  const sum = sums[platform];
  if (sum === undefined) throw new BundledSqliteError(`the one that comes with qa-pay has no binary for ${platform}`);
  function bytes(): Uint8Array {
    try {
      // Loaded here, because nothing else that starts a server needs it.
      const { brotliDecompressSync } = require("node:zlib") as typeof import("node:zlib");
      const unpacked = brotliDecompressSync(fs.readFileSync(new URL(`${platform}.node.br`, packed)));
      if (sumOf(unpacked) === sum) return unpacked;
    } catch (cause) {
      throw new BundledSqliteError(`the one that comes with qa-pay is damaged (${platform})`, { cause });
    }
    throw new BundledSqliteError(`the one that comes with qa-pay is damaged (${platform})`);
  }
  return { sum, bytes };
}

function isIntact(file: string, sum: string): boolean {
  try {
    return sumOf(fs.readFileSync(file)) === sum;
  } catch {
    return false;
  }
}

/** Writes the binary into a folder, under a name of its own, and then gives it its name. */
function write(folder: string, file: string, binary: Binary): void {
  const draft = fs.mkdtempSync(join(folder, "unpack-"));
  try {
    fs.writeFileSync(join(draft, "sqlite.node"), binary.bytes(), { mode: 0o600 });
    fs.renameSync(join(draft, "sqlite.node"), file);
  } catch (error) {
    // Another process was faster, and Windows lets nobody replace a file that is loaded.
    if (error instanceof BundledSqliteError || !isIntact(file, binary.sum)) throw error;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Loads the binary from a folder of this user, in which it stays. The name has the sum, so versions lie side by side. */
function loadFrom(folder: string, binary: Binary, require: NodeJS.Require): unknown {
  makeFolder(folder);
  tighten(folder);
  refuseShared(folder);
  const file = join(folder, `sqlite-${binary.sum.slice(0, 32)}.node`);
  if (!isIntact(file, binary.sum)) write(folder, file, binary);
  return require(file);
}

/** Loads the binary from a new folder and removes it. Windows keeps a file that is loaded. */
function loadOnce(temporary: string, binary: Binary, require: NodeJS.Require): unknown {
  const folder = fs.mkdtempSync(join(temporary, "qa-pay-sqlite-"));
  try {
    return loadFrom(folder, binary, require);
  } finally {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
    } catch {
      // It is of no use to anybody, and the system empties its folder for temporary files.
    }
  }
}

function load({ cache, temporary }: BinaryPlaces, binary: Binary, require: NodeJS.Require): unknown {
  const failures: unknown[] = [];
  const ways = cache === null ? [] : [() => loadFrom(cache, binary, require)];
  for (const way of [...ways, () => loadOnce(temporary, binary, require)]) {
    try {
      return way();
    } catch (error) {
      if (error instanceof BundledSqliteError) throw error;
      failures.push(error);
    }
  }
  const reasons = failures.map((error) => reasonOf(error));
  throw new BundledSqliteError(`the one that comes with qa-pay cannot be loaded (${reasons.join("; ")})`, {
    cause: failures[0],
  });
}

/** What is loaded, by its sum: a binary that could not be kept need not be unpacked again. */
const loaded = new Map<string, unknown>();

/** Loads the bundled SQLite, with the interface of node:sqlite, if it is what the build wrote. Throws BundledSqliteError. */
export function loadBundledSqlite(
  require: NodeJS.Require,
  machine: Machine = { platform: process.platform, arch: process.arch, execPath: process.execPath },
  places: BinaryPlaces = { packed: FOLDER, cache: cacheFolder(), temporary: tmpdir() },
): unknown {
  const binary = findBinary(places.packed, platformName(machine), require);
  const known = loaded.get(binary.sum);
  if (known !== undefined) return known;
  const module = load(places, binary, require);
  loaded.set(binary.sum, module);
  return module;
}
