import { afterEach, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { ownReceiver, sharedEmulator } from "../../support/shared.js";
import { type LiveStream, openStream } from "../../support/stream.js";
import { settle, subscribe } from "../../support/webhooks.js";

/**
 * The stream of everything: its messages, its readers, and readers that reconnect. Slow readers: slow-readers.test.ts.
 */

const emulator = sharedEmulator({ frozen: true });
const streams: LiveStream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await emulator.sandbox("/reset");
});

async function open(lastId = "", key = emulator.key): Promise<LiveStream> {
  const stream = await openStream(emulator, "/_sandbox/stream", key, lastId);
  streams.push(stream);
  return stream;
}

/** The messages up to the first one of this kind. */
async function upTo(stream: LiveStream, event: string): Promise<Loose[]> {
  const messages: Loose[] = [];
  do messages.push(await stream.next());
  while (messages.at(-1) !== null && messages.at(-1).event !== event);
  return messages;
}

const find = (messages: Loose[], event: string) => messages.find((message) => message.event === event)?.data;
const numberOf = (id: string) => Number(id.split(":")[1]);

describe("the stream of everything", () => {
  it("sends requests, moves, events and due work with their ids and changes, each under the next id", async () => {
    const stream = await open();
    expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const { id } = await emulator.charge();
    const messages = await upTo(stream, "request");
    const raw = id.slice(3);
    const { now } = await emulator.sandbox("/clock");
    const [entry] = (await emulator.sandbox("/requests?limit=1")).data;
    expect(find(messages, "request")).toEqual({
      ...{ number: entry.number, id: entry.id, at: now, method: "POST", path: "/v1/charges", status: 201 },
      ...{ duration_ms: entry.duration_ms, caller: "node", subject: id, idempotency: "new", code: null, fault: null },
    });
    expect(find(messages, "transaction")).toMatchObject({
      ...{ id: `tx_${raw}`, at: now, move: "create", to: "WAITING_PAYMENT" },
      ...{ cause: "request POST /v1/charges", request: entry.number },
    });
    expect(find(messages, "event")).toMatchObject({
      type: "charge.created",
      at: now,
      id: expect.stringMatching(/^evt_/),
    });
    expect(find(messages, "due")).toMatchObject({ subject: raw, at: expect.stringMatching(/Z$/) });
    const numbers = messages.map((message) => numberOf(message.id));
    expect(numbers).toEqual(numbers.map((_number, index) => (numbers[0] ?? 0) + index));
  });

  it("sends deliveries, cases and mail", async () => {
    const receiver = await ownReceiver();
    await subscribe(emulator, receiver.url, ["med_case.created"]);
    const stream = await open();
    const { id } = await openCase(emulator);
    await settle(emulator);
    const messages = await upTo(stream, "attempt");
    expect(find(messages, "case")).toMatchObject({ id, move: "create" });
    expect(find(messages, "mail")).toMatchObject({
      kind: "MED opened",
      case_id: id,
      id: expect.stringMatching(/^em_/),
    });
    const { id: delivery } = find(messages, "sending");
    expect(find(messages, "attempt")).toMatchObject({
      id: delivery,
      attempt: 1,
      status: "DELIVERED",
      status_code: 204,
    });
  });

  it("sends each movement of money once it is posted, in the form of the list of journals", async () => {
    const { id } = await emulator.charge();
    const payout = await emulator.sandbox("/payouts", { amount: 700 });
    const stream = await open();
    await emulator.sandbox(`/charges/${id}/pay`);
    await emulator.sandbox(`/payouts/${payout.id}/fail`);
    await emulator.charge();
    const messages = await upTo(stream, "request");
    const told = messages.filter(({ event }) => event === "journal").map(({ data }) => data);
    const { data: journals } = await emulator.sandbox("/ledger/journals?limit=2");
    expect(told).toEqual([...journals].reverse());
    expect(told.map(({ kind, reference }) => [kind, reference])).toEqual([
      ["settlement", id],
      ["payout_release", payout.id],
    ]);
  });

  it("sends changes of the emulator itself: clock, faults, chaos and snapshots", async () => {
    const stream = await open();
    const told = async () => {
      const message = await stream.next();
      return [message?.event, message?.data];
    };
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    expect(await told()).toEqual(["clock", expect.objectContaining({ move: "advance" })]);
    const { now } = await emulator.sandbox("/clock");
    expect(await told()).toEqual(["clock", { at: now, move: "reached" }]);
    const rule = await emulator.sandbox("/faults", { match: {}, effect: { status: 503 }, times: 1 });
    expect(await told()).toEqual(["fault", { id: rule.id, change: "added" }]);
    await emulator.call("DELETE", `/_sandbox/faults/${rule.id}`);
    expect(await told()).toEqual(["fault", { id: rule.id, change: "removed" }]);
    await emulator.sandbox("/webhooks/chaos", {});
    await emulator.sandbox("/webhooks/chaos", { duplicate: 0.5 });
    expect(await told()).toEqual(["chaos", expect.objectContaining({ duplicate: 0.5, reorder: 0 })]);
    await emulator.sandbox("/snapshots", { name: "told" });
    expect(await told()).toEqual(["snapshot", { name: "told", change: "saved" }]);
  });

  it("has the messages of its own account and mode, and those that all accounts share", async () => {
    const stream = await open("", emulator.live);
    await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 1 });
    await emulator.charge({}, { key: emulator.live });
    const [clock, ...messages] = await upTo(stream, "request");
    expect(clock.event).toBe("clock");
    expect(find(messages, "request").subject).toBe(
      (await emulator.sandbox("/requests", undefined, { key: emulator.live })).data[0].subject,
    );
  });

  it("has no key, secret or body", async () => {
    const stream = await open();
    const { secret } = await subscribe(emulator, "http://127.0.0.1:9/", ["charge.created"]);
    await emulator.charge({ description: `paid with ${emulator.key}` }, { headers: { "x-request-id": emulator.key } });
    await settle(emulator);
    const text = JSON.stringify(await upTo(stream, "attempt"));
    for (const hidden of [emulator.key, secret, "paid with"]) expect(text).not.toContain(hidden);
  });
});

describe("a reader that comes back", () => {
  it("misses nothing after its last id, even when it has received no message yet", async () => {
    const first = await open();
    const watcher = await open();
    await emulator.charge();
    const seen = await upTo(first, "request");
    first.close();
    for (let n = 0; n < 3; n++) await emulator.charge();
    await upTo(watcher, "request");
    const expected = [
      ...(await upTo(watcher, "request")),
      ...(await upTo(watcher, "request")),
      ...(await upTo(watcher, "request")),
    ];
    const again = await open(seen.at(-1).id);
    for (const message of expected) expect(await again.next()).toEqual(message);
    const fromTheStart = await open(`${seen[0].id.split(":")[0]}:${numberOf(seen[0].id) - 1}`);
    for (const message of [...seen, ...expected]) expect(await fromTheStart.next()).toEqual(message);
  });

  it.each(["another-start:1", "nonsense", ":", "BOOT:999999999", "BOOT:1:1", "BOOT:x"])(
    "receives resync when its last id is %s",
    async (given) => {
      const stream = await open();
      await emulator.charge();
      const [message] = await upTo(stream, "request");
      const again = await open(given.replace("BOOT", message.id.split(":")[0]));
      const resync = await again.next();
      expect(resync).toMatchObject({
        event: "resync",
        data: { reason: expect.stringMatching(/^(unknown_id|missed)$/) },
      });
      await emulator.call("GET", "/v1/wallets");
      const next = await again.next();
      expect([next?.event, numberOf(next?.id ?? "")]).toEqual(["request", numberOf(resync?.id ?? "") + 1]);
    },
  );
});

it("a reset and a restore send resync to every reader, also to one that comes back later", async () => {
  const stream = await open();
  await emulator.sandbox("/snapshots", { name: "before" });
  const [saved] = await upTo(stream, "snapshot");
  for (const [path, method] of [
    ["/reset", "POST"],
    ["/snapshots/before/restore", "POST"],
  ] as const) {
    expect((await emulator.call(method, `/_sandbox${path}`)).status).toBeLessThan(300);
    expect((await upTo(stream, "resync")).at(-1).data).toEqual({ reason: "replaced" });
  }
  expect(await (await open(saved.id)).next()).toMatchObject({ event: "resync" });
});

it("the latest messages as JSON are answered to a client that accepts JSON only, newest first", async () => {
  const stream = await open();
  await emulator.charge();
  const messages = await upTo(stream, "request");
  const { body } = await emulator.call("GET", "/_sandbox/stream", { headers: { accept: "application/json" } });
  expect(body.data.slice(0, messages.length)).toEqual(messages.reverse());
});
