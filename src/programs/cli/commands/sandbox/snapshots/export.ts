import { renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { GlobalFlags } from "../../../../../api/client/flags.js";
import { type HttpRequest, receiveFile } from "../../../../../api/client/send.js";
import { reasonOf } from "../../../../../base/kernel/reason.js";
import { SNAPSHOT_TYPE } from "../../../../../emulator/sandbox/snapshot-file.js";
import { connect } from "../../../host/connect.js";
import type { Connection } from "../../../host/connection.js";
import { requireAnswer, withSender } from "../../../host/send.js";
import { type Failure, usage } from "../../../terminal/failure.js";
import type { Io } from "../../../terminal/io.js";
import { jsonText, say } from "../../../terminal/terminal-text.js";
import { defineCommand } from "../../../tree/define-command.js";
import { checkAnswer, fileRequest, isConfirmed } from "./file-route.js";

const OWNER_ONLY = 0o600;

interface CommandCall {
  readonly io: Io;
  readonly connection: Connection;
  readonly request: HttpRequest;
  readonly flags: GlobalFlags;
}

async function download(
  { io, connection, request, flags }: CommandCall,
  take: (body: IncomingMessage) => Promise<void>,
) {
  const answer = await requireAnswer(request, async () => receiveFile(withSender(connection.policy, request), take));
  checkAnswer(io, connection, { answer, expected: 200 }, flags);
}

function writeFailure(name: string, error: unknown): Failure {
  return usage(`${name} cannot be written: ${reasonOf(error)}. Choose another file with --output.`);
}

/** Writes the answer beside the file and renames it once all of it is on the disk: no half file is left behind. */
export async function toFile(call: CommandCall, name: string): Promise<{ path: string; size: number }> {
  const { io } = call;
  const path = resolve(io.cwd, name);
  const temporary = `${path}.${io.random()}`;
  const handle = await open(temporary, "wx", OWNER_ONLY).catch((error) => {
    throw writeFailure(name, error);
  });
  const file = handle.createWriteStream({ flush: true });
  let failed: unknown = null;
  file.on("error", (error: NodeJS.ErrnoException) => {
    if (error.syscall !== undefined) failed = error;
  });
  try {
    await download(call, (body) => pipeline(body, file));
    renameSync(temporary, path);
    return { path, size: file.bytesWritten };
  } catch (error) {
    file.destroy();
    rmSync(temporary, { force: true });
    const isOurs = failed !== null || (error instanceof Error && "syscall" in error);
    throw isOurs ? writeFailure(name, failed ?? error) : error;
  }
}

async function toStandardOutput(call: CommandCall): Promise<void> {
  const { io } = call;
  if (io.isScreen) {
    throw usage("A snapshot is binary and would disturb the terminal: redirect it, as in `… --output - > state.db`.");
  }
  await download(call, async (body) => {
    for await (const chunk of body) io.out(chunk as Buffer);
  });
}

export const command = defineCommand({
  command: "sandbox snapshots export",
  summary: "Write a snapshot into a file, with all its secrets",
  takes: { "<name>": "Name of the snapshot", "[file]": "file to write; default: <name>.db" },
  flags: { "--output <file>": "the same as [file]; - is standard output" },
  examples: [
    "qa-pay sandbox snapshots export before-refund",
    "qa-pay sandbox snapshots export before-refund --output fixtures/before-refund.db",
  ],
  sends: true,
}).run(async ({ io, given: { name, file }, flags }) => {
  if (file !== undefined && flags.output !== undefined && file !== flags.output) {
    throw usage(`[file] and --output contradict each other: ${file} and ${flags.output}.`);
  }
  const connection = await connect(io, flags);
  const request = fileRequest(connection, name, "GET", { accept: SNAPSHOT_TYPE });
  const call = { io, connection, request, flags };
  if (!(await isConfirmed(io, connection, request, flags))) return;
  const wanted = file ?? flags.output ?? `${name.replace(/[/\\]/g, "_")}.db`;
  if (wanted === "-") return toStandardOutput(call);
  const { path, size } = await toFile(call, wanted);
  if (flags.json) return io.out(jsonText({ file: path, size }));
  io.out(say`${path}\n`);
  if (!flags.quiet) io.err(say`It holds secrets, such as those that sign webhooks. Only you can read it: mode 0600.\n`);
});
