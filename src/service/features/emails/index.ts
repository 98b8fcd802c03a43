import { noun } from "../noun.js";
import { Mailer } from "./mailer.js";
import * as sandboxEmails from "./operations/sandbox-emails.js";
import { emailSearch } from "./search.js";
import { EMAIL, type EmailStore, emailStore } from "./store.js";
import { emailTimeline } from "./timeline.js";

declare module "../tx.js" {
  interface Stores {
    readonly emails: EmailStore;
  }
}

/** The e-mails that the service writes, in a local mailbox. */
export const emails = noun({
  tables: { emails: EMAIL },
  stores: { emails: emailStore },
  operations: [sandboxEmails.sandboxEmails, sandboxEmails.sandboxEmail],
  timeline: [emailTimeline],
  search: [emailSearch],
  background: [(parts) => new Mailer(parts)],
});
