import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { type Core, createCore } from "../../../src/programs/start/core.js";
import { completeSettings } from "../../../src/service/features/read-settings.js";
import type { Tx } from "../../../src/service/features/tx.js";
import { fresh } from "../../support/shared.js";

/** Reports of a unit of work to the scheduler, the delivery worker, the mailer and the live streams, and when. */

const database = fresh(() => openDatabase(":memory:"));
let core: Core;
let told: string[];

beforeEach(() => {
  core = createCore(database, createRuntime(), completeSettings({}));
  told = [];
  const { jobDue, deliveryDue, eventWritten, journalPosted, news } = core.feeds;
  jobDue.subscribe((dueAt) => told.push(`job due at ${dueAt}`));
  deliveryDue.subscribe((dueAt) => told.push(`delivery due at ${dueAt}`));
  news.subscribe(({ kind }) => told.push(kind));
  eventWritten.subscribe((seq) => told.push(`event ${seq}`));
  journalPosted.subscribe((id) => told.push(`journal ${id}`));
});

function writeEverything(tx: Tx): void {
  tx.schedule("transaction.expire", "one", { at: 5, bookId: 1, history: 1 });
  tx.notify.delivery(6);
  tx.notify.news({ bookId: 1, kind: "mail", data: {} });
  tx.notify.event(7);
  tx.notify.journal(8);
}

it("is notified after the commit, in the order of the writes", async () => {
  const written = core.uow.write((tx) => {
    writeEverything(tx);
    expect(told).toEqual([]);
  });
  await written;
  expect(told).toEqual(["job due at 5", "delivery due at 6", "mail", "event 7", "journal 8"]);
});

it("is not notified of a unit of work that was rolled back", async () => {
  const failed = core.uow.write((tx) => {
    writeEverything(tx);
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect([told, core.stores.jobs.nextDue()]).toEqual([[], null]);
});

it("reaches the other listeners when one of them throws", async () => {
  const { feeds, uow } = createCore(
    database,
    createRuntime({ warn: () => undefined, error: (text) => told.push(text) }),
    completeSettings({}),
  );
  feeds.jobDue.subscribe(() => {
    throw new Error("no");
  });
  feeds.news.subscribe(() => told.push("mail"));
  await uow.write(writeEverything);
  expect(told).toEqual(["a listener of due jobs failed; it missed one of them", "mail"]);
});
