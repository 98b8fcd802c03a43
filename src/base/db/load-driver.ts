import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { errorCode, reasonOf } from "../kernel/reason.js";
import { readDriverName, withoutWarnings } from "../platform/real-runtime.js";
import { SQLITE_PACKAGE } from "../platform/version.js";
import { loadBundledSqlite } from "./bundled-sqlite.js";
import { DatabaseError } from "./database-error.js";
import type { Db } from "./driver.js";

/** Chooses the SQLite driver, and writes the message where there is none. */

export interface Driver {
  readonly name: string;
  open(file: string, readOnly?: boolean): Db;
}

/** The facts of a Node that decide which driver works: its version, and the version of its interface for native packages. */
interface Versions {
  readonly node: string;
  readonly napi?: string | undefined;
}

/** The facts that decide which driver is loaded. */
interface LoadContext {
  readonly require: NodeJS.Require;
  readonly versions: Versions;
  /** The driver that the environment names, or null. */
  readonly wanted: string | null;
  loadBundled(require: NodeJS.Require): unknown;
}

interface Candidate {
  readonly name: string;
  /** Throws where it cannot be loaded. */
  load(context: LoadContext): Driver["open"];
}

/** Milliseconds to wait while another program has locked the file: as long as better-sqlite3 does by default. */
const BUSY_TIMEOUT = 5_000;

const betterSqlite: Candidate = {
  name: "better-sqlite3",
  load({ require, versions }) {
    const reason = whyUnusable(installedVersion(require), versions.napi);
    if (reason !== null) throw new DriverError(reason);
    const BetterSqlite = require("better-sqlite3") as new (file: string, options: { readonly: boolean }) => Db;
    new BetterSqlite(":memory:", { readonly: false }).close();
    return (file, readOnly = false) => new BetterSqlite(file, { readonly: readOnly });
  },
};

/** The exports of Node's own SQLite, and of the bundled one. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { readOnly: boolean }) => Db;
}

function opener({ DatabaseSync }: NodeSqlite): Driver["open"] {
  return (file, readOnly = false) => {
    const db = new DatabaseSync(file, { readOnly });
    // It does not wait at all without this option.
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    return db;
  };
}

const sqliteOfNode: Candidate = {
  name: "node:sqlite",
  load: ({ require }) => opener(withoutWarnings(() => require("node:sqlite")) as NodeSqlite),
};

const bundledSqlite: Candidate = {
  name: "@photostructure/sqlite",
  load: ({ require, loadBundled }) => opener(loadBundled(require) as NodeSqlite),
};

/** In the order in which they are tried. */
const CANDIDATES = [betterSqlite, sqliteOfNode, bundledSqlite];

/** The version of the better-sqlite3 that is installed: `12.11.1`. Null when there is none, or it does not say. */
function installedVersion(require: NodeJS.Require): string | null {
  try {
    // The main file is lib/index.js. From version 13 on, the package does not let others load its package.json by name.
    const { version } = require(join(dirname(require.resolve("better-sqlite3")), "..", "package.json")) as {
      readonly version?: string;
    };
    return version ?? null;
  } catch {
    return null;
  }
}

/**
 * True if Node's own SQLite is taken first. From Node 24.19 on, better-sqlite3 12 aborts the process when the garbage collector
 * removes a statement while no script runs, at the latest when the process ends: Node's ObjectWrap then uses an environment
 * that no longer exists. Node's own SQLite is stable in those versions.
 */
function prefersItsOwn({ node }: Versions, installed: string | null): boolean {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  return (major > 24 || (major === 24 && minor >= 19)) && !isThirteen(installed);
}

function isThirteen(installed: string | null): boolean {
  return installed !== null && Number.parseInt(installed, 10) >= 13;
}

/** Why the installed better-sqlite3 must not be loaded, or null. The project that uses qa-pay may need any version of it. */
function whyUnusable(installed: string | null, napi: string | undefined): string | null {
  if (installed === null) return null;
  if (Number.parseInt(installed, 10) < 12) return `better-sqlite3 ${installed} is older than version 12`;
  // Version 13 requires Node-API 10, and kills the process where there is an older one.
  return isThirteen(installed) && Number(napi) < 10 ? `better-sqlite3 ${installed} needs Node 22.14 or newer` : null;
}

const INSTALL = `npm install ${SQLITE_PACKAGE}`;

/** Why better-sqlite3 cannot be loaded, and the command that repairs it. */
function troubleOf(cause: unknown): readonly [trouble: string, command: string] {
  const message = reasonOf(cause);
  if (cause instanceof DriverError) return [message, INSTALL];
  if (errorCode(cause) === "MODULE_NOT_FOUND") return ["better-sqlite3 is not installed", INSTALL];
  const trouble = message.includes("NODE_MODULE_VERSION")
    ? "better-sqlite3 was built for another version of Node"
    : "the native part of better-sqlite3 is missing or does not fit this machine";
  // The flag lets the install script of the package run even where install scripts are switched off.
  return [trouble, "npm rebuild better-sqlite3 --ignore-scripts=false"];
}

class DriverError extends Error {
  override readonly name = "DriverError";
}

function noDriver(causes: ReadonlyMap<Candidate, unknown>): DatabaseError {
  const cause = causes.get(betterSqlite);
  const [trouble, command] = troubleOf(cause);
  const others = ["with -g where it is installed globally"];
  if (command === INSTALL) others.push(`with npx, begin with \`npx -p ${SQLITE_PACKAGE} -p qa-pay qa-pay\``);
  return new DatabaseError(
    `No SQLite driver: ${trouble}, this Node has no SQLite of its own, and ${reasonOf(causes.get(bundledSqlite))}.\n` +
      `Run \`${command}\` in the folder where qa-pay is installed (${others.join("; ")}). It downloads ` +
      "the native part, or builds it with python3, make and a C++ compiler, and shows what fails. Or use Node 22.13 or newer.",
    { cause },
  );
}

/** Returns the driver that the environment names, without trying others. */
function loadWanted(wanted: string, context: LoadContext): Driver {
  const found = CANDIDATES.find(({ name }) => name === wanted);
  if (found === undefined) {
    const names = CANDIDATES.map(({ name }) => name).join(", ");
    throw new DatabaseError(`QA_PAY_SQLITE_DRIVER takes one of ${names}, not ${wanted}.`);
  }
  try {
    return { name: wanted, open: found.load(context) };
  } catch (cause) {
    const way = "Choose another one, or leave the variable out.";
    throw new DatabaseError(
      `QA_PAY_SQLITE_DRIVER names ${wanted}, which cannot be used: ${reasonOf(cause).split("\n")[0]}. ${way}`,
      { cause },
    );
  }
}

/**
 * Loads better-sqlite3 where it is installed, else Node's own SQLite, else the one of the package. Node 20 has no SQLite of its
 * own. A better-sqlite3 without its native binary (some package managers do not run install scripts), or one that does not work
 * with this Node, counts as not installed.
 */
export function loadDriver(others: Partial<LoadContext> = {}): Driver {
  const context: LoadContext = {
    require: createRequire(import.meta.url),
    versions: process.versions,
    wanted: readDriverName(),
    loadBundled: loadBundledSqlite,
    ...others,
  };
  const { require, versions, wanted } = context;
  if (wanted !== null) return loadWanted(wanted, context);
  const isOwnFirst = prefersItsOwn(versions, installedVersion(require));
  const causes = new Map<Candidate, unknown>();
  for (const candidate of isOwnFirst ? [sqliteOfNode, betterSqlite, bundledSqlite] : CANDIDATES) {
    try {
      return { name: candidate.name, open: candidate.load(context) };
    } catch (error) {
      causes.set(candidate, error);
    }
  }
  throw noDriver(causes);
}
