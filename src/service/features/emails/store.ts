import { oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import { email, instant, key, line, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, pages, runner } from "../../../base/db/driver.js";
import { EMAIL_KINDS } from "./catalogue.js";

const NEW_EMAIL = {
  id: uuid,
  book_id: key,
  kind: oneOf(EMAIL_KINDS),
  recipient: email,
  subject: line,
  text: words,
  html: words,
  case_id: uuid,
  /** The `seq` in the history of the change that this row reports. */
  history_seq: key,
  created_at: instant,
};

export const EMAIL = {
  ...NEW_EMAIL,
  seq: key,
  /** The time when a mail server accepted it; null while it is in the local mailbox only. */
  relayed_at: optional(instant),
};
export type EmailRow = Row<typeof EMAIL>;

export type EmailStore = ReturnType<typeof emailStore>;

export function emailStore(db: Db) {
  return {
    insert: inserter(db, "emails", NEW_EMAIL),
    byId: getter<EmailRow>(db, "SELECT * FROM emails WHERE book_id = ? AND id = ?"),
    /** For callers who may see every book. */
    anywhere: getter<EmailRow>(db, "SELECT * FROM emails WHERE id = ?"),
    list: pages<EmailRow, "book" | "before" | "kind" | "case">(
      db,
      "SELECT * FROM emails",
      { book: "book_id = ?", before: "seq < ?", kind: "kind = ?", case: "case_id = ?" },
      "seq DESC",
    ),
    ofCase: lister<EmailRow>(db, "SELECT * FROM emails WHERE case_id = ? ORDER BY seq"),
    toRelay: lister<EmailRow>(db, "SELECT * FROM emails WHERE relayed_at IS NULL ORDER BY seq"),
    relayed: runner(db, "UPDATE emails SET relayed_at = ? WHERE seq = ? AND id = ?"),
  };
}
