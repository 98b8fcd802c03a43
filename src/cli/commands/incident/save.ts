import type { GlobalFlags } from "../../../client/flags.js";
import type { OperationAnswer } from "../../../client/types.js";
import { iso } from "../../../kernel/time.js";
import { isEmulator, readFrom } from "../../target/ask-host.js";
import { patientReads } from "../../target/patient.js";
import type { Target } from "../../target/request-policy.js";
import { requireKey, resolveTarget } from "../../target/resolve-target.js";
import { mayBeSent } from "../../target/safety.js";
import type { Io } from "../../terminal/io.js";
import { writeNamed } from "../../terminal/named-file.js";
import { dataLines, jsonText, say, type TerminalText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { type CapturedCharge, type Incident, incidentText } from "./file.js";
import { masked, withoutKeys } from "./mask.js";

const OWNER_ONLY = 0o600;

type SaveFlags = GlobalFlags & { readonly keepPersonalData?: boolean | undefined };

async function storyOf(io: Io, target: Target, id: string, flags: GlobalFlags): Promise<CapturedCharge> {
  if (await isEmulator(target)) {
    const address = `/_sandbox/incidents/${encodeURIComponent(id)}`;
    const answer = await readFrom<OperationAnswer<"sandbox.incident">>(target, address);
    const missing = ["the requests of clients", "the contents of evidence files"];
    return { ...answer, kind: "emulator", shows: "everything that is stored of the charge", missing };
  }
  const { storyFromService } = await import("./from-service.js");
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const notify = (text: TerminalText) => (flags.quiet || flags.json ? undefined : io.err(text));
  return storyFromService(target, id, patientReads({ io, stop: stop.signal, notify }));
}

interface IncidentOptions {
  readonly flags: SaveFlags;
  readonly change?: ((captured: CapturedCharge) => CapturedCharge) | undefined;
}

/** `change` is for who knows more of the story than the host tells. */
export async function incidentOf(
  io: Io,
  target: Target,
  id: string,
  { flags, change = (captured) => captured }: IncidentOptions,
): Promise<Incident> {
  const { kind, shows, missing, subject, summary, rows } = change(await storyOf(io, target, id, flags));
  const isKept = flags.keepPersonalData === true;
  const source = {
    kind,
    host: new URL(target.baseUrl).host,
    saved_at: iso(io.now()),
    shows,
    missing,
    personal_data: isKept ? ("kept" as const) : ("replaced" as const),
  };
  const clean = withoutKeys({ rows, summary });
  if (isKept) return { source, subject, ...clean };
  const { qrBase64 } = await import("../../../pix/qr.js");
  // The made-up values follow from it. It is forgotten, so nobody finds the real ones again.
  const secret = io.random() + io.random();
  return { source, subject, ...masked(clean, secret, qrBase64) };
}

export const command = defineCommand({
  command: "incident save",
  summary: "Write the whole story of a charge into a file, without a person's data",
  section: "shop",
  takes: { "<id>": "id of a charge, a payment, a refund or a MED case" },
  flags: {
    "--output <file>": "file to write; without it, or with -, standard output",
    "--keep-personal-data": "keep names, documents, e-mails, phones and Pix keys as they are",
  },
  examples: [
    "qa-pay incident save ch_0198… --output incident.json",
    "qa-pay incident save ch_0198… --profile prod > incident.json",
  ],
  sends: true,
}).run(async ({ io, given: { id }, flags }) => {
  const target = await resolveTarget(io, flags);
  const headers = { accept: "application/json", apikey: requireKey(target) };
  const first = { method: "GET", url: `${target.baseUrl}/_sandbox`, headers, body: undefined };
  if (!(await mayBeSent(io, target, first, flags))) return;
  const incident = await incidentOf(io, target, id, { flags });
  const text = incidentText(incident);
  const { output = "-" } = flags;
  if (output === "-") {
    io.out(dataLines(text));
  } else {
    const path = await writeNamed(io, output, text, { mode: OWNER_ONLY });
    io.out(flags.json ? jsonText({ file: path, subject: incident.subject, source: incident.source }) : say`${path}\n`);
  }
  if (flags.quiet || flags.json) return;
  const { source } = incident;
  io.err(say`${source.host} shows ${source.shows}. Not in the file: ${source.missing.join(", ")}.\n`);
  io.err(
    source.personal_data === "kept"
      ? say`The file has the data of persons. Whoever gets it can read them.\n`
      : say`Names, documents, e-mails, phones and Pix keys are made up. Read free texts before you hand the file on.\n`,
  );
});
