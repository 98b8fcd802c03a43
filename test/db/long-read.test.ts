import { afterEach, describe, expect, it } from "vitest";
import { readLong } from "../../src/db/long-read.js";
import { type OpenDatabase, openDatabase } from "../../src/db/open.js";
import { realTime } from "../../src/platform/real-runtime.js";
import { type Folder, newFolder } from "../support/folder.js";

/** Reads of many queries, between which others have their turn. */

const ACCOUNTS = "SELECT COUNT(*) AS count FROM accounts";
const ADD = "INSERT INTO accounts VALUES (lower(hex(randomblob(8))), 'A', 'A', 'A', 'A', 0)";

let database: OpenDatabase;
let folder: Folder | undefined;

afterEach(() => {
  database.close();
  folder?.remove();
  folder = undefined;
});

const count = (db: OpenDatabase["db"]) => (db.prepare(ACCOUNTS).get() as { count: number }).count;

/** What two queries of a long read find; an account is added as soon as others have their turn. */
async function readTwice(): Promise<number[]> {
  const added: Promise<void>[] = [];
  const found = await readLong(database, realTime, async (db, pause) => {
    const first = count(db);
    added.push(
      new Promise((done) => {
        realTime.soon(() => {
          database.db.exec(ADD);
          done();
        });
      }),
    );
    await pause();
    return [first, count(db)];
  });
  await Promise.all(added);
  return found;
}

describe("a long read of a file", () => {
  it("lets others write meanwhile, and sees the contents of its beginning", async () => {
    folder = newFolder();
    database = openDatabase(folder.db);
    expect(await readTwice()).toEqual([0, 0]);
    expect(count(database.db)).toBe(1);
  });

  it("can change nothing", async () => {
    folder = newFolder();
    database = openDatabase(folder.db);
    const change = readLong(database, realTime, (db) => Promise.resolve(db.exec(ADD)));
    await expect(change).rejects.toThrow(/readonly/);
    expect(count(database.db)).toBe(0);
  });

  it("ends with an error when the database is closed meanwhile", async () => {
    folder = newFolder();
    database = openDatabase(folder.db);
    const read = readLong(database, realTime, async (db, pause) => {
      realTime.soon(() => database.close());
      await pause();
      return count(db);
    });
    await expect(read).rejects.toThrow(/not open|closed|finalized/);
  });
});

it("a long read of a database in memory runs in one go", async () => {
  database = openDatabase(":memory:");
  expect(await readTwice()).toEqual([0, 0]);
});
