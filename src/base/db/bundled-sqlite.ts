import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { reasonOf } from "../kernel/reason.js";
import { readBytes } from "./read-bytes.js";

/** The SQLite that comes with the package: a native binary for each platform, as @photostructure/sqlite publishes them. */

/** The build copies the binaries to where the built program looks. Source looks where scripts/install-sqlite.mjs installs them. */
const FOLDER = new URL(
  import.meta.url.endsWith("/src/base/db/bundled-sqlite.ts")
    ? "../../../node_modules/.cache/qa-pay/sqlite/node_modules/@photostructure/sqlite/prebuilds/"
    : "./sqlite/",
  import.meta.url,
);

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly execPath: string;
}

/** Bytes at the beginning of an executable, among which Linux expects the name of its loader. */
const HEADER = 4_096;

/** True if the C library that this Node was linked with is musl, as on Alpine Linux. */
function usesMusl({ platform, execPath }: Machine): boolean {
  return platform === "linux" && readBytes(execPath, 0, HEADER).includes("/ld-musl-");
}

/**
 * Loads the bundled SQLite, with the interface of node:sqlite. Throws where it cannot be used; the message is a part of a
 * sentence.
 */
export function loadBundledSqlite(
  require: NodeJS.Require,
  machine: Machine = { platform: process.platform, arch: process.arch, execPath: process.execPath },
  folder = FOLDER,
): unknown {
  const library = usesMusl(machine) ? "musl" : "glibc";
  const platform = `${machine.platform}-${machine.arch}`;
  // Binaries for systems other than Linux have glibc in their names, too.
  const file = fileURLToPath(new URL(`${platform}/@photostructure+sqlite.${library}.node`, folder));
  if (!existsSync(file)) throw new Error(`the one that comes with qa-pay has no binary for ${platform}`);
  try {
    return require(file);
  } catch (cause) {
    throw new Error(`the one that comes with qa-pay cannot be loaded (${reasonOf(cause)})`, { cause });
  }
}
