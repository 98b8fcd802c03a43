import type { Tx } from "../tx.js";
import { hashKey, newKey } from "./keys.js";
import type { AccountRow, Mode } from "./store.js";

export interface NewAccount {
  readonly account: AccountRow;
  /** In clear text, which is shown once and never stored. */
  readonly testKey: string;
  readonly liveKey: string;
}

/** An account with its two books and one API key for each. */
export function openAccount(tx: Tx, name: string, keys: { test?: string; live?: string } = {}): NewAccount {
  const account: AccountRow = {
    id: `acc_${tx.ids.next()}`,
    name,
    city: "SAO PAULO",
    pix_key: tx.ids.next(),
    signing_secret: tx.random.hex(32),
    created_at: tx.now,
  };
  tx.accounts.insert(account);
  for (const mode of ["test", "live"] as const) tx.accounts.insertBook({ account_id: account.id, mode });
  const testKey = keys.test ?? newKey("test", tx.random);
  const liveKey = keys.live ?? newKey("live", tx.random);
  importKey(tx, account.id, "test", testKey);
  importKey(tx, account.id, "live", liveKey);
  return { account, testKey, liveKey };
}

/** Makes `key` valid for the account's book of that mode; a key that is valid there already stays as it is. */
export function importKey(tx: Tx, accountId: string, mode: Mode, key: string): void {
  const hash = hashKey(key);
  const owner = tx.accounts.ownerOf(hash);
  if (owner !== null) {
    if (owner.account_id === accountId && owner.mode === mode) return;
    throw new Error("that API key belongs to another account of this database");
  }
  const book = tx.accounts.book(accountId, mode);
  if (book === null) throw new Error(`account ${accountId} has no ${mode} book`);
  tx.accounts.insertKey({
    id: `key_${tx.ids.next()}`,
    book_id: book.id,
    hash,
    prefix: key.slice(0, 12),
    label: null,
    created_at: tx.now,
    revoked_at: null,
  });
}
