import { basename, dirname } from "node:path";
import { parseObject } from "../../../../base/kernel/json.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import type { Mode } from "../../../../service/features/access/catalogue.js";
import type { Emulator } from "../../../start/emulator.js";
import { chooseConnection } from "../../host/connect.js";
import { ownConnection, projectOf as projectHere } from "../../host/connection.js";
import { getWithKey } from "../../host/read.js";
import {
  folderOf,
  PROJECT_FOLDER,
  projectFileIn,
  readProject,
  type StartedServer,
  type StoredKeys,
} from "../../project/project-file.js";
import { isRunning, listServer, QUICK_MS } from "../../project/running-servers.js";
import type { Io } from "../../terminal/io.js";
import { markStopped, readStoredKeys, writeProject } from "./project-file.js";

/**
 * Stores the address and the keys of a server that starts, so that commands find it. Reads the keys of earlier starts.
 */

const DATABASE = "qa-pay.db";

export type ServerRecord = Awaited<ReturnType<typeof recordServer>>;

/**
 * Returns the result of `act`, or `instead` when `act` throws. A server must start even when these files cannot be read
 * or written.
 */
function attempt<T>(act: () => T, instead: T, warnAbout: (reason: string) => void): T {
  try {
    return act();
  } catch (error) {
    warnAbout(reasonOf(error));
    return instead;
  }
}

/** True if the server accepts a key of an earlier start: it may be revoked, or belong to another database. */
async function isAccepted(
  { url, certificate }: Pick<StartedServer, "url" | "certificate">,
  mode: Mode,
  apiKey: string | null,
): Promise<boolean> {
  if (apiKey === null) return false;
  const { status, text } = await getWithKey(ownConnection(url, apiKey, { command: "serve", certificate }), "/_sandbox");
  return status === 200 && parseObject(text).mode === mode;
}

async function firstAccepted(
  server: Pick<StartedServer, "url" | "certificate">,
  mode: Mode,
  own: string | null,
  kept: readonly (string | null)[],
): Promise<string | null> {
  if (own !== null) return own;
  for (const key of kept) if (await isAccepted(server, mode, key)) return key;
  return null;
}

/** Real milliseconds for this server's answer to itself. On a busy machine a second is not enough. */
const OWN_ANSWER_MS = 10_000;

async function isReached(io: Io, { url }: Emulator, key: string | null): Promise<boolean> {
  try {
    const { host, credential } = await chooseConnection(io, {}, OWN_ANSWER_MS);
    const { apiKey } = credential;
    return host.url === url && apiKey !== null && apiKey === key && projectHere(host)?.isRunning !== false;
  } catch {
    return false;
  }
}

/** The project whose own database this is, the one without --db; null for any other database. */
function projectOf(database: string): string | null {
  const folder = dirname(database);
  return basename(database) === DATABASE && basename(folder) === PROJECT_FOLDER ? dirname(folder) : null;
}

/** Warns when the commands of this folder used another server until now, which still runs. */
async function announceReplaced(io: Io, file: string, warn: (message: string) => void): Promise<void> {
  try {
    const newest = readProject(io, file);
    for (const server of newest === null ? [] : [newest, ...newest.earlier]) {
      if (!(await isRunning(io, server, QUICK_MS))) continue;
      const { url, pid } = server;
      return warn(`commands in this folder now go to this server; the one at ${url} (process ${pid}) still runs`);
    }
  } catch {
    // A file that cannot be used leads no command anywhere.
  }
}

/** Writes the project file of the working folder. Calls `warn` when a file cannot be read or written; never throws. */
export async function recordServer(
  io: Io,
  emulator: Emulator,
  {
    instance,
    secret,
    certificate,
  }: Readonly<Record<"instance" | "secret", string>> & Pick<StartedServer, "certificate">,
  warn: (message: string) => void,
) {
  const { url, database, signingSecret } = emulator;
  const own = projectFileIn(io.cwd);
  const failed = (what: string) => (reason: string) => warn(`${what}: ${reason}`);
  const none: StoredKeys = { test_key: null, live_key: null };
  const home = projectOf(database);
  // The database may have been used from another folder before.
  const files = home === null ? [own] : [...new Set([own, projectFileIn(home)])];
  const kept = files.map((file) =>
    attempt(() => readStoredKeys(file, database), none, failed(`${file} could not be read`)),
  );
  const usableKey = await firstAccepted(
    { url, certificate },
    "test",
    emulator.testKey,
    kept.map(({ test_key }) => test_key),
  );
  const liveKey = await firstAccepted(
    { url, certificate },
    "live",
    emulator.liveKey,
    kept.map(({ live_key }) => live_key),
  );
  await announceReplaced(io, own, warn);

  const notWritten = failed(`${own} could not be written`);
  const keys = { test_key: usableKey, live_key: liveKey };
  const server = {
    url,
    ...keys,
    signing_secret: signingSecret,
    instance,
    server_secret: secret,
    certificate,
    database,
  };
  const write = () => {
    writeProject(io, own, server);
    return true;
  };
  const isWritten = attempt(write, false, notWritten);
  const unlist = listServer(io, { url, folder: folderOf(own), database, pid: io.pid, instance, secret, certificate });
  return {
    /** The test key if it may be shown: created or received by this start, or of the usual database. Else null. */
    testKey: home === null ? emulator.testKey : usableKey,
    /** A test key that works, which may be stored on this machine and must not be shown; null when none is known. */
    usableKey,
    /** The path of the file with the live key; null when no file has it. */
    liveKeyIn: liveKey !== null && isWritten ? own : null,
    /** True if a command without flags, in the folder of this start, uses this server. */
    isReached: () => isReached(io, emulator, usableKey),
    /** Marks the server as stopped. Call it before the database is closed: after that, another start may write its own file. */
    recordStop() {
      unlist();
      if (isWritten) attempt(() => markStopped(io, own, instance), undefined, notWritten);
    },
  };
}
