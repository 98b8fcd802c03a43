/**
 * What may be uploaded as evidence (docs/service/med.md#evidence). The command line checks a file before it sends it.
 */

export const EVIDENCE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** 10 MB. */
export const MAX_EVIDENCE_BYTES = 10_485_760;

/** Seconds from the announcement of a file during which it may be uploaded. */
export const UPLOAD_SECONDS = 900;
