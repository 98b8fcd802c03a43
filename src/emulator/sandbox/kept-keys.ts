import { hashKey } from "../../service/features/access/keys.js";
import type { Reader } from "../../service/features/tx.js";

/**
 * The API keys that this process knows in clear text, for the page that connects an application. They are in memory
 * alone: the database has hashes.
 */
export interface KeptKeys {
  keep(key: string | null): void;
  /** A working key of a book, the newest first; null when none is known. */
  of(bookId: number): string | null;
}

export function createKeptKeys(reader: () => Reader): KeptKeys {
  const keys = new Set<string>();
  return {
    keep(key) {
      if (key !== null) keys.add(key);
    },
    of: (bookId) => [...keys].findLast((key) => reader().accounts.ownerOf(hashKey(key))?.book_id === bookId) ?? null,
  };
}
