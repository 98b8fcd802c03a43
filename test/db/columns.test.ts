import { afterEach, beforeEach, expect, it } from "vitest";
import { everyColumn, inserter } from "../../src/db/driver.js";
import { type OpenDatabase, openDatabase } from "../../src/db/open.js";

/** The compiler holds lists of columns against the rows that they are for; `npm run types` checks the lines marked here. */

interface Note {
  readonly id: number;
  readonly text: string | null;
  readonly sum?: number;
}

let database: OpenDatabase;
beforeEach(() => {
  database = openDatabase(":memory:");
  database.db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, sum INTEGER DEFAULT 7)");
});
afterEach(() => database.close());

it("a row is inserted with every column of its list, in whatever order the list has", () => {
  const insert = inserter<Note>(database.db)("notes", ["sum", "text", "id"]);
  expect(insert({ id: 5, text: null, sum: 3 })).toBe(5);
  expect(database.db.prepare("SELECT * FROM notes").all()).toMatchObject([{ id: 5, text: null, sum: 3 }]);
});

it("a list that leaves a column out, or names one that the row has not, does not compile", () => {
  // @ts-expect-error text and sum are missing
  everyColumn<Note>()(["id"]);
  // @ts-expect-error sum is missing, although a row may be without it
  everyColumn<Note>()(["id", "text"]);
  // @ts-expect-error there is no column of that name
  everyColumn<Note>()(["id", "text", "sum", "title"]);
  // @ts-expect-error text is missing
  inserter<Note>(database.db)("notes", ["id", "sum"]);
  expect(everyColumn<Note>()(["id", "text", "sum"])).toEqual(["id", "text", "sum"]);
});
