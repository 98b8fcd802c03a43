import { type Db, lister } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { hasWords } from "../../../base/kernel/text-search.js";
import { isNamed, type Part, type Searchable, toSearchResult } from "../searchable.js";
import { fingerprint, hashKey } from "./keys.js";
import type { AccountRow, ApiKeyRow } from "./store.js";
import type { UserRow } from "./user-store.js";

/** The key itself is never shown; the list of keys shows its first characters, too. */
const toKeyResult = (row: ApiKeyRow, why?: Part) =>
  toSearchResult(["api_key", ""], row, { prefix: row.prefix }, row.label, why);

/** Working API keys, and the account of the caller with its users. */
export function accessSearch(db: Db): Searchable {
  const keys = lister<ApiKeyRow>(
    db,
    "SELECT * FROM api_keys WHERE book_id = ? AND revoked_at IS NULL ORDER BY created_at DESC, id DESC",
  );
  const accounts = lister<AccountRow>(db, "SELECT * FROM accounts WHERE id = ?");
  const users = lister<UserRow>(db, "SELECT * FROM users WHERE account_id = ? ORDER BY id");
  return {
    exact(request) {
      const { bookId, text } = request;
      const hash = /^qa_(?:test|live)_/.test(text) ? hashKey(text) : null;
      const ofKey: Part | undefined =
        hash === null ? { code: "fingerprint", params: { fingerprint: text } } : undefined;
      const all = keys(bookId);
      return [
        ...all.filter(({ id }) => isNamed(ID_PREFIX.apiKey, request, id)).map((row) => toKeyResult(row)),
        ...all
          .filter((key) => key.hash === hash || fingerprint(key.hash) === text)
          .map((row) => toKeyResult(row, ofKey)),
      ];
    },
    texts: ({ bookId, accountId, text, words }) => [
      ...keys(bookId)
        .filter(({ prefix, label }) => hasWords(label, words) || prefix.startsWith(text) || text.startsWith(prefix))
        .map((row) => toKeyResult(row)),
      ...accounts(accountId)
        .filter(({ id, name }) => id === text || hasWords(name, words))
        .map((row) => toSearchResult(["account", ""], row, { name: row.name })),
      ...users(accountId)
        .filter(({ id, name, email }) => id === text || hasWords(name, words) || hasWords(email, words))
        .map((row) => toSearchResult(["user", ""], row, { name: row.name }, row.email, row.role)),
    ],
  };
}
