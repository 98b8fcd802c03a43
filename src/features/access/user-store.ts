import { type Db, getter, inserter, lister, runner, searcher } from "../../db/driver.js";
import type { UserRole } from "../../kernel/contract.js";
import type { AuditAction } from "./catalogue.js";

/** A dashboard user. E-mail addresses are stored in lower case. */
export interface UserRow {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly password_hash: string;
  readonly created_at: number;
}

export interface AuditRow {
  readonly seq: number;
  readonly id: string;
  readonly account_id: string;
  readonly action: AuditAction;
  readonly user_id: string;
  readonly key_id: string;
  readonly fingerprint: string;
  readonly created_at: number;
}

export type UserStore = ReturnType<typeof userStore>;

/** Users, tokens that were logged out, and the record of what users did to keys. */
export function userStore(db: Db) {
  const revoked = getter<{ jti: string }>(db, "SELECT jti FROM revoked_tokens WHERE jti = ?");
  const hasUsers = getter<{ id: string }>(db, "SELECT id FROM users WHERE account_id = ? LIMIT 1");
  const removeAudit = runner(db, "DELETE FROM audit WHERE account_id = ?");
  const removeUsers = runner(db, "DELETE FROM users WHERE account_id = ?");
  return {
    insert: inserter<UserRow>(db)("users", [
      "id",
      "account_id",
      "email",
      "name",
      "role",
      "password_hash",
      "created_at",
    ]),
    byId: getter<UserRow>(db, "SELECT * FROM users WHERE id = ?"),
    /** `email` in lower case. */
    byEmail: getter<UserRow>(db, "SELECT * FROM users WHERE email = ?"),
    /** In the order in which they were made. */
    ofAccount: lister<UserRow>(db, "SELECT * FROM users WHERE account_id = ? ORDER BY id"),
    hasAny: (accountId: string) => hasUsers(accountId) !== null,
    revokeToken: runner(db, "INSERT OR IGNORE INTO revoked_tokens (jti, expires_at) VALUES (?, ?)"),
    isTokenRevoked: (jti: string) => revoked(jti) !== null,
    forgetTokensBefore: runner(db, "DELETE FROM revoked_tokens WHERE expires_at <= ?"),
    insertAudit: inserter<Omit<AuditRow, "seq">>(db)("audit", [
      "id",
      "account_id",
      "action",
      "user_id",
      "key_id",
      "fingerprint",
      "created_at",
    ]),
    auditById: getter<AuditRow>(db, "SELECT * FROM audit WHERE account_id = ? AND id = ?"),
    /** Newest first. */
    searchAudit: searcher<AuditRow, "account" | "before" | "action">(
      db,
      "SELECT * FROM audit",
      { account: "account_id = ?", before: "seq < ?", action: "action = ?" },
      "ORDER BY seq DESC LIMIT ?",
    ),
    removeOf(accountId: string): void {
      removeAudit(accountId);
      removeUsers(accountId);
    },
  };
}
