import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { pipeline } from "node:stream";
import { sendFile } from "../../../../../api/client/send.js";
import { MAX_SNAPSHOT_BYTES, SNAPSHOT_TYPE } from "../../../../../emulator/sandbox/snapshot-file.js";
import { connect } from "../../../host/connect.js";
import { requireAnswer, withSender } from "../../../host/send.js";
import { showAnswer } from "../../../operation/show.js";
import { usage } from "../../../terminal/failure.js";
import type { Io } from "../../../terminal/io.js";
import { statNamed } from "../../../terminal/named-file.js";
import { defineCommand } from "../../../tree/define-command.js";
import { checkAnswer, fileRequest, isConfirmed } from "./file-route.js";

/** The size of a file that can be sent. Throws Failure (exit 2). */
async function sizeOf(io: Io, name: string): Promise<number> {
  const found = await statNamed(io, name);
  if (!found.isFile()) throw usage(`${name} is no file.`);
  if (found.size <= MAX_SNAPSHOT_BYTES) return found.size;
  throw usage(`${name} has ${found.size} bytes; a snapshot has at most ${MAX_SNAPSHOT_BYTES}.`);
}

export const command = defineCommand({
  command: "sandbox snapshots import",
  summary: "Create a snapshot from an exported file, and replace an older one of that name",
  takes: { "<name>": "Name of the snapshot", "<file>": "file of `sandbox snapshots export`" },
  examples: ["qa-pay sandbox snapshots import before-refund before-refund.db"],
  sends: true,
}).run(async ({ io, operation, given: { name, file }, flags }) => {
  const size = await sizeOf(io, file);
  const connection = await connect(io, flags);
  const headers = { accept: "application/json", "content-type": SNAPSHOT_TYPE };
  const request = fileRequest(connection, name, "PUT", headers);
  if (!(await isConfirmed(io, connection, request, flags))) return;
  const write = (sent: NodeJS.WritableStream) => {
    // An error ends the request, and the exchange reports it.
    pipeline(createReadStream(resolve(io.cwd, file)), sent, () => undefined);
  };
  const send = async () => sendFile(withSender(connection.policy, request), { size, write });
  const answer = await requireAnswer(request, send);
  checkAnswer(io, connection, { answer, expected: 201 }, flags);
  await showAnswer({ io, spec: operation("sandbox snapshots save"), flags }, answer.text);
});
