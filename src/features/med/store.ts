import { type Db, everyColumn, getter, inserter, lister, runner, type SqlValue, searcher } from "../../db/driver.js";
import type { MedMethod, MedStatus, MedType, MoneyOutcome } from "./machine.js";

interface MedCaseFacts {
  readonly id: string;
  readonly book_id: number;
  readonly transaction_id: string;
  readonly type: MedType;
  /** The contested amount, in the smallest unit. */
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  readonly method: MedMethod;
  /** What the case holds of the wallet; 0 when the contested amount is more than was left of the payment. */
  readonly held: number;
  readonly response_deadline: number | null;
  readonly opened_at: number;
  readonly created_at: number;
}

interface MedCaseState {
  readonly status: MedStatus;
  readonly evidence_requested_at: number | null;
  readonly appeal_reason: string | null;
  readonly appealed_at: number | null;
  readonly money_outcome: MoneyOutcome | null;
  /** 1 when the payer withdrew the claim. */
  readonly withdrawn: number;
  readonly closed_at: number | null;
  readonly updated_at: number;
}

export type MedCaseRow = MedCaseFacts & MedCaseState;

export interface EvidenceRow {
  readonly id: string;
  readonly case_id: string;
  readonly file_name: string;
  /** Bytes, as announced. */
  readonly file_size: number;
  readonly mime_type: string;
  readonly uploaded_by: "merchant" | "partner" | "platform";
  /** Until when the file may be uploaded. */
  readonly expires_at: number;
  /** Bytes that arrived; null before the upload. */
  readonly stored_size: number | null;
  /** When the merchant confirmed the upload; null before. */
  readonly uploaded_at: number | null;
  readonly created_at: number;
}

const FACTS = everyColumn<MedCaseFacts>()([
  "id",
  "book_id",
  "transaction_id",
  "type",
  "amount",
  "currency",
  "reason",
  "method",
  "held",
  "response_deadline",
  "opened_at",
  "created_at",
]);

const STATE = everyColumn<MedCaseState>()([
  "status",
  "evidence_requested_at",
  "appeal_reason",
  "appealed_at",
  "money_outcome",
  "withdrawn",
  "closed_at",
  "updated_at",
]);

/** Without the content of the file, which only the page of the file reads. */
const EVIDENCE = everyColumn<EvidenceRow>()([
  "id",
  "case_id",
  "file_name",
  "file_size",
  "mime_type",
  "uploaded_by",
  "expires_at",
  "stored_size",
  "uploaded_at",
  "created_at",
]);

export type MedStore = ReturnType<typeof medStore>;

function evidenceStatements(db: Db) {
  return {
    insertEvidence: inserter<EvidenceRow>(db)("med_evidence", EVIDENCE),
    evidence: getter<EvidenceRow>(db, `SELECT ${EVIDENCE.join()} FROM med_evidence WHERE id = ?`),
    evidenceContent: getter<{ content: Uint8Array<ArrayBuffer> }>(
      db,
      "SELECT content FROM med_evidence WHERE id = ? AND content IS NOT NULL",
    ),
    /** Confirmed evidence of a case, newest first. */
    evidenceOf: lister<EvidenceRow>(
      db,
      `SELECT ${EVIDENCE.join()} FROM med_evidence WHERE case_id = ? AND uploaded_at IS NOT NULL ORDER BY seq DESC`,
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

export function medStore(db: Db) {
  const update = runner(
    db,
    `UPDATE med_cases SET ${STATE.map((column) => `${column} = ?`).join(", ")} WHERE id = ? AND status = ?`,
  );
  return {
    ...evidenceStatements(db),
    insert: inserter<MedCaseRow>(db)("med_cases", [...FACTS, ...STATE]),
    /**
     * Writes a new state over the expected one. Another state in the row is a fault of the program, never of the
     * caller.
     */
    update(next: MedCaseRow, expected: MedStatus): void {
      const values = STATE.map((column): SqlValue => next[column]);
      if (update(...values, next.id, expected) !== 1) {
        throw new Error(`MED case ${next.id} is not ${expected} any more`);
      }
    },
    anywhere: getter<MedCaseRow>(db, "SELECT * FROM med_cases WHERE id = ?"),
    inBook: getter<MedCaseRow>(db, "SELECT * FROM med_cases WHERE id = ? AND book_id = ?"),
    /** The cases of a transaction, oldest first. */
    ofTransaction: lister<MedCaseRow>(db, "SELECT * FROM med_cases WHERE transaction_id = ? ORDER BY seq"),
    /** The one case of a transaction that is not decided yet, or null. */
    undecided: getter<MedCaseRow>(
      db,
      "SELECT * FROM med_cases WHERE transaction_id = ? AND status IN ('open', 'appealed')",
    ),
    /** Newest first. */
    search: searcher<MedCaseRow, "book" | "status" | "type" | "transaction" | "after" | "before" | "beforeCase">(
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
      "ORDER BY created_at DESC, seq DESC LIMIT ?",
    ),
  };
}
