import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../../../src/base/db/driver.js";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import { type OpenDatabase, openDatabase } from "../../../src/base/db/open.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import type { SnapshotStore } from "../../../src/emulator/snapshots/snapshot.js";
import { createSnapshotStore } from "../../../src/emulator/snapshots/store.js";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";
import { snapshotFile } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";

/** Replacing the contents of a database, whatever its tables are like. */

const folder = fresh(newFolder);
let database: OpenDatabase;
let snapshots: SnapshotStore;

afterEach(() => {
  database.close();
});

function open(file: string, migrations = MIGRATIONS): void {
  database = openDatabase(file, migrations);
  snapshots = createSnapshotStore(database.db, database.file, realTime, { migrations });
}

const all = (sql: string): Loose[] => database.db.prepare(sql).all();
const schema = () => all("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2");
const foreignKeys = () => all("PRAGMA foreign_keys")[0].foreign_keys;

/** In a transaction, as the server does; `then` is what follows in it. */
function restore(name: string, then: () => void = () => undefined): unknown {
  return snapshots.restore(name, (refill) => {
    database.db.exec("BEGIN IMMEDIATE");
    try {
      refill();
      then();
      database.db.exec("COMMIT");
    } catch (error) {
      database.db.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Every kind of table, column and value that SQLite has and ours may have one day. */
const ODDITIES = `
  CREATE TABLE "odd ""name" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    "a column" TEXT,
    doubled INTEGER GENERATED ALWAYS AS (id * 2) VIRTUAL,
    stored TEXT GENERATED ALWAYS AS ("a column" || '!') STORED UNIQUE
  ) STRICT;
  CREATE TABLE anything (value ANY) STRICT;
  CREATE TABLE loose (value);
  CREATE TABLE pairs (a TEXT, b REAL, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE log (at INTEGER PRIMARY KEY, what TEXT);
  CREATE TABLE trees (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES trees (id)) STRICT;
  CREATE VIEW roots AS SELECT id FROM trees WHERE parent IS NULL;
  CREATE INDEX trees_by_parent ON trees (parent) WHERE parent IS NOT NULL;
  CREATE TRIGGER log_is_final BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'never removed'); END;
  INSERT INTO log (what) VALUES (NULL);
  CREATE TRIGGER log_has_words BEFORE INSERT ON log WHEN NEW.what IS NULL BEGIN SELECT RAISE(ABORT, 'no words'); END;
  CREATE TRIGGER pairs_first AFTER INSERT ON pairs BEGIN INSERT INTO log (what) VALUES ('first'); END;
  CREATE TRIGGER pairs_second AFTER INSERT ON pairs BEGIN INSERT INTO log (what) VALUES ('second'); END;
  CREATE TRIGGER roots_grow INSTEAD OF INSERT ON roots BEGIN INSERT INTO trees (id) VALUES (NEW.id); END;
  INSERT INTO "odd ""name" ("a column") VALUES ('x'), ('y'), ('z');
  DELETE FROM "odd ""name" WHERE id = 3;
  INSERT INTO anything VALUES (1), (1.0), ('1'), (x'00ff'), (NULL), (9223372036854775807), (9e999), ('');
  INSERT INTO loose VALUES (1), (1.0), ('1'), (x'00ff'), (NULL), (-9223372036854775808), (0.1);
  INSERT INTO pairs VALUES ('a', 1), ('a', 2.5);
  INSERT INTO trees VALUES (1, NULL), (2, 1), (3, 2);`;

/** Values with their types, which JavaScript would not show. */
function odd(): Loose {
  return {
    odd: all(`SELECT * FROM "odd ""name"`),
    next: all("SELECT * FROM sqlite_sequence"),
    anything: all("SELECT typeof(value) AS type, quote(value) AS text FROM anything"),
    loose: all("SELECT typeof(value) AS type, quote(value) AS text FROM loose"),
    pairs: all("SELECT a, typeof(b) AS type, b FROM pairs"),
    log: all("SELECT * FROM log"),
    trees: all("SELECT * FROM trees"),
  };
}

describe.each(["in a file", "in memory"])("a database %s", (where) => {
  beforeEach(() => {
    open(where === "in a file" ? folder.db : ":memory:", [...MIGRATIONS, ODDITIES]);
  });

  it("comes back with tables, values and counters of every kind, and no trigger has fired", () => {
    const before = [odd(), schema()];
    snapshots.save("odd");
    database.db.exec(`
      INSERT INTO "odd ""name" ("a column") VALUES ('later');
      DELETE FROM anything; UPDATE loose SET value = 7; INSERT INTO pairs VALUES ('b', 3);
      DELETE FROM trees WHERE id = 3; UPDATE trees SET parent = NULL;`);
    expect(restore("odd")).toMatchObject({ name: "odd" });
    expect([odd(), schema()]).toEqual(before);
    expect(foreignKeys()).toBe(1);
    // Fire as they did, in the order in which they did.
    database.db.exec("INSERT INTO pairs VALUES ('c', 4); INSERT INTO roots VALUES (9)");
    const fired = all("SELECT what FROM log WHERE what IS NOT NULL ORDER BY at").map(({ what }) => what);
    expect(fired.slice(-2)).toEqual(fired.slice(0, 2));
    expect(() => database.db.exec("DELETE FROM log")).toThrow("never removed");
    expect(all(`INSERT INTO "odd ""name" ("a column") VALUES ('next') RETURNING id`)).toEqual([{ id: 4 }]);
  });

  it("stays as it is when a restore fails before its end", () => {
    snapshots.save("odd");
    database.db.exec("INSERT INTO pairs VALUES ('b', 3); DELETE FROM trees WHERE id = 3");
    const before = [odd(), schema()];
    const fail = () => {
      throw new Error("stopped in the midst");
    };
    expect(() => restore("odd", fail)).toThrow("stopped in the midst");
    expect([odd(), schema(), foreignKeys()]).toEqual([...before, 1]);
    database.db.exec("INSERT INTO pairs VALUES ('c', 4)");
    restore("odd");
    expect(all("SELECT * FROM trees")).toHaveLength(3);
  });

  it("is saved under several names, and each restores the contents of its own moment", () => {
    for (let n = 0; n < 12; n++) {
      database.db.exec(`UPDATE pairs SET b = ${n} WHERE a = 'a' AND b <> 2.5`);
      snapshots.save(`n${n % 6}`);
    }
    expect(snapshots.list()).toHaveLength(6);
    for (const n of [3, 0, 5]) {
      restore(`n${n}`);
      expect(all("SELECT b FROM pairs WHERE b <> 2.5")).toEqual([{ b: n + 6 }]);
    }
  });

  it("is not changed by a name without a snapshot", () => {
    expect(restore("nobody")).toBeNull();
  });
});

it("snapshots in memory are refused when all together exceed the bound, but one may replace another of its name", () => {
  open(":memory:");
  const size = all("PRAGMA page_count")[0].page_count * all("PRAGMA page_size")[0].page_size;
  snapshots = createSnapshotStore(database.db, ":memory:", realTime, { maxMemoryBytes: 2.5 * size });
  for (const name of ["a", "b", "a", "b"]) expect(snapshots.save(name).size).toBe(size);
  expect(() => snapshots.save("c")).toThrow(/take \d+ MB at most, all together\. Delete or replace one/);
  expect(
    snapshots
      .list()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["a", "b"]);
});

describe.skipIf(process.platform === "win32")("who may read a snapshot", () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0);
    open(folder.db);
  });
  afterEach(() => {
    process.umask(umask);
  });

  it("is the owner alone, whatever the umask is", () => {
    snapshots.save("seed");
    expect([mode(`${folder.db}.snapshots`), mode(snapshotFile(folder.db, "seed"))]).toEqual(["700", "600"]);
  });

  it("is the owner alone after the next start, even if others could read it before", () => {
    snapshots.save("seed");
    chmodSync(`${folder.db}.snapshots`, 0o755);
    chmodSync(snapshotFile(folder.db, "seed"), 0o644);
    createSnapshotStore(database.db, database.file, realTime);
    expect([mode(`${folder.db}.snapshots`), mode(snapshotFile(folder.db, "seed"))]).toEqual(["700", "600"]);
  });
});

describe("a file that is being written", () => {
  /** The same database, on a disk that refuses at a given statement. */
  function failing(at: RegExp, error: Error): SnapshotStore {
    const db: Db = {
      exec: (sql) => database.db.exec(sql),
      close: () => database.db.close(),
      prepare(sql) {
        const statement = database.db.prepare(sql);
        if (!at.test(sql)) return statement;
        const run = (path: string) => {
          writeFileSync(path, "half of it");
          throw error;
        };
        return { ...statement, run: run as typeof statement.run };
      },
    };
    return createSnapshotStore(db, folder.db, realTime);
  }
  const sqlite = (code: string, message: string) => Object.assign(new Error(message), { code });
  const kept = () => readdirSync(`${folder.db}.snapshots`);

  beforeEach(() => open(folder.db));

  it.each([
    ["SQLite says so", sqlite("SQLITE_FULL", "database or disk is full"), /no room left/],
    ["the SQLite of Node says so", sqlite("ERR_SQLITE_ERROR", "database or disk is full"), /no room left/],
    ["the system says so", sqlite("ENOSPC", "ENOSPC: no space left on device, write"), /no room left/],
    ["it cannot be read or written", sqlite("SQLITE_IOERR_WRITE", "disk I/O error"), /refuses it: disk I\/O error/],
  ])("leaves nothing when the disk is full and %s, and the older one of its name stays", (_who, error, message) => {
    snapshots.save("seed");
    const before = readFileSync(snapshotFile(folder.db, "seed"));
    expect(() => failing(/^VACUUM/, error).save("seed")).toThrow(message);
    expect(() => failing(/^VACUUM/, error).save("other")).toThrow(message);
    expect(kept()).toEqual(["seed.db"]);
    expect(readFileSync(snapshotFile(folder.db, "seed")).equals(before)).toBe(true);
  });

  it("replaces the unfinished file of a server that was killed", () => {
    mkdirSync(`${folder.db}.snapshots`);
    for (const side of ["", "-journal", "-lock"]) writeFileSync(`${folder.db}.snapshots/.draft${side}`, "half of it");
    snapshots.save("seed");
    expect(kept()).toEqual(["seed.db"]);
  });
});

describe("a snapshot of an older version", () => {
  const SECOND = "ALTER TABLE payouts ADD COLUMN note TEXT NOT NULL DEFAULT 'none'";
  const KEPT = "7".repeat(64);
  const ID = "01999999-0000-7000-8000-000000000001";
  const seed = () => snapshotFile(folder.db, "seed");

  /** Saves with the schema of today, then goes on with one that has `more` migrations. */
  function upgrade(...more: string[]): void {
    open(folder.db);
    database.db.exec(`INSERT INTO settings VALUES ('link_key', '${KEPT}')`);
    snapshots.save("seed");
    database.close();
    const migrations = [...MIGRATIONS, ...more];
    database = openDatabase(folder.db, [...MIGRATIONS, SECOND]);
    snapshots = createSnapshotStore(database.db, database.file, realTime, { migrations });
    database.db.exec("DELETE FROM settings");
  }

  it("is brought up to date in a copy, and stays as it was saved", () => {
    upgrade(SECOND);
    const bytes = readFileSync(seed());
    expect(restore("seed")).toMatchObject({ name: "seed" });
    expect(all("SELECT value FROM settings WHERE name = 'link_key'")).toEqual([{ value: KEPT }]);
    expect(all("SELECT note FROM payouts")).toEqual([]);
    expect([readFileSync(seed()).equals(bytes), readdirSync(`${folder.db}.snapshots`)]).toEqual([true, ["seed.db"]]);
  });

  it("is brought up to date in the copy that an import creates", () => {
    upgrade(SECOND);
    const place = snapshots.place();
    copyFileSync(seed(), place.file);
    const db = openFile(place.file);
    db.exec(`INSERT INTO accounts VALUES ('acc_${ID}', 'A', 'B', '${ID}', '${KEPT}', 1)`);
    db.exec(`INSERT INTO settings VALUES ('clock', '{"offset":0,"frozenAt":5}')`);
    db.close();
    expect(snapshots.adopt("adopted", place.file).contents?.counts.accounts).toBe(1);
    place.remove();
    restore("adopted");
    expect(all("SELECT name FROM settings ORDER BY 1")).toEqual([{ name: "clock" }, { name: "link_key" }]);
    expect(all("SELECT note FROM payouts")).toEqual([]);
    expect(readdirSync(`${folder.db}.snapshots`).sort()).toEqual(["adopted.db", "seed.db"]);
  });

  it("that cannot be brought up to date is refused, and nothing changes", () => {
    upgrade("CREATE TABLE payouts (mine TEXT)");
    const bytes = readFileSync(seed());
    expect(() => restore("seed")).toThrow(/cannot be brought to this version.*payouts.*Nothing was changed/);
    expect(all("SELECT * FROM settings")).toEqual([]);
    expect([readFileSync(seed()).equals(bytes), readdirSync(`${folder.db}.snapshots`)]).toEqual([true, ["seed.db"]]);
  });
});
