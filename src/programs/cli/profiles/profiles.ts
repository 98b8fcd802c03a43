import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isPlainWord } from "../../../api/client/route.js";
import { isJsonObject, type JsonObject } from "../../../base/kernel/json.js";
import { errorCode } from "../../../base/kernel/reason.js";
import { saidBy, t, WordedError, type Wording, type Words } from "../../../base/kernel/wording.js";
import { makeFolder } from "../../../base/platform/own-folder.js";
import { userFolder } from "../../../base/platform/real-runtime.js";
import { behindLinks, writePrivately } from "../files/private-file.js";
import { Failure, usage, whyUnreadable } from "../terminal/failure.js";
import { findJson } from "../terminal/find-file.js";
import type { Io } from "../terminal/io.js";

/** A host and its API key, stored under a name in profiles.json. */
export interface Profile {
  readonly base_url: string;
  /** Null without a key, and when the key is in the system's keychain. */
  readonly api_key: string | null;
  /** The name of the key in the system's keychain, and its beginning, which is no secret. */
  readonly keychain?: { readonly account: string; readonly key_prefix: string };
  /** Set when no change may be sent through this profile. */
  readonly read_only?: true;
  readonly login?: Login;
}

/** A user who is logged in: the host, the login token, the user and the account. */
export interface Login {
  readonly base_url: string;
  readonly token: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly role: string };
  readonly account: { readonly id: string; readonly name: string };
}

interface ProfileFile {
  /** The name of the current profile; null until one is chosen. That profile may be gone. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** The logins at hosts without a profile, by the address, or by the project file for a project's server. */
  readonly logins?: Readonly<Record<string, Login>>;
  /** Signs the events that `listen` forwards when the host does not return its own secret. */
  readonly listen_secret?: string;
}

/** The place in profiles.json where a login is stored. */
export type LoginPlace = { readonly profile: string } | { readonly host: string };

const EMPTY: ProfileFile = { current: null, profiles: {} };
/** The highest number of entries in `logins`. */
const MOST_KEPT = 50;

/**
 * `QA_PAY_CONFIG_DIR`, from the working folder on when it is relative, else the platform's usual place for configuration. Null where
 * the user has no home folder.
 */
export function configDirectory(io: Io): string | null {
  const { QA_PAY_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, APPDATA: appData } = io.env;
  if (own) return isAbsolute(own) ? own : resolve(io.cwd, own);
  const isWindows = io.platform === "win32";
  const folder = isWindows ? userFolder(appData, io.home, "AppData", "Roaming") : userFolder(xdg, io.home, ".config");
  return folder === null ? null : join(folder, "qa-pay");
}

/** The path of profiles.json. Throws Failure (exit 2) where it can be nowhere. */
export function profilesPath(io: Io): string {
  const folder = configDirectory(io);
  if (folder !== null) return join(folder, "profiles.json");
  throw usage(t`There is no home folder to store profiles in.`, t`Set HOME, or name a folder in QA_PAY_CONFIG_DIR.`);
}

const REPLACE_HINT = t`Repair it, or move it away: \`qa-pay profiles add\` then writes a new one.`;
const WRITE_HINT = t`Make sure that its folder is there and can be written, or name another one in QA_PAY_CONFIG_DIR.`;

function unusable(path: string, why: Words, hint = REPLACE_HINT): Failure {
  return usage(t`${path} cannot be used: ${why}.`, hint);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

const isTextOrNone = (value: unknown) => value === undefined || isText(value);

/** True if a value is a login that can be kept and used. A header must be able to hold its token. */
export function isLogin(value: unknown): value is Login {
  if (!isJsonObject(value)) return false;
  const { base_url, token, user, account } = value;
  const isUser = isJsonObject(user) && isText(user.email) && [user.id, user.name, user.role].every(isTextOrNone);
  const isAccount = isJsonObject(account) && isText(account.name) && isTextOrNone(account.id);
  return isText(base_url) && URL.canParse(base_url) && isText(token) && isPlainWord(token) && isUser && isAccount;
}

function isProfile(value: unknown): value is Profile {
  if (!isJsonObject(value)) return false;
  const { base_url, api_key, keychain, read_only, login } = value;
  const isKept =
    keychain === undefined || (isJsonObject(keychain) && isText(keychain.account) && isText(keychain.key_prefix));
  // A word in place of `true` may have been meant to protect the host.
  const isKnown = read_only === undefined || typeof read_only === "boolean";
  const hasParts = isText(base_url) && (api_key === null || isText(api_key)) && isKept && isKnown;
  return hasParts && (login === undefined || isLogin(login));
}

/** Returns what is wrong in a file, or null when every entry can be used. */
function damageIn({ current, profiles, logins = {}, listen_secret: secret }: JsonObject): Wording | null {
  if (!isJsonObject(profiles)) return t`it holds no profiles`;
  if (current !== undefined && current !== null && !isText(current)) return t`\`current\` is no name of a profile`;
  const profile = Object.entries(profiles).find(([, value]) => !isProfile(value));
  if (profile !== undefined) return t`the profile ${profile[0]} in it is damaged`;
  if (!isJsonObject(logins)) return t`\`logins\` in it is damaged`;
  const login = Object.entries(logins).find(([, value]) => !isLogin(value));
  if (login !== undefined) return t`the login at ${login[0]} in it is damaged`;
  return secret === undefined || isText(secret) ? null : t`\`listen_secret\` in it is damaged`;
}

/** Throws Failure when the file exists and cannot be used, because overwriting it would delete its keys. */
function read(io: Io): ProfileFile {
  if (configDirectory(io) === null) return EMPTY;
  const path = profilesPath(io);
  let file: unknown;
  try {
    file = findJson(behindLinks(path));
  } catch (error) {
    throw unusable(path, whyUnreadable(error));
  }
  if (file === undefined) return EMPTY;
  const damage = isJsonObject(file) ? damageIn(file) : t`it holds no profiles`;
  if (damage !== null) throw unusable(path, damage);
  return { ...EMPTY, ...(file as Partial<ProfileFile>) };
}

const LOCK_TRIES = 200;
const LOCK_PAUSE_MS = 10;
/** A lock this old was left behind by a command that was killed. */
const LOCK_STALE_MS = 10_000;

/**
 * Tries to take the lock. The lock is a folder, because on every system only one process can create the same folder.
 */
function tryLock(io: Io, lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? io.now();
    if (io.now() - made > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/**
 * Runs `work` while no other command does the same. Without the lock, two commands could read the same text, and the
 * second write would undo the first one. Throws Failure when the lock is not free in time.
 */
function withLock(io: Io, work: () => void): void {
  const lock = `${profilesPath(io)}.lock`;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !tryLock(io, lock); tries++) {
    if (tries >= LOCK_TRIES) throw unusable(profilesPath(io), t`another command holds the lock ${lock} for too long`);
    Atomics.wait(pause, 0, 0, LOCK_PAUSE_MS);
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/**
 * Replaces the file by a changed version. Some users keep profiles.json as a link to another folder: then the file that
 * the link points to is written.
 */
function update(io: Io, change: (file: ProfileFile) => ProfileFile): void {
  const path = profilesPath(io);
  try {
    makeFolder(dirname(path));
    withLock(io, () => {
      const before = read(io);
      const after = change(before);
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      writePrivately(behindLinks(path), `${JSON.stringify(after, null, 2)}\n`, io.random());
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unusable(path, t`it cannot be written (${errorCode(error) ?? saidBy(error)})`, WRITE_HINT);
  }
}

/** All profiles by their names, and the name of the current profile. */
export function listProfiles(io: Io): Pick<ProfileFile, "current" | "profiles"> {
  const { current, profiles } = read(io);
  return { current, profiles };
}

/** Returns the profile with this name, or the current profile without a name; null when it does not exist. */
export function findProfile(io: Io, name: string | undefined): Profile | null {
  const { current, profiles } = read(io);
  const wanted = name ?? current;
  return wanted !== null && Object.hasOwn(profiles, wanted) ? (profiles[wanted] ?? null) : null;
}

export function saveProfile(io: Io, name: string, profile: Profile): void {
  update(io, (file) => ({ ...file, profiles: { ...file.profiles, [name]: profile } }));
}

export function useProfile(io: Io, name: string): void {
  update(io, (file) => ({ ...file, current: name }));
}

/** Removes a profile. When it was the current one, there is none then. */
export function removeProfile(io: Io, name: string): void {
  update(io, (file) => {
    const { [name]: _gone, ...profiles } = file.profiles;
    return { ...file, profiles, current: file.current === name ? null : file.current };
  });
}

export function findLogin(io: Io, place: LoginPlace): Login | undefined {
  const file = read(io);
  return "profile" in place ? findProfile(io, place.profile)?.login : file.logins?.[place.host];
}

/** Stores a login, or removes it when `login` is null. */
export function saveLogin(io: Io, place: LoginPlace, login: Login | null): void {
  update(io, (file) => {
    if ("host" in place) return { ...file, logins: withEntry(file.logins ?? {}, place.host, login) };
    const known = file.profiles[place.profile];
    if (known === undefined) throw new WordedError(t`the profile ${place.profile} is gone`);
    const { login: _old, ...kept } = known;
    const profile = login === null ? kept : { ...kept, login };
    return { ...file, profiles: { ...file.profiles, [place.profile]: profile } };
  });
}

/**
 * Puts the entry at the end of the record, and removes the oldest entries above `MOST_KEPT`. Null removes the entry.
 */
function withEntry<T>(record: Readonly<Record<string, T>>, name: string, value: T | null): Record<string, T> {
  const { [name]: _old, ...others } = record;
  const kept = Object.entries(others).slice(-MOST_KEPT + 1);
  return Object.fromEntries(value === null ? Object.entries(others) : [...kept, [name, value] as const]);
}

/**
 * Returns the secret that signs the events `listen` forwards. It is created once and then kept, so that the receiver's
 * configuration stays correct.
 */
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
