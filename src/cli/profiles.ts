import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "./io.js";

/** Where the command line finds its host and key: flag, then environment, then profile. */
export interface Profile {
  readonly base_url: string;
  readonly api_key: string | null;
}

interface ProfileFile {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Keys of the databases that `serve` made here, by file: the server itself keeps only hashes. */
  readonly local_keys: Readonly<Record<string, string>>;
  /** Signs what `listen` forwards. */
  readonly listen_secret?: string;
}

const EMPTY: ProfileFile = { current: "local", profiles: {}, local_keys: {} };
const LOCAL_KEYS_KEPT = 50;

/** `QA_PAY_CONFIG_DIR`, else the platform's usual place for configuration. */
export function configDirectory(io: Io): string {
  const { QA_PAY_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, APPDATA: appData } = io.env;
  if (own) return own;
  if (io.platform === "win32") return join(appData ?? join(io.home, "AppData", "Roaming"), "qa-pay");
  return join(xdg ?? join(io.home, ".config"), "qa-pay");
}

function read(io: Io): ProfileFile {
  try {
    return {
      ...EMPTY,
      ...(JSON.parse(readFileSync(join(configDirectory(io), "profiles.json"), "utf8")) as ProfileFile),
    };
  } catch {
    return EMPTY;
  }
}

/** Only the owner may read it: it holds keys. Renamed into place, so that no reader sees half a file. */
function write(io: Io, file: ProfileFile): void {
  const directory = configDirectory(io);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, "profiles.json");
  const temporary = `${path}.${io.pid}`;
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

export function findProfile(io: Io, name: string | undefined): Profile | null {
  const file = read(io);
  return file.profiles[name ?? io.env.QA_PAY_PROFILE ?? file.current] ?? null;
}

/**
 * Makes the profile `local` point at a server that has just started. A key that this start cannot know (its database
 * was made by an earlier one) is looked up by database.
 */
export function saveLocalProfile(io: Io, server: { url: string; database: string; testKey: string | null }): void {
  const file = read(io);
  const key = server.testKey ?? file.local_keys[server.database] ?? null;
  const { [server.database]: _old, ...others } = file.local_keys;
  const kept = Object.entries(others).slice(-LOCAL_KEYS_KEPT);
  const remembered = key === null || server.database === ":memory:" ? kept : [...kept, [server.database, key] as const];
  write(io, {
    ...file,
    profiles: { ...file.profiles, local: { base_url: server.url, api_key: key } },
    local_keys: Object.fromEntries(remembered),
  });
}

/** The secret that this machine signs forwarded events with: made once, so that a receiver's setting stays right. */
export function keepSecret(io: Io, make: () => string): string {
  const file = read(io);
  const secret = file.listen_secret ?? make();
  if (file.listen_secret === undefined) write(io, { ...file, listen_secret: secret });
  return secret;
}
