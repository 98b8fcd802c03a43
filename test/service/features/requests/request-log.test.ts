import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it } from "vitest";
import type { RequestEntry } from "../../../../src/service/features/requests/logged-request.js";
import { RequestLog } from "../../../../src/service/features/requests/request-log.js";
import { freshKey, type Loose } from "../../../support/emulator.js";
import { ownEmulator } from "../../../support/shared.js";

/** The requests that the log keeps, and their number. logs.test.ts tests how one request is shown. */

const KEPT = 2_000;
const LONGEST_BODY = 16_384;

let log: RequestLog;
let added: number;
let realTime = 0;

beforeEach(() => {
  log = new RequestLog(
    () => undefined,
    () => realTime,
  );
  added = 0;
});

/** Adds a request with its number as its status. */
function add(given: Partial<RequestEntry> = {}): void {
  added += 1;
  const texts = { id: `req_${added}`, path: "/v1/wallets", requestBody: "", responseBody: "" };
  const known = { bookId: 1, fingerprint: null, method: "GET", route: "/v1/wallets", status: added };
  const time = { durationMs: 1, at: 0, endedAt: realTime, historySeq: 0 };
  const nothing = { idempotencyKey: null, claim: null, idempotency: null, subject: null, caller: null, error: null };
  const callerKind = "app" as const;
  const headers = { requestHeaders: {}, responseHeaders: {} };
  const number = given.number ?? log.nextNumber();
  log.add({
    ...texts,
    ...known,
    ...time,
    ...nothing,
    callerKind,
    ...headers,
    secrets: [],
    fault: null,
    differs: null,
    trace: null,
    ...given,
    number,
  });
}

const search = (limit: number, after?: string) => log.search({ bookId: 1, limit, after, matches: () => true });

/** The numbers of all that is kept, newest first, read page by page. */
function kept(limit = 100): number[] {
  const found: number[] = [];
  let after: string | undefined;
  do {
    const page = search(limit, after);
    found.push(...page.data.map(({ status }) => status));
    expect(page.has_more).toBe(page.next_cursor !== null);
    after = page.next_cursor ?? undefined;
  } while (after !== undefined);
  return found;
}

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

/** Megabytes of the heap that are in use after garbage collection. */
function heapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1_048_576;
}

describe("the requests of the last seconds", () => {
  it("are those that ended then by real time, in the list and in the groups of errors", () => {
    const refused = { status: 400, error: { type: "invalid_request", code: "invalid_amount", param: null } };
    realTime = 0;
    add(refused);
    realTime = 60_000;
    add(refused);
    realTime = 90_000;
    add();
    const within = (withinSeconds: number) => ({ bookId: 1, withinSeconds, matches: () => true });
    const numbers = (seconds: number) =>
      log.search({ ...within(seconds), limit: 10, after: undefined }).data.map(({ number }) => number);
    expect(numbers(3_600)).toEqual([3, 2, 1]);
    expect(numbers(30)).toEqual([3, 2]);
    expect(numbers(29)).toEqual([3]);
    expect(log.errors(within(60))).toMatchObject([{ count: 1, last_number: 2 }]);
    realTime = 300_000;
    expect(numbers(60)).toEqual([]);
  });
});

describe("the number of requests", () => {
  it("is at most 2000: a new request replaces the oldest one", () => {
    for (let n = 0; n < KEPT; n++) add();
    expect(kept()).toEqual(down(KEPT, 1));
    for (let n = 0; n < 10; n++) add();
    expect(kept()).toEqual(down(KEPT + 10, 11));
    for (let n = 0; n < KEPT; n++) add();
    expect(kept(7)).toEqual(down(2 * KEPT + 10, KEPT + 11));
  });

  it("is smaller when the requests are large: together they take at most 32 MB", () => {
    const body = "x".repeat(LONGEST_BODY);
    for (let n = 0; n < KEPT; n++) add({ requestBody: body, responseBody: body });
    const large = kept().length;
    expect(large).toBeGreaterThan(400);
    expect(large * 2 * 2 * LONGEST_BODY).toBeLessThan(32 * 1_048_576);
    expect(kept()).toEqual(down(KEPT, KEPT - large + 1));
    for (let n = 0; n < KEPT; n++) add();
    expect(kept()).toEqual(down(2 * KEPT, KEPT + 1));
  });

  it("does not change what pages show: no request twice, none left out, while old ones go and new ones come", () => {
    for (let n = 0; n < KEPT; n++) add();
    const first = search(100);
    const body = "x".repeat(LONGEST_BODY);
    for (let n = 0; n < 300; n++) add({ responseBody: body });
    const second = search(100, first.next_cursor ?? "");
    expect(second.data.map(({ status }) => status)).toEqual(down(1_900, 1_801));
  });

  it("is zero on a page whose requests have all been replaced or cleared", () => {
    for (let n = 0; n < KEPT; n++) add();
    const cursor = search(KEPT - 1).next_cursor ?? "";
    for (let n = 0; n < 10; n++) add();
    expect(search(10, cursor)).toEqual({ data: [], has_more: false, next_cursor: null });
    const later = search(10).next_cursor ?? "";
    log.clear(0);
    for (let n = 0; n < 5; n++) add();
    expect(search(10, later).data).toEqual([]);
    expect(kept()).toEqual(down(KEPT + 15, KEPT + 11));
  });

  it("includes requests of other accounts, which are not shown", () => {
    add({ bookId: 2 });
    for (let n = 1; n < KEPT; n++) add();
    expect(kept()).toEqual(down(KEPT, 2));
    add({ bookId: 2 });
    add();
    expect(kept()).toEqual([KEPT + 2, ...down(KEPT, 3)]);
  });
});

describe("the number of a request", () => {
  it("is assigned at its arrival, begins at the first number of the log, and is never assigned twice", () => {
    expect([log.nextNumber(), log.nextNumber()]).toEqual([1, 2]);
    add();
    log.clear(0);
    expect(log.nextNumber()).toBe(4);
    log.clear(9);
    expect(log.nextNumber()).toBe(10);
    expect(
      new RequestLog(
        () => undefined,
        () => 0,
        1_000,
      ).nextNumber(),
    ).toBe(1_000);
  });

  it("does not order the list: the request that ended last comes first, and each page begins where the last one ended", () => {
    const numbers = [1, 2, 3, 4, 5].map(() => log.nextNumber());
    const ended = [2, 5, 4, 1, 3];
    for (const number of ended) add({ number, status: number });
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
    for (const limit of [1, 2, 3, 4, 5]) expect(kept(limit)).toEqual([3, 1, 4, 5, 2]);
    const page = search(2);
    expect(page.next_cursor).toBe("1");
    add();
    expect(search(2, "1").data.map(({ status }) => status)).toEqual([4, 5]);
  });

  it.each(["7", "999999999999999", "-1", "1.5", "x", ""])(
    "as a cursor is refused when it is %j, which was never returned",
    (after) => {
      for (let n = 0; n < 6; n++) add();
      expect(() => search(1, after)).toThrow("must be the next_cursor of a page before");
    },
  );
});

describe("a conflict of idempotency keys", () => {
  const claim = { kind: "charge", key: "key-0001", implied: undefined, ids: {} } as const;
  const ask = (idempotency: "new" | "conflict", requestBody: string, given: Partial<RequestEntry> = {}) =>
    add({ claim, idempotency, requestBody, ...given });
  const differs = () => (search(1).data[0] as Loose).differs;

  it("is explained by the first request with the key, of the same account, mode and kind", () => {
    ask("new", '{"amount":1}');
    ask("conflict", '{"amount":2}');
    ask("new", '{"amount":3}', { bookId: 2 });
    ask("new", '{"amount":3}', { claim: { ...claim, kind: "refund" } });
    ask("new", '{"amount":3}', { claim: { ...claim, key: "key-0002" } });
    ask("conflict", '{"amount":3,"note":"x"}');
    expect(differs()).toEqual(["amount", "note"]);
  });

  it("is not explained when the first request or its body is not in the log", () => {
    ask("conflict", '{"amount":2}');
    expect(differs()).toBeNull();
    ask("new", `{"note":"${"x".repeat(LONGEST_BODY)}"}`);
    ask("conflict", '{"amount":2}');
    expect(differs()).toBeNull();
    log.clear(0);
    ask("conflict", '{"amount":2}');
    expect(differs()).toBeNull();
  });

  it("names 20 fields at most, each with 256 characters", () => {
    ask("new", "{}");
    const fields = Array.from({ length: 30 }, (_, index) => `"${String(index).padStart(300, "f")}":1`);
    ask("conflict", `{${fields.join(",")}}`);
    expect(differs()).toHaveLength(20);
    expect(differs()[0]).toBe(`${"f".repeat(256)}[44 characters, not kept]`);
  });
});

describe("a text of a request", () => {
  const shown = () => search(1).data[0] as Loose;

  it("is kept whole up to its maximum length", () => {
    const texts = { id: "i".repeat(256), idempotencyKey: "k".repeat(256), path: `/v1/${"p".repeat(2_044)}` };
    add({ ...texts, requestBody: "q".repeat(LONGEST_BODY), responseBody: "a".repeat(LONGEST_BODY) });
    expect(shown()).toMatchObject({
      id: texts.id,
      idempotency_key: texts.idempotencyKey,
      path: texts.path,
      request_body: "q".repeat(LONGEST_BODY),
      response_body: "a".repeat(LONGEST_BODY),
    });
  });

  it("ends with the size of the missing part when it is longer", () => {
    const texts = { id: "i".repeat(257), idempotencyKey: "k".repeat(1_256), path: `/v1/${"p".repeat(9_000)}` };
    add({ ...texts, requestBody: "q".repeat(LONGEST_BODY + 1), responseBody: "a".repeat(5_000_000) });
    expect(shown()).toMatchObject({
      id: `${"i".repeat(256)}[1 characters, not kept]`,
      idempotency_key: `${"k".repeat(256)}[1000 characters, not kept]`,
      path: `/v1/${"p".repeat(2_044)}[6956 characters, not kept]`,
      request_body: "[16385 characters, not kept]",
      response_body: "[5000000 characters, not kept]",
    });
  });

  it("has the same maximum in the log of an emulator, for request and response bodies", async () => {
    const emulator = await ownEmulator({ frozen: true });
    const body = JSON.stringify({ amount: 1990, payment_method: "pix", metadata: { note: "x".repeat(50_000) } });
    const headers = { "idempotency-key": freshKey(), "content-type": "application/json" };
    const { body: charge } = await emulator.call("POST", "/v1/charges", { raw: body, headers });
    await emulator.call("GET", `/v1/charges/${charge.id}`);
    const { data } = await emulator.sandbox("/requests");
    expect(data.map(({ request_body: request }: Loose) => request)).toEqual([
      null,
      `[${body.length} characters, not kept]`,
    ]);
    const answer = `[${JSON.stringify(charge).length} characters, not kept]`;
    expect(data.map(({ response_body: response }: Loose) => response)).toEqual([answer, answer]);
  });
});

describe("memory", () => {
  it("does not hold the part of a text that was cut off, nor the larger text that a part was taken from", () => {
    const before = heapMb();
    for (let n = 0; n < KEPT; n++) {
      const long = `/v1/${String(n).repeat(20_000)}`;
      add({ path: long.slice(0, 40), responseBody: long, requestBody: long });
    }
    expect(kept()).toHaveLength(KEPT);
    expect(heapMb() - before).toBeLessThan(32);
  });
});
