import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/service/delivery/attempt.js";
import { attemptsOf, chanceRuntime, setChaos } from "../../support/chaos.js";
import { ownEmulator, ownFolder, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, deliveries, settle, subscribe } from "../../support/webhooks.js";

/** Deliveries that are held back until a later one has overtaken them. */

const chance = chanceRuntime();
const emulator = sharedEmulator({ frozen: true, runtime: chance });
const receiver = sharedReceiver();
const other = sharedReceiver();
let attempts: Attempt[];

beforeAll(() => {
  attempts = attemptsOf(emulator);
});
afterEach(async () => {
  await emulator.sandbox("/reset");
  receiver.respond = null;
  for (const kept of [receiver.replies, receiver.received, other.received, chance.draws, attempts]) kept.length = 0;
});

const listen = (url = receiver.url) => subscribe(emulator, url, ["charge.created"]);

/** Creates charges one after another; what is due leaves before the next one. Answers their ids. */
async function charges(count: number, on = emulator): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push((await on.charge()).id);
    await settle(on);
  }
  return ids;
}

/** By their place in `ids`, in order of arrival. */
function order(ids: readonly string[], at = receiver): number[] {
  return at.received.map(({ body }) => ids.indexOf(body.data.object.id) + 1);
}

describe("reorder", () => {
  it("lets each delivery that it holds back be overtaken by the next one", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1 });
    const ids = await charges(6);
    expect(order(ids)).toEqual([2, 1, 4, 3, 6, 5]);
    expect(attempts.map(({ attempt, chaos }) => [attempt, ...chaos])).toEqual(
      [1, 2, 3].flatMap(() => [[1], [1, "reorder"]]),
    );
  });

  it("comes with its probability", async () => {
    await listen();
    await setChaos(emulator, { reorder: 0.5 });
    chance.draws.push(0.5, 0.4, 0.6, 0.1);
    const ids = await charges(6);
    expect(order(ids)).toEqual([1, 3, 2, 4, 6, 5]);
  });

  it("holds nothing back for longer than 30 seconds", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1 });
    await charges(1);
    await advance(emulator, 29.999);
    expect(await deliveries(emulator)).toMatchObject([{ status: "PENDING", attempts: 0, nextRetryAt: null }]);
    expect(receiver.received).toEqual([]);
    await advance(emulator, 0.001);
    expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
    expect(attempts).toMatchObject([{ chaos: ["reorder"] }]);
  });

  it("changes the order of events that become due at once", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1, delay_ms: 1_000 });
    const ids: string[] = [];
    for (let index = 0; index < 2; index++) ids.push((await emulator.charge()).id);
    await advance(emulator, 1);
    expect(order(ids)).toEqual([2, 1]);
    expect(attempts.map(({ chaos }) => chaos)).toEqual([["delay_ms"], ["delay_ms", "reorder"]]);
  });

  it("looks at each endpoint by itself", async () => {
    await listen();
    await listen(other.url);
    await setChaos(emulator, { reorder: 0.5 });
    chance.draws.push(0.1, 0.9, 0.9);
    const ids = await charges(2);
    expect([order(ids), order(ids, other)]).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  it("counts a later one as sent whatever is answered", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1 });
    receiver.replies.push({ status: 500 });
    expect(order(await charges(2))).toEqual([2, 1]);
  });

  it("leaves retries to their schedule", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1 });
    receiver.replies.push({ status: 500 }, { status: 500 });
    await charges(1);
    await advance(emulator, 30);
    await advance(emulator, 10);
    await advance(emulator, 19.999);
    expect(receiver.received).toHaveLength(2);
    await advance(emulator, 0.001);
    expect(attempts.map(({ attempt, chaos }) => [attempt, ...chaos])).toEqual([[1, "reorder"], [2], [3]]);
  });

  it("waits for a later one, not for the retry of an earlier one", async () => {
    await listen();
    receiver.replies.push({ status: 500 });
    const ids = await charges(1);
    await setChaos(emulator, { reorder: 1 });
    ids.push(...(await charges(1)));
    await advance(emulator, 10);
    expect(order(ids)).toEqual([1, 1]);
    ids.push(...(await charges(1)));
    expect(order(ids)).toEqual([1, 1, 3, 2]);
  });

  it("that is turned off holds back nothing more, and lets what it held be overtaken still", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1 });
    const ids = await charges(1);
    await setChaos(emulator, { reorder: 0 });
    ids.push(...(await charges(2)));
    expect(order(ids)).toEqual([2, 1, 3]);
  });

  it("does not bring back what was cancelled with its endpoint", async () => {
    const { id } = await listen();
    await setChaos(emulator, { reorder: 1 });
    await charges(1);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
    await advance(emulator, 60);
    expect(receiver.received).toEqual([]);
    expect(await deliveries(emulator)).toMatchObject([{ status: "CANCELLED" }]);
  });

  it("waits with its endpoint while that is INACTIVE", async () => {
    const { id } = await listen();
    const change = (status: string) => emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { status } });
    await setChaos(emulator, { reorder: 1 });
    await charges(1);
    await change("INACTIVE");
    await advance(emulator, 3_600);
    expect(receiver.received).toEqual([]);
    await change("ACTIVE");
    await settle(emulator);
    expect(receiver.received).toHaveLength(1);
  });

  it("leaves nothing behind for the deliveries after a reset", async () => {
    await listen();
    await setChaos(emulator, { reorder: 1 });
    await charges(1);
    await emulator.sandbox("/reset");
    await listen();
    const ids = await charges(3);
    expect(order(ids)).toEqual([1, 2, 3]);
  });
});

it("a restart turns chaos off, and what was put off leaves at its time", async () => {
  const folder = ownFolder();
  const open = () => ownEmulator({ frozen: true, db: folder.db, testKey: "qa_test_chaos-restart" });
  const first = await open();
  await subscribe(first, receiver.url, ["charge.created"]);
  await setChaos(first, { reorder: 1 });
  const ids = await charges(1, first);
  await first.close();
  const second = await open();
  expect(await setChaos(second)).toMatchObject({ reorder: 0 });
  ids.push(...(await charges(1, second)));
  expect(order(ids)).toEqual([2]);
  await advance(second, 30);
  expect(order(ids)).toEqual([2, 1]);
});
