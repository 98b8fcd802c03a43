import { fingerprint, hashKey } from "../features/access/keys.js";
import type { AccountStore } from "../features/access/store.js";
import type { Caller, CallingUser } from "../features/operation.js";
import type { Reader } from "../features/tx.js";
import { ApiError } from "../kernel/errors.js";

/** A caller with an API key. */
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
    caller: { bookId: owner.book_id, accountId: owner.account_id, mode: owner.mode, user: null },
    fingerprint: fingerprint(hash),
  };
}

/** Whether a key that was let in still would be. */
export function isStillIn(accounts: AccountStore, key: string | undefined): boolean {
  return key !== undefined && accounts.ownerOf(hashKey(key)) !== null;
}

const NO_TOKEN =
  "The token is missing, over or not valid. Log in, and send the token as Authorization: Bearer <token>.";

/** A caller who is logged in. */
export interface SignedInCaller extends Caller {
  readonly user: CallingUser;
}

/** Who is behind the bearer token (contract, section 5.4). An API key is none. */
export async function authenticateUser(reader: Reader, authorization: string | undefined): Promise<SignedInCaller> {
  const token = /^bearer +([\w.-]+)$/i.exec(authorization ?? "")?.[1];
  const found = token === undefined ? null : await reader.tokens.verify(token, reader.now);
  const book = found === null ? null : reader.accounts.book(found.accountId, "test");
  if (found === null || book === null) throw new ApiError("unauthorized", { message: NO_TOKEN });
  const { userId: id, role, tokenId, expiresAt: tokenExpiresAt } = found;
  const user = { id, role, tokenId, tokenExpiresAt };
  return { bookId: book.id, accountId: found.accountId, mode: "test", user };
}
