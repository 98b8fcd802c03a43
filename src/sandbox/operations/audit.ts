import { z } from "zod";
import { AUDIT_ACTIONS } from "../../features/access/catalogue.js";
import { AuditRecord, toAuditRecord } from "../../features/access/wire.js";
import { defineOperation } from "../../features/operation.js";
import { fieldError } from "../../kernel/errors.js";
import { page, queryInteger } from "../../kernel/schemas.js";

/** The audit log: every change of the API keys of the account, in both modes (docs/service/keys.md#audit). */
export const sandboxAudit = defineOperation({
  id: "sandbox.audit",
  method: "GET",
  path: "/_sandbox/audit",
  auth: "key",
  surface: "sandbox",
  summary: "List what users did to the API keys of the account",
  description:
    "Lists who issued, rotated and revoked API keys of the account, newest first. Keys stand there by id and " +
    "fingerprint. An unknown parameter and a bad value are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    action: z.enum(AUDIT_ACTIONS).optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(AuditRecord) },
  errors: [],
  cli: {
    command: "sandbox audit",
    examples: ["qa-pay sandbox audit", "qa-pay sandbox audit --action api_key.revoked --json"],
    rows: "data",
    columns: [
      { header: "At", path: "created_at", format: "time" },
      { header: "Action", path: "action" },
      { header: "User", path: "user_id" },
      { header: "Key", path: "key_id" },
      { header: "Fingerprint", path: "fingerprint" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const { accountId } = caller;
  const last = query.after === undefined ? undefined : reader.users.auditById(accountId, query.after);
  if (last === null) throw fieldError("after", "must be the next_cursor of a page before");
  const filters = { account: accountId, before: last?.seq, action: query.action };
  const rows = reader.users.searchAudit(filters, query.limit + 1);
  const data = rows.slice(0, query.limit).map(toAuditRecord);
  const more = rows.length > query.limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});
