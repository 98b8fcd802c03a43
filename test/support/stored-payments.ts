import { afterAll, beforeAll } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/base/db/open.js";
import { newFolder } from "./folder.js";

/** The book of the payments. */
export const BOOK = 1;

/**
 * A database in a file, with one account and the payments that `insert` stores: far more than requests could make in a test. The
 * returned function gives it while the tests of the file run.
 */
export function storedPayments(insert: string): () => OpenDatabase {
  const folder = newFolder();
  let database: OpenDatabase;
  beforeAll(() => {
    database = openDatabase(folder.db);
    database.db.exec("INSERT INTO accounts VALUES ('acc_1', 'A', 'A', 'A', 'A', 0)");
    database.db.exec(`INSERT INTO books VALUES (${BOOK}, 'acc_1', 'test')`);
    database.db.exec(insert);
  });
  afterAll(() => {
    database.close();
    folder.remove();
  });
  return () => database;
}
