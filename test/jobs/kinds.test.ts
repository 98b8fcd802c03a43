import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/db/open.js";
import type { Tx } from "../../src/features/tx.js";
import { readPayload } from "../../src/jobs/kinds.js";
import { createBackground } from "../../src/service/background.js";
import { type Core, createCore } from "../../src/service/core.js";

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
  let database: OpenDatabase;
  let core: Core;
  let errors: string[];

  beforeEach(() => {
    database = openDatabase(":memory:");
    errors = [];
    core = createCore(database, { log: { warn: () => undefined, error: (text) => errors.push(text) } });
  });
  afterEach(() => database.close());

  it.each([
    ["a kind", "moon.rise", "{}"],
    ["a name that every object has", "toString", "{}"],
    ["a payload", "refund.advance", '{"from":"GONE"}'],
  ])("is given up after five tries: %s", async (_what, kind, payload) => {
    const { uow, clock, stores } = core;
    await uow.write((tx) => clock.freezeAt(1_000, tx));
    const add = database.db.prepare(
      "INSERT INTO jobs (due_at, subject, kind, payload, failures, book_id) VALUES (1000, 's', ?, ?, 0, 1)",
    );
    add.run(kind, payload);
    await uow.write((tx: Tx) => tx.later("transaction.expire", { book_id: 1, id: "nothing-there" }, 2_000));
    const { scheduler } = createBackground(core, {});
    await scheduler.advance(1_000 + 5 * 60_000);
    expect(errors).toEqual([
      ...Array.from({ length: 4 }, () => `job ${kind} of s failed, will try again`),
      `job ${kind} of s failed for good`,
    ]);
    expect(stores.jobs.nextDue()).toBeNull();
  });
});

it("takes the payload of its kind, and only kinds that exist", () => {
  const later: Tx["later"] = () => undefined;
  const subject = { book_id: 1, id: "r" };
  later("refund.advance", subject, 1, { from: "PENDING" });
  // @ts-expect-error a refund advances from a state
  later("refund.advance", subject, 1);
  // @ts-expect-error there is no such state
  later("refund.advance", subject, 1, { from: "GONE" });
  // @ts-expect-error there is no such kind
  later("refund.advanced", subject, 1, {});
  // @ts-expect-error this kind has no payload
  later("wallet.release", subject, 1, { from: "PENDING" });
  expect(later).toBeTypeOf("function");
});
