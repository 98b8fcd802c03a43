import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/terminal-text.js";
import type { GlobalFlags } from "../tree/flags.js";
import { keyOfProfile } from "./profile-key.js";
import { findLogin, findProfile, type Login, type LoginPlace, listProfiles, type Profile } from "./profiles.js";
import { findProject, isRunning, type ProjectServer } from "./project.js";
import { isLoopback } from "./safety.js";
import type { Target } from "./target.js";

/** Chooses the host of a command and the API key to send there (docs/decisions/039-where-a-key-goes.md). */

const DEFAULT_URL = "http://127.0.0.1:4600";

/** The places that a host or a key can come from, in the order in which they are tried. */
type Source = "flag" | "environment" | "dotenv" | "profile" | "project" | "current_profile" | "default";

interface Host {
  readonly source: Source;
  readonly url: string;
  /** The flag, variable, file or profile that names the host, as text. */
  readonly by: string;
}

export interface ChosenTarget extends Target {
  /** The flag, variable, file or profile that names the host, as text. */
  readonly from: string;
  /** True when nothing but the current profile names the host. */
  readonly isByCurrentProfile: boolean;
  /** The flag, variable, file or profile that the key comes from, as text; null without a key. */
  readonly keyFrom: string | null;
  /**
   * True when the user of this machine named this host, by a flag, a variable or a profile. False when only a file of
   * the project names it (`.env`, or a project file with another machine's address): a stranger may have written that
   * file.
   */
  readonly isTrusted: () => boolean;
  /** The project's server when the host comes from the project file; else null. */
  readonly project: ProjectServer | null;
  readonly loginPlace: () => LoginPlace;
}

interface Settings {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly profile: string | undefined;
}

interface NamedProfile extends Profile {
  readonly name: string;
}

interface Sources {
  readonly flags: GlobalFlags;
  readonly environment: Settings;
  readonly dotEnv: Settings;
  readonly profile: NamedProfile | null;
  /** Read only when it is needed: a broken project file must not stop a command whose flags name host and key. */
  readonly project: () => ProjectServer | null;
  /** Null when a flag or a variable names a profile. */
  readonly currentProfile: () => NamedProfile | null;
}

/** Reads the settings from variables. An empty variable counts as not set. */
function settingsIn(variables: Readonly<Record<string, string | undefined>>): Settings {
  return {
    baseUrl: variables.QA_PAY_BASE_URL?.trim() || undefined,
    apiKey: variables.QA_PAY_API_KEY?.trim() || undefined,
    profile: variables.QA_PAY_PROFILE || undefined,
  };
}

/** Reads the settings from the `.env` of the working folder. All are undefined when there is no such file. */
function dotEnvSettings(io: Io): Settings {
  try {
    return settingsIn(parseEnv(readFileSync(join(io.cwd, ".env"), "utf8")) as Record<string, string>);
  } catch {
    return settingsIn({});
  }
}

/**
 * Returns the address of a service without a slash at its end. Throws Failure (exit 2) when the text is not such an
 * address; `name` is the flag or variable that the message names.
 */
export function checkedUrl(name: string, text: string): string {
  const url = text.trim();
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const whole = /^[\w.[\]:-]+(?:\/|$)/.test(url) && URL.canParse(`http://${url}`) ? ` Write http://${url}.` : "";
    throw usage(`${name} must start with http:// or https://, not ${text}.${whole}`);
  }
  const { username, password } = new URL(url);
  // Requests append their path to the address. After a `?` or a `#` the path would be part of the query or the
  // fragment.
  if (username + password === "" && !/[?#]/.test(url)) return url.replace(/\/+$/, "");
  throw usage(`${name} must be an address alone, without a user name, a query or a fragment.`);
}

/** Returns the key without the white space around it. Throws Failure (exit 2) when a header cannot hold the key. */
function checkedKey(name: string, text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw usage(`${name} is ${key === "" ? "empty" : "no API key: it holds white space or another strange character"}.`);
}

/**
 * Returns protocol, host and port, to compare two hosts. `localhost` becomes 127.0.0.1, because both are this machine.
 * A text that is not an address is returned as it is.
 */
function hostOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, hostname, port } = new URL(text);
  return `${protocol}//${hostname === "localhost" ? "127.0.0.1" : hostname}${port === "" ? "" : `:${port}`}`;
}

export function isSameHost(one: string, other: string): boolean {
  return hostOf(one) === hostOf(other);
}

export function unknownProfile(io: Io, name: string, origin = ""): Failure {
  const names = Object.keys(listProfiles(io).profiles);
  const known =
    names.length === 0 ? "There are none yet; `qa-pay profiles add` makes one." : `There are ${names.join(", ")}.`;
  return usage(`There is no profile ${name}${origin}. ${known}`);
}

/** The name of the profile that a command uses. The profile may not exist. */
export function chosenProfile(io: Io, flags: GlobalFlags): string {
  return flags.profile ?? settingsIn(io.env).profile ?? dotEnvSettings(io).profile ?? listProfiles(io).current;
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** Throws Failure (exit 2) when the named profile does not exist. */
function sourcesOf(io: Io, flags: GlobalFlags): Sources {
  const environment = settingsIn(io.env);
  const dotEnv = dotEnvSettings(io);
  const outside = flags.profile ?? environment.profile;
  const name = outside ?? dotEnv.profile;
  const named = name === undefined ? null : findProfile(io, name);
  if (name !== undefined && named === null) {
    throw unknownProfile(io, name, outside === undefined ? " (QA_PAY_PROFILE of .env)" : "");
  }
  const withName = (title: string, profile: Profile | null) => (profile === null ? null : { ...profile, name: title });
  return {
    flags,
    environment,
    dotEnv,
    profile: withName(name ?? "", named),
    project: once(() => findProject(io)),
    currentProfile: once(() =>
      named === null ? withName(listProfiles(io).current, findProfile(io, undefined)) : null,
    ),
  };
}

function chooseHost({ flags, environment, dotEnv, profile, project, currentProfile }: Sources): Host {
  const named = (source: Source, by: string, text: string, title = by): Host => ({
    source,
    by,
    url: checkedUrl(title, text),
  });
  const kept = (source: "profile" | "current_profile", found: NamedProfile): Host =>
    named(source, titleOf(source, found), found.base_url, `The address of ${titleOf(source, found)}`);
  if (flags.baseUrl !== undefined) return named("flag", "--base-url", flags.baseUrl);
  if (environment.baseUrl !== undefined) return named("environment", "QA_PAY_BASE_URL", environment.baseUrl);
  if (dotEnv.baseUrl !== undefined) return named("dotenv", "QA_PAY_BASE_URL of .env", dotEnv.baseUrl);
  if (profile !== null) return kept("profile", profile);
  const server = project();
  if (server !== null) return named("project", server.file, server.url);
  const current = currentProfile();
  if (current !== null) return kept("current_profile", current);
  return { source: "default", url: DEFAULT_URL, by: "the default" };
}

/** The host alone, without a look at any key. Throws Failure (exit 2) for an unknown profile or a wrong address. */
export function chosenHost(io: Io, flags: GlobalFlags): Host {
  return chooseHost(sourcesOf(io, flags));
}

/** Tells whether the user named this host: by a flag, a variable or a profile, or by starting the project's server. */
function isTrustedHost(io: Io, sources: Sources, host: Host): boolean {
  if (host.source !== "dotenv" && host.source !== "project") return true;
  const known = sources.profile ?? sources.currentProfile();
  if (known !== null && isSameHost(known.base_url, host.url)) return true;
  return serverAt(io, sources, host) !== null && isLoopback(host.url);
}

/**
 * Returns the project's server when it listens at this host, else null. Checks that the server runs when another source
 * names the host: after a stop, another program may use the port.
 */
function serverAt(io: Io, { project }: Sources, { source, url }: Host): ProjectServer | null {
  const server = project();
  if (server === null || !isSameHost(server.url, url)) return null;
  return source === "project" || isRunning(io, server) ? server : null;
}

interface Candidate {
  readonly source: Source;
  /** The flag, variable, file or profile that contains the key, as text. */
  readonly from: string;
  /** A name of the key that can begin a sentence. */
  readonly name: string;
  readonly key: string;
  /** The address that the same source gives for this key; null when that source gives no address. */
  readonly home: string | null;
}

/**
 * Yields every known key, in the order of `Source`. In place of a key that the project file should have and does not
 * have, yields a sentence that explains why.
 */
function* candidates(io: Io, sources: Sources, host: Host): Generator<Candidate | string> {
  const { flags, environment, dotEnv, profile, project, currentProfile } = sources;
  const given = (source: Source, name: string, { apiKey, baseUrl }: Partial<Settings>): Candidate[] =>
    apiKey === undefined ? [] : [{ source, from: name, name, key: checkedKey(name, apiKey), home: baseUrl ?? null }];
  yield* given("flag", "--api-key", flags);
  yield* given("environment", "QA_PAY_API_KEY", environment);
  yield* given("dotenv", "QA_PAY_API_KEY of .env", dotEnv);
  yield* keyOf(io, "profile", profile, host);
  const server = project();
  if (server !== null) yield projectKey(io, server, host);
  yield* keyOf(io, "current_profile", currentProfile(), host);
}

function projectKey(io: Io, server: ProjectServer, { source }: Host): Candidate | string {
  const { file, url, testKey } = server;
  if (source !== "project" && !isRunning(io, server)) {
    return `The server of this project is not running (${file}), and its key is not sent to another host.`;
  }
  if (testKey !== null) return { source: "project", from: file, name: `The key in ${file}`, key: testKey, home: url };
  const own = "start it with --test-key qa_test_… to have one of your own";
  return `The test key in ${file} was revoked, or was never known: give one with --api-key, or ${own}.`;
}

function keyOf(io: Io, source: "profile" | "current_profile", profile: NamedProfile | null, host: Host): Candidate[] {
  if (profile === null || (profile.api_key === null && profile.keychain === undefined)) return [];
  const name = `The key of the profile ${profile.name}`;
  const home = profile.base_url;
  // The keychain may ask the person, so it is not read for a key that cannot be used here.
  const isInReach = profile.keychain === undefined || isSameHost(home, host.url);
  const key = isInReach ? checkedKey(name, keyOfProfile(io, profile.name, profile) ?? "") : "";
  return [{ source, from: titleOf(source, profile), name, key, home }];
}

function titleOf(source: "profile" | "current_profile", { name }: NamedProfile): string {
  return source === "profile" ? `the profile ${name}` : `the current profile, ${name}`;
}

interface ChosenKey {
  readonly apiKey: string | null;
  readonly keyFrom: string | null;
  /** For each key that was passed over: a sentence that explains why it is not sent to this host. */
  readonly withheld: readonly string[];
  readonly source: Source | null;
}

function chooseKey(io: Io, sources: Sources, host: Host, isTrusted: () => boolean): ChosenKey {
  const withheld: string[] = [];
  for (const candidate of candidates(io, sources, host)) {
    if (typeof candidate === "string") {
      withheld.push(candidate);
      continue;
    }
    const { source, from, name, key, home } = candidate;
    const belongs = home === null ? isTrusted() : isSameHost(home, host.url);
    if (belongs) return { apiKey: key, keyFrom: from, withheld, source };
    withheld.push(
      home === null
        ? `${name} is not sent to a host that only ${host.by} names: add --base-url ${host.url} to confirm the host.`
        : `${name} belongs to ${hostOf(home)} and is sent only there: give a key of ${host.url} with --api-key.`,
    );
    // The user typed this key for this command, so another key must not replace it silently.
    if (source === "flag") break;
  }
  return { apiKey: null, keyFrom: null, withheld, source: null };
}

/**
 * Prints a note when a variable is used instead of the host or the key of the profile in --profile. Without the note,
 * the user would expect the profile's own values.
 */
function tellOverridden(io: Io, { flags, profile }: Sources, host: Host, key: ChosenKey): void {
  if (flags.profile === undefined || profile === null || flags.json || flags.quiet) return;
  const tell = (what: string, name: string) =>
    io.err(say`Note: ${name} is used instead of the ${what} of profile ${profile.name}.\n`);
  const isSet = (source: Source | null) => source === "environment" || source === "dotenv";
  if (isSet(host.source) && !isSameHost(host.url, profile.base_url)) tell("host", host.by);
  if (isSet(key.source) && key.apiKey !== profile.api_key) tell("key", key.keyFrom ?? "");
}

/** Where to store a login at this host: in a profile with this host, under the project file, or under the address. */
function loginPlaceOf(io: Io, sources: Sources, host: Host): LoginPlace {
  const { url } = host;
  const { profile } = sources;
  if (profile !== null && isSameHost(profile.base_url, url)) return { profile: profile.name };
  const server = serverAt(io, sources, host);
  if (server !== null) return { host: server.file };
  const current = sources.currentProfile();
  if (current !== null && isSameHost(current.base_url, url)) return { profile: current.name };
  return { host: hostOf(url) };
}

/**
 * The name of the read-only profile that the host or the key comes from. A profile that was named for this command also
 * counts when a flag or a variable names the same host.
 */
function readOnlyProfile(sources: Sources, host: Host, key: ChosenKey): string | undefined {
  const { profile } = sources;
  if (profile?.read_only && isSameHost(profile.base_url, host.url)) return profile.name;
  const isUsed = (source: Source) => host.source === source || key.source === source;
  if (profile?.read_only && isUsed("profile")) return profile.name;
  if (!isUsed("current_profile")) return undefined;
  const current = sources.currentProfile();
  return current?.read_only ? current.name : undefined;
}

/**
 * Chooses the host: the first one named by a flag, the environment, the `.env` of the working folder, the named
 * profile, the project's server or the current profile. Then chooses the first key in this order that belongs to this
 * host.
 *
 * @throws Failure (exit 2) for an unknown profile, a wrong address, or a project file that cannot be used.
 */
export function chooseTarget(io: Io, flags: GlobalFlags): ChosenTarget {
  const sources = sourcesOf(io, flags);
  const host = chooseHost(sources);
  const isTrusted = once(() => isTrustedHost(io, sources, host));
  const key = chooseKey(io, sources, host, isTrusted);
  tellOverridden(io, sources, host, key);
  const { apiKey, keyFrom, withheld } = key;
  const loginPlace = once(() => loginPlaceOf(io, sources, host));
  return {
    command: io.command,
    readOnly: readOnlyProfile(sources, host, key),
    readOnlyLogin: () => {
      const place = loginPlace();
      return "profile" in place && findProfile(io, place.profile)?.read_only ? place.profile : undefined;
    },
    baseUrl: host.url,
    apiKey,
    keyFrom,
    keyHint: apiKey === null ? withheld[0] : undefined,
    from: host.by,
    isByCurrentProfile: host.source === "current_profile",
    isTrusted,
    project: host.source === "project" ? sources.project() : null,
    loginPlace,
    login: () => loginAt(io, loginPlace(), host.url),
  };
}

/**
 * Returns the stored login for this host. A login token is sent only to the host that issued it. The port may differ
 * for a server on this machine, because it may have been restarted.
 */
function loginAt(io: Io, place: LoginPlace, url: string): Login | undefined {
  const login = findLogin(io, place);
  if (login === undefined) return undefined;
  const isMoved = "host" in place && isLoopback(login.base_url) && isLoopback(url);
  return isMoved || isSameHost(login.base_url, url) ? login : undefined;
}
