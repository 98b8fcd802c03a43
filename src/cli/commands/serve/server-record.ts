import type { Emulator } from "../../../emulator.js";
import { askWithKey } from "../../target/ask-host.js";
import { chooseTarget } from "../../target/choose-target.js";
import { keptTestKey, saveLocalProfile } from "../../target/profiles.js";
import { keptKeys, markStopped, projectFileOf, writeProject } from "../../target/project.js";
import type { Io } from "../../terminal/io.js";

/**
 * Stores the address and the keys of a server that starts, so that commands find it. Reads the keys of earlier starts.
 */

export interface ServerRecord {
  /** The test key when it may be shown: this start made or got it, or it is in the project file. Else null. */
  readonly testKey: string | null;
  /** A test key that works, which may be stored on this machine and must not be shown; null when none is known. */
  readonly usableKey: string | null;
  /** The path of the file with the live key; null when no file has it. */
  readonly liveKeyIn: string | null;
  /** Tells whether a command without flags, in the folder of this start, uses this server. */
  isReached(): boolean;
  /**
   * Marks the server as stopped. Call it before the database is closed: after that, another start may write its own
   * file.
   */
  stopped(): void;
}

/**
 * Returns the result of `act`, or `instead` when `act` throws. A server must start even when these files cannot be read
 * or written.
 */
function attempt<T>(act: () => T, instead: T, failed: (reason: string) => void): T {
  try {
    return act();
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
    return instead;
  }
}

/** Tells whether the server accepts a key of an earlier start: it may be revoked, or belong to another database. */
async function isAccepted({ url }: Emulator, mode: "test" | "live", apiKey: string | null): Promise<boolean> {
  if (apiKey === null) return false;
  const { status, text } = await askWithKey({ command: "serve", baseUrl: url, apiKey }, "/_sandbox");
  return status === 200 && (JSON.parse(text) as { mode: unknown }).mode === mode;
}

async function firstAccepted(
  emulator: Emulator,
  mode: "test" | "live",
  own: string | null,
  kept: readonly (string | null)[],
): Promise<string | null> {
  if (own !== null) return own;
  for (const key of kept) if (await isAccepted(emulator, mode, key)) return key;
  return null;
}

function isReached(io: Io, { url }: Emulator, key: string | null): boolean {
  try {
    const { baseUrl, apiKey } = chooseTarget(io, {});
    return baseUrl === url && apiKey !== null && apiKey === key;
  } catch {
    return false;
  }
}

/**
 * Writes the project file and the profile `local`. Calls `warn` when a file cannot be read or written; never throws.
 */
export async function recordServer(io: Io, emulator: Emulator, warn: (message: string) => void): Promise<ServerRecord> {
  const { url, database, signingSecret } = emulator;
  const project = projectFileOf(database);
  const failed = (what: string) => (reason: string) => warn(`${what}: ${reason}`);
  const none = { testKey: null, liveKey: null };
  const kept = project === null ? none : attempt(() => keptKeys(project), none, failed(`${project} could not be read`));
  // No warning here: when profiles.json cannot be read, the write below fails too and warns.
  const keptHere = attempt(
    () => keptTestKey(io, database),
    null,
    () => undefined,
  );
  const usableKey = await firstAccepted(emulator, "test", emulator.testKey, [kept.testKey, keptHere]);
  const liveKey = await firstAccepted(emulator, "live", emulator.liveKey, [kept.liveKey]);

  const notWritten = failed(`${project} could not be written`);
  const write = (file: string) => {
    writeProject(io, file, { url, test_key: usableKey, live_key: liveKey, signing_secret: signingSecret });
    return file;
  };
  const file = project === null ? null : attempt(() => write(project), null, notWritten);
  const local = { url, database, testKey: usableKey };
  attempt(() => saveLocalProfile(io, local), undefined, failed("the profile local could not be written"));
  return {
    testKey: project === null ? emulator.testKey : usableKey,
    usableKey,
    liveKeyIn: liveKey === null ? null : file,
    isReached: () => isReached(io, emulator, usableKey),
    stopped() {
      if (file !== null) attempt(() => markStopped(io, file), undefined, notWritten);
    },
  };
}
