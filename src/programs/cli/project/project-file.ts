import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject } from "../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { isWebAddress } from "../../../base/kernel/page-address.js";
import { t, WordedError, type Words } from "../../../base/kernel/wording.js";
import { Distrusted, privateJson } from "../files/private-file.js";
import { type Failure, usage, whyUnreadable } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/**
 * The project file, `.qa-pay/server.json`: `serve` writes the address and the keys of its server there, in its working
 * folder. So commands that run in a project find the server of this project.
 */

/** The folder for the files of this program in a project. */
export const PROJECT_FOLDER = ".qa-pay";
const FILE = "server.json";

/** A server, as the file that it wrote describes it. */
export interface StartedServer {
  readonly url: string;
  /** Null when the server has stopped. */
  readonly pid: number | null;
  /** The id of this start of the server, which the server returns without a key; null in a file of an older version. */
  readonly instance: string | null;
  /** Stops the server; null in a file of an older version. */
  readonly secret: string | null;
  /** The certificate that this server answers with, as PEM; undefined for a server without TLS. */
  readonly certificate?: string | undefined;
}

export interface ProjectServer extends StartedServer {
  /** The path of the project file. */
  readonly file: string;
  /** The database as the file names it; undefined in a file of an older version. */
  readonly database: string | undefined;
  /** The servers that were started in this folder before, and that had not ended when the file was written; the newest first. */
  readonly earlier: readonly ProjectServer[];
  readonly testKey: string | null;
  readonly liveKey: string | null;
  readonly signingSecret: string;
}

/** The keys of a database. */
export interface StoredKeys {
  readonly test_key: string | null;
  readonly live_key: string | null;
}

/** One server in the project file. */
export interface ServerContent extends StoredKeys {
  readonly url: string;
  readonly signing_secret: string;
  /** Null once the server has stopped. */
  readonly pid: number | null;
  readonly started_at: string;
  readonly instance: string;
  readonly server_secret: string;
  /** The certificate of a server with --https, as PEM. */
  readonly certificate?: string | undefined;
  /** The path of the database from the project on, or `:memory:`. Absent in a file of an older version. */
  readonly database?: string;
}

/** The JSON content of the project file: the newest server, and what belongs to the folder. */
export interface ProjectContent extends ServerContent {
  /** The folder that the file was written for. Absent in a file of an older version. */
  readonly folder?: string;
  readonly earlier?: readonly ServerContent[] | undefined;
  /** The keys of databases that servers of this folder had before, by their paths. */
  readonly other_keys?: Readonly<Record<string, StoredKeys>>;
}

const HINT = t`Stop the server of this project and start it with \`qa-pay serve\`, which writes a new file, or name another server with --base-url and --api-key, or with --profile.`;

function unusable(file: string, why: Words, hint: Words = HINT): Failure {
  return usage(t`${file} cannot be used: ${why}.`, hint);
}

/** The path of the project file that `serve` writes in a folder. */
export function projectFileIn(folder: string): string {
  return join(folder, PROJECT_FOLDER, FILE);
}

function isKey(value: unknown): boolean {
  return value === null || typeof value === "string";
}

export function isServer(
  value: unknown,
): value is ServerContent & { readonly folder?: unknown; readonly earlier?: unknown } {
  if (!isJsonObject(value)) return false;
  const { url, test_key, live_key, signing_secret, pid } = value;
  const isUrl = typeof url === "string" && isWebAddress(url);
  const isPid = pid === null || (typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0);
  return isUrl && isPid && isKey(test_key) && isKey(live_key) && typeof signing_secret === "string";
}

/** Returns the folder of a project, with links resolved. */
export function folderOf(file: string): string {
  return withoutLinks(dirname(dirname(file)));
}

/** True if the file was written for the folder that it lies in. A copy of the folder, or one with another name, has no server. */
export function isOfFolder(file: string, { folder }: Readonly<{ folder?: unknown }>): boolean {
  return folder === undefined || folder === folderOf(file);
}

/** The certificate in a file. No other file names a host that is believed by its own certificate. */
export function certificateIn({
  url,
  certificate,
}: {
  readonly url: string;
  readonly certificate?: unknown;
}): string | undefined {
  return typeof certificate === "string" && isLoopbackUrl(url) ? certificate : undefined;
}

function serverIn(file: string, content: ServerContent, earlier: readonly ProjectServer[]): ProjectServer {
  const { url, test_key: testKey, live_key: liveKey, signing_secret: signingSecret, pid, database } = content;
  const instance = typeof content.instance === "string" ? content.instance : null;
  const secret = typeof content.server_secret === "string" ? content.server_secret : null;
  const certificate = certificateIn(content);
  const server = { url: url.replace(/\/+$/, ""), pid, instance, secret, certificate };
  return { ...server, file, database, earlier, testKey, liveKey, signingSecret };
}

/** Reads a project file; null when there is none, or it is that of another folder. Throws Failure when it cannot be used. */
export function readProject(io: Io, file: string): ProjectServer | null {
  let content: unknown;
  try {
    content = privateJson(io, file);
    if (content === undefined) return null;
    // A link could lead to the project of another folder, whose server is not meant here.
    if (lstatSync(dirname(file)).isSymbolicLink()) throw new WordedError(t`its folder is a symbolic link`);
  } catch (error) {
    throw unusable(file, whyUnreadable(error), error instanceof Distrusted ? error.hint : undefined);
  }
  if (!isServer(content)) throw unusable(file, t`it has no address of a server, or no keys`);
  const { folder, earlier } = content;
  if (!isOfFolder(file, { folder })) return null;
  const others = Array.isArray(earlier) ? earlier.filter(isServer) : [];
  return serverIn(
    file,
    content,
    others.map((one) => serverIn(file, one, [])),
  );
}

/** Returns the path with its links resolved, or the path itself when that fails. */
function withoutLinks(path: string): string {
  try {
    return realpathSync.native(path);
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
  const home = io.home === null ? null : withoutLinks(io.home);
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const file = projectFileIn(folder);
    const project = readProject(io, file);
    if (project !== null) return project;
    if (folder === home || folder === dirname(folder)) return null;
  }
}
