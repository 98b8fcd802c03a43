import type { GlobalFlags } from "../../../../api/client/flags.js";
import type { OperationAnswer } from "../../../../api/client/types.js";
import { type CapturedCharge, incidentText } from "../../../../checks/incident/file.js";
import type { IncidentHost } from "../../../../checks/incident/from-service.js";
import { incidentOf } from "../../../../checks/incident/incident-of.js";
import { connect } from "../../host/connect.js";
import type { Connection } from "../../host/connection.js";
import { mayBeSent } from "../../host/consent.js";
import { requireKey } from "../../host/credential.js";
import { keyMode } from "../../host/keys.js";
import { isEmulator, readFrom } from "../../host/read.js";
import { patientReads } from "../../operation/patient-reads.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { writeNamed } from "../../terminal/named-file.js";
import { dataLines, jsonText, say, type TerminalText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { withExitCodes } from "./named-incident.js";

const OWNER_ONLY = 0o600;

const LACKING: readonly number[] = [EXIT.notFound, EXIT.denied, EXIT.refused];

/** Reads a charge from the host. Throws Failure for a refusal, and IncidentError for an answer that lacks too much. */
export async function captureCharge(
  io: Io,
  connection: Connection,
  id: string,
  flags: GlobalFlags,
): Promise<CapturedCharge> {
  if (await isEmulator(connection)) {
    const address = `/_sandbox/incidents/${encodeURIComponent(id)}`;
    const answer = await readFrom<OperationAnswer<"sandbox.incident">>(connection, address);
    const missing = ["the requests of clients", "the contents of evidence files"];
    return { ...answer, kind: "emulator", shows: "everything that is stored of the charge", missing };
  }
  const { storyFromService } = await import("../../../../checks/incident/from-service.js");
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const notify = (text: TerminalText) => (flags.quiet || flags.json ? undefined : io.err(text));
  const patient = patientReads({ io, stop: stop.signal, notify });
  const host: IncidentHost = {
    address: connection.host.url,
    mode: keyMode(connection.credential.apiKey) ?? "test",
    read: (path) => patient((onAnswer) => readFrom(connection, path, onAnswer)),
    isLacking: (error) =>
      error instanceof Failure && (LACKING.includes(error.exitCode) || error.code === "unexpected_answer"),
  };
  return storyFromService(host, id);
}

/** Returns the text of the file for a charge that was read. */
export async function buildFileText(
  io: Io,
  connection: Connection,
  captured: CapturedCharge,
  keepPersonalData: boolean,
) {
  const { host } = new URL(connection.host.url);
  const secret = io.random() + io.random();
  const incident = await incidentOf(captured, { host, now: io.now(), keepPersonalData, secret });
  return { incident, text: incidentText(incident) };
}

export const command = defineCommand({
  command: "incident save",
  summary: "Write the whole story of a charge into a file, without personal data",
  takes: { "<id>": "id of a charge, a payment, a refund or a MED case" },
  flags: {
    "--output <file>": "file to write, or - for standard output (the default)",
    "--keep-personal-data": "keep names, documents, e-mails, phones and Pix keys as they are",
  },
  examples: [
    "qa-pay incident save ch_0198… --output incident.json",
    "qa-pay incident save ch_0198… --profile prod > incident.json",
  ],
  sends: true,
}).run(
  withExitCodes(async ({ io, given: { id }, flags }) => {
    const connection = await connect(io, flags);
    const headers = { accept: "application/json", apikey: requireKey(connection) };
    const first = { method: "GET", url: `${connection.host.url}/_sandbox`, headers, body: undefined };
    if (!(await mayBeSent(io, connection.policy, first, flags))) return;
    const { output = "-", keepPersonalData = false } = flags;
    const captured = await captureCharge(io, connection, id, flags);
    const { incident, text } = await buildFileText(io, connection, captured, keepPersonalData);
    if (output === "-") {
      io.out(dataLines(text));
    } else {
      const path = await writeNamed(io, output, text, { mode: OWNER_ONLY });
      io.out(
        flags.json ? jsonText({ file: path, subject: incident.subject, source: incident.source }) : say`${path}\n`,
      );
    }
    if (flags.quiet || flags.json) return;
    const { source } = incident;
    io.err(say`${source.host} shows ${source.shows}. Not in the file: ${source.missing.join(", ")}.\n`);
    io.err(
      source.personal_data === "kept"
        ? say`The file has personal data, which everybody who receives the file can read.\n`
        : say`Names, documents, e-mails, phones and Pix keys are invented. Read free texts before you pass the file on.\n`,
    );
  }),
);
