import { openDatabase } from "../../src/base/db/open.js";
import { createCore } from "../../src/programs/start/core.js";
import { completeSettings } from "../../src/service/features/read-settings.js";
import { createTransaction } from "../../src/service/features/transactions/create.js";
import { DEFAULT_EXPIRY, readDirectives } from "../../src/service/features/transactions/rules.js";
import { seededRuntime } from "./seed.js";

/** How many charges are written in one unit of work. */
const AT_ONCE = 500;

/** Adds charges of 1, 2, 3 … centavos. */
export function storeCharges(file: string, count: number): Promise<void> {
  const amounts = Array.from({ length: count }, (_, index) => index + 1);
  return storePayments(file, amounts, "PIX");
}

/**
 * Adds payments to the test book of a database that no emulator uses. The service's own action makes
 * them: what a request does besides is of no use where only the charges count, and takes most of the time.
 */
export async function storePayments(
  file: string,
  amounts: readonly number[],
  method: "PIX" | "CREDIT_CARD",
): Promise<void> {
  const database = openDatabase(file);
  try {
    const { uow, clock } = createCore(
      database,
      seededRuntime({ warn: console.warn, error: console.error }),
      completeSettings({}),
    );
    await uow.write((tx) => clock.restore(tx));
    const { id: bookId } = database.db.prepare("SELECT id FROM books WHERE mode = 'test'").get() as { id: number };
    const directives = readDirectives(undefined);
    for (let made = 0; made < amounts.length; made += AT_ONCE) {
      await uow.write((tx) => {
        for (const amount of amounts.slice(made, made + AT_ONCE)) {
          const input = { amount, currency: "BRL", methods: [method], expiresIn: DEFAULT_EXPIRY };
          createTransaction(tx, bookId, { ...input, directives, acquirerDelayMs: 0 });
        }
      });
    }
  } finally {
    database.close();
  }
}
