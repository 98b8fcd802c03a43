import type { OpenDatabase } from "../../src/db/open.js";
import { type Commit, createUnitOfWork, type UnitOfWork } from "../../src/db/unit-of-work.js";
import { realTime } from "../../src/runtime.js";

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
  return { uow: createUnitOfWork({ ...database, db: spied }, realTime, (commit) => commit), statements };
}
