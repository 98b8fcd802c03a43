import type { GlobalFlags } from "../../../api/client/flags.js";
import { LONGEST_TIMEOUT_MS } from "../../../api/client/send.js";
import type { Contract } from "../../../base/kernel/contract.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/terminal-text.js";
import { type ChosenTarget, chooseTarget } from "./choose-target.js";
import type { Login } from "./profiles.js";
import type { Target } from "./request-policy.js";
import { announceMode, keyPrefix, requireEncryption } from "./safety.js";

/** Finds the host and the key of a command, and refuses the command when one of them is missing. */

const KEY_HINT = "Start a server here with `qa-pay serve`, or give a key with --api-key or QA_PAY_API_KEY.";
export const LOGIN_HINT = "Log in with `qa-pay login`; the first `qa-pay serve` showed the users and their passwords.";

async function requestTimeout({ env }: Io, { requestTimeout: flag }: GlobalFlags): Promise<number | undefined> {
  const text = trimPasted(flag ?? env.QA_PAY_REQUEST_TIMEOUT ?? "");
  if (text === "") return undefined;
  const where = flag === undefined ? "QA_PAY_REQUEST_TIMEOUT" : "--request-timeout";
  // Loaded only here, because most commands are given no time.
  const { readDuration } = await import("../terminal/read-value.js");
  return readDuration(where, text, "up to 1d, such as 10s or 2m", [1, LONGEST_TIMEOUT_MS]);
}

function origin({ from }: Target): string {
  return from === undefined ? "" : ` (from ${from})`;
}

function printHost(io: Io, target: Target): void {
  io.err(say`Host: ${target.baseUrl}${origin(target)}\n`);
}

/** What a command can do without. */
interface Tolerance {
  /** The server of the project may have stopped. */
  readonly mayBeStopped?: true;
  /** The command sends nothing to the host. */
  readonly sendsNothing?: true;
}

/**
 * Finds the host and the key of a command. The key `-` is read from standard input.
 *
 * @throws Failure (exit 2) like `chooseTarget`, for a wrong request timeout and for a live key that anybody could read on
 *   its way; or (exit 7) when the project's server has stopped.
 */
export async function findTarget(io: Io, flags: GlobalFlags, tolerance: Tolerance = {}): Promise<ChosenTarget> {
  const apiKey = flags.apiKey === "-" ? await io.readInput() : flags.apiKey;
  const timeoutMs = await requestTimeout(io, flags);
  const given = apiKey === undefined ? flags : { ...flags, apiKey };
  const target = { ...(await chooseTarget(io, given, timeoutMs)), timeoutMs };
  if (flags.verbose) {
    printHost(io, target);
    const proxy = target.proxy?.() ?? null;
    if (proxy !== null) io.err(say`Proxy: ${proxy.name}\n`);
    if (target.apiKey !== null) io.err(say`Key: ${keyPrefix(target.apiKey)} (from ${target.keyFrom ?? ""})\n`);
  }
  if (flags.dryRun || tolerance.sendsNothing) return target;
  if (!tolerance.mayBeStopped) await requireRunning(io, target);
  requireEncryption(target.baseUrl, target.apiKey, flags);
  return target;
}

/**
 * Finds the host and the key of a command that is about to send. Prints the host at a terminal when only the current
 * profile names it. Prints the mode (LIVE, TEST or REMOTE) unless the host is this machine and the key is not live.
 *
 * @throws Failure like `findTarget`.
 */
export async function resolveTarget(io: Io, flags: GlobalFlags): Promise<ChosenTarget> {
  const target = await findTarget(io, flags);
  // The person may expect another host, such as a server of this folder that was never started.
  const isSurprising = target.isByCurrentProfile && io.isTerminal;
  if (isSurprising && !flags.verbose && !flags.quiet && !flags.json) printHost(io, target);
  announceMode(io, target, flags);
  return target;
}

/** Throws Failure when the project's server has stopped: another program may use its port now. */
async function requireRunning(io: Io, { project }: ChosenTarget): Promise<void> {
  if (project === null || project.isRunning) return;
  const message = `The server of this project is not running (${project.file}).`;
  const hint = "`qa-pay serve` starts it. --profile, or --base-url with --api-key, names another one.";
  const { runningServersText } = await import("./running-servers.js");
  throw new Failure(EXIT.unreachable, "unreachable", message, hint + (await runningServersText(io)));
}

/** Returns the API key for the host. Throws Failure (exit 2) when there is none. */
export function requireKey(target: Target): string {
  if (target.apiKey !== null) return target.apiKey;
  const message = `No API key is known for ${target.baseUrl}${origin(target)}.`;
  throw new Failure(EXIT.usage, "no_api_key", message, target.keyHint ?? KEY_HINT);
}

/** Throws Failure (exit 2) when only a file of the project names the host: no secret of the user is sent there. */
export function requireTrust({ baseUrl, from, isTrusted }: ChosenTarget, what: string): void {
  if (isTrusted()) return;
  const hint = `Add --base-url ${baseUrl} to confirm the host.`;
  const message = `Only ${from} names ${baseUrl}, so ${what} is not sent there.`;
  throw new Failure(EXIT.usage, "host_not_named", message, hint);
}

/** Returns the login at the host. Throws Failure (exit 3) when no user is logged in there. */
export function requireLogin(target: Target): Login {
  const known = target.login?.();
  if (known !== undefined) return known;
  const message = `Nobody is logged in at ${target.baseUrl}${origin(target)}.`;
  throw new Failure(EXIT.denied, "unauthorized", message, LOGIN_HINT);
}

/** The headers with the credential of an operation. Throws Failure like `requireKey` and `requireLogin`. */
export function credentialFor(auth: Contract["auth"], target: Target, token?: string): Record<string, string> {
  if (auth === "jwt") return { authorization: `Bearer ${token ?? requireLogin(target).token}` };
  return auth === "key" ? { apikey: requireKey(target) } : {};
}
