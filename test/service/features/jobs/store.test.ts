import { expect, it } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { type JobRow, jobStore } from "../../../../src/service/features/jobs/store.js";
import { fresh } from "../../../support/shared.js";

const database = fresh(() => openDatabase(":memory:"));
const FIRST = { due_at: -1, subject: "", kind: "" };

it("an expiry that has failed, and is due later than its transaction says, is found by its transaction", () => {
  const jobs = jobStore(database.db);
  const failed: JobRow = {
    due_at: 9_000,
    subject: "a",
    kind: "transaction.expire",
    payload: "{}",
    failures: 1,
    book_id: 1,
    history_seq: 1,
  };
  jobs.insert(failed);
  jobs.insert({ ...failed, subject: "b" });
  for (const subjects of [["a"], ["a", "a"]])
    expect(jobs.ofBook({ bookId: 1, behind: FIRST, until: 9_000, subjects, limit: 10 })).toEqual([failed]);
  expect(jobs.ofBook({ bookId: 1, behind: FIRST, until: 8_999, subjects: ["a"], limit: 10 })).toEqual([]);
  expect(jobs.ofBook({ bookId: 2, behind: FIRST, until: 9_000, subjects: ["a"], limit: 10 })).toEqual([]);
});
