import { expect, it, vi } from "vitest";
import type { UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { createRuntime, realTime } from "../../../src/base/platform/real-runtime.js";
import type { Attempt } from "../../../src/service/delivery/attempt.js";
import { DeliveryWorker } from "../../../src/service/delivery/worker.js";
import type { Tx } from "../../../src/service/features/tx.js";
import { Chaos } from "../../../src/service/features/webhooks/chaos.js";
import type { ClaimedDelivery, WebhookStore } from "../../../src/service/features/webhooks/store.js";
import { AdvanceWait } from "../../../src/service/jobs/advance-wait.js";
import { PATIENCE } from "../../support/patience.js";

/** A database that cannot be written for a while, and one delivery that is due. */

const delivery = {
  ...{ seq: 1, id: "one", endpoint_seq: 1, attempts: 0, max_attempts: 15, next_attempt_at: 0, created_at: 0 },
  ...{
    type: "charge.created",
    data: "{}",
    event_id: "e",
    event_created_at: 0,
    url: "http://127.0.0.1:9/",
    secret: "s",
    collector: null,
  },
} as ClaimedDelivery;

function setUp() {
  const errors: string[] = [];
  const log = { warn: () => undefined, error: (message: string) => void errors.push(message) };
  const state = { isFull: false, status: "PENDING", posted: 0 };
  const tx = { now: 0, notify: { delivery: () => undefined }, history: { last: () => 1 } } as unknown as Tx;
  const uow: Pick<UnitOfWork<Tx>, "writeOnce"> = {
    writeOnce: async (work) => {
      if (state.isFull) throw new Error("database or disk is full");
      return work(tx);
    },
  };
  const isDue = () => state.status === "PENDING";
  const webhooks = {
    nextDelivery: () => ({ due_at: isDue() ? 0 : null }),
    awaitedAttempt: () => (isDue() ? delivery : null),
    awaitedDelivery: () => delivery,
    endpointsWaiting: () => (isDue() ? [delivery] : []),
    dueOf: () => (isDue() ? [delivery] : []),
    claimable: () => delivery,
    claim: () => {
      state.status = "PROCESSING";
      return 1;
    },
    settleAttempt: ({ status }: { readonly status: string }) => {
      state.status = status;
      return 1;
    },
    insertAttempt: () => 1,
  } as unknown as WebhookStore;
  const attempts: Attempt[] = [];
  const worker = new DeliveryWorker({
    ...{ uow, webhooks, clock: { now: () => 0 }, log, chaos: new Chaos(() => createRuntime(log).random), traces: null },
    ...{
      retryBaseMs: 1,
      signatureTime: () => 0,
      userAgent: "test",
      onSending: () => undefined,
      onCollected: () => undefined,
      onRecorded: () => undefined,
      onAttempt: (one) => void attempts.push(one),
    },
    deliveryDue: { subscribe: () => () => undefined },
    // Whoever waits a while waits for the next turn of the event loop only.
    real: { ...realTime, after: (_ms, callback) => realTime.after(0, callback) },
    transport: {
      async post() {
        state.posted += 1;
        // The disk fills up while the attempt is on its way.
        state.isFull = true;
        return {
          statusCode: 204,
          error: null,
          timedOut: false,
          responseBody: "",
          responseHeaders: {},
          retryAfterMs: null,
          durationMs: 1,
        };
      },
      abort: () => undefined,
      close: () => undefined,
    },
  });
  return { worker, state, errors, attempts };
}

const drain = (worker: DeliveryWorker) => worker.drain(new AdvanceWait(realTime, 0), new AbortController().signal);

it("is written to again and again until there is room: the attempt is recorded and not sent a second time", async () => {
  const { worker, state, errors, attempts } = setUp();
  worker.pump();
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(2), PATIENCE);
  expect(errors).toContain("the outcome of delivery wd_one could not be written; it is tried again in 100 ms");
  expect([state.status, attempts.length]).toEqual(["PROCESSING", 0]);
  state.isFull = false;
  await drain(worker);
  expect([state.status, state.posted]).toEqual(["DELIVERED", 1]);
  expect(attempts).toMatchObject([{ status: "DELIVERED", attempt: 1 }]);
  await worker.stop();
});

it("has its due deliveries looked for again, and does not keep a journey of the clock waiting", async () => {
  const { worker, state, errors } = setUp();
  state.isFull = true;
  await expect(drain(worker)).rejects.toThrow("disk is full");
  expect(errors[0]).toBe("due deliveries could not be read; they are looked for again in a second");
  state.isFull = false;
  await vi.waitFor(() => expect(state.posted).toBe(1), PATIENCE);
  state.isFull = false;
  await vi.waitFor(() => expect(state.status).toBe("DELIVERED"), PATIENCE);
  await worker.stop();
});
