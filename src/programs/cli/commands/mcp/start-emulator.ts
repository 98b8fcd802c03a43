import type { GlobalFlags } from "../../../../api/client/flags.js";
import { isLoopbackUrl } from "../../../../base/kernel/loopback.js";
import { hostHere, type NamedHost } from "../../host/find.js";
import { EXIT, envelopeIn, Failure, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { serveInBackground } from "../serve/detach.js";

/** `emulator_start`: the server of the folder of a session, by `serve --detach`. */

/** The flags for a server that the session goes to; null when something names another host. */
function serverFlags(named: NamedHost | null): readonly string[] | null {
  if (named === null || named.source === "project") return [];
  const { protocol, port } = new URL(named.namedUrl);
  // A `.env` keeps the address of this folder's server when that has stopped.
  const isOwn = named.source === "dotenv" && protocol === "http:" && isLoopbackUrl(named.namedUrl);
  return isOwn ? ["--port", port || "80"] : null;
}

/** True if the session would go to a server that is started in its folder. */
export function mayStart(io: Io, flags: GlobalFlags): boolean {
  try {
    return serverFlags(hostHere(io, flags)) !== null;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function otherHost({ from, namedUrl }: NamedHost): Failure {
  const message = `${from} names ${namedUrl}, so this session goes there, and no server is started here.`;
  return usage(message, "Ask the user to start that server, or to start `qa-pay mcp` without this setting.");
}

/** The last error that the server printed: with --json each is one line. */
function failureIn(printed: string): Failure {
  const error = printed
    .split("\n")
    .map((line) => envelopeIn(line)?.error)
    .findLast((one) => one !== undefined);
  if (error === undefined) return new Failure(EXIT.unexpected, "unexpected", `The server did not start. ${printed}`);
  const hint = "hint" in error && typeof error.hint === "string" ? error.hint : undefined;
  return new Failure(EXIT.unexpected, error.code, error.message, hint);
}

/** Runs `serve` in the background until it is ready. Returns null, or why it did not start. */
async function serve(io: Io, words: readonly string[], signal: AbortSignal): Promise<Failure | null> {
  let printed = "";
  const quiet: Io = {
    ...io,
    argv: ["serve", "--json", ...words],
    // The first line has passwords and the live key, which are not for the agent.
    out: () => undefined,
    err(text) {
      printed += String(text);
    },
    onSignal: (callback) => signal.addEventListener("abort", () => callback("SIGTERM"), { once: true }),
  };
  const code = await serveInBackground(quiet);
  return code === EXIT.done ? null : failureIn(printed);
}

/**
 * Starts the server of the folder, at the address that the session expects, or else at the usual port or a free one. Throws Failure when it
 * does not start, and when the session goes to another host.
 */
export async function startServer(io: Io, flags: GlobalFlags, signal: AbortSignal): Promise<void> {
  const named = hostHere(io, flags);
  const words = serverFlags(named);
  if (words === null) throw otherHost(named as NamedHost);
  const failure = await serve(io, words, signal);
  if (failure === null) return;
  // Another project's server may have the usual port.
  const isTaken = words.length === 0 && /^Port \d+ is in use/.test(failure.message);
  const second = isTaken ? await serve(io, ["--port", "0"], signal) : failure;
  if (second !== null) throw second;
}
