import { fingerprint, hashKey } from "../features/access/keys.js";
import type { AccountStore } from "../features/access/store.js";
import type { Caller } from "../features/operation.js";
import { ApiError } from "../kernel/errors.js";

export interface Authenticated {
  readonly caller: Caller;
  readonly fingerprint: string;
}

/**
 * Who is behind the apikey header (contract, section 5.1). The key is compared exactly as received, by its SHA-256, so
 * that neither the comparison nor the store can give it away.
 */
export function authenticate(accounts: AccountStore, key: string | undefined): Authenticated {
  const hash = key === undefined ? null : hashKey(key);
  const owner = hash === null ? null : accounts.ownerOf(hash);
  if (hash === null || owner === null) throw new ApiError("unauthorized");
  return {
    caller: { bookId: owner.book_id, accountId: owner.account_id, mode: owner.mode },
    fingerprint: fingerprint(hash),
  };
}
