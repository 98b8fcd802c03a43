import { Unreachable } from "../../../api/client/send.js";
import { sendThrough } from "../host/send.js";
import { findProject, folderOf, projectFileIn } from "../project/project-file.js";
import { isRunning, type ListedServer, listRunningServers, runningServersText } from "../project/running-servers.js";
import { EXIT, Failure, refusalOf } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { printDone } from "../terminal/output.js";
import { jsonText } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `stop`: ends the server of the folder, and waits until it has ended. */

/** A server stops within five seconds (docs/LIMITS.md), on a slow disk a little later. */
const LONGEST_MS = 30_000;
const PAUSE_MS = 25;

type Running = Pick<ListedServer, "url" | "pid" | "secret" | "certificate">;

async function noServer(io: Io, file: string | null): Promise<Failure> {
  const message = file === null ? "This folder has no server." : `The server of this project is not running (${file}).`;
  const servers = await runningServersText(io);
  const hint =
    servers === ""
      ? "No server of this user is running."
      : `\`qa-pay stop\` ends the server of the folder that it is called in.\n${servers}`;
  return new Failure(EXIT.usage, "no_server", message, hint);
}

/**
 * The server that commands of this folder use, else another one that was started in the same folder, when it runs. Throws
 * Failure (exit 2) when there is none.
 */
async function serverHere(io: Io): Promise<Running> {
  const project = findProject(io);
  const folder = folderOf(project === null ? projectFileIn(io.cwd) : project.file);
  const others = (await listRunningServers(io)).filter((server) => server.folder === folder);
  for (const server of project === null ? others : [project, ...project.earlier, ...others]) {
    const { pid, secret } = server;
    if (pid !== null && secret !== null && (await isRunning(io, server, undefined))) return { ...server, pid, secret };
  }
  throw await noServer(io, project?.file ?? null);
}

async function askToStop(io: Io, { url, secret, certificate }: Running): Promise<void> {
  const headers = { accept: "application/json", authorization: `Bearer ${secret}` };
  const request = { method: "POST", url: `${url}/_sandbox/server/stop`, headers, body: undefined };
  try {
    const { status, text } = await sendThrough({ command: io.command, certificate }, request);
    if (status !== 202) throw refusalOf(status, text);
  } catch (error) {
    // The server may end before its answer is there.
    if (!(error instanceof Unreachable && error.isLost)) throw error;
  }
}

async function waitForEnd(io: Io, { pid }: Running): Promise<void> {
  const never = new AbortController().signal;
  for (let left = LONGEST_MS; io.isRunning(pid); left -= PAUSE_MS) {
    if (left <= 0) {
      const message = `The server was requested to stop, but process ${pid} still runs.`;
      throw new Failure(EXIT.unexpected, "unexpected", message, "Check what it does, or end it yourself.");
    }
    await io.pause(PAUSE_MS, never);
  }
}

export const command = defineCommand({
  command: "stop",
  summary: "Stop the server of this folder, and wait until it has ended",
  examples: ["qa-pay stop"],
  globals: { quiet: true },
}).run(async ({ io, flags }) => {
  const server = await serverHere(io);
  await askToStop(io, server);
  await waitForEnd(io, server);
  const { url, pid } = server;
  if (flags.json) return io.out(jsonText({ url, pid }));
  await printDone(io, `stopped ${url} (process ${pid})`, flags);
});
