import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject } from "../../base/kernel/json.js";
import { reasonOf } from "../../base/kernel/reason.js";
import type { StoryRow, StoryRows } from "../../service/features/timeline/story.js";
import { IncidentError } from "./incident-error.js";

/** The file of an incident: readable JSON, with a digest of everything else in it (docs/decisions/152-incidents.md). */

const FORMAT = "qa-pay-incident";
const VERSION = 1;
const MOST_ROWS = 100_000;

export interface Source {
  readonly kind: "emulator" | "service";
  readonly host: string;
  readonly saved_at: string;
  /** The facts that the host shows of a charge, and those that the file lacks. */
  readonly shows: string;
  readonly missing: readonly string[];
  readonly personal_data: "replaced" | "kept";
}

export interface Incident {
  readonly source: Source;
  readonly subject: string;
  readonly summary: readonly string[];
  readonly rows: StoryRows;
}

/** The facts of a charge, as a host reported them. */
export interface CapturedCharge extends Pick<Incident, "subject" | "summary" | "rows"> {
  readonly kind: "emulator" | "service";
  readonly shows: string;
  readonly missing: readonly string[];
}

function digestOf(content: object): string {
  return `sha256:${createHash("sha256").update(canonicalJson(content)).digest("hex")}`;
}

/** The story stands before the rows, because people read it. */
export function incidentText({ source, subject, summary, rows }: Incident): string {
  const content = { format: FORMAT, version: VERSION, source, subject, summary, rows };
  return `${JSON.stringify({ ...content, digest: digestOf(content) }, null, 2)}\n`;
}

/** The error for a file whose contents are refused. Nothing was created from it. */
export function fileError(name: string, why: string): IncidentError {
  const hint = "Save the incident again, and change nothing in the file: it is read only as it was written.";
  return new IncidentError("changed_file", `${name} was changed after it was saved: ${why}.`, hint);
}

/** The error for contents that this version would not write. A digest proves neither its author nor the version. */
export function strangeFile(name: string, why: string): IncidentError {
  const message = `${name} was changed after it was saved, or another version of qa-pay saved it: ${why}.`;
  const hint = "Replay it with the version that saved it, or save the incident again with this one.";
  return new IncidentError("changed_file", message, hint);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isRow(value: unknown): value is StoryRow {
  const fits = (one: unknown) => one === null || isText(one) || Number.isSafeInteger(one);
  return isJsonObject(value) && Object.values(value).every(fits);
}

function areRows(value: unknown): value is StoryRows {
  if (!isJsonObject(value)) return false;
  const tables: unknown[] = Object.values(value);
  return tables.every((rows) => Array.isArray(rows) && rows.length <= MOST_ROWS && rows.every(isRow));
}

function isSource(value: unknown): value is Source {
  if (!isJsonObject(value)) return false;
  const { missing, ...texts } = value;
  return (
    Array.isArray(missing) && missing.every(isText) && ["kind", "host", "saved_at"].every((name) => isText(texts[name]))
  );
}

function isIncident(value: unknown): value is Incident {
  if (!isJsonObject(value)) return false;
  const { source, subject, summary, rows } = value;
  return isSource(source) && isText(subject) && Array.isArray(summary) && summary.every(isText) && areRows(rows);
}

/** True if the digest fits the rest of the file. A file with deeper nesting than this program writes has no digest. */
function isWhole(content: object, digest: unknown): boolean {
  try {
    return digest === digestOf(content);
  } catch {
    return false;
  }
}

/** Reads the text of a file of `incident save`. Throws IncidentError for any other text, and for a file that was changed. */
export function readIncident(text: string, name: string): Incident {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new IncidentError("usage", `${name} is not JSON: ${reasonOf(error)}.`);
  }
  if (!isJsonObject(value) || value.format !== FORMAT)
    throw new IncidentError("usage", `${name} is no file of \`incident save\`.`);
  const { digest, ...content } = value;
  if (content.version !== VERSION) {
    throw new IncidentError(
      "usage",
      `${name} has version ${String(content.version)}, and this program reads version ${VERSION}.`,
    );
  }
  if (!isWhole(content, digest)) throw fileError(name, "its digest is another one");
  if (!isIncident(content)) throw fileError(name, "its parts are not those of an incident");
  return content;
}
