import type { Emulator } from "../../../emulator.js";
import { sendOrFail } from "../../target/ask-host.js";
import { chooseTarget } from "../../target/choose-target.js";
import { keptTestKey, saveLocalProfile } from "../../target/profiles.js";
import { keptKeys, markStopped, projectFileOf, writeProject } from "../../target/project.js";
import type { Io } from "../../terminal/io.js";

/** What a start writes down, so that commands find this server, and what earlier starts wrote down for it. */

export interface ServerRecord {
  /** The test key as it may be shown: made or given by this start, or in the file of the project. */
  readonly testKey: string | null;
  /** The same, or the one that this machine keeps for the database without showing it. */
  readonly usableKey: string | null;
  /** The file that holds the live key; null when none does. */
  readonly liveKeyIn: string | null;
  /** Whether a command without a flag goes here, in the folder of this start. */
  isReached(): boolean;
  /** To be called before the database is let go: another start may then write its own. */
  stopped(): void;
}

/** Answers what `act` does, or what stands for it: a start must not end because of a note of an earlier one. */
function attempt<T>(act: () => T, instead: T, failed: (reason: string) => void): T {
  try {
    return act();
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
    return instead;
  }
}

/** Whether a key of an earlier start is still let in: it may have been revoked, or be another database's. */
async function isLetIn({ url }: Emulator, mode: "test" | "live", apiKey: string | null): Promise<boolean> {
  if (apiKey === null) return false;
  const { status, text } = await sendOrFail({
    method: "GET",
    url: `${url}/_sandbox`,
    headers: { accept: "application/json", apikey: apiKey },
    body: undefined,
  });
  return status === 200 && (JSON.parse(text) as { mode: unknown }).mode === mode;
}

async function firstLetIn(
  emulator: Emulator,
  mode: "test" | "live",
  own: string | null,
  kept: readonly (string | null)[],
): Promise<string | null> {
  if (own !== null) return own;
  for (const key of kept) if (await isLetIn(emulator, mode, key)) return key;
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

/** `warn` is told what could not be read or written, which ends nothing. */
export async function recordServer(io: Io, emulator: Emulator, warn: (message: string) => void): Promise<ServerRecord> {
  const { url, database, signingSecret } = emulator;
  const project = projectFileOf(database);
  const failed = (what: string) => (reason: string) => warn(`${what}: ${reason}`);
  const none = { testKey: null, liveKey: null };
  const kept = project === null ? none : attempt(() => keptKeys(project), none, failed(`${project} could not be read`));
  // A profile file that cannot be read cannot be written either, which is said then.
  const keptHere = attempt(
    () => keptTestKey(io, database),
    null,
    () => undefined,
  );
  const usableKey = await firstLetIn(emulator, "test", emulator.testKey, [kept.testKey, keptHere]);
  const liveKey = await firstLetIn(emulator, "live", emulator.liveKey, [kept.liveKey]);

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
