import { beforeEach, expect, it } from "vitest";
import { oneOf, optional, type Row, words } from "../../../src/base/db/columns/rule.js";
import { count, key } from "../../../src/base/db/columns/values.js";
import { inserter, stateWriter } from "../../../src/base/db/driver.js";
import { openDatabase } from "../../../src/base/db/open.js";
import { fresh } from "../../support/shared.js";

/** The type of a row follows from the columns that a store declares; `npm run types` checks the lines marked here. */

const STATE = { status: oneOf(["open", "done"]), sum: count };
const NOTE = { id: key, text: optional(words), ...STATE };

const database = fresh(() => openDatabase(":memory:"));
beforeEach(() => {
  database.db.exec("CREATE TABLE notes (text TEXT, id INTEGER PRIMARY KEY, sum INTEGER DEFAULT 7, status TEXT)");
});

const notes = () => database.db.prepare("SELECT * FROM notes").all();

it("a row is inserted with every column that is declared, in whatever order the row has them", () => {
  const insert = inserter(database.db, "notes", NOTE);
  expect(insert({ sum: 3, status: "open", id: 5, text: null })).toBe(5);
  expect(notes()).toMatchObject([{ id: 5, text: null, sum: 3, status: "open" }]);
  const replace = inserter(database.db, "notes", NOTE, "INSERT OR REPLACE");
  replace({ id: 5, text: "other", sum: 4, status: "done" });
  expect(notes()).toMatchObject([{ id: 5, text: "other", sum: 4, status: "done" }]);
});

it("a row that leaves a column out, or has another type in one, does not compile", () => {
  const insert = inserter(database.db, "notes", NOTE);
  const note: Row<typeof NOTE> = { id: 1, text: null, status: "open", sum: 1 };
  // @ts-expect-error sum is missing
  insert({ id: 1, text: null, status: "open" });
  // @ts-expect-error there is no such status
  insert({ ...note, id: 2, status: "gone" });
  // @ts-expect-error only the text may be null
  insert({ ...note, id: 3, sum: null });
  expect(notes()).toHaveLength(3);
});

it("a state is written over the expected one alone, and nothing besides the state changes", () => {
  inserter(database.db, "notes", NOTE)({ id: 5, text: "kept", sum: 3, status: "open" });
  const update = stateWriter(database.db, "notes", "note", STATE);
  const next = { id: "5", text: "other", sum: 9, status: "done" } as const;
  update(next, "open");
  expect(notes()).toMatchObject([{ id: 5, text: "kept", sum: 9, status: "done" }]);
  expect(() => update({ ...next, sum: 10 }, "open")).toThrow("note 5 is not open any more");
  expect(notes()).toMatchObject([{ sum: 9 }]);
});
