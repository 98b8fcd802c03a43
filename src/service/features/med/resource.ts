import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { maskTaxId } from "../../../base/kernel/tax-id.js";
import { iso, isoOrNull } from "../../../base/kernel/time.js";
import type { TransactionRow } from "../transactions/store.js";
import { EVIDENCE_UPLOADERS, isUndecided, MED_STATUSES, MED_TYPES, MONEY_OUTCOMES } from "./machine.js";
import type { EvidenceRow, MedCaseRow } from "./store.js";

/** MED cases and evidence in answers (docs/service/med.md#the-case, docs/service/med.md#what-the-charge-says). */

export const MedCase = z
  .object({
    id: z.string().regex(/^med_/),
    object: z.literal("med_case"),
    type: z.enum(MED_TYPES),
    status: z.enum(MED_STATUSES),
    amount: z.int(),
    currency: z.string(),
    charge_id: z.string(),
    reason: z.string().nullable(),
    response_deadline: IsoInstant.nullable(),
    evidence_requested_at: IsoInstant.nullable(),
    appeal_reason: z.string().nullable(),
    appealed_at: IsoInstant.nullable(),
    evidence_count: z.int().describe("Confirmed uploads"),
    money_outcome: z.enum(MONEY_OUTCOMES).nullable(),
    opened_at: IsoInstant,
    closed_at: IsoInstant.nullable(),
    created_at: IsoInstant,
    updated_at: IsoInstant,
  })
  .meta({ id: "MedCase" });

/** Returns a case as answers show it. Its amount is in the smallest unit of the currency. */
export function toMedCase(row: MedCaseRow, evidenceCount: number): z.input<typeof MedCase> {
  return {
    id: ID_PREFIX.medCase + row.id,
    object: "med_case",
    type: row.type,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    charge_id: ID_PREFIX.charge + row.transaction_id,
    reason: row.reason,
    response_deadline: isoOrNull(row.response_deadline),
    evidence_requested_at: isoOrNull(row.evidence_requested_at),
    appeal_reason: row.appeal_reason,
    appealed_at: isoOrNull(row.appealed_at),
    evidence_count: evidenceCount,
    money_outcome: row.money_outcome,
    opened_at: iso(row.opened_at),
    closed_at: isoOrNull(row.closed_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** Returns the state of a case as banks name it; the service has names of its own. */
function bankStatus(row: MedCaseRow): "created" | "delivered" | "closed" | "canceled" {
  if (row.withdrawn === 1) return "canceled";
  if (!isUndecided(row.status)) return "closed";
  return row.held === 0 ? "created" : "delivered";
}

/**
 * Returns a tax id with only its middle digits. The full document of a payer, a person or a company, is never shown.
 */
function hideTaxId(document: string): string {
  return maskTaxId(document).replace(/^\w{2}\.(\w{3}\.\w{3})\/\w{4}-\d{2}$/, "**.$1/****-**");
}

/** Returns the time of the last event of a case. Every step has an event; new evidence has none. */
function lastEventAt(row: MedCaseRow): number {
  return Math.max(row.opened_at, row.evidence_requested_at ?? 0, row.appealed_at ?? 0, row.closed_at ?? 0);
}

/** `metadata.med` of the charge: informative, with the payer's document masked. */
export function medMetadata(row: MedCaseRow, transaction: TransactionRow): object {
  const status = bankStatus(row);
  const won = row.money_outcome === "refunded_to_merchant";
  const document = transaction.payer_document;
  return {
    referenceId: transaction.end_to_end_id,
    status,
    ...(status === "closed" ? { result: won ? "disagreed" : "agreed" } : {}),
    method: row.method,
    reason: row.reason,
    payerName: transaction.payer_name,
    payerDocument: document === null ? null : hideTaxId(document),
    openedAt: iso(row.opened_at),
    updatedAt: iso(row.updated_at),
    closedAt: isoOrNull(row.closed_at),
    lastEventAt: iso(lastEventAt(row)),
    amountMismatch: row.held === 0,
  };
}

export const EvidenceTicket = z
  .object({
    id: z.string().regex(/^ev_/),
    object: z.literal("med_case_evidence_upload"),
    upload_url: z.string().describe("Signed: no key goes along"),
    upload_method: z.literal("PUT"),
    upload_headers: z.object({ "Content-Type": z.string(), "Content-Length": z.string() }),
    expires_in: z.int().describe("Seconds"),
  })
  .meta({ id: "MedEvidenceUpload" });

export const Evidence = z
  .object({
    id: z.string().regex(/^ev_/),
    object: z.literal("med_case_evidence"),
    file_name: z.string(),
    file_size: z.int(),
    mime_type: z.string(),
    uploaded_by: z.enum(EVIDENCE_UPLOADERS),
    created_at: IsoInstant,
    uploaded_at: IsoInstant,
    view_url: z.string().describe("Signed, for five minutes"),
  })
  .meta({ id: "MedEvidence" });

export function toEvidence(row: EvidenceRow, viewUrl: string): z.input<typeof Evidence> {
  return {
    id: ID_PREFIX.evidence + row.id,
    object: "med_case_evidence",
    file_name: row.file_name,
    file_size: row.file_size,
    mime_type: row.mime_type,
    uploaded_by: row.uploaded_by,
    created_at: iso(row.created_at),
    uploaded_at: iso(row.uploaded_at ?? row.created_at),
    view_url: viewUrl,
  };
}
