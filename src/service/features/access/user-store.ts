import { form, oneOf, type Row, words } from "../../../base/db/columns/rule.js";
import { dueAt, email, hex, idWith, instant, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, pages, runner } from "../../../base/db/driver.js";
import { USER_ROLES } from "../../../base/kernel/contract.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { AUDIT_ACTIONS } from "./catalogue.js";
import { isPasswordHash } from "./passwords.js";

/** A dashboard user. E-mail addresses are stored in lower case. */
export const USER = {
  id: idWith(ID_PREFIX.user),
  account_id: idWith(ID_PREFIX.account),
  email,
  name: words,
  role: oneOf(USER_ROLES),
  password_hash: form((column) => `${column} GLOB 'scrypt$*'`, isPasswordHash),
  created_at: instant,
};
export type UserRow = Row<typeof USER>;

export const AUDIT = {
  id: idWith(ID_PREFIX.audit),
  account_id: idWith(ID_PREFIX.account),
  action: oneOf(AUDIT_ACTIONS),
  user_id: idWith(ID_PREFIX.user),
  key_id: idWith(ID_PREFIX.apiKey),
  fingerprint: hex(16),
  created_at: instant,
};
export type AuditRow = Row<typeof AUDIT> & { readonly seq: number };

export const REVOKED_TOKEN = { jti: uuid, expires_at: dueAt };

export type UserStore = ReturnType<typeof userStore>;

/** Users, tokens that were logged out, and the record of users' changes of keys. */
export function userStore(db: Db) {
  const revoked = getter<{ jti: string }>(db, "SELECT jti FROM revoked_tokens WHERE jti = ?");
  const hasUsers = getter<{ id: string }>(db, "SELECT id FROM users WHERE account_id = ? LIMIT 1");
  const removeAudit = runner(db, "DELETE FROM audit WHERE account_id = ?");
  const removeUsers = runner(db, "DELETE FROM users WHERE account_id = ?");
  return {
    insert: inserter(db, "users", USER),
    byId: getter<UserRow>(db, "SELECT * FROM users WHERE id = ?"),
    /** `email` in lower case. */
    byEmail: getter<UserRow>(db, "SELECT * FROM users WHERE email = ?"),
    /** In the order of their creation. */
    ofAccount: lister<UserRow>(db, "SELECT * FROM users WHERE account_id = ? ORDER BY id"),
    hasAny: (accountId: string) => hasUsers(accountId) !== null,
    revokeToken: runner(db, "INSERT OR IGNORE INTO revoked_tokens (jti, expires_at) VALUES (?, ?)"),
    isTokenRevoked: (jti: string) => revoked(jti) !== null,
    forgetTokensBefore: runner(db, "DELETE FROM revoked_tokens WHERE expires_at <= ?"),
    insertAudit: inserter(db, "audit", AUDIT),
    auditById: getter<AuditRow>(db, "SELECT * FROM audit WHERE account_id = ? AND id = ?"),
    auditList: pages<AuditRow, "account" | "before" | "action">(
      db,
      "SELECT * FROM audit",
      { account: "account_id = ?", before: "seq < ?", action: "action = ?" },
      "seq DESC",
    ),
    removeOf(accountId: string): void {
      removeAudit(accountId);
      removeUsers(accountId);
    },
  };
}
