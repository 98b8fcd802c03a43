import { z } from "zod";
import { ID_PREFIX } from "../../../kernel/ids.js";
import { IdParam, NoQuery } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { findCase } from "../actions.js";
import { announceEvidence, confirmEvidence, findEvidence, uploadUrl, viewUrl } from "../evidence.js";
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES, UPLOAD_SECONDS } from "../evidence-limits.js";
import { Evidence, EvidenceTicket, toEvidence } from "../wire.js";

/** docs/service/med.md#evidence: routes for evidence. */

const columns = [
  { header: "Evidence", path: "id" },
  { header: "File", path: "file_name" },
  { header: "Bytes", path: "file_size" },
  { header: "Type", path: "mime_type" },
  { header: "By", path: "uploaded_by" },
  { header: "Uploaded", path: "uploaded_at", format: "time" },
] as const;

export const listEvidence = defineOperation({
  id: "med.evidence.list",
  method: "GET",
  path: "/v1/med/cases/{id}/evidence",
  aliases: ["/v1/infractions/{id}/evidence"],
  auth: "key",
  surface: "api",
  summary: "List the confirmed evidence of a MED case",
  description:
    "Lists the confirmed files of a case, newest first, each with a link that is good for five minutes. A file that " +
    "was announced or uploaded and never confirmed is not in it. It takes no parameter and refuses any.",
  params: IdParam,
  query: NoQuery,
  success: {
    status: 200,
    description: "Newest first, each with a link that is good for five minutes",
    schema: z.object({ object: z.literal("list"), data: z.array(Evidence) }),
  },
  errors: [],
  cli: {
    command: "med evidence list",
    examples: ["qa-pay med evidence list med_0198…"],
    rows: "data",
    columns: [...columns],
  },
}).read(({ caller, params }, reader) => {
  const rows = reader.med.evidenceOf(findCase(reader, caller.bookId, params.id).id);
  return { object: "list" as const, data: rows.map((row) => toEvidence(row, viewUrl(reader, row))) };
});

export const createEvidence = defineOperation({
  id: "med.evidence.create",
  method: "POST",
  path: "/v1/med/cases/{id}/evidence",
  aliases: ["/v1/infractions/{id}/evidence"],
  auth: "key",
  surface: "api",
  summary: "Ask for an address to upload evidence to",
  description:
    "The first of three steps: announces a file and answers where to PUT it within 900 seconds and with which " +
    "headers, without an API key. The address is good for exactly this type and size. A type other than PNG, JPEG, " +
    "WebP, GIF and PDF, more than 10 MB, and a case that is neither open nor appealed are refused.",
  params: IdParam,
  body: z.object({
    file_name: z.string().min(1, "must not be empty").max(255, "must have at most 255 characters"),
    file_size: z
      .int()
      .min(1)
      .max(MAX_EVIDENCE_BYTES)
      .meta({ description: `Exact size in bytes, at most ${MAX_EVIDENCE_BYTES}` }),
    mime_type: z.enum(EVIDENCE_TYPES),
  }),
  success: { status: 201, description: "Where and how to upload the file", schema: EvidenceTicket },
  errors: [],
  cli: {
    command: "med evidence upload",
    examples: [
      "qa-pay med evidence upload med_0198… --file-name invoice.pdf --file-size 48213 --mime-type application/pdf",
    ],
    columns: [
      { header: "Evidence", path: "id" },
      { header: "Upload to", path: "upload_url" },
      { header: "Method", path: "upload_method" },
      { header: "Seconds left", path: "expires_in" },
    ],
    next: "PUT the file there, then: qa-pay med evidence complete <case> {id}",
  },
}).write(({ caller, params, body }, tx) => {
  const row = announceEvidence(tx, findCase(tx, caller.bookId, params.id), body);
  return {
    id: ID_PREFIX.evidence + row.id,
    object: "med_case_evidence_upload" as const,
    upload_url: uploadUrl(tx, row),
    upload_method: "PUT" as const,
    upload_headers: { "Content-Type": row.mime_type, "Content-Length": String(row.file_size) },
    expires_in: UPLOAD_SECONDS,
  };
});

export const completeEvidence = defineOperation({
  id: "med.evidence.complete",
  method: "POST",
  path: "/v1/med/cases/{id}/evidence/{evidence_id}/complete",
  aliases: ["/v1/infractions/{id}/evidence/{evidence_id}/complete"],
  auth: "key",
  surface: "api",
  summary: "Confirm that the file of some evidence has been uploaded",
  description:
    "The last of three steps: confirms an uploaded file, which is listed and counted from then on. Confirming it " +
    "again answers the same. A file that did not arrive in time is refused with 409 `EVIDENCE_NOT_UPLOADED`, one of " +
    "another size than announced with 409 `EVIDENCE_SIZE_MISMATCH`. It needs no body.",
  params: IdParam.extend({ evidence_id: z.string() }),
  success: { status: 200, description: "The confirmed evidence", schema: Evidence },
  errors: ["EVIDENCE_NOT_UPLOADED", "EVIDENCE_SIZE_MISMATCH"],
  cli: {
    command: "med evidence complete",
    examples: ["qa-pay med evidence complete med_0198… ev_0198…"],
    columns: [...columns],
  },
}).write(({ caller, params }, tx) => {
  const medCase = findCase(tx, caller.bookId, params.id);
  const row = confirmEvidence(tx, medCase, findEvidence(tx, medCase, params.evidence_id));
  return toEvidence(row, viewUrl(tx, row));
});
