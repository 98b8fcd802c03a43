import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { iso } from "../../../base/kernel/time.js";
import type { Tx } from "../tx.js";
import type { EmailKind } from "./catalogue.js";

/** The subject of an e-mail. `history` is the change that it reports. */
export interface EmailSubject {
  readonly bookId: number;
  readonly caseId: string;
  readonly kind: EmailKind;
  readonly history: number;
}

export interface EmailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Writes an e-mail to the contact of the account. `textFor` receives the name of the account. */
export function writeEmail(tx: Tx, about: EmailSubject, textFor: (account: string) => EmailText): void {
  const account = tx.accounts.byBook(about.bookId);
  if (account === null) throw new Error(`book ${about.bookId} has no account`);
  const email = {
    id: tx.ids.next(),
    book_id: about.bookId,
    kind: about.kind,
    recipient: tx.accounts.contact(account.id),
    ...textFor(account.name),
    case_id: about.caseId,
    history_seq: about.history,
    created_at: tx.now,
  };
  tx.emails.insert(email);
  const { kind, recipient: to, subject } = email;
  const [id, case_id] = [ID_PREFIX.email + email.id, ID_PREFIX.medCase + email.case_id];
  tx.notify.news({ bookId: about.bookId, kind: "mail", data: { id, at: iso(tx.now), kind, to, subject, case_id } });
}
