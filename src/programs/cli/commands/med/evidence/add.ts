import { basename } from "node:path";
import type { GlobalFlags } from "../../../../../api/client/flags.js";
import { type FileToSend, sendFile, type Unreachable } from "../../../../../api/client/send.js";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { isSuccess } from "../../../../../base/kernel/http-status.js";
import { reasonOf } from "../../../../../base/kernel/reason.js";
import { t, type Words } from "../../../../../base/kernel/wording.js";
import {
  EVIDENCE_TYPES,
  type EvidenceType,
  MAX_EVIDENCE_BYTES,
  MAX_EVIDENCE_MB,
  UPLOAD_SECONDS,
} from "../../../../../service/features/med/evidence-limits.js";
import { isSameHost } from "../../../host/address.js";
import { connect } from "../../../host/connect.js";
import type { Connection } from "../../../host/connection.js";
import { mayBeSent } from "../../../host/consent.js";
import { proxyOf } from "../../../host/proxy.js";
import { prepare } from "../../../operation/prepare.js";
import { sendOperation } from "../../../operation/send-operation.js";
import { showAnswer } from "../../../operation/show.js";
import { EXIT, Failure, usage } from "../../../terminal/failure.js";
import type { Io } from "../../../terminal/io.js";
import { readNamed } from "../../../terminal/named-file.js";
import { say } from "../../../terminal/terminal-text.js";
import { defineCommand } from "../../../tree/define-command.js";

/** `med evidence add`: requests an upload address, uploads the file with a progress bar, and confirms the upload. */

const CHUNK = 65_536;
/** The time for the upload. It is as long as the upload address is valid, because a connection may be slow. */
const UPLOAD_MS = UPLOAD_SECONDS * 1_000;
const BAR = 24;

/** Recognises the type of a file by its first bytes (as Latin-1 text), because the file's name may be wrong. */
const SIGNATURES: Readonly<Record<EvidenceType, (start: string) => boolean>> = {
  "image/png": (start) => start.startsWith("\u0089PNG\r\n\u001a\n"),
  "image/jpeg": (start) => start.startsWith("\u00ff\u00d8\u00ff"),
  "image/gif": (start) => start.startsWith("GIF87a") || start.startsWith("GIF89a"),
  "image/webp": (start) => start.startsWith("RIFF") && start.slice(8, 12) === "WEBP",
  "application/pdf": (start) => start.startsWith("%PDF-"),
};

type Ticket = OperationAnswer<"med.evidence.create">;

function readEvidence(io: Io, file: string): { content: Buffer; type: string } {
  const content = readNamed(io, file);
  if (content.length > MAX_EVIDENCE_BYTES)
    throw usage(t`${file} has ${content.length} bytes; evidence has at most ${MAX_EVIDENCE_BYTES}.`);
  const start = content.subarray(0, 16).toString("latin1");
  const type = EVIDENCE_TYPES.find((one) => SIGNATURES[one](start));
  if (type === undefined) throw usage(t`${file} is no PNG, JPEG, WebP, GIF or PDF.`);
  return { content, type };
}

/** Returns a function that draws a progress bar on a terminal. It does nothing for a program. */
function progress(io: Io, flags: GlobalFlags, total: number): (sent: number) => void {
  if (!io.isTerminal || flags.quiet || flags.json) return () => undefined;
  return (sent) => {
    const filled = Math.round((BAR * sent) / total);
    const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
    io.err(say`\r${bar} ${Math.round((100 * sent) / total)} %${sent === total ? say`\n` : ""}`);
  };
}

/** Writes the file in chunks. Calls `onProgress` with the number of bytes that are sent. */
function writer(content: Buffer, onProgress: (sent: number) => void): FileToSend["write"] {
  return (request) => {
    const write = (from: number): void => {
      const to = Math.min(from + CHUNK, content.length);
      request.write(content.subarray(from, to), () => {
        onProgress(to);
        if (to < content.length) write(to);
        else request.end();
      });
    };
    write(0);
  };
}

async function upload(
  io: Io,
  { upload_url: url, upload_headers: headers }: Ticket,
  content: Buffer,
  { host, policy, onProgress }: Connection & { readonly onProgress: (sent: number) => void },
): Promise<void> {
  // The storage may be another host.
  const certificate = isSameHost(url, host.url) ? policy.certificate : undefined;
  const way = { proxy: proxyOf(io, url), certificate };
  const request = { method: "PUT", url, headers, body: undefined, timeoutMs: UPLOAD_MS, ...way };
  const reportFailure = (reason: Words) => {
    const { origin } = new URL(url);
    return new Failure(EXIT.unreachable, "unreachable", t`The upload to ${origin} failed (${reason}).`);
  };
  const { status } = await sendFile(request, { size: content.length, write: writer(content, onProgress) }).catch(
    (error: Unreachable) => {
      const reason = reasonOf(error.cause);
      throw reportFailure(
        error.proxy === undefined ? reason : t`the proxy ${error.proxy.name} does not connect to it: ${reason}`,
      );
    },
  );
  if (!isSuccess(status)) throw reportFailure(t`the storage answered ${status}`);
}

export const command = defineCommand({
  command: "med evidence add",
  summary: "Upload a file as evidence: ticket, file and confirmation in one",
  takes: {
    "<id>": "Id of the MED case: med_…",
    "<file>": `PNG, JPEG, WebP, GIF or PDF of at most ${MAX_EVIDENCE_MB} MB`,
  },
  examples: ["qa-pay med evidence add med_0198… invoice.pdf"],
  sends: true,
}).run(async ({ io, operation, given: { id, file }, flags }) => {
  const { content, type } = readEvidence(io, file);
  const connection = await connect(io, flags);
  const announced = { "file-name": basename(file), "file-size": String(content.length), "mime-type": type };
  const announce = operation("med evidence upload");
  const first = await prepare(announce, connection, { positional: [id], options: announced }, io);
  // --dry-run shows only the first request: the other two need the address and the id from its answer.
  if (!(await mayBeSent(io, connection.policy, first.request, { ...flags, others: 2 }))) return;
  const ticket = JSON.parse(await sendOperation(announce, connection, first.request)) as Ticket;
  await upload(io, ticket, content, { ...connection, onProgress: progress(io, flags, content.length) });
  const complete = operation("med evidence complete");
  const last = await prepare(complete, connection, { positional: [id, ticket.id] }, io);
  const text = await sendOperation(complete, connection, last.request);
  await showAnswer({ io, spec: complete, flags }, text);
});
