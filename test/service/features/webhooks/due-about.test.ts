import { expect, it } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { webhookStore } from "../../../../src/service/features/webhooks/store.js";

it("what is due for one object is read from its events, and not from all that waits", () => {
  const { db, close } = openDatabase(":memory:");
  const prepared: string[] = [];
  const watched = {
    ...db,
    prepare(sql: string) {
      prepared.push(sql);
      return db.prepare(sql);
    },
  };
  webhookStore(watched).attemptsDueAbout("[]", 1, 0, 0, 0, 1);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${prepared.at(-1)}`).all("[]", 1, 0, 0, 0, 1) as { detail: string }[];
  const read = plan.map(({ detail }) => detail);
  expect(read).toContain("SEARCH e USING INDEX events_by_subject (subject=?)");
  expect(read).toContain("SEARCH d USING INDEX deliveries_by_event (event_seq=?)");
  expect(read.filter((detail) => detail.startsWith("SCAN"))).toEqual(["SCAN json_each VIRTUAL TABLE INDEX 1:"]);
  close();
});
