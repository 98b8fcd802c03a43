import type { GlobalFlags } from "../../../api/client/flags.js";
import { LONGEST_TIMEOUT_MS } from "../../../api/client/send.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { t } from "../../../base/kernel/wording.js";
import { certificateOf, withRunningServers } from "../project/running-servers.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { type Connection, type Host, projectOf } from "./connection.js";
import { findCredential } from "./credential.js";
import { findHost, withRunningServer } from "./find.js";
import { policyFor, requireEncryption } from "./policy.js";
import { printConnection, printHost, printMode } from "./print.js";
import { sourcesOf } from "./sources.js";

/** From a command line to the host of its requests: finds the host, the credential for it and the policy, in this order. */

/**
 * Finds the connection of a command that is about to send. Prints the host at a terminal when only the current profile
 * names it. Prints the mode (LIVE, TEST or REMOTE) unless the host is this machine and the key is not live.
 *
 * @throws Failure like `findConnection`.
 */
export async function connect(io: Io, flags: GlobalFlags): Promise<Connection> {
  const connection = await findConnection(io, flags);
  // The person may expect another host, such as a server of this folder that was never started.
  const isSurprising = connection.host.source === "current_profile" && io.isTerminal;
  if (isSurprising && !flags.verbose && !flags.quiet && !flags.json) printHost(io, connection.host);
  printMode(io, connection, flags);
  return connection;
}

/** The requirements that a command does not have. */
interface Tolerance {
  /** The server of the project may have stopped. */
  readonly mayBeStopped?: true;
  /** The command sends nothing to the host. */
  readonly sendsNothing?: true;
}

/**
 * Finds the connection of a command. The key `-` is read from standard input.
 *
 * @throws Failure (exit 2) like `chooseConnection`, for a wrong request timeout and for a live key that anybody could read on
 *   its way; or (exit 7) when the project's server has stopped.
 */
export async function findConnection(io: Io, flags: GlobalFlags, tolerance: Tolerance = {}): Promise<Connection> {
  const apiKey = flags.apiKey === "-" ? await io.readInput() : flags.apiKey;
  const timeoutMs = await requestTimeout(io, flags);
  const connection = await chooseConnection(io, apiKey === undefined ? flags : { ...flags, apiKey }, timeoutMs);
  printConnection(io, connection, flags);
  if (flags.dryRun || tolerance.sendsNothing) return connection;
  if (!tolerance.mayBeStopped) await requireRunning(io, connection);
  requireEncryption(connection.host.url, connection.credential.apiKey, flags);
  return connection;
}

/**
 * Chooses the host, and the first key that belongs to it.
 *
 * @throws Failure (exit 2) when no source names a host, for an unknown profile, a wrong address, or a project file that
 *   cannot be used.
 */
export async function chooseConnection(io: Io, flags: GlobalFlags, timeoutMs: number | undefined): Promise<Connection> {
  const search = { ...flags, timeoutMs };
  const sources = await withRunningServer(io, sourcesOf(io, flags), search);
  const host = await findHost(io, sources, search);
  const credential = findCredential(io, sources, host);
  const certificate = certificateFor(io, host);
  const policy = { ...policyFor(io, sources, host, credential), hostFlags: flags, certificate, timeoutMs };
  return { host, credential, policy };
}

/** The certificate of a server on this machine that this user has started with --https; undefined for any other host. */
function certificateFor(io: Io, { url, server }: Host): string | undefined {
  if (!url.startsWith("https:") || !isLoopbackUrl(url)) return undefined;
  return server?.certificate ?? certificateOf(io, url);
}

async function requestTimeout({ env }: Io, { requestTimeout: flag }: GlobalFlags): Promise<number | undefined> {
  const text = trimPasted(flag ?? env.QA_PAY_REQUEST_TIMEOUT ?? "");
  if (text === "") return undefined;
  const where = flag === undefined ? "QA_PAY_REQUEST_TIMEOUT" : "--request-timeout";
  // Loaded only here, because most commands have no timeout of their own.
  const { readDuration } = await import("../terminal/read-value.js");
  return readDuration(where, text, t`up to 1d, such as 10s or 2m`, [1, LONGEST_TIMEOUT_MS]);
}

/** Throws Failure when the project's server has stopped: another program may use its port now. */
async function requireRunning(io: Io, { host }: Connection): Promise<void> {
  const project = projectOf(host);
  if (project === null || project.isRunning) return;
  const message = t`The server of this project is not running (${project.file}).`;
  const start = t`\`qa-pay serve\` starts it. --profile, or --base-url with --api-key, names another one.`;
  throw new Failure(EXIT.unreachable, "unreachable", message, await withRunningServers(io, start));
}
