import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { createRuntime } from "../../../../src/base/platform/real-runtime.js";
import { createBackground } from "../../../../src/programs/start/background.js";
import { type Core, createCore } from "../../../../src/programs/start/core.js";
import { readPayload } from "../../../../src/service/features/jobs/kinds.js";
import { completeSettings } from "../../../../src/service/features/read-settings.js";
import type { Tx } from "../../../../src/service/features/tx.js";
import { fresh } from "../../../support/shared.js";

/** Due work as it is stored: by a kind, with a payload whose form the kind decides. */

describe("a stored payload", () => {
  it("is read as it was written", () => {
    expect(readPayload("refund.advance", '{"from":"PENDING"}')).toEqual({ from: "PENDING" });
    const payment = { amount: 5, payerName: "Ana", payerDocument: null, method: "PIX" };
    expect(readPayload("transaction.pay", JSON.stringify(payment))).toEqual(payment);
    expect(readPayload("transaction.pay", "{}")).toEqual({});
    expect(readPayload("wallet.release", "{}")).toEqual({});
  });

  it.each([
    ["a state that refunds do not have", '{"from":"GONE"}'],
    ["no state", "{}"],
    ["no JSON", "{"],
  ])("is refused with %s", (_what, payload) => {
    expect(() => readPayload("refund.advance", payload)).toThrow();
  });
});

describe("a job of a kind or payload that this version does not know", () => {
  const database = fresh(() => openDatabase(":memory:"));
  let core: Core;
  let errors: string[];

  beforeEach(() => {
    errors = [];
    core = createCore(
      database,
      createRuntime({ warn: () => undefined, error: (text) => errors.push(text) }),
      completeSettings({}),
    );
  });

  it.each([
    ["a kind", "moon.rise", "{}"],
    ["a name that every object has", "toString", "{}"],
    ["a payload", "refund.advance", '{"from":"GONE"}'],
  ])("is abandoned after five tries: %s", async (_what, kind, payload) => {
    const { uow, clock, stores } = core;
    await uow.write((tx) => clock.freezeAt(1_000, tx));
    const add = database.db.prepare(
      "INSERT INTO jobs (due_at, subject, kind, payload, failures, book_id, history_seq) VALUES (1000, 's', ?, ?, 0, 1, 1)",
    );
    add.run(kind, payload);
    await uow.write((tx: Tx) =>
      tx.schedule("transaction.expire", "nothing-there", { at: 2_000, bookId: 1, history: 1 }),
    );
    const { scheduler } = createBackground(core);
    await scheduler.advance(1_000 + 5 * 60_000);
    expect(errors).toEqual([
      ...Array.from({ length: 4 }, () => `job ${kind} of s failed, will try again`),
      `job ${kind} of s failed permanently`,
    ]);
    expect(stores.jobs.nextDue()).toBeNull();
  });
});

it("takes the payload of its kind, and only kinds that exist", () => {
  const later: Tx["schedule"] = () => undefined;
  const due = { at: 1, bookId: 1, history: 1 };
  later("refund.advance", "r", due, { from: "PENDING" });
  // @ts-expect-error a refund advances from a state
  later("refund.advance", "r", due);
  // @ts-expect-error there is no such state
  later("refund.advance", "r", due, { from: "GONE" });
  // @ts-expect-error there is no such kind
  later("refund.advanced", "r", due, {});
  // @ts-expect-error this kind has no payload
  later("wallet.release", "t", due, { from: "PENDING" });
  expect(later).toBeTypeOf("function");
});
