import { fingerprint, hashKey } from "../features/access/keys.js";
import type { AccountStore } from "../features/access/store.js";
import type { Caller } from "../features/operation.js";
import type { Reader } from "../features/tx.js";
import { ApiError } from "../kernel/errors.js";

/** Who was let in, and by what. */
export interface Authenticated {
  readonly caller: Caller;
  /** SHA-256 of the API key; null for a user, and for whoever needs no key. */
  readonly keyHash: string | null;
}

/** The caller of an operation that anyone may call. */
export const ANYONE: Authenticated = {
  caller: { bookId: 0, accountId: "", mode: "test", user: null },
  keyHash: null,
};

/** A caller with an API key. */
export interface KeyHolder extends Authenticated {
  readonly keyHash: string;
}

/**
 * Who is behind the apikey header (contract, section 5.1); null for a stranger. The key is compared exactly as received,
 * by its SHA-256, so that neither the comparison nor the store can give it away.
 */
export function holderOf(accounts: AccountStore, key: string | undefined): KeyHolder | null {
  if (key === undefined) return null;
  const keyHash = hashKey(key);
  const owner = accounts.ownerOf(keyHash);
  if (owner === null) return null;
  return { caller: { bookId: owner.book_id, accountId: owner.account_id, mode: owner.mode, user: null }, keyHash };
}

/** The same for a route that needs a key. */
export function authenticate(accounts: AccountStore, key: string | undefined): KeyHolder {
  const holder = holderOf(accounts, key);
  if (holder === null) throw new ApiError("unauthorized");
  return holder;
}

/** What stands for the caller's API key in logs; null without one. */
export function fingerprintOf(who: Authenticated | null): string | null {
  return who === null || who.keyHash === null ? null : fingerprint(who.keyHash);
}

const NO_TOKEN =
  "The token is missing, over or not valid. Log in, and send the token as Authorization: Bearer <token>.";

/** Who is behind the bearer token (contract, section 5.4). An API key is none. */
export async function authenticateUser(reader: Reader, authorization: string | undefined): Promise<Authenticated> {
  const token = /^bearer +([\w.-]+)$/i.exec(authorization ?? "")?.[1];
  const found = token === undefined ? null : await reader.tokens.verify(token, reader.now);
  const book = found === null ? null : reader.accounts.book(found.accountId, "test");
  if (found === null || book === null) throw new ApiError("unauthorized", { message: NO_TOKEN });
  const { accountId, ...user } = found;
  return { caller: { bookId: book.id, accountId, mode: "test", user }, keyHash: null };
}

/**
 * Whether whoever was let in would be let in now, as the same. A key may have been rotated or revoked since, a login
 * ended, an account taken away by a reset, if only while the body of the request was still arriving.
 */
export function isStillIn(reader: Reader, { caller, keyHash }: Authenticated): boolean {
  const { bookId, accountId, user } = caller;
  if (user !== null) return reader.tokens.roleNow({ ...user, accountId }, reader.now) === user.role;
  if (keyHash === null) return true;
  const owner = reader.accounts.ownerOf(keyHash);
  return owner?.book_id === bookId && owner.account_id === accountId;
}

/** Throws unless whoever was let in would be let in now. */
export function checkStillIn(reader: Reader, who: Authenticated): void {
  if (isStillIn(reader, who)) return;
  throw new ApiError("unauthorized", who.caller.user === null ? {} : { message: NO_TOKEN });
}
