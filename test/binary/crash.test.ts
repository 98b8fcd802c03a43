import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, newPlace, type Place, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { type Receiver, startReceiver } from "../support/receiver.js";

/** What the client was promised before the server died. */
interface Acknowledged {
  readonly key: string;
  readonly amount: number;
  readonly charge: Loose;
  /** The charge as the payment's answer showed it. */
  paid?: Loose;
}

const ROUNDS = 12;
const CLIENTS = 8;

/** A small generator (mulberry32): a failing run is tried again by its seed, as nearly as concurrency lets it. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let place: Place;
let receiver: Receiver;
let server: Server | null = null;

beforeEach(async () => {
  place = newPlace();
  receiver = await startReceiver();
});

afterEach(async () => {
  server?.signal("SIGKILL");
  await server?.ended;
  await receiver.close();
  place.remove();
});

async function create(url: string, apikey: string, key: string, amount: number): Promise<Response> {
  return fetch(`${url}/v1/charges`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ amount, payment_method: "pix", metadata: { key } }),
  });
}

/** Clients that create charges, and pay some, until the server is gone; `count` grows with every answer. */
async function load(url: string, apikey: string, round: number, random: () => number, onAnswer: () => void) {
  const acknowledged: Acknowledged[] = [];
  let alive = true;
  let next = 0;
  async function client(): Promise<void> {
    while (alive) {
      const key = `crash-${round}-${String(next++).padStart(6, "0")}`;
      const amount = 1 + Math.floor(random() * 10_000);
      const pays = random() < 0.4;
      const answer = await create(url, apikey, key, amount);
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
      const one: Acknowledged = { key, amount, charge: await answer.json() };
      acknowledged.push(one);
      onAnswer();
      if (!pays) continue;
      const payment = await ask({ url }, apikey, "POST", `/_sandbox/charges/${one.charge.id}/pay`, {});
      if (payment.body.outcome === "paid") one.paid = payment.body.charge;
      onAnswer();
    }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: CLIENTS }, () =>
      client().finally(() => {
        alive = false;
      }),
    ),
  );
  // A connection that breaks is what killing means; an answer that is wrong is not.
  for (const end of ends) {
    if (end.status === "rejected" && !/fetch failed|terminated/.test(String(end.reason?.message))) throw end.reason;
  }
  return acknowledged;
}

async function checkCharge(url: string, apikey: string, one: Acknowledged): Promise<void> {
  const { body } = await ask({ url }, apikey, "GET", `/v1/charges/${one.charge.id}`);
  const here = (charge: Loose) => JSON.parse(JSON.stringify(charge).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ""));
  const status = body.status;
  if (one.paid !== undefined) expect(here(body)).toEqual(here(one.paid));
  // The payment may have been made durable without its answer having arrived.
  else if (status === "pending") expect(here(body)).toEqual(here(one.charge));
  else expect(status).toBe("paid");
  const replay = await create(url, apikey, one.key, one.amount);
  expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect(await replay.json()).toEqual(one.charge);
}

/** Every charge of the file, by its event: the charges that were never acknowledged are among them. */
async function everyEvent(url: string, apikey: string, type: string): Promise<Loose[]> {
  const found: Loose[] = [];
  let after = "";
  for (;;) {
    const { body } = await ask({ url }, apikey, "GET", `/_sandbox/events?limit=100&type=${type}${after}`);
    found.push(...body.data);
    if (body.next_cursor === null) return found;
    after = `&after=${body.next_cursor}`;
  }
}

function receivedIds(type: string): Map<string, Set<string>> {
  const byCharge = new Map<string, Set<string>>();
  for (const request of receiver.received) {
    if (request.type !== type) continue;
    const { id } = request.body.data.object;
    byCharge.set(id, (byCharge.get(id) ?? new Set()).add(request.body.id));
  }
  return byCharge;
}

async function checkBooks(url: string, apikey: string): Promise<void> {
  const paid = await everyEvent(url, apikey, "charge.paid");
  const sum = paid.reduce((total, event) => total + event.payload.data.object.amount, 0);
  const { body } = await ask({ url }, apikey, "GET", "/v1/wallets/balance");
  expect(body.available).toBe(sum);
  expect(new Set(paid.map(({ subject }) => subject)).size).toBe(paid.length);
}

async function checkEvents(url: string, apikey: string, all: readonly Acknowledged[]): Promise<void> {
  await ask({ url }, apikey, "POST", "/_sandbox/clock/advance", { seconds: 120 });
  const [created, paid] = [receivedIds("charge.created"), receivedIds("charge.paid")];
  for (const one of all) {
    expect(created.get(one.charge.id)?.size).toBe(1);
    if (one.paid !== undefined) expect(paid.get(one.charge.id)?.size).toBe(1);
  }
  const keys = (await everyEvent(url, apikey, "charge.created")).map(({ payload }) => payload.data.object.metadata.key);
  expect(new Set(keys).size).toBe(keys.length);
  const { body } = await ask({ url }, apikey, "GET", "/v1/webhooks/stats");
  expect(body).toMatchObject({ total: body.DELIVERED, PENDING: 0, PROCESSING: 0, FAILED: 0, CANCELLED: 0 });
}

describe("kill -9 in the midst of concurrent creates, payments and deliveries", () => {
  it("loses nothing that was acknowledged", { timeout: 60_000 }, async () => {
    const seed = Number(process.env.QA_PAY_CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const random = randomFrom(seed);
    const args = [
      "--forward-to",
      receiver.url,
      "--events",
      "charge.created,charge.paid",
      "--test-key",
      "qa_test_crash-run",
    ];
    // Some attempts fail, so that retries are in the outbox too when the server dies.
    receiver.respond = () => ({ status: random() < 0.1 ? 500 : 204 });
    const all: Acknowledged[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const current = await serve(place, args);
        server = current;
        let left = 1 + Math.floor(random() * 150);
        const made = await load(current.url, "qa_test_crash-run", round, random, () => {
          left -= 1;
          if (left === 0) current.signal("SIGKILL");
        });
        await current.ended;
        all.push(...made);
      }
      receiver.respond = null;
      server = await serve(place, args);
      expect(all.length).toBeGreaterThan(ROUNDS);
      const { url } = server;
      for (const one of all) await checkCharge(url, "qa_test_crash-run", one);
      await checkEvents(url, "qa_test_crash-run", all);
      await checkBooks(url, "qa_test_crash-run");
    } catch (reason) {
      throw new Error(`with QA_PAY_CRASH_SEED=${seed}: ${String(reason)}`, { cause: reason });
    }
  });
});
