import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { errorCode, reasonOf } from "../../../../base/kernel/reason.js";
import { privateJson, writePrivately } from "../../files/private-file.js";
import {
  folderOf,
  isOfFolder,
  isServer,
  type ProjectContent,
  type ServerContent,
  type StoredKeys,
} from "../../project/project-file.js";
import { findJson } from "../../terminal/find-file.js";
import type { Io } from "../../terminal/io.js";

/** The project file of `serve`: reads the keys of earlier starts, writes the file and keeps it up to date. */

const IN_MEMORY = ":memory:";
/** The database of a file of an older version, which did not name it. */
const USUAL_DATABASE = join(".qa-pay", "qa-pay.db");
/** The maximum of databases besides the last one whose keys a file keeps. */
const MOST_OTHERS = 50;
/** The maximum of servers in a file besides the newest: another program's process may have the id of a killed one. */
const MOST_EARLIER = 20;
const NO_KEYS: StoredKeys = { test_key: null, live_key: null };

type Content = Readonly<Partial<ProjectContent>>;

/** Runs `make` for a folder or a file, and accepts that it exists already. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Creates the folder of the project file, which Git ignores. Throws when it is a link: it would lead elsewhere. */
export function makeProjectFolder(folder: string): void {
  unlessThere(() => mkdirSync(folder, 0o700));
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link, or no folder`);
  unlessThere(() => writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx" }));
}

/** The database of a project by its name in the file, which stays valid when the project is moved. */
function nameOf(file: string, database: string): string {
  return isAbsolute(database) ? relative(dirname(dirname(file)), database) : database;
}

/** Returns the content of an existing file. Throws when it cannot be read, or is no JSON. */
function contentOf(file: string): Content {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return {};
  const content = findJson(file, { noLinks: true });
  return typeof content === "object" && content !== null ? content : {};
}

function keysIn({ test_key, live_key }: Readonly<Partial<Record<keyof StoredKeys, unknown>>>): StoredKeys {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return { test_key: text(test_key), live_key: text(live_key) };
}

/** The keys of all databases in an earlier content, by the names of the databases. */
function allKeys(before: Content): Map<string, StoredKeys> {
  const { database = USUAL_DATABASE, other_keys: others } = before;
  const known = Object.entries(others ?? {});
  const all = new Map(known.map(([name, keys]) => [name, keysIn(keys ?? {})]));
  const own = keysIn(before);
  if (database !== IN_MEMORY && (own.test_key ?? own.live_key) !== null) all.set(database, own);
  return all;
}

/** The servers of a file whose processes run, the newest first. A copy of another folder's file has none. */
function findRunning(io: Io, file: string, before: Content): ServerContent[] {
  if (!isOfFolder(file, before)) return [];
  const { folder: _folder, earlier, other_keys: _keys, ...newest } = before;
  const all = [newest, ...(Array.isArray(earlier) ? earlier : [])].filter(isServer);
  return all.filter(({ pid }) => pid !== null && io.isRunning(pid)).slice(0, MOST_EARLIER);
}

/** The whole content of a file: its newest server, the earlier ones, and the keys of all other databases. */
function contentWith(
  file: string,
  newest: ServerContent,
  { earlier, keys }: { readonly earlier: readonly ServerContent[]; readonly keys: ReadonlyMap<string, StoredKeys> },
): ProjectContent {
  const kept = [...keys].filter(([name]) => name !== newest.database).slice(-MOST_OTHERS);
  return {
    ...newest,
    folder: folderOf(file),
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(kept.length === 0 ? {} : { other_keys: Object.fromEntries(kept) }),
  };
}

/**
 * Reads the keys that earlier starts on a database wrote into a project file. Throws when they cannot be read. A file that
 * is not JSON is renamed and not overwritten, because it may still contain the keys.
 */
export function readStoredKeys(file: string, database: string): StoredKeys {
  try {
    return allKeys(contentOf(file)).get(nameOf(file, database)) ?? NO_KEYS;
  } catch (error) {
    // The system refused to read the file, whose content may be right.
    if (errorCode(error) !== undefined) throw error;
    renameSync(file, `${file}.damaged`);
    throw new Error(`${reasonOf(error)}, and is now ${file}.damaged`);
  }
}

/**
 * Writes the project file of a server that has just started. The keys of other databases stay in it. Throws when the
 * file system cannot make it private.
 */
export function writeProject(io: Io, file: string, server: Omit<ServerContent, "pid" | "started_at">): void {
  makeProjectFolder(dirname(file));
  const database = nameOf(file, server.database ?? USUAL_DATABASE);
  const before = contentOf(file);
  const own = { ...server, pid: io.pid, started_at: new Date(io.now()).toISOString(), database };
  write(io, file, contentWith(file, own, { earlier: findRunning(io, file, before), keys: allKeys(before) }));
  try {
    privateJson(io, file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/**
 * Removes a server that stops from the file. If it was the newest, the newest running one replaces it. The keys stay in
 * the file, because the next start needs them; without keys, the file is removed.
 */
export function markStopped(io: Io, file: string, instance: string): void {
  const before = contentOf(file);
  const [newest, ...earlier] = findRunning(io, file, before).filter((server) => server.instance !== instance);
  if (before.instance !== instance) {
    const left = before.earlier?.filter((server) => server.instance !== instance);
    if (left?.length !== before.earlier?.length)
      write(io, file, { ...before, earlier: left?.length ? left : undefined });
  } else if (newest !== undefined) write(io, file, contentWith(file, newest, { earlier, keys: allKeys(before) }));
  else if (before.database === IN_MEMORY && before.other_keys === undefined) rmSync(file);
  else write(io, file, { ...before, earlier: undefined, pid: null });
}

function write(io: Io, file: string, content: Content): void {
  writePrivately(file, `${JSON.stringify(content, null, 2)}\n`, io.random());
}
