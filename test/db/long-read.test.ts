import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { longReads } from "../../src/db/long-read.js";
import { type OpenDatabase, openDatabase } from "../../src/db/open.js";
import { realTime } from "../../src/platform/real-runtime.js";
import { type Folder, newFolder } from "../support/folder.js";

/** Reads of many queries, between which others have their turn. */

const ACCOUNTS = "SELECT COUNT(*) AS count FROM accounts";
const ADD = "INSERT INTO accounts VALUES (lower(hex(randomblob(8))), 'A', 'A', 'A', 'A', 0)";

/** A clock that says at every look that others have waited long enough. */
let time = 0;
const AT_ONCE = {
  soon: realTime.soon,
  monotonic() {
    time += 1_000;
    return time;
  },
};

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
  const found = await longReads(
    database,
    AT_ONCE,
  )(async (db, pause) => {
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
    const change = longReads(database, AT_ONCE)((db) => Promise.resolve(db.exec(ADD)));
    await expect(change).rejects.toThrow(/readonly/);
    expect(count(database.db)).toBe(0);
  });

  it("ends with an error when the database is closed meanwhile", async () => {
    folder = newFolder();
    database = openDatabase(folder.db);
    const read = longReads(
      database,
      AT_ONCE,
    )(async (db, pause) => {
      realTime.soon(() => database.close());
      await pause();
      return count(db);
    });
    await expect(read).rejects.toThrow(/not open|closed|finalized/);
  });
});

describe("the turns of long reads", () => {
  beforeEach(() => {
    folder = newFolder();
    database = openDatabase(folder.db);
  });

  it("come only when others have waited long enough", async () => {
    let now = 0;
    let turns = 0;
    const soon = (callback: () => void) => {
      turns += 1;
      realTime.soon(callback);
    };
    await longReads(database, { soon, monotonic: () => now })(async (_db, pause) => {
      for (let query = 0; query < 50; query += 1) await pause();
      expect(turns).toBe(1);
      now += 1_000;
      await pause();
      await pause();
      expect(turns).toBe(2);
    });
  });

  it("are one at a time, however many reads there are", async () => {
    const long = longReads(database, AT_ONCE);
    const turns: number[] = [];
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) realTime.soon(count);
    };
    count();
    const read = () =>
      long(async (_db, pause) => {
        for (let query = 0; query < 5; query += 1) {
          turns.push(turn);
          await pause();
        }
      });
    await Promise.all([read(), read(), read()]);
    isOver = true;
    expect(turns).toHaveLength(15);
    expect(new Set(turns).size).toBe(15);
  });
});

it("a long read of a database in memory runs in one go", async () => {
  database = openDatabase(":memory:");
  expect(await readTwice()).toEqual([0, 0]);
});
