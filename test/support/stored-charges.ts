import { openDatabase } from "../../src/db/open.js";
import { createTransaction } from "../../src/features/transactions/create.js";
import { DEFAULT_EXPIRY, readDirectives } from "../../src/features/transactions/rules.js";
import { createCore } from "../../src/service/core.js";
import { seededRuntime } from "./seed.js";

/** How many charges are written in one unit of work. */
const AT_ONCE = 500;

/**
 * Adds charges of 1, 2, 3 … centavos to the test book of a database that no emulator uses. The service's own action makes
 * them: what a request does besides is of no use where only the charges count, and takes most of the time.
 */
export async function storeCharges(file: string, count: number): Promise<void> {
  const database = openDatabase(file);
  try {
    const { uow, clock } = createCore(database, {
      runtime: seededRuntime({ warn: console.warn, error: console.error }),
    });
    clock.restore();
    const { id: bookId } = database.db.prepare("SELECT id FROM books WHERE mode = 'test'").get() as { id: number };
    const directives = readDirectives(undefined);
    for (let made = 0; made < count; made += AT_ONCE) {
      await uow.write((tx) => {
        for (let amount = made + 1; amount <= Math.min(made + AT_ONCE, count); amount++) {
          const input = { amount, currency: "BRL", methods: ["PIX" as const], expiresIn: DEFAULT_EXPIRY };
          createTransaction(tx, bookId, { ...input, directives, acquirerDelayMs: 0 });
        }
      });
    }
  } finally {
    database.close();
  }
}
