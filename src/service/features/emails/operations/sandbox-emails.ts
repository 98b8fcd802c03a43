import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { IsoInstant, idFilter } from "../../../../base/kernel/schemas.js";
import { isoOrNull } from "../../../../base/kernel/time.js";
import { defineOperation } from "../../operation.js";
import { EMAIL_KINDS } from "../catalogue.js";
import { mimeOf } from "../email-message.js";
import { Email, toEmail } from "../resource.js";

/** A header of a MIME message may continue in the next line, which then begins with white space. */
function headersOf(mime: string): Record<string, string> {
  const head = mime.slice(0, mime.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return Object.fromEntries(
    head.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

const EmailDetails = Email.omit({ mime: true })
  .extend({
    headers: z.record(z.string(), z.string()).describe("As a mail server gets them, long lines joined"),
    mime: z.string().describe("The whole message as it is relayed"),
    relayed_at: IsoInstant.nullable().describe("When a mail server took it; null while it is only here"),
  })
  .meta({ id: "EmailDetails" });

export const sandboxEmail = defineOperation({
  id: "sandbox.emails.get",
  route: "GET /_sandbox/emails/{id}",
  summary: "Get one notice e-mail as it is sent",
  description:
    "Answers one notice e-mail of the key's account and mode: its text, its HTML, its headers, the whole MIME message, " +
    "and whether a mail server took it. It changes nothing.",
  success: { status: 200, description: "The e-mail", schema: EmailDetails },
}).read(async ({ caller, params }, reader) => {
  const row = rowById("email", params.id, (id) => reader.emails.byId(caller.bookId, id));
  const mime = await mimeOf(row);
  return { ...toEmail(row), headers: headersOf(mime), mime, relayed_at: isoOrNull(row.relayed_at) };
});

/** The local mailbox. It has every notice e-mail, also those that no mail server accepted. */
export const sandboxEmails = defineOperation({
  id: "sandbox.emails",
  route: "GET /_sandbox/emails",
  summary: "List the notice e-mails of the account",
  description:
    "Lists the notice e-mails of the key's account and mode, newest first, whether or not a mail server took them " +
    "too. `mime=true` adds the whole message. An unknown parameter, a bad value and a `case_id` that is no case's " +
    "id are refused.",
  query: z.strictObject({
    ...PAGE_QUERY,
    kind: z.enum(EMAIL_KINDS).optional(),
    case_id: idFilter("a MED case: med_…", ID_PREFIX.medCase, "").optional().describe("Only those about this MED case"),
    mime: z.enum(["true", "false"]).default("false").describe("true: with the whole MIME message"),
  }),
  success: { status: 200, description: "Newest first", schema: page(Email) },
  errors: ["not_found"],
  cli: {
    examples: ["qa-pay sandbox emails", "qa-pay sandbox emails --limit 1 --mime true --json"],
    columns: "created_at as At, id as E-mail, kind, to, subject, case_id as Case",
  },
}).read(async ({ caller, query }, reader) => {
  const { case_id: caseId } = query;
  const caseOf = (id: string) => reader.med.inBook(id, caller.bookId);
  const before = rowAt(query.after, [ID_PREFIX.email, ""], (id) => reader.emails.byId(caller.bookId, id));
  const rows = reader.emails.list(
    {
      book: caller.bookId,
      before: before?.seq,
      kind: query.kind,
      case: caseId === undefined ? undefined : rowById("medCase", ID_PREFIX.medCase + caseId, caseOf).id,
    },
    query.limit + 1,
  );
  const messages = query.mime === "true" ? await Promise.all(rows.slice(0, query.limit).map(mimeOf)) : [];
  return cursorPage(rows, query.limit, (row, index) => ({
    ...toEmail(row),
    ...(messages[index] === undefined ? {} : { mime: messages[index] }),
  }));
});
