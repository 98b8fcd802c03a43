import * as z from "zod";
import { USER_ROLES } from "../../../base/kernel/contract.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { AUDIT_ACTIONS, MODES } from "./catalogue.js";
import type { ActiveKeyRow } from "./store.js";
import type { AuditRow, UserRow } from "./user-store.js";

/** Keys, users and audit records in answers (docs/service/keys.md#api-keys, docs/service/keys.md#managing-keys). */

const Mode = z.enum(["live", "test"]);
const listed = {
  id: z.string(),
  prefix: z.string().describe("The first 12 characters"),
  label: z.string().describe("Empty when the key has none"),
  createdAt: IsoInstant,
  mode: Mode,
};

export const ListedKey = z.object(listed).meta({ id: "ApiKey" });

export const IssuedKey = z
  .object({
    ...listed,
    apiKey: z.string().describe("In clear text, shown only once"),
    fingerprint: z.string().describe("The first 16 hex digits of its SHA-256"),
  })
  .meta({ id: "IssuedApiKey" });

export function toListedKey(row: ActiveKeyRow): z.input<typeof ListedKey> {
  const { id, prefix, label, created_at, mode } = row;
  return { id, prefix, label: label ?? "", createdAt: iso(created_at), mode };
}

export const User = z.object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(USER_ROLES) });

export function toUser({ id, email, name, role }: UserRow): z.input<typeof User> {
  return { id, email, name, role };
}

export const AuditRecord = z
  .object({
    id: z.string(),
    action: z.enum(AUDIT_ACTIONS),
    user_id: z.string().describe("Who did it"),
    key_id: z.string().describe("The key; after a rotation the new one"),
    fingerprint: z.string(),
    created_at: IsoInstant,
  })
  .meta({ id: "AuditRecord" });

export function toAuditRecord(row: AuditRow): z.input<typeof AuditRecord> {
  const { id, action, user_id, key_id, fingerprint, created_at } = row;
  return { id, action, user_id, key_id, fingerprint, created_at: iso(created_at) };
}

export const AccountSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    modes: z.array(z.object({ mode: z.enum(MODES), keys: z.int().describe("API keys that work") })),
    created_at: IsoInstant,
  })
  .meta({ id: "AccountSummary" });

/** An account with its users and all its keys, also the revoked ones. */
export const AccountDetails = AccountSummary.extend({
  users: z.array(User.extend({ created_at: IsoInstant })),
  keys: z.array(
    z
      .object({
        id: z.string(),
        fingerprint: z.string().describe("The first 16 hex digits of its SHA-256"),
        prefix: z.string().describe("The first 12 characters"),
        label: z.string().describe("Empty when the key has none"),
        mode: z.enum(MODES),
        created_at: IsoInstant,
        revoked_at: IsoInstant.nullable(),
        last_used_at: IsoInstant.nullable().describe("Its latest request in the log, which keeps the latest only"),
      })
      .meta({ id: "AccountKey" }),
  ),
}).meta({ id: "AccountDetails" });
