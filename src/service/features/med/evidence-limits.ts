/** The files that may be evidence (docs/service/med.md#evidence). The command line checks a file before it sends it. */

export const EVIDENCE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

export const MAX_EVIDENCE_MB = 10;
export const MAX_EVIDENCE_BYTES = MAX_EVIDENCE_MB * 1_048_576;

/** Seconds from the announcement of a file during which it may be uploaded. */
export const UPLOAD_SECONDS = 900;
