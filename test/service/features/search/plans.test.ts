import { expect, it, vi } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { payoutSearch } from "../../../../src/service/features/payouts/search.js";
import { refundSearch } from "../../../../src/service/features/refunds/search.js";
import { readQuestion } from "../../../../src/service/features/search/question.js";
import { transactionSearch } from "../../../../src/service/features/transactions/search.js";
import { fresh } from "../../../support/shared.js";

/** What the search reads. */

const database = fresh(() => openDatabase(":memory:"));

it.each([
  ["payments", transactionSearch],
  ["refunds", refundSearch],
  ["payouts", payoutSearch],
] as const)(
  "an end-to-end id is found among the %s by its index, not by reading all of the account",
  (_name, search) => {
    const { db } = database;
    const prepared = vi.spyOn(db, "prepare");
    search(db).exact?.({ ...readQuestion("E99999010202611210657dCYcB4Kw1rW"), bookId: 1, accountId: "a" });
    const asked = prepared.mock.calls.map(([sql]) => sql).filter((sql) => /(end_to_end_id|return_id) = \?/.test(sql));
    prepared.mockRestore();
    expect(asked.length).toBeGreaterThan(0);
    for (const sql of asked) {
      const [first] = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all("E1", 1);
      expect(first).toMatchObject({
        detail: expect.stringMatching(/USING INDEX \w+ \((end_to_end_id|return_id)=\?\)/),
      });
    }
  },
);
