import { form, oneOf, optional, type Row, whole, words } from "../../../base/db/columns/rule.js";
import { amount, currency, dueAt, flag, instant, key, part, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, pages, runner, stateWriter } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES } from "./evidence-limits.js";
import { EVIDENCE_UPLOADERS, MED_METHODS, MED_STATUSES, MED_TYPES, MONEY_OUTCOMES } from "./machine.js";

const STATE = {
  status: oneOf(MED_STATUSES),
  evidence_requested_at: optional(instant),
  appeal_reason: optional(words),
  appealed_at: optional(instant),
  money_outcome: optional(oneOf(MONEY_OUTCOMES)),
  /** 1 when the payer withdrew the claim. */
  withdrawn: flag,
  closed_at: optional(instant),
  updated_at: instant,
};

export const MED_CASE = {
  id: uuid,
  book_id: key,
  transaction_id: uuid,
  type: oneOf(MED_TYPES),
  /** The contested amount, in the smallest unit. */
  amount,
  currency,
  reason: optional(words),
  method: oneOf(MED_METHODS),
  /** The money of the wallet that the case holds; 0 when the contested amount exceeds the rest of the payment. */
  held: part,
  response_deadline: optional(dueAt),
  opened_at: instant,
  created_at: instant,
  ...STATE,
};
export type MedCaseRow = Row<typeof MED_CASE>;

/** The amounts that the ledger must hold for a case. */
export const MED_MONEY = {
  table: "med_cases",
  journals: "med_*",
  prefix: `'${ID_PREFIX.medCase}'`,
  from: "med_cases o",
  book: "o.book_id",
  owed: {
    wallet: "-o.held * (COALESCE(o.money_outcome, '') <> 'refunded_to_merchant')",
    retained: "o.held * (o.money_outcome IS NULL)",
  },
};

/** Without the content of the file, which only the page of the file reads. */
export const EVIDENCE = {
  id: uuid,
  case_id: uuid,
  file_name: form((column) => `length(${column}) BETWEEN 1 AND 255 AND ${column} NOT GLOB '*[/\\]*'`),
  /** Bytes, as announced. */
  file_size: whole(1, MAX_EVIDENCE_BYTES),
  mime_type: oneOf(EVIDENCE_TYPES),
  uploaded_by: oneOf(EVIDENCE_UPLOADERS),
  /** The deadline of the upload. */
  expires_at: dueAt,
  /** Bytes that arrived; null before the upload. */
  stored_size: optional(whole(0, MAX_EVIDENCE_BYTES)),
  /** The time when the merchant confirmed the upload; null before. */
  uploaded_at: optional(instant),
  created_at: instant,
};
export type EvidenceRow = Row<typeof EVIDENCE>;
const EVIDENCE_COLUMNS = Object.keys(EVIDENCE).join();

function evidenceStatements(db: Db) {
  return {
    insertEvidence: inserter(db, "med_evidence", EVIDENCE),
    evidence: getter<EvidenceRow>(db, `SELECT ${EVIDENCE_COLUMNS} FROM med_evidence WHERE id = ?`),
    evidenceContent: getter<{ content: Uint8Array<ArrayBuffer> }>(
      db,
      "SELECT content FROM med_evidence WHERE id = ? AND content IS NOT NULL",
    ),
    evidenceOf: lister<EvidenceRow>(
      db,
      `SELECT ${EVIDENCE_COLUMNS} FROM med_evidence WHERE case_id = ? AND uploaded_at IS NOT NULL ORDER BY seq DESC`,
    ),
    countEvidence: getter<{ count: number }>(
      db,
      "SELECT COUNT(*) AS count FROM med_evidence WHERE case_id = ? AND uploaded_at IS NOT NULL",
    ),
    storeEvidence: runner(
      db,
      "UPDATE med_evidence SET content = ?, stored_size = ? WHERE id = ? AND uploaded_at IS NULL",
    ),
    confirmEvidence: runner(db, "UPDATE med_evidence SET uploaded_at = ? WHERE id = ?"),
  };
}

export type MedStore = ReturnType<typeof medStore>;

/** Returns the statements about MED cases and their evidence. */
export function medStore(db: Db) {
  return {
    ...evidenceStatements(db),
    insert: inserter(db, "med_cases", MED_CASE),
    update: stateWriter(db, "med_cases", "MED case", STATE),
    anywhere: getter<MedCaseRow>(db, "SELECT * FROM med_cases WHERE id = ?"),
    inBook: getter<MedCaseRow>(db, "SELECT * FROM med_cases WHERE id = ? AND book_id = ?"),
    ofTransaction: lister<MedCaseRow>(db, "SELECT * FROM med_cases WHERE transaction_id = ? ORDER BY seq"),
    undecided: getter<MedCaseRow>(
      db,
      "SELECT * FROM med_cases WHERE transaction_id = ? AND status IN ('open', 'appealed')",
    ),
    list: pages<MedCaseRow, "book" | "status" | "type" | "transaction" | "after" | "before" | "beforeCase">(
      db,
      "SELECT * FROM med_cases",
      {
        book: "book_id = ?",
        status: "status = ?",
        type: "type = ?",
        transaction: "transaction_id = ?",
        after: "created_at > ?",
        before: "created_at < ?",
        beforeCase: "(created_at, seq) < (SELECT created_at, seq FROM med_cases WHERE id = ?)",
      },
      "created_at DESC, seq DESC",
    ),
  };
}
