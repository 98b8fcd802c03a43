import { fingerprint } from "../features/access/keys.js";
import type { ApiKeyRow, Mode } from "../features/access/store.js";
import type { Reader } from "../features/tx.js";
import type { UserRole } from "../kernel/contract.js";
import { notFound } from "../kernel/errors.js";
import { iso, isoOrNull } from "../kernel/time.js";
import type { RequestLog } from "./request-log.js";

/** An account with its users and all its keys, those that were revoked included. */

export interface AccountDetails {
  readonly id: string;
  readonly name: string;
  readonly modes: { mode: Mode; keys: number }[];
  readonly users: { id: string; email: string; name: string; role: UserRole; created_at: string }[];
  readonly keys: AccountKey[];
  readonly created_at: string;
}

interface AccountKey {
  readonly id: string;
  readonly fingerprint: string;
  readonly prefix: string;
  readonly label: string;
  readonly mode: Mode;
  readonly created_at: string;
  readonly revoked_at: string | null;
  /** The latest request in the log; null when the log has none. */
  readonly last_used_at: string | null;
}

function lastUse({ book_id: bookId, hash }: ApiKeyRow, requests: Pick<RequestLog, "search">): string | null {
  const print = fingerprint(hash);
  const matches = (entry: { readonly fingerprint: string | null }) => entry.fingerprint === print;
  return requests.search({ bookId, limit: 1, after: undefined, matches }).data[0]?.at ?? null;
}

/** Throws `not_found` for an id that no account has. */
export function accountDetails(reader: Reader, requests: Pick<RequestLog, "search">, id: string): AccountDetails {
  const account = reader.accounts.byId(id);
  if (account === null) throw notFound("account", id);
  const keys = reader.accounts.latestKeys(id);
  const working = (mode: Mode) => reader.accounts.activeKeys(id).filter((key) => key.mode === mode).length;
  return {
    id,
    name: account.name,
    modes: (["test", "live"] as const).map((mode) => ({ mode, keys: working(mode) })),
    users: reader.users.ofAccount(id).map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      created_at: iso(user.created_at),
    })),
    keys: keys.map((key) => ({
      id: key.id,
      fingerprint: fingerprint(key.hash),
      prefix: key.prefix,
      label: key.label ?? "",
      mode: key.mode,
      created_at: iso(key.created_at),
      revoked_at: isoOrNull(key.revoked_at),
      last_used_at: lastUse(key, requests),
    })),
    created_at: iso(account.created_at),
  };
}
