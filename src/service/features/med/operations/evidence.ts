import * as z from "zod";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { NoQuery, textUpTo } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { findCase } from "../actions.js";
import { announceEvidence, confirmEvidence, findEvidence, uploadUrl, viewUrl } from "../evidence.js";
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES, MAX_EVIDENCE_MB, UPLOAD_SECONDS } from "../evidence-limits.js";
import { Evidence, EvidenceTicket, toEvidence } from "../resource.js";

/** docs/service/med.md#evidence: routes for evidence. */

const columns =
  "id as Evidence, file_name as File, file_size as Bytes, mime_type as Type, uploaded_by as By, uploaded_at";

export const listEvidence = defineOperation({
  id: "med.evidence.list",
  route: "GET /v1/med/cases/{id}/evidence",
  aliases: ["/v1/infractions/{id}/evidence"],
  summary: "List the confirmed evidence of a MED case",
  description:
    "Lists the confirmed files of a case, newest first, each with a link that is valid for five minutes. A file that " +
    "was announced or uploaded and never confirmed is not in it. It takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "Newest first, each with a link that is valid for five minutes",
    schema: z.object({ object: z.literal("list"), data: z.array(Evidence) }),
  },
  cli: {
    columns,
  },
}).read(({ caller, params }, reader) => {
  const rows = reader.med.evidenceOf(findCase(reader, caller.bookId, params.id).id);
  return { object: "list" as const, data: rows.map((row) => toEvidence(row, viewUrl(reader, row))) };
});

export const createEvidence = defineOperation({
  id: "med.evidence.create",
  route: "POST /v1/med/cases/{id}/evidence",
  aliases: ["/v1/infractions/{id}/evidence"],
  summary: "Request an address to upload evidence to",
  questions: ["Add {file_name} to the MED case {id}?"],
  description:
    `The first of three steps: announces a file and answers where to PUT it within ${UPLOAD_SECONDS} seconds and with which ` +
    "headers, without an API key. The address is valid for exactly this type and size. A type other than PNG, JPEG, " +
    `WebP, GIF and PDF, more than ${MAX_EVIDENCE_MB} MB, and a case that is neither open nor appealed are refused.`,
  body: z.object({
    file_name: textUpTo(255).min(1, "must not be empty").describe("Name of the file, at most 255 characters"),
    file_size: z.int().min(1).max(MAX_EVIDENCE_BYTES).describe(`Exact size in bytes, at most ${MAX_EVIDENCE_BYTES}`),
    mime_type: z.enum(EVIDENCE_TYPES).describe("Media type of the file; the upload is sent with it"),
  }),
  success: { status: 201, description: "Where and how to upload the file", schema: EvidenceTicket },
  cli: {
    command: "med evidence upload",
    examples: [
      "qa-pay med evidence upload med_0198… --file-name invoice.pdf --file-size 48213 --mime-type application/pdf",
    ],
    columns: "id as Evidence, upload_url as Upload to, upload_method as Method, expires_in as Seconds left",
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
  route: "POST /v1/med/cases/{id}/evidence/{evidence_id}/complete",
  aliases: ["/v1/infractions/{id}/evidence/{evidence_id}/complete"],
  summary: "Confirm that the file of some evidence has been uploaded",
  questions: ["Confirm that the file of the evidence {evidence_id} is uploaded?"],
  description:
    "The last of three steps: confirms an uploaded file, which is listed and counted from then on. Confirming it " +
    "again answers the same. A file that did not arrive in time is refused with 409 `EVIDENCE_NOT_UPLOADED`, one of " +
    "another size than announced with 409 `EVIDENCE_SIZE_MISMATCH`. It needs no body.",
  success: { status: 200, description: "The confirmed evidence", schema: Evidence },
  errors: ["EVIDENCE_NOT_UPLOADED", "EVIDENCE_SIZE_MISMATCH"],
  cli: {
    columns,
  },
}).write(({ caller, params }, tx) => {
  const medCase = findCase(tx, caller.bookId, params.id);
  const row = confirmEvidence(tx, medCase, findEvidence(tx, medCase, params.evidence_id));
  return toEvidence(row, viewUrl(tx, row));
});
