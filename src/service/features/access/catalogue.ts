import type { UserRole } from "../../../base/kernel/contract.js";

/** The roles that may manage API keys (docs/service/keys.md#users-and-roles). Every user may list them. */
export const KEY_MANAGERS: readonly UserRole[] = ["OWNER", "ADMIN"];

export const AUDIT_ACTIONS = ["api_key.issued", "api_key.rotated", "api_key.revoked"] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Books of an account, each with its own keys and money. */
export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];
