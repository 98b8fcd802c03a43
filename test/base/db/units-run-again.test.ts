import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import type { Commit, UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { fresh } from "../../support/shared.js";
import { notesOf, spiedUnits } from "../../support/spied-units.js";

/** Works of one turn have no savepoints, and run again when one fails (docs/decisions/001-one-commit-per-turn.md). */

const database = fresh(() => openDatabase(":memory:"));
let uow: UnitOfWork<Commit>;
let statements: string[];

beforeEach(() => {
  ({ uow, statements } = spiedUnits(database));
});

const { note, notes, noteAndFail } = notesOf(database);

describe("works of one turn", () => {
  it("need no savepoint as long as none fails", async () => {
    await Promise.all(["a", "b", "c"].map((text) => uow.write(() => note(text))));
    expect(statements).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
  });

  it("go on without one behind a work that fails before it has written anything", async () => {
    const runs: string[] = [];
    const refuse = () => {
      runs.push("refused");
      throw new Error("no");
    };
    const outcomes = await Promise.allSettled([
      uow.write(() => [runs.push("a"), note("a")]),
      uow.write(refuse),
      uow.write(() => [runs.push("b"), note("b")]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect([runs, notes()]).toEqual([
      ["a", "refused", "b"],
      ["a", "b"],
    ]);
    // The second BEGIN is refused: it only shows that the transaction is still open.
    expect(statements).toEqual(["BEGIN IMMEDIATE", "BEGIN IMMEDIATE", "COMMIT"]);
  });

  it("run again, each with a savepoint, when one behind others fails and has written something", async () => {
    const runs: string[] = [];
    const outcomes = await Promise.allSettled([
      uow.write(() => [runs.push("a"), note("a")].length),
      uow.write(() => [runs.push("b"), noteAndFail("b", "not b")]),
      uow.write(() => [runs.push("c"), note("c")].length),
    ]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: 2 },
      { status: "rejected", reason: new Error("not b") },
      { status: "fulfilled", value: 2 },
    ]);
    expect([runs, notes()]).toEqual([
      ["a", "b", "a", "b", "c"],
      ["a", "c"],
    ]);
    const again = ["SAVEPOINT work", "ROLLBACK TO work", "RELEASE work", "SAVEPOINT work", "RELEASE work", "COMMIT"];
    expect(statements).toEqual(["BEGIN IMMEDIATE", "ROLLBACK", "BEGIN IMMEDIATE", ...again]);
  });

  it("never run again where one of them must not, and the others of its turn are right all the same", async () => {
    const runs: string[] = [];
    const outcomes = await Promise.allSettled([
      uow.write(() => [runs.push("a"), note("a")].length),
      uow.writeOnce(() => [runs.push("once"), note("once")].length),
      uow.write(() => [runs.push("b"), noteAndFail("b")]),
      uow.writeOnce(() => [runs.push("failed"), noteAndFail("failed")]),
      uow.write(() => [runs.push("c"), note("c")].length),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect([runs, notes()]).toEqual([
      ["a", "once", "b", "failed", "c"],
      ["a", "once", "c"],
    ]);
  });

  it("that must not run twice need a savepoint only behind one that has written: before, undoing one is undoing all", async () => {
    const outcomes = await Promise.allSettled([
      uow.writeOnce(() => noteAndFail("first")),
      uow.writeOnce(() => noteAndFail("second")),
      uow.writeOnce(() => note("third")),
      uow.writeOnce(() => noteAndFail("fourth")),
      uow.writeOnce(() => note("fifth")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(notes()).toEqual(["third", "fifth"]);
    const undone = ["ROLLBACK", "BEGIN IMMEDIATE"];
    const behind = ["SAVEPOINT work", "ROLLBACK TO work", "RELEASE work", "SAVEPOINT work", "RELEASE work"];
    expect(statements).toEqual(["BEGIN IMMEDIATE", ...undone, ...undone, ...behind, "COMMIT"]);
  });

  it("find memory as it was before the first run, and report once what they did", async () => {
    let memory: readonly string[] = [];
    const told: string[] = [];
    const remember = (name: string, unit: Commit) => {
      const before = memory;
      unit.afterUndo(() => {
        memory = before;
      });
      memory = [...memory, name];
      unit.afterCommit(() => told.push(name));
      return note(name);
    };
    const seen: (readonly string[])[] = [];
    await Promise.allSettled([
      uow.write((unit) => remember("a", unit)),
      uow.write((unit) => {
        seen.push(memory);
        return remember("b", unit);
      }),
      uow.write((unit) => [remember("c", unit), noteAndFail("undone")]),
    ]);
    expect(seen).toEqual([["a"], ["a"]]);
    expect([memory, told]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });
});
