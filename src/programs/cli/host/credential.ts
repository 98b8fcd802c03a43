import { isPlainWord } from "../../../api/client/route.js";
import type { Contract } from "../../../base/kernel/contract.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { once } from "../../../base/kernel/once.js";
import { unwrapKey } from "../../../base/kernel/pasted-text.js";
import { t, Wording, type Words } from "../../../base/kernel/wording.js";
import { keyOfProfile } from "../profiles/profile-key.js";
import { findLogin, type Login, type LoginPlace } from "../profiles/profiles.js";
import type { ProjectServer } from "../project/project-file.js";
import { EXIT, Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { hostOf, isSameHost } from "./address.js";
import type { Connection, Credential, Host } from "./connection.js";
import type { NamedProfile, Source, Sources } from "./sources.js";

/** Finds the key or the login for a host (docs/decisions/039-where-a-key-goes.md). */

const KEY_HINT = t`Start a server here with \`qa-pay serve\`, or pass a key with --api-key or QA_PAY_API_KEY.`;
export const LOGIN_HINT = t`Log in with \`qa-pay login\`; the first \`qa-pay serve\` showed the users and their passwords.`;

interface KnownKey {
  readonly source: Source;
  /** The flag, variable, file or profile that contains the key, as text. */
  readonly from: Words;
  /** A name of the key that can begin a sentence. */
  readonly name: Words;
  readonly key: string;
  /** The address that the same source gives for this key; null when that source gives no address. */
  readonly home: string | null;
}

/** Returns the key as it was meant when it was pasted. Throws Failure (exit 2) when a header cannot hold the key. */
function parseKey(name: Words, text: string): string {
  const key = unwrapKey(text);
  if (isPlainWord(key)) return key;
  throw usage(
    key === ""
      ? t`${name} is empty.`
      : t`${name} is no API key: it has white space or another character that no key has.`,
  );
}

/**
 * Yields every known key, in the order in which hosts are looked for. In place of a key that the project file should have
 * and does not have, yields a sentence that explains why.
 */
function* listKeys(io: Io, sources: Sources, host: Host): Generator<KnownKey | Wording> {
  const { settings, project, currentProfile } = sources;
  for (const { source, apiKey, baseUrl, names, profile } of settings) {
    const name = names.apiKey;
    const home = baseUrl ?? profile?.base_url ?? null;
    if (apiKey !== undefined) yield { source, from: name, name, key: parseKey(name, apiKey), home };
    yield* keyOf(io, profile, host);
  }
  const server = project();
  if (server !== null) yield projectKey(server, host);
  yield* keyOf(io, currentProfile(), host);
}

function projectKey({ file, url, testKey }: ProjectServer, host: Host): KnownKey | Wording {
  if (host.server === null && isSameHost(url, host.namedUrl)) {
    return t`The server of this project is not running (${file}), and its key is not sent to another host.`;
  }
  if (testKey !== null) return { source: "project", from: file, name: t`The key in ${file}`, key: testKey, home: url };
  return t`The test key in ${file} was revoked, or was never known: pass one with --api-key, or start the server with --test-key qa_test_… to choose a key.`;
}

function keyOf(io: Io, profile: NamedProfile | null, { namedUrl }: Host): KnownKey[] {
  if (profile === null || (profile.api_key === null && profile.keychain === undefined)) return [];
  const name = t`The key of the profile ${profile.name}`;
  const home = profile.base_url;
  // The keychain may ask the person, so it is not read for a key that cannot be used here.
  const isInReach = profile.keychain === undefined || isSameHost(home, namedUrl);
  const key = isInReach ? parseKey(name, keyOfProfile(io, profile.name, profile) ?? "") : "";
  return [{ source: profile.source, from: profile.title, name, key, home }];
}

/** The key for a host, and its source. */
interface ChosenKey extends Pick<Credential, "apiKey" | "from" | "whyWithheld"> {
  readonly source: Source | null;
}

/** Chooses the first known key that belongs to the host. Without one, `whyWithheld` explains why the first is not sent. */
function chooseKey(io: Io, sources: Sources, host: Host): ChosenKey {
  const { namedUrl } = host;
  const withheld: Words[] = [];
  for (const known of listKeys(io, sources, host)) {
    if (known instanceof Wording) {
      withheld.push(known);
      continue;
    }
    const { source, from, name, key, home } = known;
    const belongs = home === null ? host.isTrusted() : isSameHost(home, namedUrl);
    if (belongs) return { apiKey: key, from, whyWithheld: undefined, source };
    withheld.push(
      home === null
        ? t`${name} is not sent to a host that only ${host.from} names: add --base-url ${namedUrl} to confirm the host.`
        : t`${name} belongs to ${hostOf(home)} and is sent only there: pass a key of ${namedUrl} with --api-key.`,
    );
    // The user typed this key for this command, so another key must not replace it silently.
    if (source === "flag") break;
  }
  return { apiKey: null, from: null, whyWithheld: withheld[0], source: null };
}

/** Where to store a login at this host: in a profile with this host, under the project file, or under the address. */
function loginPlaceOf({ profile, currentProfile }: Sources, { namedUrl, server }: Host): LoginPlace {
  if (profile !== null && isSameHost(profile.base_url, namedUrl)) return { profile: profile.name };
  if (server !== null) return { host: server.file };
  const current = currentProfile();
  if (current !== null && isSameHost(current.base_url, namedUrl)) return { profile: current.name };
  return { host: hostOf(namedUrl) };
}

/**
 * Returns the stored login for this host. A login token is sent only to the host that issued it. The port may differ
 * for a server on this machine, because it may have been restarted.
 */
function loginAt(io: Io, place: LoginPlace, { url }: Host): Login | undefined {
  const login = findLogin(io, place);
  if (login === undefined) return undefined;
  const isMoved = "host" in place && isLoopbackUrl(login.base_url) && isLoopbackUrl(url);
  return isMoved || isSameHost(login.base_url, url) ? login : undefined;
}

/** Finds the credential for a host. Throws Failure (exit 2) for a key or a project file that cannot be used. */
export function findCredential(
  io: Io,
  sources: Sources,
  host: Host,
): Credential & { readonly keySource: Source | null } {
  const { source: keySource, ...key } = chooseKey(io, sources, host);
  const loginPlace = once(() => loginPlaceOf(sources, host));
  return { ...key, keySource, loginPlace, login: () => loginAt(io, loginPlace(), host) };
}

type HostAndCredential = Pick<Connection, "host" | "credential">;

function nameOf({ url, from }: Host): Wording {
  return t`${url} (from ${from})`;
}

/** Returns the API key for the host. Throws Failure (exit 2) when there is none. */
export function requireKey({ host, credential }: HostAndCredential): string {
  const { apiKey, whyWithheld } = credential;
  if (apiKey !== null) return apiKey;
  throw new Failure(EXIT.usage, "no_api_key", t`No API key is known for ${nameOf(host)}.`, whyWithheld ?? KEY_HINT);
}

/** Returns the login at the host. Throws Failure (exit 3) when no user is logged in there. */
export function requireLogin({ host, credential }: HostAndCredential): Login {
  const known = credential.login();
  if (known !== undefined) return known;
  throw new Failure(EXIT.denied, "unauthorized", t`Nobody is logged in at ${nameOf(host)}.`, LOGIN_HINT);
}

/** Throws Failure (exit 2) when only a file of the project names the host: no secret of the user is sent there. */
export function requireTrust({ url, from, isTrusted }: Host, what: Words): void {
  if (isTrusted()) return;
  const hint = t`Add --base-url ${url} to confirm the host.`;
  throw new Failure(EXIT.usage, "host_not_named", t`Only ${from} names ${url}, so ${what} is not sent there.`, hint);
}

/** The headers with the credential of an operation. Throws Failure like `requireKey` and `requireLogin`. */
export function credentialHeaders(
  auth: Contract["auth"],
  connection: HostAndCredential,
  token?: string,
): Record<string, string> {
  if (auth === "jwt") return { authorization: `Bearer ${token ?? requireLogin(connection).token}` };
  return auth === "key" ? { apikey: requireKey(connection) } : {};
}
