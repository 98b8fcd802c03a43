import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, parseObject } from "../../../base/kernel/json.js";
import { isWebAddress } from "../../../base/kernel/page-address.js";
import { joinWords, t, type Words } from "../../../base/kernel/wording.js";
import { makeFolder } from "../../../base/platform/own-folder.js";
import { privateJson, writePrivately } from "../files/private-file.js";
import { isSameHost } from "../host/address.js";
import { sendThrough } from "../host/send.js";
import { profilesPath } from "../profiles/profiles.js";
import type { Io } from "../terminal/io.js";
import { visible } from "../terminal/terminal-text.js";
import { certificateIn, type StartedServer } from "./project-file.js";

/** Among many servers, one that does not answer in this time does not count as running. */
export const QUICK_MS = 1_000;

/**
 * Returns whether the server that wrote a file still runs. After a crash, another process may have its process id, and another server
 * may listen at its address. So the server there must have the instance id of the file; the request for it carries no key.
 */
export async function isRunning(
  io: Io,
  { url, pid, instance, certificate }: StartedServer,
  timeoutMs: number | undefined,
): Promise<boolean> {
  if (pid === null || instance === null || !io.isRunning(pid)) return false;
  const headers = { accept: "application/json" };
  const request = { method: "GET", url: `${url}/_sandbox/server`, headers, body: undefined, timeoutMs };
  try {
    const { status, text } = await sendThrough({ command: io.command, certificate }, request);
    return status === 200 && parseObject(text).instance === instance;
  } catch {
    return false;
  }
}

/**
 * The servers of this user, each in a file of its own beside profiles.json, so that no two starts write the same file. It
 * holds no key. Messages name these servers; no command chooses one by itself.
 */
export interface ListedServer extends StartedServer {
  readonly pid: number;
  readonly instance: string;
  readonly secret: string;
  /** The working folder of `serve`. */
  readonly folder: string;
  /** The absolute path of the database, or `:memory:`. */
  readonly database: string;
}

/** Throws Failure where there is no place for it. */
function listFolder(io: Io): string {
  return join(dirname(profilesPath(io)), "servers");
}

function isListed(value: unknown): value is ListedServer {
  if (!isJsonObject(value)) return false;
  const { url, folder, database, pid, instance, secret } = value;
  const isUrl = typeof url === "string" && isWebAddress(url);
  return (
    isUrl && [folder, database, instance, secret].every((text) => typeof text === "string") && Number.isSafeInteger(pid)
  );
}

/** Returns the server of a file; null when the file is gone, belongs to another user or holds something else. */
function readListed(io: Io, file: string): ListedServer | null {
  try {
    const content = privateJson(io, file);
    return isListed(content) ? content : null;
  } catch {
    return null;
  }
}

/** The files of all starts that have not ended cleanly, with the servers in them. */
function readServerFiles(io: Io): { readonly file: string; readonly server: ListedServer }[] {
  let files: string[] = [];
  try {
    const folder = listFolder(io);
    files = readdirSync(folder).flatMap((name) => (name.endsWith(".json") ? join(folder, name) : []));
  } catch {
    // There is no such folder before the first start.
  }
  return files.flatMap((file) => {
    const server = readListed(io, file);
    return server === null ? [] : [{ file, server }];
  });
}

/**
 * Lists a server that has just started, and removes the files of servers that were killed. Returns a function that
 * removes the server from the list. Never throws: only messages need the list.
 */
export function listServer(io: Io, server: ListedServer): () => void {
  let file: string;
  try {
    file = join(listFolder(io), `${io.random()}.json`);
    for (const { file: old, server: other } of readServerFiles(io))
      if (!io.isRunning(other.pid)) rmSync(old, { force: true });
    makeFolder(listFolder(io));
    writePrivately(file, `${JSON.stringify(server)}\n`, io.random());
  } catch {
    return () => undefined;
  }
  return () => {
    try {
      rmSync(file, { force: true });
    } catch {
      // The server does not answer any more, so it is not named.
    }
  };
}

/** The certificate that a server of this user answers with at an address; undefined where none is listed. */
export function certificateOf(io: Io, address: string): string | undefined {
  const found = readServerFiles(io).find(({ server }) => isSameHost(server.url, address) && io.isRunning(server.pid));
  return found === undefined ? undefined : certificateIn(found.server);
}

/** The servers of this user that run. */
export async function listRunningServers(io: Io): Promise<ListedServer[]> {
  const servers = readServerFiles(io).map(({ server }) => server);
  const run = await Promise.all(servers.map((server) => isRunning(io, server, QUICK_MS)));
  return servers.filter((_server, index) => run[index]);
}

/** A sentence with the address of the server that runs with this database; undefined when no such server is known. */
export async function describeServerWith(io: Io, database: string): Promise<string | undefined> {
  const server = (await listRunningServers(io)).find((one) => one.database === database);
  return server === undefined ? undefined : `That server listens at ${server.url} (process ${server.pid}).`;
}

/**
 * The servers of this user that run, but for the one at an address, one on each line with its address and folder; an empty text when
 * there are none.
 */
export async function runningServersText(io: Io, butFor?: string): Promise<Words> {
  const servers = (await listRunningServers(io)).filter(({ url }) => url !== butFor);
  if (servers.length === 0) return "";
  const width = Math.max(...servers.map(({ url }) => url.length));
  const lines = servers.map(({ url, folder }) => `\n  ${url.padEnd(width)}  ${visible(folder)}`);
  const head = butFor === undefined ? t`Servers of this user that are running:` : t`Other servers that are running:`;
  return joinWords([head, ...lines], "");
}

/** A hint, and below it the servers of this user that run. */
export async function withRunningServers(io: Io, hint: Words): Promise<Words> {
  const servers = await runningServersText(io);
  return joinWords(servers === "" ? [hint] : [hint, servers], "\n");
}
