import { readdirSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { inspectDatabase } from "../../../src/base/db/inspect.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { bearer, issue, tokenOf } from "../../support/access.js";
import { freshKey, type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { act, addEvidence, caseIn, openCase } from "../../support/med.js";
import { payment, REQUESTS } from "../../support/payments.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { closeAfterwards, fresh, freshReceiver } from "../../support/shared.js";
import { asSaved, contentsOf, restore, save, snapshotFile } from "../../support/snapshots.js";
import { openStream } from "../../support/stream.js";
import { advance, deliveries, settle, subscribe } from "../../support/webhooks.js";

/** A snapshot holds everything, and a restore brings everything back. */

const folder = fresh(newFolder);
const receiver = freshReceiver();
let emulator: TestEmulator;
const start = closeAfterwards((options: EmulatorOptions = {}) => startEmulator({ frozen: true, ...options }));

const pay = (id: string, body: object = {}) => emulator.sandbox(`/charges/${id}/pay`, body);

/** Makes objects in every state and rows in every table. */
async function fill(): Promise<void> {
  receiver.respond = ({ type }) => ({ status: type === "charge.paid" ? 503 : 204 });
  await subscribe(emulator, receiver.url, ["charge.created", "charge.paid", "payment.completed"]);
  await emulator.charge({ description: "pending", expires_in: 600 });
  await emulator.charge({ metadata: { _sandbox: { pay_after: 90 } } });
  await emulator.charge({ metadata: { _sandbox: { fail: "AC06" } } });
  const charges: Loose[] = [];
  for (let n = 0; n < 4; n++) charges.push(await emulator.charge({ customer: { name: `Maria ${n}` } }));
  const [paid, expired, held, mismatched] = charges.map(({ id }) => id);
  await pay(paid);
  await emulator.sandbox(`/charges/${expired}/expire`);
  await pay(held, { payer_document: null });
  await pay(mismatched, { amount: 1 });
  await emulator.charge({}, { key: emulator.live });
  const cancelled = await payment(emulator, REQUESTS.BOLETO);
  await emulator.call("POST", `/v1/payments/${cancelled.id}/cancel`);
  await paidPayment(emulator, REQUESTS.CREDIT_CARD);
  await refund(emulator, (await paidPayment(emulator)).id, { amount: 500 });
  const done = await refund(emulator, (await paidPayment(emulator)).id);
  await emulator.sandbox(`/refunds/${done.id}/advance`, { to: "REFUNDED" });
  const contested = await openCase(emulator, { method: "scam" });
  await addEvidence(emulator, contested.id);
  await act(emulator, contested.id, "appeal");
  await caseIn(emulator, "closed");
  await emulator.sandbox("/payouts", { amount: 100 });
  await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
  const token = await tokenOf(emulator);
  const { id } = await issue(emulator, token, { label: "ci" });
  await emulator.call("DELETE", `/v1/api-keys/${id}`, bearer(token));
  await emulator.call("POST", "/v1/auth/logout", bearer(token));
  await settle(emulator);
}

/** Makes every kind of change that can happen after a snapshot. */
async function spoil(): Promise<void> {
  const { data } = await emulator.call("GET", "/v1/payments?limit=100").then(({ body }) => body);
  for (const { id, status } of data) if (status === "PENDING") await pay(id);
  await advance(emulator, 86_400);
  await emulator.sandbox("/clock/resume");
  await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Third" } });
  await openCase(emulator);
  await emulator.sandbox("/reset");
  await emulator.charge();
  await settle(emulator);
}

/** The contents without the restore itself, which must be the last row of the history. */
function withoutRestore(contents: ReturnType<typeof contentsOf>) {
  expect(contents.rows.history?.at(-1)).toContain("restore");
  return asSaved(contents);
}

describe("a restore brings everything back", () => {
  it("row by row, with the schema as it was", async () => {
    emulator = await start({ db: folder.db, settlementHoldMs: 3_600_000 });
    await fill();
    const before = contentsOf(folder.db);
    // An empty table would prove nothing.
    const empty = Object.entries(before.rows).flatMap(([table, rows]) => (rows.length === 0 ? [table] : []));
    expect(empty).toEqual([]);
    await save(emulator, "full");
    await spoil();
    expect(contentsOf(folder.db).rows).not.toEqual(before.rows);
    await restore(emulator, "full");
    expect(withoutRestore(contentsOf(folder.db))).toEqual(before);
    expect(inspectDatabase(folder.db)).toMatchObject({ damage: null, ledger: null });
  });

  it("for a database in memory too, as far as requests can show", async () => {
    emulator = await start();
    await fill();
    await save(emulator, "full");
    const before = await everythingAsked();
    await spoil();
    expect(await everythingAsked()).not.toEqual(before);
    await restore(emulator, "full");
    expect(await everythingAsked()).toEqual(before);
  });
});

async function everythingAsked(): Promise<Loose[]> {
  const paths = [
    ...["/v1/payments?limit=100", "/v1/payments/stats", "/v1/payments/metrics", "/v1/wallets", "/v1/med/cases"],
    ...["/v1/webhooks/endpoints", "/v1/webhooks/deliveries?limit=100", "/_sandbox/events?limit=100"],
    ...["/_sandbox/emails?limit=100", "/_sandbox/audit", "/_sandbox/clock", "/_sandbox/account"],
  ];
  const answers: Loose[] = [];
  for (const key of [emulator.key, emulator.live]) {
    for (const path of paths) answers.push((await emulator.call("GET", path, { key })).body);
  }
  return answers;
}

it("a clock that was running when the snapshot was saved keeps up with real time, as over a restart: work that became due meanwhile is done at once", async () => {
  const runtime = createRuntime({ warn: () => undefined, error: () => undefined });
  let later = 0;
  const real = { ...runtime.real, epoch: () => runtime.real.epoch() + later };
  emulator = await start({ frozen: false, runtime: { ...runtime, real } });
  const { id } = await emulator.charge({ expires_in: 600 });
  await save(emulator, "running");
  await advance(emulator, 500);
  await emulator.sandbox("/clock/freeze");
  await restore(emulator, "running");
  const { now, frozen } = await emulator.sandbox("/clock");
  expect([frozen, Math.abs(Date.parse(now) - Date.now()) < 60_000]).toEqual([false, true]);
  const stream = await openStream(emulator, "/_sandbox/events?type=charge.expired");
  later = 86_400_000;
  await restore(emulator, "running");
  expect((await stream.next())?.data.payload.data.object.id).toBe(id);
  stream.close();
});

/** Holds every request to the receiver until the test says how to answer it. */
function holdBack(): () => Promise<(status: number) => void> {
  const arrived: ((status: number) => void)[] = [];
  const waiting: (() => void)[] = [];
  receiver.respond = () =>
    new Promise((resolve) => {
      arrived.push((status) => resolve({ status }));
      waiting.shift()?.();
    });
  return async () => {
    if (arrived.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const answer = arrived.shift();
    if (answer === undefined) throw new Error("nothing has arrived");
    return answer;
  };
}

describe("a delivery that is being sent", () => {
  beforeEach(async () => {
    emulator = await start({ db: folder.db });
    await subscribe(emulator, receiver.url, ["charge.created"]);
  });

  it("at the time of the snapshot is sent again after a restore; an answer from before does not count", async () => {
    const next = holdBack();
    await emulator.charge();
    const first = await next();
    await save(emulator, "sending");
    await restore(emulator, "sending");
    const second = await next();
    first(500);
    second(204);
    await settle(emulator);
    expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 1, lastStatusCode: 204 }]);
    expect(contentsOf(folder.db).rows.delivery_attempts).toHaveLength(1);
  });

  it("at the time of a restore does not delay the restore", async () => {
    await save(emulator, "quiet");
    const next = holdBack();
    await emulator.charge();
    const answer = await next();
    await restore(emulator, "quiet");
    // Otherwise this would return only when the receiver's thirty seconds are over.
    await settle(emulator);
    answer(204);
    await settle(emulator);
    const { deliveries: left, delivery_attempts: attempts } = contentsOf(folder.db).rows;
    expect([left, attempts]).toEqual([[], []]);
  });
});

it("a snapshot that is taken or restored while others write contains each change completely or not at all", async () => {
  emulator = await start({ db: folder.db });
  let isOver = false;
  const statuses = new Set<number>();
  async function customer(): Promise<void> {
    while (!isOver) {
      const headers = { "idempotency-key": freshKey() };
      const body = { amount: 100, payment_method: "pix" };
      const made = await emulator.call("POST", "/v1/charges", { body, headers });
      statuses.add(made.status);
      // The restore may have removed the charge.
      statuses.add((await emulator.call("POST", `/_sandbox/charges/${made.body.id}/pay`)).status);
    }
  }
  const customers = Array.from({ length: 6 }, customer);
  for (let round = 0; round < 4; round++) {
    await save(emulator, `round-${round}`);
    await emulator.charge();
    await save(emulator, `later-${round}`);
    await restore(emulator, `round-${round}`);
  }
  isOver = true;
  await Promise.all(customers);
  expect([...statuses].filter((status) => ![200, 201, 404].includes(status))).toEqual([]);
  const files = readdirSync(`${folder.db}.snapshots`).map((name) => name.replace(/\.db$/, ""));
  expect(files).toHaveLength(8);
  for (const file of [folder.db, ...files.map((name) => snapshotFile(folder.db, name))]) {
    expect(inspectDatabase(file)).toMatchObject({ damage: null, ledger: null });
    const { transactions = [], events = [], idempotency_keys: keys = [] } = contentsOf(file).rows;
    // A charge has two events and its idempotency key; its payment has three more events.
    const paid = countPaid(file) * 3;
    expect([keys.length, events.length]).toEqual([transactions.length, transactions.length * 2 + paid]);
  }
});

function countPaid(file: string): number {
  return (contentsOf(file).rows.transactions ?? []).filter((row) => row.includes("PAID")).length;
}
