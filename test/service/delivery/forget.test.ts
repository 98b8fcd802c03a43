import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { createRuntime, realTime } from "../../../src/base/platform/real-runtime.js";
import { DeliveryWorker } from "../../../src/service/delivery/worker.js";
import type { Tx } from "../../../src/service/features/tx.js";
import { Chaos } from "../../../src/service/features/webhooks/chaos.js";
import type { ClaimedDelivery, WebhookStore } from "../../../src/service/features/webhooks/store.js";
import { AdvanceWait } from "../../../src/service/jobs/advance-wait.js";
import { fresh } from "../../support/shared.js";

/** A worker whose deliveries are replaced by others, at the moment that is hardest to get right. */

const log = { warn: () => undefined, error: () => undefined };

const database = fresh(() => openDatabase(":memory:"));
let uow: UnitOfWork<Tx>;
let worker: DeliveryWorker;
let due: ClaimedDelivery[];
let posted: string[];
/** How often due deliveries were looked for. */
let looks: number;

function delivery(id: string): ClaimedDelivery {
  const [endpoint, event] = [
    { endpoint_seq: 1, endpoint_id: "e", endpoint_private: 0, target_url: null },
    { event_seq: 1, event_id: id },
  ];
  return {
    ...{ seq: 1, id, book_id: 1, status: "PENDING", attempts: 0, max_attempts: 15, next_attempt_at: 0, parked: 0 },
    ...{ last_status_code: null, last_error: null, last_response_body: null, delivered_at: null },
    ...{
      created_at: 0,
      updated_at: 0,
      history_seq: null,
      ...endpoint,
      ...event,
      type: "charge.created",
      subject: "s",
      data: "{}",
    },
    ...{ event_created_at: 0, url: `http://127.0.0.1:9/${id}`, secret: "s", collector: null },
  };
}

beforeEach(() => {
  const tx = { now: 0, notify: { delivery: () => undefined } } as unknown as Tx;
  uow = new UnitOfWork(database, realTime, () => tx);
  due = [];
  posted = [];
  looks = 0;
  const webhooks = {
    endpointsWaiting: () => {
      looks += 1;
      return due.slice(0, 1);
    },
    dueOf: () => due.slice(0, 1),
    claimable: () => due[0] ?? null,
    claim: () => due.splice(0).length,
    nextDelivery: () => ({ due_at: due.length === 0 ? null : 0 }),
    awaitedAttempt: () => due[0] ?? null,
    awaitedDelivery: (seq: number) => ({ seq }),
  } as unknown as WebhookStore;
  worker = new DeliveryWorker({
    ...{
      uow,
      webhooks,
      clock: { now: () => 0 },
      real: realTime,
      log,
      chaos: new Chaos(() => createRuntime(log).random),
      traces: null,
    },
    transport: {
      post(url) {
        posted.push(url);
        return new Promise(() => undefined);
      },
      abort: () => undefined,
      close: () => undefined,
    },
    deliveryDue: { subscribe: () => () => undefined },
    ...{
      retryBaseMs: 1,
      signatureTime: () => 0,
      userAgent: "test",
      onCollected: () => undefined,
      onSending: () => undefined,
      onRecorded: () => undefined,
      onAttempt: () => undefined,
    },
  });
});

afterEach(async () => {
  await worker.stop();
});

it("sends nothing of what it had claimed in the turn in which they were replaced, and begins with what came", async () => {
  due = [delivery("gone")];
  // Looks for what is due right before the unit of work after which everything is replaced.
  worker.pump();
  await uow.write(() => undefined);
  expect(due).toEqual([]);
  due = [delivery("came")];
  worker.forget();
  // Comes back, as nothing that was on its way counts any more.
  while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(posted).toEqual(["http://127.0.0.1:9/came"]);
});

it("counts nothing that is on its way for deliveries that are gone", async () => {
  due = [delivery("gone")];
  worker.pump();
  while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const { signal } = new AbortController();
  const drained = worker.drain(new AdvanceWait(realTime, 0), signal);
  worker.forget();
  await drained;
  expect(posted).toEqual(["http://127.0.0.1:9/gone"]);
  // A journey drains at each of its steps, with one signal for all of them.
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("rests while an attempt is under way that an advance of the clock waits for", async () => {
  due = [delivery("slow")];
  void worker.drain(new AdvanceWait(realTime, 0), new AbortController().signal);
  while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(looks).toBeLessThan(5);
});
