import { type Db, getter, inserter, lister, runner } from "../../db/driver.js";

export type Mode = "test" | "live";

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  /** City printed in the BR Code. */
  readonly city: string;
  /** The random Pix key (EVP) that receives the account's charges. */
  readonly pix_key: string;
  /** Signs what goes to the forward target, to `listen` and to the webhook URL of a transaction. */
  readonly signing_secret: string;
  readonly created_at: number;
}

export interface BookRow {
  readonly id: number;
  readonly account_id: string;
  readonly mode: Mode;
}

export interface ApiKeyRow {
  readonly id: string;
  readonly book_id: number;
  /** Lower-case hex SHA-256 of the key; its first 16 digits are the fingerprint. */
  readonly hash: string;
  readonly prefix: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** A key that works, with the mode of its book. */
export interface ActiveKeyRow extends ApiKeyRow {
  readonly mode: Mode;
}

export interface KeyOwner {
  readonly book_id: number;
  readonly account_id: string;
  readonly mode: Mode;
}

const MAX_REMEMBERED = 10_000;

/** Only what was found is remembered: a key that is unknown now may be imported later. */
function cached<Key, Row>(known: Map<Key, Row>, key: Key, find: (key: Key) => Row | null): Row | null {
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const row = find(key);
  if (row === null) return null;
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(key, row);
  return row;
}

/** API keys, with whose each is: asked for by every request, while it changes with the key alone. */
function keyStore(db: Db) {
  const owners = new Map<string, KeyOwner>();
  const findOwner = getter<KeyOwner>(
    db,
    `SELECT k.book_id, b.account_id, b.mode FROM api_keys k JOIN books b ON b.id = k.book_id
      WHERE k.hash = ? AND k.revoked_at IS NULL`,
  );
  const anyKey = getter<{ id: string }>(db, "SELECT id FROM api_keys WHERE hash = ?");
  const revoke = runner(db, "UPDATE api_keys SET revoked_at = ? WHERE id = ?");
  const removeKeysOf = runner(db, "DELETE FROM api_keys WHERE book_id IN (SELECT id FROM books WHERE account_id = ?)");
  return {
    insertKey: inserter<ApiKeyRow>(db)("api_keys", [
      "id",
      "book_id",
      "hash",
      "prefix",
      "label",
      "created_at",
      "revoked_at",
    ]),
    /** Whose key this is; null for an unknown or revoked one. */
    ownerOf: (hash: string) => cached(owners, hash, findOwner),
    /** Whether the key is or was known, working or not. */
    hasHad: (hash: string) => anyKey(hash) !== null,
    /** Keys of both modes that work, newest first. */
    activeKeys: lister<ActiveKeyRow>(
      db,
      `SELECT k.*, b.mode FROM books b JOIN api_keys k ON k.book_id = b.id
        WHERE b.account_id = ? AND k.revoked_at IS NULL ORDER BY k.created_at DESC, k.id DESC`,
    ),
    activeKey: getter<ActiveKeyRow>(
      db,
      `SELECT k.*, b.mode FROM api_keys k JOIN books b ON b.id = k.book_id
        WHERE b.account_id = ? AND k.id = ? AND k.revoked_at IS NULL`,
    ),
    revokeKey(key: ApiKeyRow, at: number): void {
      revoke(at, key.id);
      owners.delete(key.hash);
    },
    removeKeysOf(accountId: string) {
      owners.clear();
      return removeKeysOf(accountId);
    },
    forgetOwners: () => owners.clear(),
  };
}

export type AccountStore = ReturnType<typeof accountStore>;

export function accountStore(db: Db) {
  // An account hardly ever changes, while every request asks for its own.
  const accounts = new Map<number, AccountRow>();
  const findByBook = getter<AccountRow>(
    db,
    "SELECT accounts.* FROM accounts JOIN books ON books.account_id = accounts.id WHERE books.id = ?",
  );
  const contact = getter<{ email: string }>(db, "SELECT email FROM users WHERE account_id = ? AND role = 'OWNER'");
  const removeBooksOf = runner(db, "DELETE FROM books WHERE account_id = ?");
  const changeSecret = runner(db, "UPDATE accounts SET signing_secret = ? WHERE id = ?");
  const keys = keyStore(db);
  return {
    ...keys,
    insert: inserter<AccountRow>(db)("accounts", ["id", "name", "city", "pix_key", "signing_secret", "created_at"]),
    insertBook: inserter<Omit<BookRow, "id">>(db)("books", ["account_id", "mode"]),
    /** The oldest account: the one made at the first start. */
    first: getter<AccountRow>(db, "SELECT * FROM accounts ORDER BY created_at, id LIMIT 1"),
    all: lister<AccountRow>(db, "SELECT * FROM accounts ORDER BY created_at, id"),
    otherThan: lister<{ id: string }>(db, "SELECT id FROM accounts WHERE id <> ?"),
    byId: getter<AccountRow>(db, "SELECT * FROM accounts WHERE id = ?"),
    byBook: (bookId: number) => cached(accounts, bookId, findByBook),
    book: getter<BookRow>(db, "SELECT * FROM books WHERE account_id = ? AND mode = ?"),
    /** Where notices of an account go; its users are stored a moment after it is made. */
    contact: (accountId: string) => contact(accountId)?.email ?? "owner@qa-pay.test",
    changeSigningSecret(secret: string, accountId: string) {
      accounts.clear();
      return changeSecret(secret, accountId);
    },
    removeBooksOf(accountId: string) {
      accounts.clear();
      return removeBooksOf(accountId);
    },
    remove: runner(db, "DELETE FROM accounts WHERE id = ?"),
    /** What is remembered of accounts and keys is read again: the database may hold others. */
    forget(): void {
      keys.forgetOwners();
      accounts.clear();
    },
  };
}
