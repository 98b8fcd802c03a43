// @ts-check
// Usage: node scripts/pack-sqlite.mjs
// Compresses the native binaries of @photostructure/sqlite into dist/sqlite, as small as can be, for the
// package. An ordinary build calls `packSqlite` too, and takes less time for larger files.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { installSqlite, SQLITE_PACKAGES } from "./install-sqlite.mjs";

const BINARIES = join(SQLITE_PACKAGES, "@photostructure", "sqlite", "prebuilds");
const FOLDER = "dist/sqlite";
/** What the compressed files were when they were made as small as can be. */
const STAMP = join(SQLITE_PACKAGES, "small.json");
/** Levels of Brotli. The quick one takes a second of the processor for a quarter more bytes, the other more than a minute. */
const QUALITY = { quick: 4, small: 11 };

const compress = promisify(brotliCompress);

/**
 * Writes each binary as `linux-x64-musl.node.br`, and the SHA-256 of all of them into `binaries.json`. Does nothing when
 * these binaries are there already, at least as small as they are wanted.
 * @param {"quick" | "small"} level
 */
export async function packSqlite(level) {
  installSqlite();
  /** @type {Record<string, string>} */
  const sums = {};
  /** @type {[name: string, bytes: Buffer][]} */
  const binaries = [];
  for (const path of (await readdir(BINARIES, { recursive: true })).sort()) {
    if (!path.endsWith(".node")) continue;
    const [platform = "", file = ""] = path.replaceAll("\\", "/").split("/");
    const name = file.endsWith(".musl.node") ? `${platform}-musl` : platform;
    assert(sums[name] === undefined, `There are two binaries for ${name}`);
    const bytes = await readFile(join(BINARIES, path));
    sums[name] = sumOf(bytes);
    binaries.push([name, bytes]);
  }
  assert(binaries.length > 0, `${BINARIES} has no binaries`);
  const list = `${JSON.stringify(sums, null, 2)}\n`;
  const isThere = (await textOf(join(FOLDER, "binaries.json"))) === list;
  if (isThere && (level === "quick" || (await textOf(STAMP)) === (await compressed()))) return;
  const files = await Promise.all(
    binaries.map(async ([name, bytes]) => {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: QUALITY[level],
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      return /** @type {const} */ ([`${name}.node.br`, await compress(bytes, { params })]);
    }),
  );
  // Only now: a build that runs at the same time finds the files as they were.
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(FOLDER, name), bytes);
  // Last: a build that was interrupted is made again.
  await writeFile(join(FOLDER, "binaries.json"), list);
  if (level === "small") await writeFile(STAMP, await compressed());
}

/** The names and sums of the compressed files. */
async function compressed() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".br")).sort();
  return JSON.stringify(
    await Promise.all(names.map(async (name) => [name, sumOf(await readFile(join(FOLDER, name)))])),
  );
}

/** @param {Buffer} bytes */
function sumOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** @param {string} file */
async function textOf(file) {
  return readFile(file, "utf8").catch(() => null);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await packSqlite("small");
