import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../../src/db/open.js";
import { type Commit, createUnitOfWork, type UnitOfWork } from "../../../src/db/unit-of-work.js";
import { record } from "../../../src/features/history/actions.js";
import { type HistoryStore, historyStore } from "../../../src/features/history/store.js";
import type { Tx } from "../../../src/features/tx.js";
import { SERVICE } from "../../../src/kernel/cause.js";
import { realTime } from "../../../src/runtime.js";

/** The number of the newest row of the history, which is kept in memory. */

let database: OpenDatabase;
let history: HistoryStore;
let uow: UnitOfWork<Tx>;

beforeEach(() => {
  database = openDatabase(":memory:");
  history = historyStore(database.db);
  const begin = ({ afterCommit, afterUndo }: Commit) =>
    ({
      ...{ afterCommit, afterUndo, history, cause: SERVICE, now: 0, notify: { happened: () => undefined } },
    }) as unknown as Tx;
  uow = createUnitOfWork(database, realTime, begin);
});
afterEach(() => database.close());

const happen = (tx: Tx) => record(tx, { book_id: 1, noun: "transaction", subject: "one", move: "create" });

describe("the newest row of the history", () => {
  it("is 0 at first, then the last one that was written", async () => {
    expect(history.last()).toBe(0);
    const first = await uow.write(happen);
    const second = await uow.write(happen);
    expect(second).toBeGreaterThan(first);
    expect(history.last()).toBe(second);
  });

  it("is known to a new store of the same database", async () => {
    const seq = await uow.write(happen);
    expect(historyStore(database.db).last()).toBe(seq);
  });

  it("is the one before a unit of work that was undone", async () => {
    const seq = await uow.write(happen);
    const failing = uow.write((tx) => {
      happen(tx);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(history.last()).toBe(seq);
  });
});
