import { ApiError, fieldError, rowById, stateError } from "../../../base/kernel/errors.js";
import type { Reader, Stores, Tx } from "../tx.js";
import { evidenceAdded } from "./actions.js";
import { type EvidenceType, UPLOAD_SECONDS } from "./evidence-limits.js";
import { isUndecided } from "./machine.js";
import type { EvidenceRow, MedCaseRow } from "./store.js";

/** Evidence in three steps: a ticket, the file, its confirmation (docs/service/med.md#evidence). */

const VIEW_MS = 300_000;

/** Returns an address that works without an API key until `expiresAt`. The signature covers path, time and `bound`. */
function signUrl(reader: Reader, path: string, expiresAt: number, bound: string): string {
  const signature = reader.sign(`${path}\n${expiresAt}\n${bound}`);
  return `${reader.origin}${path}?expires=${expiresAt}&signature=${signature}`;
}

/** True if `signUrl` created an address for this path and `bound`, and it has not expired. */
export function isSignedUrl(reader: Reader, path: string, query: URLSearchParams, bound: string): boolean {
  const expires = query.get("expires") ?? "";
  const fresh = /^\d{1,15}$/.test(expires) && Number(expires) > reader.now;
  return fresh && reader.isSignature(`${path}\n${expires}\n${bound}`, query.get("signature") ?? "");
}

export const uploadPath = (id: string) => `/uploads/evidence/${id}`;
export const viewPath = (id: string) => `/files/evidence/${id}`;

/** The part of an upload's signature that fixes the type and the size of the file. */
export const uploadBinding = (row: EvidenceRow) => `${row.mime_type}\n${row.file_size}`;

export function uploadUrl(reader: Reader, row: EvidenceRow): string {
  return signUrl(reader, uploadPath(row.id), row.expires_at, uploadBinding(row));
}

export function viewUrl(reader: Reader, row: EvidenceRow): string {
  return signUrl(reader, viewPath(row.id), reader.now + VIEW_MS, "");
}

/** A file name is only shown and never used as a path. A name that could be a path is refused nevertheless. */
function checkFileName(name: string): void {
  const isPath = /[/\\]/.test(name) || name === "." || name === "..";
  if (isPath || /\p{Cc}/u.test(name)) throw fieldError("file_name", "must be a file's name without folders");
}

function requireUndecided(row: MedCaseRow): void {
  if (isUndecided(row.status)) return;
  throw stateError(`The MED case is ${row.status}; evidence is taken while it is open or appealed.`);
}

export interface NewEvidence {
  readonly file_name: string;
  readonly file_size: number;
  readonly mime_type: EvidenceType;
}

/** First step: announces a file. The file is neither listed nor counted before it is confirmed. */
export function announceEvidence(tx: Tx, medCase: MedCaseRow, input: NewEvidence): EvidenceRow {
  requireUndecided(medCase);
  checkFileName(input.file_name);
  const row: EvidenceRow = {
    id: tx.ids.next(),
    case_id: medCase.id,
    ...input,
    uploaded_by: "merchant",
    expires_at: tx.now + UPLOAD_SECONDS * 1_000,
    stored_size: null,
    uploaded_at: null,
    created_at: tx.now,
  };
  tx.med.insertEvidence(row);
  return row;
}

export function findEvidence(stores: Stores, medCase: MedCaseRow, id: string): EvidenceRow {
  const find = (raw: string) => {
    const row = stores.med.evidence(raw);
    return row?.case_id === medCase.id ? row : null;
  };
  return rowById("evidence", id, find, { more: " of this case" });
}

/** Third step: confirms the upload. Confirming a second time changes nothing. */
export function confirmEvidence(tx: Tx, medCase: MedCaseRow, row: EvidenceRow): EvidenceRow {
  if (row.uploaded_at !== null) return row;
  requireUndecided(medCase);
  if (row.stored_size === null) throw new ApiError("EVIDENCE_NOT_UPLOADED");
  if (row.stored_size !== row.file_size) {
    const message = `${row.file_size} bytes were declared and ${row.stored_size} have arrived. Upload the file again.`;
    throw new ApiError("EVIDENCE_SIZE_MISMATCH", { message });
  }
  tx.med.confirmEvidence(tx.now, row.id);
  evidenceAdded(tx, medCase);
  return { ...row, uploaded_at: tx.now };
}
