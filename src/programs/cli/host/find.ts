import type { GlobalFlags } from "../../../api/client/flags.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { once } from "../../../base/kernel/once.js";
import { t, type Words } from "../../../base/kernel/wording.js";
import type { ProjectServer } from "../project/project-file.js";
import { isRunning, withRunningServers } from "../project/running-servers.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { isSameHost, parseUrl } from "./address.js";
import type { Host } from "./connection.js";
import { type NamedProfile, type Sources, sourcesOf } from "./sources.js";

/** Finds the host of a command (docs/decisions/039-where-a-key-goes.md). */

/** A host as its source names it. */
export type NamedHost = Pick<Host, "source" | "from" | "namedUrl">;

/** The host that the nearest source names; null when none does. */
function namedHost({ settings, project, currentProfile }: Sources): NamedHost | null {
  const named = (source: Host["source"], from: Words, url: string): NamedHost => {
    return { source, from, namedUrl: parseUrl(from, url) };
  };
  const ofProfile = ({ source, title, base_url }: NamedProfile): NamedHost => {
    return { source, from: title, namedUrl: parseUrl(t`The address of ${title}`, base_url) };
  };
  for (const { source, baseUrl, names, profile } of settings) {
    if (baseUrl !== undefined) return named(source, names.baseUrl, baseUrl);
    if (profile !== null) return ofProfile(profile);
  }
  const server = project();
  if (server !== null) return named("project", server.file, server.url);
  const current = currentProfile();
  return current === null ? null : ofProfile(current);
}

/**
 * The host of the commands in this folder, without a look at any key; null when no source names one. Throws Failure
 * (exit 2) for an unknown profile or a wrong address.
 */
export function hostHere(io: Io, flags: GlobalFlags = {}): NamedHost | null {
  return namedHost(sourcesOf(io, flags));
}

/** The Failure for a folder without a server. None of the servers that run elsewhere is chosen by itself. */
async function noServer(io: Io): Promise<Failure> {
  const message = t`This folder has no server, and no flag, variable, .env or profile names one.`;
  const start = t`Start one here with \`qa-pay serve\`, or name one with --profile, or with --base-url and --api-key.`;
  return new Failure(EXIT.usage, "no_server", message, await withRunningServers(io, start));
}

/** The flags of a command, and how long a request may take that looks for a running server. */
type SearchFlags = GlobalFlags & { readonly timeoutMs: number | undefined };

/** The same sources with the newest server of the project that still runs. Where none does, it is the newest of all. */
export async function withRunningServer(
  io: Io,
  sources: Sources,
  { dryRun, timeoutMs }: SearchFlags,
): Promise<Sources> {
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
async function findRunningAt(
  io: Io,
  { project }: Sources,
  { namedUrl }: NamedHost,
  { dryRun, timeoutMs }: SearchFlags,
): Promise<ProjectServer | null> {
  let server: ProjectServer | null;
  try {
    server = project();
  } catch {
    return null;
  }
  if (server === null || !isSameHost(server.url, namedUrl)) return null;
  // With --dry-run no request is sent, not even this one.
  return dryRun || (await isRunning(io, server, timeoutMs)) ? server : null;
}

/**
 * The address that requests go to: that of the running server. A name such as `localhost` can lead to another address, at which
 * nobody listens, or another user.
 */
function addressOf({ namedUrl }: NamedHost, running: ProjectServer | null): string {
  return running === null ? namedUrl : running.url + new URL(namedUrl).pathname.replace(/\/+$/, "");
}

/** True if the user named this host: by a flag, a variable or a profile, or by starting the project's server. */
function isTrusted(named: NamedHost, server: Host["server"], { profile, currentProfile }: Sources): boolean {
  if (named.source !== "dotenv" && named.source !== "project") return true;
  const known = profile ?? currentProfile();
  if (known !== null && isSameHost(known.base_url, named.namedUrl)) return true;
  return server !== null && isLoopbackUrl(named.namedUrl);
}

/**
 * Finds the host: the first one named by a flag, the environment, the `.env` of the working folder, the project's server
 * or the current profile.
 *
 * @throws Failure (exit 2) when no source names a host, or for a wrong address.
 */
export async function findHost(io: Io, sources: Sources, flags: SearchFlags): Promise<Host> {
  const named = namedHost(sources);
  if (named === null) throw await noServer(io);
  const running = await findRunningAt(io, sources, named, flags);
  // When another source names the host, the server must run: after a stop, another program may use the port.
  const found = named.source === "project" ? sources.project() : running;
  const server = found === null ? null : { ...found, isRunning: running !== null };
  return {
    ...named,
    url: addressOf(named, running),
    server,
    isTrusted: once(() => isTrusted(named, server, sources)),
  };
}
