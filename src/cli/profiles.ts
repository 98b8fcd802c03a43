import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { Io } from "./io.js";

/** Where the command line finds its host and key: flag, then environment, then profile. */
export interface Profile {
  readonly base_url: string;
  readonly api_key: string | null;
  readonly login?: Login;
}

/** Who logged in, where, and the token that says so to the service. */
export interface Login {
  readonly base_url: string;
  readonly token: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly role: string };
  readonly account: { readonly id: string; readonly name: string };
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
function configDirectory(io: Io): string {
  const { QA_PAY_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, APPDATA: appData } = io.env;
  if (own) return own;
  if (io.platform === "win32") return join(appData ?? join(io.home, "AppData", "Roaming"), "qa-pay");
  return join(xdg ?? join(io.home, ".config"), "qa-pay");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where the profiles are. */
export function profilesPath(io: Io): string {
  return join(configDirectory(io), "profiles.json");
}

function unusable(path: string, why: string): Failure {
  const way = "Mend it, or move it away and let `qa-pay serve` write it anew.";
  return new Failure(EXIT.usage, "usage", `${path} cannot be used: ${why}.`, undefined, way);
}

/** Throws Failure for a file that is there and cannot be used: writing over it would lose keys for good. */
function read(io: Io): ProfileFile {
  const path = profilesPath(io);
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return EMPTY;
    // What the parser says repeats a part of the file, where a key may be.
    throw unusable(path, code === undefined ? "it is no JSON" : `it cannot be read (${code})`);
  }
  if (!isRecord(file) || !isRecord(file.profiles)) throw unusable(path, "it holds no profiles");
  return { ...EMPTY, ...(file as Partial<ProfileFile>) };
}

/** Only the owner may read it: it holds keys. Renamed into place, so that no reader sees half a file. */
function write(io: Io, file: ProfileFile): void {
  const path = profilesPath(io);
  mkdirSync(configDirectory(io), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${io.pid}`;
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

const LOCK_TRIES = 200;
const LOCK_PAUSE_MS = 10;
/** A lock this old belongs to a command that was ended in the middle. */
const LOCK_STALE_MS = 10_000;

/** Whether the lock is ours now. A folder can be made by one alone, on every system. */
function tryLock(io: Io, lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? io.now();
    if (io.now() - made > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** One change at a time: of two commands that read the same file, the later one would undo what the first one wrote. */
function update(io: Io, change: (file: ProfileFile) => ProfileFile): void {
  const lock = `${profilesPath(io)}.lock`;
  mkdirSync(configDirectory(io), { recursive: true, mode: 0o700 });
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !tryLock(io, lock); tries++) {
    if (tries >= LOCK_TRIES) throw unusable(profilesPath(io), `another command has ${lock} for too long`);
    Atomics.wait(pause, 0, 0, LOCK_PAUSE_MS);
  }
  try {
    write(io, change(read(io)));
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** The names there are, and which of them is used when nothing says otherwise. */
export function listProfiles(io: Io): { readonly current: string; readonly profiles: ProfileFile["profiles"] } {
  const { current, profiles } = read(io);
  return { current, profiles };
}

/** A profile by its name, else the one in use; null when there is none. */
export function findProfile(io: Io, name: string | undefined): Profile | null {
  const { current, profiles } = read(io);
  const wanted = name ?? current;
  return Object.hasOwn(profiles, wanted) ? (profiles[wanted] ?? null) : null;
}

export function saveProfile(io: Io, name: string, profile: Profile): void {
  update(io, (file) => ({ ...file, profiles: { ...file.profiles, [name]: profile } }));
}

export function useProfile(io: Io, name: string): void {
  update(io, (file) => ({ ...file, current: name }));
}

/** Forgets a profile. When it was the one in use, `local` is from now on. */
export function removeProfile(io: Io, name: string): void {
  update(io, (file) => {
    const { [name]: _gone, ...profiles } = file.profiles;
    return { ...file, profiles, current: file.current === name ? EMPTY.current : file.current };
  });
}

/** A login outlives a restart: it is still good when the server has the same database, and so the same key. */
function keptLogin({ profiles: { local } }: ProfileFile, key: string | null, url: string): Pick<Profile, "login"> {
  const isSame = key !== null && local?.api_key === key;
  return isSame && local.login !== undefined ? { login: { ...local.login, base_url: url } } : {};
}

/** Puts a login beside the key of a profile, or takes it away. */
export function saveLogin(io: Io, name: string, baseUrl: string, login: Login | null): void {
  update(io, (file) => {
    const { login: _old, ...kept } = file.profiles[name] ?? { base_url: baseUrl, api_key: null };
    return { ...file, profiles: { ...file.profiles, [name]: login === null ? kept : { ...kept, login } } };
  });
}

/**
 * Makes the profile `local` point at a server that has just started. A key that this start cannot know (its database
 * was made by an earlier one) is looked up by database.
 */
export function saveLocalProfile(io: Io, server: { url: string; database: string; testKey: string | null }): void {
  update(io, (file) => {
    const key = server.testKey ?? file.local_keys[server.database] ?? null;
    const { [server.database]: _old, ...others } = file.local_keys;
    const kept = Object.entries(others).slice(-LOCAL_KEYS_KEPT);
    const isKept = key !== null && server.database !== ":memory:";
    const local = { base_url: server.url, api_key: key, ...keptLogin(file, key, server.url) };
    return {
      ...file,
      profiles: { ...file.profiles, local },
      local_keys: Object.fromEntries(isKept ? [...kept, [server.database, key] as const] : kept),
    };
  });
}

/** The secret that this machine signs forwarded events with: made once, so that a receiver's setting stays right. */
export function keepSecret(io: Io, make: () => string): string {
  const known = read(io).listen_secret;
  if (known !== undefined) return known;
  let secret = "";
  update(io, (file) => {
    secret = file.listen_secret ?? make();
    return { ...file, listen_secret: secret };
  });
  return secret;
}
