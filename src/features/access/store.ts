import { type Db, getter, inserter, lister, runner, searcher } from "../../db/driver.js";

export type Mode = "test" | "live";

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  /** The city that BR Codes name as the place of the merchant. */
  readonly city: string;
  /** The random Pix key (EVP) that receives the account's charges. */
  readonly pix_key: string;
  /** Signs webhooks to the forward target, to `listen` and to the webhook URL of a payment. */
  readonly signing_secret: string;
  readonly created_at: number;
}

/** An account with the number of its keys that work, by mode. */
export interface AccountSummary extends AccountRow {
  readonly test_keys: number;
  readonly live_keys: number;
}

export interface BookRow {
  readonly id: number;
  readonly account_id: string;
  readonly mode: Mode;
}

export interface ApiKeyRow {
  readonly id: string;
  readonly book_id: number;
  /** SHA-256 of the key in lower-case hex. Its first 16 digits are the fingerprint. */
  readonly hash: string;
  readonly prefix: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** A key with the mode of its book. */
export interface ActiveKeyRow extends ApiKeyRow {
  readonly mode: Mode;
}

export interface KeyOwner {
  readonly book_id: number;
  readonly account_id: string;
  readonly mode: Mode;
}

const WORKING_KEYS = `SELECT COUNT(*) FROM books b JOIN api_keys k ON k.book_id = b.id
  WHERE b.account_id = accounts.id AND k.revoked_at IS NULL AND b.mode =`;

const MAX_REMEMBERED = 10_000;
const MAX_LISTED = 200;

/** Returns a row, and remembers it. A key that is not found is not remembered: it may be imported later. */
function cached<Key, Row>(known: Map<Key, Row>, key: Key, find: (key: Key) => Row | null): Row | null {
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const row = find(key);
  if (row === null) return null;
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(key, row);
  return row;
}

/**
 * API keys and their owners. Every request asks for the owner of its key, who never changes, so owners are remembered.
 */
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
    /** Returns the owner of a key; null for an unknown or revoked key. */
    ownerOf: (hash: string) => cached(owners, hash, findOwner),
    /** Whether the key is or was known, revoked or not. */
    hasHad: (hash: string) => anyKey(hash) !== null,
    /** Keys of both modes that work, newest first. */
    activeKeys: lister<ActiveKeyRow>(
      db,
      `SELECT k.*, b.mode FROM books b JOIN api_keys k ON k.book_id = b.id
        WHERE b.account_id = ? AND k.revoked_at IS NULL ORDER BY k.created_at DESC, k.id DESC`,
    ),
    /** The newest keys of both modes, revoked ones included. */
    latestKeys: lister<ActiveKeyRow>(
      db,
      `SELECT k.*, b.mode FROM books b JOIN api_keys k ON k.book_id = b.id
        WHERE b.account_id = ? ORDER BY k.created_at DESC, k.id DESC LIMIT ${MAX_LISTED}`,
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
  // Every request asks for its account, which hardly ever changes, so accounts are remembered.
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
    /** Newest first. `before` is the id of the last row of the page before. */
    search: searcher<AccountSummary, "before">(
      db,
      `SELECT *, (${WORKING_KEYS} 'test') AS test_keys, (${WORKING_KEYS} 'live') AS live_keys FROM accounts`,
      { before: "(created_at, id) < (SELECT created_at, id FROM accounts WHERE id = ?)" },
      "ORDER BY created_at DESC, id DESC LIMIT ?",
    ),
    all: lister<AccountRow>(db, "SELECT * FROM accounts ORDER BY created_at, id"),
    otherThan: lister<{ id: string }>(db, "SELECT id FROM accounts WHERE id <> ?"),
    byId: getter<AccountRow>(db, "SELECT * FROM accounts WHERE id = ?"),
    byBook: (bookId: number) => cached(accounts, bookId, findByBook),
    book: getter<BookRow>(db, "SELECT * FROM books WHERE account_id = ? AND mode = ?"),
    /**
     * Returns the e-mail address that receives the notices of an account. The users of a new account are stored a
     * moment after the account.
     */
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
    /** Forgets all accounts and keys: the database may hold others now. */
    forget(): void {
      keys.forgetOwners();
      accounts.clear();
    },
  };
}
