import type { MedCaseRow } from "../med/store.js";
import type { Tx } from "../tx.js";
import { type EmailKind, letterOf } from "./rules.js";

/** Writes the notice of a case to the contact of the account. `history` is the change that it reports. */
export function mailNotice(tx: Tx, medCase: MedCaseRow, kind: EmailKind, history: number): void {
  const account = tx.accounts.byBook(medCase.book_id);
  if (account === null) throw new Error(`book ${medCase.book_id} has no account`);
  const mail = {
    id: tx.ids.next(),
    book_id: medCase.book_id,
    kind,
    recipient: tx.accounts.contact(account.id),
    ...letterOf({ kind, account: account.name, row: medCase }),
    case_id: medCase.id,
    history_seq: history,
    created_at: tx.now,
  };
  tx.emails.insert(mail);
  tx.notify.email(mail);
}
