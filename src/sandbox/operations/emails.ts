import { z } from "zod";
import { mimeOf } from "../../delivery/email-message.js";
import { findCase } from "../../features/med/actions.js";
import { Email, toEmail } from "../../features/notices/wire.js";
import { defineOperation } from "../../features/operation.js";
import { fieldError, notFound } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { IdParam, IsoInstant, idFilter, page, queryInteger } from "../../kernel/schemas.js";
import { isoOrNull } from "../../kernel/time.js";

/** A header of a MIME message may go on in the next line, which then begins with white space. */
function headersOf(mime: string): Record<string, string> {
  const head = mime.slice(0, mime.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return Object.fromEntries(
    head.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

const EmailDetails = Email.omit({ mime: true })
  .extend({
    headers: z.record(z.string(), z.string()).meta({ description: "As a mail server gets them, long lines joined" }),
    mime: z.string().meta({ description: "The whole message as it is relayed" }),
    relayed_at: IsoInstant.nullable().meta({ description: "When a mail server took it; null while it is only here" }),
  })
  .meta({ id: "EmailDetails" });

export const sandboxEmail = defineOperation({
  id: "sandbox.emails.get",
  method: "GET",
  path: "/_sandbox/emails/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Get one notice e-mail as it is sent",
  description:
    "Answers one notice e-mail of the key's account and mode: its text, its HTML, its headers, the whole MIME message, " +
    "and whether a mail server took it. It changes nothing.",
  params: IdParam,
  success: { status: 200, description: "The e-mail", schema: EmailDetails },
  errors: [],
}).read(async ({ caller, params }, reader) => {
  const raw = rawId(params.id, ID_PREFIX.email, "");
  const row = raw === null ? null : reader.notices.byId(caller.bookId, raw);
  if (row === null) throw notFound("e-mail", params.id);
  const mime = await mimeOf(row);
  return { ...toEmail(row), headers: headersOf(mime), mime, relayed_at: isoOrNull(row.relayed_at) };
});

/** The local mailbox. It has every notice e-mail, whether or not a mail server took it. */
export const sandboxEmails = defineOperation({
  id: "sandbox.emails",
  method: "GET",
  path: "/_sandbox/emails",
  auth: "key",
  surface: "sandbox",
  summary: "List the notice e-mails of the account",
  description:
    "Lists the notice e-mails of the key's account and mode, newest first, whether or not a mail server took them " +
    "too. `mime=true` adds the whole message. An unknown parameter, a bad value and a `case_id` that is no case's " +
    "id are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    kind: z.enum(["MED opened", "MED resolved"]).optional(),
    case_id: idFilter("a MED case: med_…", ID_PREFIX.medCase, "")
      .optional()
      .meta({ description: "Only those about this MED case" }),
    mime: z.enum(["true", "false"]).default("false").meta({ description: "true: with the whole MIME message" }),
  }),
  success: { status: 200, description: "Newest first", schema: page(Email) },
  errors: ["not_found"],
  cli: {
    command: "sandbox emails",
    examples: ["qa-pay sandbox emails", "qa-pay sandbox emails --limit 1 --mime true --json"],
    rows: "data",
    columns: [
      { header: "At", path: "created_at", format: "time" },
      { header: "E-mail", path: "id" },
      { header: "Kind", path: "kind" },
      { header: "To", path: "to" },
      { header: "Subject", path: "subject" },
      { header: "Case", path: "case_id" },
    ],
  },
}).read(async ({ caller, query }, reader) => {
  const cursor = query.after === undefined ? undefined : rawId(query.after, ID_PREFIX.email);
  const before = cursor === undefined ? undefined : reader.notices.byId(caller.bookId, cursor ?? "");
  if (before === null) throw fieldError("after", "must be the next_cursor of a page before");
  const rows = reader.notices.search(
    {
      book: caller.bookId,
      before: before?.seq,
      kind: query.kind,
      case: query.case_id === undefined ? undefined : findCase(reader, caller.bookId, query.case_id).id,
    },
    query.limit + 1,
  );
  const shown = rows.slice(0, query.limit);
  const data = await Promise.all(
    shown.map(async (row) => ({ ...toEmail(row), ...(query.mime === "true" ? { mime: await mimeOf(row) } : {}) })),
  );
  const more = rows.length > query.limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});
