import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { writePrivately } from "./private-file.js";

/**
 * The project file, `.qa-pay/server.json`: `serve` writes the address and the keys of its server there, in the same
 * folder as the project's database. So commands that run in a project find the server of this project.
 */

const FOLDER = ".qa-pay";
const DATABASE = "qa-pay.db";
const FILE = "server.json";

export interface ProjectServer {
  /** The path of the project file. */
  readonly file: string;
  readonly url: string;
  readonly testKey: string | null;
  readonly signingSecret: string;
  readonly pid: number | null;
}

/** The JSON content of the project file. */
interface Content {
  readonly url: string;
  readonly test_key: string | null;
  readonly live_key: string | null;
  readonly signing_secret: string;
  /** Null once the server has stopped. */
  readonly pid: number | null;
  readonly started_at: string;
}

const HINT =
  "Stop the server of this project and start it with `qa-pay serve`, which writes a new file, or name another " +
  "server with --base-url and --api-key, or with --profile.";

function unusable(file: string, why: string, hint = HINT): Failure {
  return usage(`${file} cannot be used: ${why}.`, hint);
}

/** Returns the path of the project file for a database, or null when the database is not `.qa-pay/qa-pay.db`. */
export function projectFileOf(database: string): string | null {
  const folder = dirname(database);
  return basename(database) === DATABASE && basename(folder) === FOLDER ? join(folder, FILE) : null;
}

function isKey(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isContent(value: unknown): value is Content {
  if (typeof value !== "object" || value === null) return false;
  const { url, test_key, live_key, signing_secret, pid } = value as Partial<Record<keyof Content, unknown>>;
  const isUrl = typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url);
  const isPid = pid === null || (typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0);
  return isUrl && isPid && isKey(test_key) && isKey(live_key) && typeof signing_secret === "string";
}

/** Throws Failure when another user could have changed the file: that user could send our requests to any host. */
function checkOwner(io: Io, file: string): void {
  const { uid, mode, isFile } = factsOf(file);
  if (!isFile) throw unusable(file, "it is not a regular file");
  if (io.uid === null) return;
  if (uid !== io.uid) throw unusable(file, "it belongs to another user");
  if ((mode & 0o077) === 0) return;
  const others = (mode & 0o022) === 0 ? "read" : "change";
  throw unusable(file, `others may ${others} it (mode ${mode.toString(8)})`, `Check it, then run: chmod 600 ${file}`);
}

interface Facts {
  readonly isThere: boolean;
  readonly isFile: boolean;
  readonly uid: number;
  readonly mode: number;
}

/** Does not follow links: `serve` never writes a link, so a link at this path is refused. */
function factsOf(file: string): Facts {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { isThere: false, isFile: false, uid: -1, mode: 0 };
  return { isThere: true, isFile: found.isFile(), uid: found.uid, mode: found.mode & 0o777 };
}

function read(io: Io, file: string): ProjectServer {
  checkOwner(io, file);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The parser's own message is left out: it quotes the file, and the quoted part may contain a key.
    throw unusable(file, code === undefined ? "it is no JSON" : `it cannot be read (${code})`);
  }
  if (!isContent(content)) throw unusable(file, "it does not say where a server is, and with which keys");
  const { url, test_key: testKey, signing_secret: signingSecret, pid } = content;
  return { file, url: url.replace(/\/+$/, ""), testKey, signingSecret, pid };
}

/** Returns the path with its links resolved, or the path itself when that fails. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Finds the server of the project. Looks for the project file in the working folder and then in each folder above it,
 * up to the home folder. Returns null when there is no file. Throws Failure when the file cannot be used: another
 * server must not be used in its place.
 */
export function findProject(io: Io): ProjectServer | null {
  const home = withoutLinks(io.home);
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const file = join(folder, FOLDER, FILE);
    if (isThere(file)) return read(io, file);
    if (folder === home || folder === dirname(folder)) return null;
  }
}

/** Throws Failure when the system refuses access to the path. */
function isThere(file: string): boolean {
  try {
    return factsOf(file).isThere;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return false;
    throw unusable(file, `it cannot be read (${code})`);
  }
}

/** Tells whether the server's process runs. A server that was killed could not remove its process id from the file. */
export function isRunning(io: Io, { pid }: ProjectServer): boolean {
  return pid !== null && io.isRunning(pid);
}

/** A sentence with the address of the server that runs with this database; undefined when no such server is known. */
export function listeningAt(io: Io, database: string): string | undefined {
  const file = projectFileOf(database);
  try {
    const server = file === null || !isThere(file) ? null : read(io, file);
    if (server === null || !isRunning(io, server)) return undefined;
    return `That server listens at ${server.url} (process ${server.pid}).`;
  } catch {
    return undefined;
  }
}

/**
 * Reads the keys that an earlier start wrote into the file. Throws when they cannot be read. A file that is not JSON is
 * renamed and not overwritten, because it may still contain the keys.
 */
export function keptKeys(file: string): { readonly testKey: string | null; readonly liveKey: string | null } {
  const none = { testKey: null, liveKey: null };
  if (!factsOf(file).isFile) return none;
  try {
    const { test_key, live_key } = JSON.parse(readFileSync(file, "utf8")) as Partial<Record<keyof Content, unknown>>;
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return { testKey: text(test_key), liveKey: text(live_key) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    renameSync(file, `${file}.damaged`);
    throw new Error(`it is no JSON, and is now ${file}.damaged`);
  }
}

/** Writes the project file of a server that has just started. Throws when the file system cannot make it private. */
export function writeProject(io: Io, file: string, server: Omit<Content, "pid" | "started_at">): void {
  try {
    writeFileSync(join(dirname(file), ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  write(io, file, { ...server, pid: io.pid, started_at: new Date(io.now()).toISOString() });
  try {
    checkOwner(io, file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** Removes the process id of a server that stops. The keys stay in the file: the next start needs them. */
export function markStopped(io: Io, file: string): void {
  const content = JSON.parse(readFileSync(file, "utf8")) as Content;
  if (content.pid === io.pid) write(io, file, { ...content, pid: null });
}

function write(io: Io, file: string, content: Content): void {
  writePrivately(file, `${JSON.stringify(content, null, 2)}\n`, io.random());
}
