import { beforeEach } from "vitest";
import type { OpenDatabase } from "../../src/base/db/open.js";
import { type Commit, UnitOfWork } from "../../src/base/db/unit-of-work.js";
import { realTime } from "../../src/base/platform/real-runtime.js";

/** Units of work with the statements that group them, so that a test sees where a transaction begins and ends. */
export function spiedUnits(database: OpenDatabase): { uow: UnitOfWork<Commit>; statements: string[] } {
  const statements: string[] = [];
  const spied = {
    ...database.db,
    exec: (sql: string) => database.db.exec(sql),
    close: () => database.db.close(),
    prepare(sql: string) {
      const statement = database.db.prepare(sql);
      return {
        get: (...values: []) => statement.get(...values),
        all: (...values: []) => statement.all(...values),
        run(...values: []) {
          statements.push(sql);
          return statement.run(...values);
        },
      };
    },
  };
  return { uow: new UnitOfWork({ ...database, db: spied }, realTime, (commit) => commit), statements };
}

/** Rows for units of work to write, in a database that is new for each test. */
export function notesOf(database: OpenDatabase) {
  beforeEach(() => database.db.exec("CREATE TABLE notes (text TEXT NOT NULL UNIQUE)"));
  const note = (text: string) => database.db.prepare("INSERT INTO notes VALUES (?)").run(text);
  return {
    note,
    notes: () =>
      database.db
        .prepare("SELECT text FROM notes ORDER BY rowid")
        .all()
        .map((row) => (row as { text: string }).text),
    /** Writes a note and then fails. */
    noteAndFail(text: string, message = "no"): never {
      note(text);
      throw new Error(message);
    },
  };
}
