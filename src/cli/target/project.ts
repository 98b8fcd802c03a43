import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { writePrivately } from "./private-file.js";

/**
 * The emulator of a project: `serve` writes where it listens, and with which keys, beside the project's database. So the
 * commands of a project find its own server, and no other project's.
 */

const FOLDER = ".qa-pay";
const DATABASE = "qa-pay.db";
const FILE = "server.json";

export interface ProjectServer {
  /** The file that says all this. */
  readonly file: string;
  readonly url: string;
  readonly testKey: string | null;
  readonly signingSecret: string;
  readonly pid: number | null;
}

/** What is in the file. */
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
  "Stop the server of this project and start it with `qa-pay serve`, which writes the file anew, or name another " +
  "server with --base-url and --api-key, or with --profile.";

function unusable(file: string, why: string, hint = HINT): Failure {
  return usage(`${file} cannot be used: ${why}.`, hint);
}

/** Where the server of a database is written down; null for one that is no project's own. */
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

/** Throws Failure when somebody else could have written the file: commands would go wherever that person likes. */
function checkOwner(io: Io, file: string): void {
  const { uid, mode, isFile } = factsOf(file);
  if (!isFile) throw unusable(file, "it is no plain file");
  if (io.uid === null) return;
  if (uid !== io.uid) throw unusable(file, "it belongs to another user");
  if ((mode & 0o077) === 0) return;
  const others = (mode & 0o022) === 0 ? "read" : "change";
  throw unusable(file, `others may ${others} it (mode ${mode.toString(8)})`, `Look into it, then: chmod 600 ${file}`);
}

interface Facts {
  readonly isThere: boolean;
  readonly isFile: boolean;
  readonly uid: number;
  readonly mode: number;
}

/** Of the name itself: a link is no file of ours, wherever it leads. */
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
    // What the parser says repeats a part of the file, where a key may be.
    throw unusable(file, code === undefined ? "it is no JSON" : `it cannot be read (${code})`);
  }
  if (!isContent(content)) throw unusable(file, "it does not say where a server is, and with which keys");
  const { url, test_key: testKey, signing_secret: signingSecret, pid } = content;
  return { file, url: url.replace(/\/+$/, ""), testKey, signingSecret, pid };
}

/** The folder of `path` as the system calls it, without links. */
function plain(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The emulator of the project: the nearest file in the working folder or above it, but not above the home folder. Null
 * when there is none. Throws Failure for one that cannot be used: it must not be passed over for another server.
 */
export function findProject(io: Io): ProjectServer | null {
  const home = plain(io.home);
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const file = join(folder, FOLDER, FILE);
    if (isThere(file)) return read(io, file);
    if (folder === home || folder === dirname(folder)) return null;
  }
}

/** Throws Failure where that cannot be told. */
function isThere(file: string): boolean {
  try {
    return factsOf(file).isThere;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return false;
    throw unusable(file, `it cannot be read (${code})`);
  }
}

/** Whether the server is there. One that was killed has left its process id behind. */
export function isRunning(io: Io, { pid }: ProjectServer): boolean {
  return pid !== null && io.isRunning(pid);
}

/** Where the server of this database listens, in words; undefined when nothing is known of it. */
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

/** Keys that an earlier start wrote down. Throws when they cannot be read; the file is put aside, as it may hold them. */
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

/** Writes down a server that has just started. Throws where the file system cannot keep a file from others. */
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

/** The keys stay, for the next start and for whoever asks for them in between. */
export function markStopped(io: Io, file: string): void {
  const content = JSON.parse(readFileSync(file, "utf8")) as Content;
  if (content.pid === io.pid) write(io, file, { ...content, pid: null });
}

function write(io: Io, file: string, content: Content): void {
  writePrivately(file, `${JSON.stringify(content, null, 2)}\n`, io.random());
}
