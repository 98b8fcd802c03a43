import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { behindLinks, writePrivately } from "./private-file.js";

/** Hosts with their keys, by name. */
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
  /** Whose server the profile `local` is; nobody's when it was not `serve` that wrote it. */
  readonly local_owner?: LocalOwner;
  /** Logins at hosts that are no profile's, by their address or, for the server of a project, by its file. */
  readonly logins?: Readonly<Record<string, Login>>;
  /** Signs what `listen` forwards from a host that tells no secret of its own. */
  readonly listen_secret?: string;
}

interface LocalOwner {
  readonly database: string;
  /** Of a server in memory, whose profile is good for as long as it runs. */
  readonly pid?: number;
}

/** Where a login is kept. */
export type LoginPlace = { readonly profile: string } | { readonly host: string };

const EMPTY: ProfileFile = { current: "local", profiles: {}, local_keys: {} };
const IN_MEMORY = ":memory:";
/** Of keys and logins that no profile has. */
const MOST_KEPT = 50;

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

const REPLACE_HINT = "Mend it, or move it away and let `qa-pay serve` write it anew.";
const WRITE_HINT = "Make sure that its folder is there and can be written, or name another one in QA_PAY_CONFIG_DIR.";

function unusable(path: string, why: string, hint = REPLACE_HINT): Failure {
  return usage(`${path} cannot be used: ${why}.`, hint);
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

/** Runs `work` alone: of two commands that read the same file, the later one would undo what the first one wrote. */
function withLock(io: Io, work: () => void): void {
  const lock = `${profilesPath(io)}.lock`;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !tryLock(io, lock); tries++) {
    if (tries >= LOCK_TRIES) throw unusable(profilesPath(io), `another command has ${lock} for too long`);
    Atomics.wait(pause, 0, 0, LOCK_PAUSE_MS);
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Where the file is a link, which some people keep with their other settings, the file behind it is written. */
function update(io: Io, change: (file: ProfileFile) => ProfileFile): void {
  const path = profilesPath(io);
  try {
    mkdirSync(configDirectory(io), { recursive: true, mode: 0o700 });
    withLock(io, () => {
      const before = read(io);
      const after = change(before);
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      writePrivately(behindLinks(path), `${JSON.stringify(after, null, 2)}\n`, io.random());
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unusable(path, `it cannot be written (${code ?? message})`, WRITE_HINT);
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
  update(io, (file) => ({ ...disowned(file, name), profiles: { ...file.profiles, [name]: profile } }));
}

/** A profile `local` that a person made or removed is no server's any more. */
function disowned({ local_owner, ...file }: ProfileFile, name: string): ProfileFile {
  return local_owner === undefined || name === "local" ? file : { ...file, local_owner };
}

export function useProfile(io: Io, name: string): void {
  update(io, (file) => ({ ...file, current: name }));
}

/** Forgets a profile. When it was the one in use, `local` is from now on. */
export function removeProfile(io: Io, name: string): void {
  update(io, (file) => {
    const { [name]: _gone, ...profiles } = file.profiles;
    return { ...disowned(file, name), profiles, current: file.current === name ? EMPTY.current : file.current };
  });
}

/** A login outlives a restart: it is still good when the server has the same database, and so the same key. */
function keptLogin({ profiles: { local } }: ProfileFile, key: string | null, url: string): Pick<Profile, "login"> {
  const isSame = key !== null && local?.api_key === key;
  return isSame && local.login !== undefined ? { login: { ...local.login, base_url: url } } : {};
}

export function findLogin(io: Io, place: LoginPlace): Login | undefined {
  const file = read(io);
  return "profile" in place ? findProfile(io, place.profile)?.login : file.logins?.[place.host];
}

/** Keeps a login, or takes it away. */
export function saveLogin(io: Io, place: LoginPlace, login: Login | null): void {
  update(io, (file) => {
    if ("host" in place) return { ...file, logins: withEntry(file.logins ?? {}, place.host, login) };
    const known = file.profiles[place.profile];
    if (known === undefined) throw new Error(`the profile ${place.profile} is gone`);
    const { login: _old, ...kept } = known;
    const profile = login === null ? kept : { ...kept, login };
    return { ...file, profiles: { ...file.profiles, [place.profile]: profile } };
  });
}

/** The record with its newest entry last, without its oldest ones when they become too many. */
function withEntry<T>(record: Readonly<Record<string, T>>, name: string, value: T | null): Record<string, T> {
  const { [name]: _old, ...others } = record;
  const kept = Object.entries(others).slice(-MOST_KEPT + 1);
  return Object.fromEntries(value === null ? Object.entries(others) : [...kept, [name, value] as const]);
}

/** A server that has just started. */
export interface StartedServer {
  readonly url: string;
  /** A file, or `:memory:`. */
  readonly database: string;
  readonly testKey: string | null;
}

/** Whether `local` may be made to point at a server: other projects rely on what it says of theirs. */
function isLocalOf(io: Io, { profiles: { local }, local_owner: owner }: ProfileFile, server: StartedServer): boolean {
  if (local === undefined) return true;
  if (owner === undefined) return server.testKey !== null && local.api_key === server.testKey;
  if (owner.database === IN_MEMORY) return owner.pid === undefined || !io.isRunning(owner.pid);
  return owner.database === server.database || !existsSync(owner.database);
}

/** The test key that was kept for a database. */
export function keptTestKey(io: Io, database: string): string | null {
  return read(io).local_keys[database] ?? null;
}

/**
 * Makes the profile `local` point at a server that has just started, when there is none yet or it was this server's
 * before. Keeps the key in any case, which the next start cannot know.
 */
export function saveLocalProfile(io: Io, server: StartedServer): void {
  update(io, (file) => {
    const { url, database, testKey } = server;
    const isKept = testKey !== null && database !== IN_MEMORY;
    const next = isKept ? { ...file, local_keys: withEntry(file.local_keys, database, testKey) } : file;
    if (!isLocalOf(io, file, server)) return next;
    const local = { base_url: url, api_key: testKey, ...keptLogin(file, testKey, url) };
    const local_owner = database === IN_MEMORY ? { database, pid: io.pid } : { database };
    return { ...next, profiles: { ...file.profiles, local }, local_owner };
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
