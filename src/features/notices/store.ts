import { type Db, getter, inserter, lister, runner, searcher } from "../../db/driver.js";

export type NoticeKind = "MED opened" | "MED resolved";

export interface EmailRow {
  readonly seq: number;
  readonly id: string;
  readonly book_id: number;
  readonly kind: NoticeKind;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly case_id: string;
  /** The `seq` in the history of the change that this row reports. */
  readonly history_seq: number;
  /** When a mail server took it; null while it is in the local mailbox only. */
  readonly relayed_at: number | null;
  readonly created_at: number;
}

export type NoticeStore = ReturnType<typeof noticeStore>;

export function noticeStore(db: Db) {
  return {
    insert: inserter<Omit<EmailRow, "seq" | "relayed_at">>(db)("emails", [
      "id",
      "book_id",
      "kind",
      "recipient",
      "subject",
      "text",
      "html",
      "case_id",
      "history_seq",
      "created_at",
    ]),
    byId: getter<EmailRow>(db, "SELECT * FROM emails WHERE book_id = ? AND id = ?"),
    /** For whoever may see every book. */
    anywhere: getter<EmailRow>(db, "SELECT * FROM emails WHERE id = ?"),
    /** Newest first. */
    search: searcher<EmailRow, "book" | "before" | "kind" | "case">(
      db,
      "SELECT * FROM emails",
      { book: "book_id = ?", before: "seq < ?", kind: "kind = ?", case: "case_id = ?" },
      "ORDER BY seq DESC LIMIT ?",
    ),
    /** The notices of a case, oldest first. */
    ofCase: lister<EmailRow>(db, "SELECT * FROM emails WHERE case_id = ? ORDER BY seq"),
    toRelay: lister<EmailRow>(db, "SELECT * FROM emails WHERE relayed_at IS NULL ORDER BY seq"),
    relayed: runner(db, "UPDATE emails SET relayed_at = ? WHERE seq = ? AND id = ?"),
  };
}
