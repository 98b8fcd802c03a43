import { Unreachable } from "../../client/send.js";
import { parsedObject } from "../../kernel/json.js";
import { serverProof } from "../../kernel/server-proof.js";
import type { Io } from "../terminal/io.js";
import { sendThrough, type Target } from "./request-policy.js";

/** What a file of `serve` says about the server that wrote it. */
export interface StartedServer {
  readonly url: string;
  /** Null when the server has stopped. */
  readonly pid: number | null;
  /** Null in a file of an older version. */
  readonly secret: string | null;
}

/** A server that answers no challenge in this time does not count as running where many are asked. */
export const QUICK_MS = 1_000;

/**
 * Tells whether the server that wrote a file still runs. After a crash, another process may have its process id, and
 * another program may listen at its address. So the server has to prove that it knows the secret in the file, before any
 * key is sent to it (docs/decisions/038-the-server-of-a-project.md).
 */
export async function isRunning(
  io: Io,
  { url, pid, secret }: StartedServer,
  timeoutMs: number | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  if (pid === null || secret === null || !io.isRunning(pid)) return false;
  const challenge = io.random();
  const address = `${url}/_sandbox/server?challenge=${challenge}`;
  const headers = { accept: "application/json" };
  const request = { method: "GET", url: address, headers, body: undefined, timeoutMs, signal };
  try {
    const { status, text } = await sendThrough({ command: io.command }, request);
    return status === 200 && parsedObject(text).proof === serverProof(secret, "server", url, challenge);
  } catch {
    return false;
  }
}

/** A proof holds for the requests of so long. It is shorter than every pause between requests of a command. */
const PROOF_MS = 250;

/**
 * Returns what proves again that the server at this address runs, which has just proven it. `read` reads its file anew: a
 * server that was started again has another secret, and requests go on there. Throws Unreachable for any other.
 */
export function renewedProof(io: Io, url: string, read: () => StartedServer | null): NonNullable<Target["proveAgain"]> {
  let provenAt = io.now();
  const runs = async (timeoutMs: number | undefined, signal: AbortSignal | undefined) => {
    try {
      const server = read();
      return server?.url === url && (await isRunning(io, server, timeoutMs, signal));
    } catch {
      return false;
    }
  };
  return async ({ timeoutMs, signal }) => {
    // The clock of the machine may be set back meanwhile.
    if (Math.abs(io.now() - provenAt) < PROOF_MS) return;
    if (!(await runs(timeoutMs, signal)))
      throw new Unreachable(url, "the server of this project does not run there any more");
    provenAt = io.now();
  };
}
