import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { type Commit, UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { fresh } from "../../support/shared.js";
import { notesOf, spiedUnits } from "../../support/spied-units.js";

/** Writes of one turn share a transaction, and no work notices it. */

const database = fresh(() => openDatabase(":memory:"));
let uow: UnitOfWork<Commit>;
let statements: string[];

beforeEach(() => {
  ({ uow, statements } = spiedUnits(database));
});

const { note, notes, noteAndFail } = notesOf(database);
const begun = () => statements.filter((sql) => sql.startsWith("BEGIN")).length;

describe("the log", () => {
  /** Units of work whose log keeps its lines, and whose clock counts how often it is read. */
  function logged(isWanted: boolean) {
    const lines: [string, unknown][] = [];
    const readings = { count: 0 };
    const monotonic = () => {
      readings.count += 1;
      return readings.count * 2.5;
    };
    const debug = (message: string, facts: unknown) => void lines.push([message, facts]);
    const log = isWanted ? { debug } : {};
    return { uow: new UnitOfWork(database, { ...realTime, monotonic }, (commit) => commit, { log }), lines, readings };
  }

  it("logs how many units a transaction had, how many of them were undone and why, and how long it took", async () => {
    const { uow: units, lines } = logged(true);
    const failed = units.write(() => noteAndFail("a", "a text of the request"));
    await Promise.allSettled([units.write(() => note("b")), failed]);
    units.alone(() => note("c"));
    expect(() => units.alone(() => noteAndFail("d"))).toThrow("no");
    expect(lines).toEqual([
      ["unit of work rolled back", { reason: "Error" }],
      ["transaction committed", { units: 2, undone: 1, duration_ms: 2.5 }],
      ["transaction committed", { units: 1, undone: 0, duration_ms: 2.5 }],
      ["transaction rolled back", { units: 1, reason: "Error" }],
    ]);
  });

  it("logs a transaction that could not be committed", async () => {
    const { uow: units, lines } = logged(true);
    const unable = units.write(() => database.db.exec("COMMIT"));
    await expect(unable).rejects.toThrow();
    expect(lines.at(-1)).toEqual(["transaction rolled back", { units: 1, reason: expect.any(String) }]);
  });

  it("costs not even a look at the clock when nobody wants it", async () => {
    const { uow: units, readings } = logged(false);
    await units.write(() => note("a"));
    units.alone(() => note("b"));
    expect([notes(), readings.count]).toEqual([["a", "b"], 0]);
  });
});

describe("a unit of work", () => {
  it("resolves to the result of its work, after the commit", async () => {
    expect(await uow.write(() => Number(note("a").changes) + 41)).toBe(42);
    expect(statements.at(-1)).toBe("COMMIT");
    expect(notes()).toEqual(["a"]);
  });

  it("rejects with the error of its work, and writes nothing", async () => {
    await expect(uow.write(() => noteAndFail("a"))).rejects.toThrow("no");
    expect(notes()).toEqual([]);
  });

  it("must be synchronous: one that returns a promise is refused and undone", async () => {
    await expect(uow.write(async () => note("a"))).rejects.toThrow(/must not wait/);
    expect(notes()).toEqual([]);
  });

  it("does not begin before its turn is over", async () => {
    const written = uow.write(() => note("a"));
    expect([notes(), statements]).toEqual([[], []]);
    await written;
    expect(notes()).toEqual(["a"]);
  });
});

describe("works of one turn", () => {
  it("share one transaction, in the order in which they were requested", async () => {
    await Promise.all(["a", "b", "c"].map((text) => uow.write(() => note(text))));
    expect([begun(), notes()]).toEqual([1, ["a", "b", "c"]]);
  });

  it("see what the works before them wrote", async () => {
    const seen = await Promise.all(
      ["a", "b", "c"].map((text) => uow.write(() => Number(note(text).changes) * notes().length)),
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it("all fail together when the commit does, and the next ones work", async () => {
    database.db.exec("PRAGMA foreign_keys = ON; CREATE TABLE parents (id INTEGER PRIMARY KEY)");
    database.db.exec("CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED)");
    const hooks: string[] = [];
    const results = await Promise.allSettled([
      uow.write(({ afterCommit }) => [afterCommit(() => hooks.push("a")), note("a")]),
      uow.write(() => database.db.exec("INSERT INTO children VALUES (1)")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([notes(), hooks]).toEqual([[], []]);
    await uow.write(() => note("b"));
    expect(notes()).toEqual(["b"]);
  });

  it("that are requested by other works run in the next transaction", async () => {
    let inner: Promise<unknown> = Promise.resolve();
    await uow.write(() => {
      inner = uow.write(() => note("b"));
      return note("a");
    });
    expect(notes()).toEqual(["a"]);
    await inner;
    expect([begun(), notes()]).toEqual([2, ["a", "b"]]);
  });
});

it("hooks run after the commit, in order, and only for works that were committed", async () => {
  const ran: string[] = [];
  const hook =
    (name: string, outcome: () => unknown = () => undefined) =>
    ({ afterCommit }: Commit) => {
      afterCommit(() => ran.push(`${name} after ${statements.at(-1)}`));
      note(name);
      afterCommit(() => ran.push(`${name} again`));
      return outcome();
    };
  await Promise.allSettled([
    uow.write(hook("a")),
    uow.write(hook("b", () => noteAndFail("undone"))),
    uow.write(hook("c", () => Promise.resolve())),
    uow.write(hook("d")),
  ]);
  expect(ran).toEqual(["a after COMMIT", "a again", "d after COMMIT", "d again"]);
});

describe("a change in memory", () => {
  /** A number beside the database, which follows what becomes of the change. */
  let memory: string[];
  beforeEach(() => {
    memory = [];
  });
  const remember = (name: string, { afterUndo }: Commit) => {
    const before = memory;
    afterUndo(() => {
      memory = before;
    });
    memory = [...memory, name];
  };

  it("is taken back with a unit that fails, before the next one runs", async () => {
    const seen: string[] = [];
    await Promise.allSettled([
      uow.write((unit) => remember("a", unit)),
      uow.write((unit) => {
        remember("b", unit);
        remember("c", unit);
        noteAndFail("undone");
      }),
      uow.write((unit) => {
        seen.push(...memory);
        remember("d", unit);
      }),
    ]);
    expect([seen, memory]).toEqual([["a"], ["a", "d"]]);
  });

  it("is taken back by every work when the commit fails", async () => {
    database.db.exec("PRAGMA foreign_keys = ON; CREATE TABLE parents (id INTEGER PRIMARY KEY)");
    database.db.exec("CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED)");
    await uow.write((unit) => remember("before", unit));
    const spoil = () => database.db.exec("INSERT INTO children VALUES (1)");
    const results = await Promise.allSettled([
      uow.write((unit) => remember("a", unit)),
      uow.write((unit) => [remember("b", unit), spoil()]),
      uow.write((unit) => remember("c", unit)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(memory).toEqual(["before"]);
    expect(() => uow.alone((unit) => [remember("d", unit), spoil()])).toThrow(/FOREIGN KEY/);
    expect(memory).toEqual(["before"]);
  });

  it("stays when the change is durable", async () => {
    await uow.write((unit) => remember("a", unit));
    uow.alone((unit) => remember("b", unit));
    expect(memory).toEqual(["a", "b"]);
  });
});

describe("a disk that is full", () => {
  it("fails the unit and all others of its turn, undoes them, and does no more harm once there is room", async () => {
    const pages = Number(Object.values(database.db.prepare("PRAGMA page_count").get() as object)[0]);
    database.db.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const tooMuch = "x".repeat(100_000);
    const results = await Promise.allSettled([
      uow.write(() => note("a")),
      uow.write(() => note(tooMuch)),
      uow.write(() => note("b")),
    ]);
    expect(results[1]).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringMatching(/^The disk is full/) },
    });
    expect(notes()).toEqual(results.flatMap(({ status }, n) => (status === "fulfilled" ? [["a", "", "b"][n]] : [])));
    database.db.exec("PRAGMA max_page_count = 100000");
    await uow.write(() => note(tooMuch));
    expect(notes()).toContain(tooMuch);
  });

  it("is reported also where SQLite has already undone the transaction", async () => {
    const full = () => {
      database.db.exec("ROLLBACK");
      throw new Error("database or disk is full");
    };
    const undone: string[] = [];
    const results = await Promise.allSettled([
      uow.write(({ afterUndo }) => [afterUndo(() => undone.push("a")), note("a")]),
      uow.write(({ afterUndo }) => [afterUndo(() => undone.push("b")), full()]),
      uow.write(() => note("c")),
    ]);
    for (const result of results)
      expect(result).toMatchObject({ reason: { message: expect.stringMatching(/^The disk is full/) } });
    expect([notes(), undone]).toEqual([[], ["b", "a"]]);
    await uow.write(() => note("d"));
    expect(notes()).toEqual(["d"]);
  });
});

describe("a work that runs alone", () => {
  it("is committed when the call returns, before the works that wait for the end of the turn", async () => {
    const waiting = uow.write(() => note("b"));
    const hooks: string[] = [];
    const answer = uow.alone(({ afterCommit }) => {
      afterCommit(() => hooks.push(statements.at(-1) ?? ""));
      return note("a").changes;
    });
    expect([answer, hooks, notes()]).toEqual([1, ["COMMIT"], ["a"]]);
    await waiting;
    expect([begun(), notes()]).toEqual([2, ["a", "b"]]);
  });

  it("leaves nothing when it throws, and runs no hooks for a commit", async () => {
    const hooks: string[] = [];
    const fail = () =>
      uow.alone(({ afterCommit }) => {
        afterCommit(() => hooks.push("told"));
        return noteAndFail("a");
      });
    expect(fail).toThrow("no");
    expect([notes(), hooks]).toEqual([[], []]);
    await uow.write(() => note("b"));
    expect(notes()).toEqual(["b"]);
  });

  it("reports the error also where SQLite has already undone the transaction", () => {
    const undone = () =>
      uow.alone(() => {
        database.db.exec("ROLLBACK");
        throw new Error("the disk is full");
      });
    expect(undone).toThrow("The disk is full, so nothing was changed.");
  });
});
