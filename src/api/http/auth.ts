import { ApiError } from "../../base/kernel/errors.js";
import { fingerprint, hashKey } from "../../service/features/access/keys.js";
import type { AccountStore } from "../../service/features/access/store.js";
import type { Caller } from "../../service/features/operation.js";
import type { Reader } from "../../service/features/tx.js";

export interface Authenticated {
  readonly caller: Caller;
  /** SHA-256 of the API key; null for every other caller. */
  readonly keyHash: string | null;
  /** For a caller from the console: true while the session is valid and still stands for this account. */
  readonly isStillIn?: (reader: Reader) => boolean;
}

/** The anonymous caller of an operation that needs no authentication. */
export const ANYONE: Authenticated = {
  caller: { bookId: 0, accountId: "", mode: "test", user: null },
  keyHash: null,
};

export interface KeyHolder extends Authenticated {
  readonly keyHash: string;
}

/**
 * The holder of the key in the apikey header (docs/service/keys.md#api-keys); null without a valid key. The key is
 * found by its SHA-256: the database does not store it, and the time of the search does not reveal how much of a key
 * was right.
 */
export function holderOf(accounts: AccountStore, key: string | undefined): KeyHolder | null {
  if (key === undefined) return null;
  const keyHash = hashKey(key);
  const owner = accounts.ownerOf(keyHash);
  if (owner === null) return null;
  return { caller: { bookId: owner.book_id, accountId: owner.account_id, mode: owner.mode, user: null }, keyHash };
}

/** The holder of the key in the apikey header. Throws `unauthorized` without a valid key. */
export function authenticate(accounts: AccountStore, key: string | undefined): KeyHolder {
  const holder = holderOf(accounts, key);
  if (holder === null) throw new ApiError("unauthorized");
  return holder;
}

/** The fingerprint that replaces the caller's API key in logs; null without a key. */
export function fingerprintOf(who: Authenticated | null): string | null {
  return who === null || who.keyHash === null ? null : fingerprint(who.keyHash);
}

export const NO_SESSION =
  "There is no session of the console here, or it has ended. The link that `qa-pay console` prints starts a new one.";

const NO_TOKEN =
  "The token is missing, expired or not valid. Log in, and send the token as Authorization: Bearer <token>.";

/**
 * The user behind a bearer token (docs/service/keys.md#login). Throws `unauthorized` without a valid token, also for an
 * API key.
 */
export async function authenticateUser(reader: Reader, authorization: string | undefined): Promise<Authenticated> {
  const token = /^bearer +([\w.-]+)$/i.exec(authorization ?? "")?.[1];
  const found = token === undefined ? null : await reader.tokens.verify(token, reader.now);
  const book = found === null ? null : reader.accounts.book(found.accountId, "test");
  if (found === null || book === null) throw new ApiError("unauthorized", { message: NO_TOKEN });
  const { accountId, ...user } = found;
  return { caller: { bookId: book.id, accountId, mode: "test", user }, keyHash: null };
}

/**
 * True if the caller would still be authenticated now, as the same caller. While the body of a request arrives, a key
 * may be revoked, a user log out, or an account be removed by a reset.
 */
export function isStillIn(reader: Reader, { caller, keyHash, isStillIn: ask }: Authenticated): boolean {
  if (ask !== undefined) return ask(reader);
  const { bookId, accountId, user } = caller;
  if (user !== null) return reader.tokens.roleNow({ ...user, accountId }, reader.now) === user.role;
  if (keyHash === null) return true;
  const owner = reader.accounts.ownerOf(keyHash);
  return owner?.book_id === bookId && owner.account_id === accountId;
}

/** Throws `unauthorized` unless the caller would still be authenticated now. */
export function checkStillIn(reader: Reader, who: Authenticated): void {
  if (isStillIn(reader, who)) return;
  if (who.isStillIn !== undefined) throw new ApiError("unauthorized", { message: NO_SESSION });
  throw new ApiError("unauthorized", who.caller.user === null ? {} : { message: NO_TOKEN });
}
