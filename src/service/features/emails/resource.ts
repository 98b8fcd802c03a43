import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { EMAIL_KINDS } from "./catalogue.js";
import type { EmailRow } from "./store.js";

/** A message of the local mailbox (docs/service/med.md#events-and-e-mails). */
export const Email = z
  .object({
    id: z.string().regex(/^em_/),
    kind: z.enum(EMAIL_KINDS),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    case_id: z.string(),
    created_at: IsoInstant,
    mime: z.string().optional().describe("The whole message as it is relayed, when requested"),
  })
  .meta({ id: "Email" });

export function toEmail(row: EmailRow): z.input<typeof Email> {
  return {
    id: ID_PREFIX.email + row.id,
    kind: row.kind,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    case_id: ID_PREFIX.medCase + row.case_id,
    created_at: iso(row.created_at),
  };
}
