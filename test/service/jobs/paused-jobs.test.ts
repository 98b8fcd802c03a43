import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { type JobStore, jobStore } from "../../../src/service/features/jobs/store.js";
import type { Tx } from "../../../src/service/features/tx.js";
import type { WebhookStore } from "../../../src/service/features/webhooks/store.js";
import { createClock } from "../../../src/service/jobs/clock.js";
import { Scheduler } from "../../../src/service/jobs/scheduler.js";
import { fresh } from "../../support/shared.js";

/** A change during which no job runs, whatever falls due. */

/** A feed without messages. */
const nobody = { subscribe: () => () => undefined };

const database = fresh(() => openDatabase(":memory:"));
let jobs: JobStore;
let scheduler: Scheduler;
let timers: (() => void)[];
let steps: string[];

beforeEach(() => {
  jobs = jobStore(database.db);
  timers = [];
  steps = [];
  const real = {
    ...realTime,
    after(_ms: number, callback: () => void) {
      timers.push(callback);
      return { cancel: () => timers.splice(timers.indexOf(callback) >>> 0, 1) };
    },
  };
  const transactions = {
    anywhere(id: string) {
      steps.push(`job ${id}`);
      return null;
    },
  };
  scheduler = new Scheduler({
    uow: new UnitOfWork(database, realTime, () => ({ transactions }) as unknown as Tx),
    jobs,
    history: { last: () => 0 },
    webhooks: { nextDelivery: () => null, nextDeliveryAfter: () => null } as unknown as WebhookStore,
    ...{
      clock: createClock(database.db, real, { warn: () => undefined }),
      real,
      deliveries: { pump: () => undefined, drain: async () => undefined, setHurry: () => undefined },
    },
    ...{ jobDue: nobody, deliveryDue: nobody, onJob: nobody, attemptRecorded: nobody },
    clockReached: { publish: () => undefined },
    log: { warn: () => undefined, error: (_message, cause) => void steps.push(String(cause)) },
  });
});

afterEach(async () => {
  await scheduler.stop();
});

/** Makes a job due, and lets the time pass that the loop waits for. */
function fallDue(id: string): void {
  const made = { book_id: 1, history_seq: 1, failures: 0 };
  jobs.insert({ due_at: 0, subject: id, kind: "transaction.expire", payload: "{}", ...made });
  scheduler.hint(0);
  timers.shift()?.();
}

it("begins when the jobs that are on their way have ended", async () => {
  fallDue("first");
  await scheduler.withJobsPaused(async () => void steps.push("change"));
  expect(steps).toEqual(["job first", "change"]);
});

it("holds back what falls due meanwhile until it is over", async () => {
  await scheduler.withJobsPaused(async () => {
    fallDue("second");
    await new Promise((resolve) => setImmediate(resolve));
    steps.push("change");
  });
  expect(steps).toEqual(["change"]);
  timers.shift()?.();
  await scheduler.withJobsPaused(async () => undefined);
  expect(steps).toEqual(["change", "job second"]);
});

it("lets jobs run again also when it fails", async () => {
  const fail = () => Promise.reject(new Error("no"));
  await expect(scheduler.withJobsPaused(fail)).rejects.toThrow("no");
  fallDue("third");
  await scheduler.withJobsPaused(async () => undefined);
  expect(steps).toEqual(["job third"]);
});
