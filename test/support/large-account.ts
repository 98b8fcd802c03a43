import type { EmulatorOptions } from "../../src/programs/start/emulator.js";
import { startEmulator, type TestEmulator } from "./emulator.js";
import { newFolder } from "./folder.js";
import { openFile } from "./sqlite.js";
import { storePayments } from "./stored-charges.js";

/**
 * Moves money out of the wallet of the first journal, until the balance is what is given. A trigger keeps the balances. In two
 * halves, because the whole may be more than an entry can have.
 */
const OWED = `
  WITH journal AS (SELECT journal_id, book_id, currency FROM ledger_entries ORDER BY id LIMIT 1),
       gap AS (SELECT ? - balance AS amount FROM ledger_balances JOIN journal USING (book_id, currency) WHERE bucket = 'available'),
       half (amount) AS (SELECT amount / 2 FROM gap UNION ALL SELECT amount - amount / 2 FROM gap),
       entry (bucket, amount) AS (SELECT 'available', amount FROM half UNION ALL SELECT 'world', -amount FROM half)
  INSERT INTO ledger_entries (journal_id, book_id, currency, bucket, amount)
  SELECT journal_id, book_id, currency, bucket, amount FROM journal JOIN entry`;

/** An account with sums that would take thousands of requests to reach. They are stored while its emulator is stopped. */
export interface LargeAccount {
  /** Another one after each change of what is stored, with the same keys. */
  readonly emulator: TestEmulator;
  /** Adds payments by card, which may be larger than a request allows. */
  store(...amounts: number[]): Promise<void>;
  /** Adds payments and pays them. */
  receive(...amounts: number[]): Promise<void>;
  /** Makes the wallet lack this much, as many payouts would. */
  lack(amount: number): Promise<void>;
  close(): Promise<void>;
}

export async function openLargeAccount(options: Pick<EmulatorOptions, "log"> = {}): Promise<LargeAccount> {
  const folder = newFolder();
  const db = folder.db;
  let emulator = await startEmulator({ ...options, frozen: true, db });
  async function changeRow(change: () => unknown): Promise<void> {
    const { key: testKey, live: liveKey } = emulator;
    await emulator.close();
    await change();
    emulator = await startEmulator({ ...options, frozen: true, db, testKey, liveKey });
  }
  const account = {
    get emulator() {
      return emulator;
    },
    store: (...amounts: number[]) => changeRow(() => storePayments(db, amounts, "CREDIT_CARD")),
    async receive(...amounts: number[]) {
      await account.store(...amounts);
      const { body } = await emulator.call("GET", "/v1/payments?limit=100&status=WAITING_PAYMENT");
      for (const { id } of body.data) await emulator.sandbox(`/charges/${id}/pay`, {});
    },
    lack: (amount: number) =>
      changeRow(() => {
        const stored = openFile(db);
        stored.prepare(OWED).run(BigInt(-amount));
        stored.close();
      }),
    async close() {
      await emulator.close();
      folder.remove();
    },
  };
  return account;
}
