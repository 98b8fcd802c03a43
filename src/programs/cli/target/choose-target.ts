import type { GlobalFlags } from "../../../api/client/flags.js";
import { isPlainWord } from "../../../api/client/route.js";
import { once } from "../../../base/kernel/once.js";
import { trimPasted, unwrapKey } from "../../../base/kernel/pasted-text.js";
import { EXIT, Failure, shownValue, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { keyOfProfile } from "./profile-key.js";
import { findLogin, findProfile, type Login, type LoginPlace } from "./profiles.js";
import { isRunning, type ProjectServer } from "./project.js";
import { proxyOf } from "./proxy.js";
import type { Target } from "./request-policy.js";
import { isLoopback } from "./safety.js";
import { type NamedProfile, type Place, type Sources, sourcesOf } from "./sources.js";

/** Chooses the host of a command and the API key to send there (docs/decisions/039-where-a-key-goes.md). */

/** The kinds of places that a host or a key can come from. */
type Source = Place["source"] | "profile" | "project" | "current_profile";

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
  readonly project: (ProjectServer & { readonly isRunning: boolean }) | null;
  readonly loginPlace: () => LoginPlace;
}

/**
 * Returns the address of a service without a slash at its end. Throws Failure (exit 2) when the text is not such an
 * address; `name` is the flag or variable that the message names.
 */
export function checkedUrl(name: string, text: string): string {
  const url = trimPasted(text);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:\/|$)/i.test(url) && URL.canParse(`http://${url}`);
    const whole = isHost ? ` Write http://${url}.` : "";
    throw usage(`${name} must start with http:// or https://, not ${shownValue(text)}.${whole}`);
  }
  const { username, password } = new URL(url);
  // Requests append their path to the address. After a `?` or a `#` the path would be part of the query or the
  // fragment.
  if (username + password === "" && !/[?#]/.test(url)) return url.replace(/\/+$/, "");
  throw usage(`${name} must be an address alone, without a user name, a query or a fragment.`);
}

/** Returns the key as it was meant when it was pasted. Throws Failure (exit 2) when a header cannot hold the key. */
function checkedKey(name: string, text: string): string {
  const key = unwrapKey(text);
  if (isPlainWord(key)) return key;
  throw usage(`${name} is ${key === "" ? "empty" : "no API key: it holds white space or another strange character"}.`);
}

/**
 * Returns protocol, host and port, to compare two hosts. `localhost` can be either of its addresses; the first is the usual
 * one. A text that is not an address is returned as it is.
 */
function hostsOf(text: string): [string, ...string[]] {
  if (!URL.canParse(text)) return [text];
  const { protocol, hostname, port } = new URL(text);
  const at = (name: string) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`;
  return hostname === "localhost" ? [at("127.0.0.1"), at("[::1]")] : [at(hostname)];
}

function hostOf(text: string): string {
  return hostsOf(text)[0];
}

export function isSameHost(one: string, other: string): boolean {
  const others = hostsOf(other);
  return hostsOf(one).some((host) => others.includes(host));
}

/** Returns null when no place names a host. */
function chooseHost({ places, project, currentProfile }: Sources): Host | null {
  const named = (source: Source, by: string, url: string): Host => ({ source, by, url: checkedUrl(by, url) });
  const kept = ({ source, title, base_url }: NamedProfile): Host => {
    return { source, by: title, url: checkedUrl(`The address of ${title}`, base_url) };
  };
  for (const { source, baseUrl, names, profile } of places) {
    if (baseUrl !== undefined) return named(source, names.baseUrl, baseUrl);
    if (profile !== null) return kept(profile);
  }
  const server = project();
  if (server !== null) return named("project", server.file, server.url);
  const current = currentProfile();
  return current === null ? null : kept(current);
}

/**
 * The host alone, without a look at any key; null when no place names one. Throws Failure (exit 2) for an unknown profile
 * or a wrong address.
 */
export function chosenHost(io: Io, flags: GlobalFlags): Host | null {
  return chooseHost(sourcesOf(io, flags));
}

/** The Failure for a folder without a server. None of the servers that run elsewhere is chosen by itself. */
async function noServer(io: Io): Promise<Failure> {
  const message = "This folder has no server, and no flag, variable, .env or profile names one.";
  const hint = "Start one here with `qa-pay serve`, or name one with --profile, or with --base-url and --api-key.";
  const { runningServersText } = await import("./running-servers.js");
  return new Failure(EXIT.usage, "no_server", message, hint + (await runningServersText(io)));
}

/** The chosen host, beside what else is known. */
interface Choice extends Sources {
  readonly host: Host;
  /** The project's server, when it listens at the host and runs. */
  readonly running: ProjectServer | null;
}

type Asking = GlobalFlags & { readonly timeoutMs: number | undefined };

/** The same sources with the newest server of the project that still runs. Where none does, it is the newest of all. */
async function withNewest(io: Io, sources: Sources, { dryRun, timeoutMs }: Asking): Promise<Sources> {
  let newest: ProjectServer | null;
  try {
    newest = sources.project();
  } catch {
    // Only a command that needs the project is refused.
    return sources;
  }
  if (newest === null || newest.earlier.length === 0) return sources;
  for (const server of [newest, ...newest.earlier]) {
    const runs = dryRun ? server.pid !== null && io.isRunning(server.pid) : await isRunning(io, server, timeoutMs);
    if (runs) return { ...sources, project: () => server };
  }
  return sources;
}

/** Returns the project's server when it runs at this host, else null. A broken project file is no server here. */
async function runningAt(
  io: Io,
  { project }: Sources,
  { url }: Host,
  { dryRun, timeoutMs }: Asking,
): Promise<ProjectServer | null> {
  let server: ProjectServer | null;
  try {
    server = project();
  } catch {
    return null;
  }
  if (server === null || !isSameHost(server.url, url)) return null;
  // With --dry-run no request is sent, so nobody is asked.
  return dryRun || (await isRunning(io, server, timeoutMs)) ? server : null;
}

/**
 * The address that requests go to: that of the running server. A name such as `localhost` can lead to another address, at which
 * nobody listens, or another user.
 */
function addressOf({ url }: Host, running: ProjectServer | null): string {
  return running === null ? url : running.url + new URL(url).pathname.replace(/\/+$/, "");
}

/** Tells whether the user named this host: by a flag, a variable or a profile, or by starting the project's server. */
function isTrustedHost(choice: Choice): boolean {
  const { host, profile, currentProfile } = choice;
  if (host.source !== "dotenv" && host.source !== "project") return true;
  const known = profile ?? currentProfile();
  if (known !== null && isSameHost(known.base_url, host.url)) return true;
  return serverAt(choice) !== null && isLoopback(host.url);
}

/**
 * Returns the project's server when it listens at the host, else null. When another source names the host, the server
 * must run: after a stop, another program may use the port.
 */
function serverAt({ host, project, running }: Choice): ProjectServer | null {
  return host.source === "project" ? project() : running;
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
 * Yields every known key, in the order in which hosts are looked for. In place of a key that the project file should have
 * and does not have, yields a sentence that explains why.
 */
function* candidates(io: Io, choice: Choice): Generator<Candidate | string> {
  const { places, project, currentProfile } = choice;
  for (const { source, apiKey, baseUrl, names, profile } of places) {
    const name = names.apiKey;
    const home = baseUrl ?? profile?.base_url ?? null;
    if (apiKey !== undefined) yield { source, from: name, name, key: checkedKey(name, apiKey), home };
    yield* keyOf(io, profile, choice.host);
  }
  const server = project();
  if (server !== null) yield projectKey(server, choice);
  yield* keyOf(io, currentProfile(), choice.host);
}

function projectKey(server: ProjectServer, { host, running }: Choice): Candidate | string {
  const { file, url, testKey } = server;
  if (host.source !== "project" && running === null && isSameHost(url, host.url)) {
    return `The server of this project is not running (${file}), and its key is not sent to another host.`;
  }
  if (testKey !== null) return { source: "project", from: file, name: `The key in ${file}`, key: testKey, home: url };
  const own = "start it with --test-key qa_test_… to have one of your own";
  return `The test key in ${file} was revoked, or was never known: give one with --api-key, or ${own}.`;
}

function keyOf(io: Io, profile: NamedProfile | null, host: Host): Candidate[] {
  if (profile === null || (profile.api_key === null && profile.keychain === undefined)) return [];
  const name = `The key of the profile ${profile.name}`;
  const home = profile.base_url;
  // The keychain may ask the person, so it is not read for a key that cannot be used here.
  const isInReach = profile.keychain === undefined || isSameHost(home, host.url);
  const key = isInReach ? checkedKey(name, keyOfProfile(io, profile.name, profile) ?? "") : "";
  return [{ source: profile.source, from: profile.title, name, key, home }];
}

/** `withheld` has for each key that was passed over a sentence that explains why it is not sent to this host. */
function chooseKey(io: Io, choice: Choice, isTrusted: () => boolean) {
  const { host } = choice;
  const withheld: string[] = [];
  for (const candidate of candidates(io, choice)) {
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

/** Where to store a login at this host: in a profile with this host, under the project file, or under the address. */
function loginPlaceOf(choice: Choice): LoginPlace {
  const { profile, currentProfile } = choice;
  const { url } = choice.host;
  if (profile !== null && isSameHost(profile.base_url, url)) return { profile: profile.name };
  const server = serverAt(choice);
  if (server !== null) return { host: server.file };
  const current = currentProfile();
  if (current !== null && isSameHost(current.base_url, url)) return { profile: current.name };
  return { host: hostOf(url) };
}

/**
 * The name of the read-only profile that the host or the key comes from. A profile that was named for this command also
 * counts when a flag or a variable names the same host.
 */
function readOnlyProfile(
  { host, profile, currentProfile }: Choice,
  key: ReturnType<typeof chooseKey>,
): string | undefined {
  if (profile?.read_only && isSameHost(profile.base_url, host.url)) return profile.name;
  const isUsed = (source: Source) => host.source === source || key.source === source;
  if (profile?.read_only && isUsed("profile")) return profile.name;
  if (!isUsed("current_profile")) return undefined;
  const current = currentProfile();
  return current?.read_only ? current.name : undefined;
}

/**
 * Chooses the host: the first one named by a flag, the environment, the `.env` of the working folder, the project's
 * server or the current profile. Then chooses the first key in this order that belongs to this host.
 *
 * @throws Failure (exit 2) when no place names a host, for an unknown profile, a wrong address, or a project file that
 *   cannot be used.
 */
export async function chooseTarget(io: Io, flags: GlobalFlags, timeoutMs?: number): Promise<ChosenTarget> {
  const sources = await withNewest(io, sourcesOf(io, flags), { ...flags, timeoutMs });
  const host = chooseHost(sources);
  if (host === null) throw await noServer(io);
  const running = await runningAt(io, sources, host, { ...flags, timeoutMs });
  const choice: Choice = { ...sources, host, running };
  const isTrusted = once(() => isTrustedHost(choice));
  const key = chooseKey(io, choice, isTrusted);
  const { apiKey, keyFrom, withheld } = key;
  const baseUrl = addressOf(host, running);
  const server = host.source === "project" ? sources.project() : null;
  const loginPlace = once(() => loginPlaceOf(choice));
  return {
    command: io.command,
    proxy: () => proxyOf(io, baseUrl),
    readOnly: readOnlyProfile(choice, key),
    readOnlyLogin: () => {
      const place = loginPlace();
      return "profile" in place && findProfile(io, place.profile)?.read_only ? place.profile : undefined;
    },
    baseUrl,
    apiKey,
    keyFrom,
    keyHint: apiKey === null ? withheld[0] : undefined,
    from: host.by,
    isByCurrentProfile: host.source === "current_profile",
    isTrusted,
    project: server === null ? null : { ...server, isRunning: running !== null },
    loginPlace,
    login: () => loginAt(io, loginPlace(), baseUrl),
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
