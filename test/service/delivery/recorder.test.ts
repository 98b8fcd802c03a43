import { expect, it } from "vitest";
import type { UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { type FinishedAttempt, Recorder } from "../../../src/service/delivery/recorder.js";
import type { Tx } from "../../../src/service/features/tx.js";
import { Chaos } from "../../../src/service/features/webhooks/chaos.js";
import type { WebhookStore } from "../../../src/service/features/webhooks/store.js";

const LOG = { warn: () => undefined, error: () => undefined };

/** A recorder over units of work that run at the end of the turn, and that undo what they wrote when they fail. */
function setUp() {
  const rows: string[] = [];
  const units: number[] = [];
  const state = { isFull: false };
  const tx = { now: 0, notify: { delivery: () => undefined }, history: { last: () => 1 } } as unknown as Tx;
  const uow: Pick<UnitOfWork<Tx>, "writeOnce"> = {
    async writeOnce(work) {
      await Promise.resolve();
      if (state.isFull) throw new Error("database or disk is full");
      const before = rows.length;
      try {
        const result = work(tx);
        units.push(rows.length - before);
        return result;
      } catch (reason) {
        rows.length = before;
        throw reason;
      }
    },
  };
  const webhooks = {
    settleAttempt: () => 1,
    insertAttempt(_row: unknown, id: string) {
      if (id === "broken") throw new Error("this row does not fit");
      rows.push(id);
      return 1;
    },
  } as unknown as WebhookStore;
  const { random } = createRuntime(LOG);
  const recorder = new Recorder({ uow, webhooks, chaos: new Chaos(() => random), retryBaseMs: 1 }, (one) => one === 1);
  return { recorder, rows, units, state };
}

function ended(id: string, generation = 1): FinishedAttempt {
  const delivery = { seq: 1, id, attempts: 0, max_attempts: 15 };
  const request = { delivery, url: "http://127.0.0.1:9/", signature: "s", userAgent: "test", sentAt: 0, chaos: [] };
  const result = { statusCode: 204, error: null, timedOut: false, responseBody: "", responseHeaders: {} };
  return {
    request,
    result: { ...result, retryAfterMs: null, durationMs: 1 },
    generation,
  } as unknown as FinishedAttempt;
}

it("records the attempts that end in one turn in one unit of work, in their order", async () => {
  const { recorder, rows, units } = setUp();
  const recorded = await Promise.all(["a", "b", "c"].map((id) => recorder.together(ended(id))));
  expect(recorded.map((one) => one?.status)).toEqual(["DELIVERED", "DELIVERED", "DELIVERED"]);
  await recorder.together(ended("d"));
  expect(rows).toEqual(["a", "b", "c", "d"]);
  expect(units).toEqual([3, 1]);
});

it("reports every attempt of a group whose unit failed, and each can be recorded alone", async () => {
  const { recorder, rows } = setUp();
  const group = ["a", "broken", "c"].map((id) => recorder.together(ended(id)));
  const outcomes = await Promise.allSettled(group);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(rows).toEqual([]);
  expect(await recorder.alone(ended("a"))).toMatchObject({ attempt: 1, status: "DELIVERED" });
  await expect(recorder.alone(ended("broken"))).rejects.toThrow("does not fit");
  expect(rows).toEqual(["a"]);
});

it("reports the attempts of a group for which no transaction could begin, and continues after that", async () => {
  const { recorder, rows, state } = setUp();
  state.isFull = true;
  const outcomes = await Promise.allSettled(["a", "b"].map((id) => recorder.together(ended(id))));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  state.isFull = false;
  await recorder.together(ended("c"));
  expect(rows).toEqual(["c"]);
});

it("records nothing of an attempt whose deliveries were replaced", async () => {
  const { recorder, rows } = setUp();
  expect(await Promise.all([recorder.together(ended("old", 0)), recorder.together(ended("new"))])).toMatchObject([
    null,
    { status: "DELIVERED" },
  ]);
  expect(rows).toEqual(["new"]);
});
