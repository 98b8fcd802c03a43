import { charactersOf, oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import { hex, idWith, instant, key, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, pages, runner } from "../../../base/db/driver.js";
import { forgetBefore, rememberAnswers } from "../../../base/db/remember-answers.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { MODES, type Mode } from "./catalogue.js";

export const ACCOUNT = {
  id: idWith(ID_PREFIX.account),
  name: words,
  /** The city that BR Codes name as the place of the merchant. */
  city: words,
  /** The random Pix key (EVP) that receives the account's charges. */
  pix_key: uuid,
  /** Signs webhooks to the forward target, to `listen` and to the webhook URL of a payment. */
  signing_secret: hex(64),
  created_at: instant,
};
export type AccountRow = Row<typeof ACCOUNT>;

export interface AccountSummary extends AccountRow {
  readonly test_keys: number;
  readonly live_keys: number;
}

export const BOOK = { account_id: idWith(ID_PREFIX.account), mode: oneOf(MODES) };
type BookRow = Row<typeof BOOK> & { readonly id: number };

export const API_KEY = {
  id: idWith(ID_PREFIX.apiKey),
  book_id: key,
  /** SHA-256 of the key in lower-case hex. Its first 16 digits are the fingerprint. */
  hash: hex(64),
  prefix: charactersOf("A-Za-z0-9_-", 12),
  label: optional(words),
  created_at: instant,
  revoked_at: optional(instant),
};
export type ApiKeyRow = Row<typeof API_KEY>;

export interface ActiveKeyRow extends ApiKeyRow {
  readonly mode: Mode;
}

export type KeyOwner = Pick<ApiKeyRow, "book_id"> & Row<typeof BOOK>;

const WORKING_KEYS = `SELECT COUNT(*) FROM books b JOIN api_keys k ON k.book_id = b.id
  WHERE b.account_id = accounts.id AND k.revoked_at IS NULL AND b.mode =`;

const MAX_LISTED = 200;

/** The owner of a key and of its book, needed for every request. Returns null for an unknown or revoked key. */
function ownerStore(db: Db) {
  const owners = rememberAnswers<string, KeyOwner>(
    getter(
      db,
      `SELECT k.book_id, b.account_id, b.mode FROM api_keys k JOIN books b ON b.id = k.book_id
        WHERE k.hash = ? AND k.revoked_at IS NULL`,
    ),
  );
  const accounts = rememberAnswers<number, AccountRow>(
    getter(db, "SELECT accounts.* FROM accounts JOIN books ON books.account_id = accounts.id WHERE books.id = ?"),
  );
  const forget = () => {
    owners.forget();
    accounts.forget();
  };
  const changer = (sql: string) => forgetBefore(forget, runner(db, sql));
  return {
    ownerOf: owners.of,
    byBook: accounts.of,
    forget,
    revokeKey: changer("UPDATE api_keys SET revoked_at = ? WHERE id = ?"),
    removeKeysOf: changer("DELETE FROM api_keys WHERE book_id IN (SELECT id FROM books WHERE account_id = ?)"),
    changeSigningSecret: changer("UPDATE accounts SET signing_secret = ? WHERE id = ?"),
    removeBooksOf: changer("DELETE FROM books WHERE account_id = ?"),
    remove: changer("DELETE FROM accounts WHERE id = ?"),
  };
}

function keyStore(db: Db) {
  const anyKey = getter<{ id: string }>(db, "SELECT id FROM api_keys WHERE hash = ?");
  return {
    insertKey: inserter(db, "api_keys", API_KEY),
    hasHad: (hash: string) => anyKey(hash) !== null,
    activeKeys: lister<ActiveKeyRow>(
      db,
      `SELECT k.*, b.mode FROM books b JOIN api_keys k ON k.book_id = b.id
        WHERE b.account_id = ? AND k.revoked_at IS NULL ORDER BY k.created_at DESC, k.id DESC`,
    ),
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
  };
}

export type AccountStore = ReturnType<typeof accountStore>;

/** Returns the statements about accounts, their books and their keys. */
export function accountStore(db: Db) {
  const contact = getter<{ email: string }>(db, "SELECT email FROM users WHERE account_id = ? AND role = 'OWNER'");
  return {
    ...ownerStore(db),
    ...keyStore(db),
    insert: inserter(db, "accounts", ACCOUNT),
    insertBook: inserter(db, "books", BOOK),
    /** The oldest account: the one of the first start. */
    first: getter<AccountRow>(db, "SELECT * FROM accounts ORDER BY created_at, id LIMIT 1"),
    /** Newest first. `before` is the id of the previous page's last row. */
    list: pages<AccountSummary, "before">(
      db,
      `SELECT *, (${WORKING_KEYS} 'test') AS test_keys, (${WORKING_KEYS} 'live') AS live_keys FROM accounts`,
      { before: "(created_at, id) < (SELECT created_at, id FROM accounts WHERE id = ?)" },
      "created_at DESC, id DESC",
    ),
    all: lister<AccountRow>(db, "SELECT * FROM accounts ORDER BY created_at, id"),
    otherThan: lister<{ id: string }>(db, "SELECT id FROM accounts WHERE id <> ?"),
    byId: getter<AccountRow>(db, "SELECT * FROM accounts WHERE id = ?"),
    book: getter<BookRow>(db, "SELECT * FROM books WHERE account_id = ? AND mode = ?"),
    /** The address for the notices of an account. The users of a new account are stored a moment after the account. */
    contact: (accountId: string) => contact(accountId)?.email ?? "owner@qa-pay.test",
  };
}
