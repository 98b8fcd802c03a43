import { describe, expect, it } from "vitest";
import { EVENT_NAMES, familyOf, otherFamily } from "../../../src/service/features/webhooks/catalogue.js";
import {
  clockGap,
  differingHeaders,
  failedToResend,
  targetParts,
  waitAfter,
} from "../../../src/web/console/browser/words/delivery-facts.js";
import {
  chartTop,
  type EndedAttempt,
  failureReasons,
  healthOf,
  latestAttempts,
  percentile,
} from "../../../src/web/console/browser/words/endpoint-health.js";
import { counterpart } from "../../../src/web/console/browser/words/event-families.js";
import { failingFields } from "../../../src/web/console/browser/words/failing-fields.js";
import { receiverCurl } from "../../../src/web/console/browser/words/receiver-curl.js";
import { differenceOf } from "../../../src/web/console/browser/words/text-difference.js";

/** Values that the pages of deliveries, endpoints and events compute. */

describe("the wait after an attempt", () => {
  const answer = (status: number, headers = {}) => ({ status, headers });
  it("doubles with each attempt, and Retry-After rules for a 429 alone", () => {
    expect(waitAfter({ number: 3, response: answer(500) }, 10_000)).toEqual({
      ms: 40_000,
      baseMs: 10_000,
      retryAfter: null,
    });
    expect(waitAfter({ number: 1, response: answer(429, { "retry-after": "30" }) }, 10_000).retryAfter).toBe("30");
    expect(waitAfter({ number: 1, response: answer(503, { "retry-after": "30" }) }, 10_000).retryAfter).toBeNull();
    expect(waitAfter({ number: 15, response: null }, 10_000).ms).toBe(6 * 3_600_000);
  });
});

describe("the gap between a signature and the receiver's clock", () => {
  const attempt = (signature: string, date?: string) => ({
    request: { headers: { "x-qa-signature": signature }, body: "" },
    response: { status: 400, headers: date === undefined ? {} : { date } },
  });
  it("is in seconds, positive when the signature is ahead", () => {
    expect(clockGap(attempt("t=1795326668,v1=00", "Sun, 22 Nov 2026 05:49:38 GMT"))).toBe(90);
    expect(clockGap(attempt("t=1795326568,v1=00", "Sun, 22 Nov 2026 05:49:38 GMT"))).toBe(-10);
  });
  it("is not known for a legacy signature and without the header Date", () => {
    expect(clockGap(attempt("sha256=00", "Sun, 22 Nov 2026 05:49:38 GMT"))).toBeNull();
    expect(clockGap(attempt("t=1795326668,v1=00"))).toBeNull();
    expect(clockGap({ ...attempt("t=1795326668,v1=00"), response: null })).toBeNull();
  });
});

describe("the address of a receiver in two parts", () => {
  it("has the host of this machine apart, and no scheme and no query", () => {
    expect(targetParts("http://127.0.0.1:9/erp?tenant=a")).toEqual({ host: "127.0.0.1", rest: ":9/erp" });
    expect(targetParts("http://localhost:3000/hook")).toEqual({ host: "localhost", rest: ":3000/hook" });
    expect(targetParts("https://shop.example/hook")).toEqual({ host: "", rest: "shop.example/hook" });
    expect(targetParts("http://127.0.0.1.example:80/a")).toEqual({ host: "", rest: "127.0.0.1.example:80/a" });
  });
});

describe("the headers of two deliveries that differ", () => {
  it("are those with another value or in one of them alone, without those of one exchange", () => {
    const one = { "content-type": "application/json", "x-qa-signature": "sha256=0", server: "a", "x-qa-chaos": "1" };
    const other = { "content-type": "application/json", "x-qa-signature": "t=1", server: "b", Date: "now" };
    expect(differingHeaders(one, other)).toEqual([
      ["server", "a", "b"],
      ["x-qa-chaos", "1", undefined],
    ]);
  });
});

describe("the first difference of two texts", () => {
  it("is named by its byte, with the end of what is the same before it", () => {
    expect(differenceOf("17.{}", "{}")).toEqual({ byte: 1, before: "", one: "17.{}", other: "{}" });
    expect(differenceOf('{"a":"é1"}', '{"a":"é2"}')).toEqual({ byte: 9, before: '{"a":"é', one: '1"}', other: '2"}' });
    expect(differenceOf("a\u{1f600}", "a\u{1f601}")).toMatchObject({ byte: 2, before: "a", one: "\u{1f600}" });
    expect(differenceOf("body", "body\n")).toEqual({ byte: 5, before: "body", one: "", other: "\n" });
    expect(differenceOf("same", "same")).toBeNull();
  });
  it("is cut on both sides", () => {
    const found = differenceOf(`${"a".repeat(100)}${"b".repeat(100)}`, `${"a".repeat(100)}c`);
    expect(found).toEqual({ byte: 101, before: `…${"a".repeat(24)}`, one: `${"b".repeat(80)}…`, other: "c" });
  });
});

describe("the failed deliveries to send again", () => {
  const delivery = (id: string, status: string, event: string) => ({ id, status, payload: { event } });
  it("are the newest of each event, the oldest event first, without events that have arrived or wait since", () => {
    const newestFirst = [
      delivery("6", "DELIVERED", "a"),
      delivery("5", "FAILED", "b"),
      delivery("4", "PENDING", "c"),
      delivery("3", "FAILED", "c"),
      delivery("2", "FAILED", "b"),
      delivery("1", "FAILED", "d"),
      delivery("0", "FAILED", "a"),
    ];
    expect(failedToResend(newestFirst).map(({ id }) => id)).toEqual(["1", "5"]);
    expect(failedToResend([])).toEqual([]);
  });
});

describe("the health of an endpoint", () => {
  const ended = (number: number, ms: number, status: number | null, error: string | null = null): EndedAttempt => ({
    ...{ delivery: "wd_1", number, ms, status, error, error_code: null, error_params: null },
    at: new Date(number * 1_000).toISOString(),
  });
  it("has the duration that half and 95 of 100 attempts did not exceed", () => {
    const attempts = Array.from({ length: 100 }, (_, index) => ended(index, index + 1, 204));
    expect([percentile(attempts, 0.5), percentile(attempts, 0.95)]).toEqual([50, 95]);
    expect([percentile(attempts.slice(0, 1), 0.95), percentile([], 0.5)]).toEqual([1, null]);
  });
  it("groups the reasons of failures", () => {
    const attempts = [
      ended(1, 1, 500, "the endpoint answered 500"),
      ended(2, 1, 204),
      ended(3, 1, null, "timeout"),
      ended(4, 1, null, "timeout"),
    ];
    expect(failureReasons(attempts).map(({ reason, count }) => [reason.error, count])).toEqual([
      ["timeout", 2],
      ["the endpoint answered 500", 1],
    ]);
  });
  it("keeps each attempt once, the oldest first, and the latest ones only", () => {
    const all = latestAttempts([ended(2, 1, 500), ended(1, 1, 500)], [ended(3, 1, 204), ended(2, 9, 500)], 2);
    expect(all.map(({ number, ms }) => [number, ms])).toEqual([
      [2, 9],
      [3, 1],
    ]);
  });
  it("counts what arrived and what the last try did not reach, and leaves out what was never tried", () => {
    const of = (status: string, attempts: number, lastError: string | null = null) => {
      return { status, attempts, lastError, lastStatusCode: lastError === null ? null : 500 };
    };
    const newest = of("PENDING", 2, "the endpoint answered 500");
    const rest = [of("DELIVERED", 1), of("DELIVERED", 3), of("FAILED", 15, "x"), of("PENDING", 0), of("CANCELLED", 1)];
    expect(healthOf([newest, ...rest])).toEqual({ arrived: 2, retried: 1, failing: 2, last: newest });
    expect(healthOf([])).toEqual({ arrived: 0, retried: 0, failing: 0, last: null });
  });
  it("is shown up to a round number of milliseconds, twice what 95 of 100 stay below", () => {
    const topOf = (...all: number[]) => chartTop(all.map((ms, index) => ended(index, ms, 204)));
    expect([topOf(68), topOf(20), topOf(120), topOf(2_600), topOf(0), topOf()]).toEqual([200, 50, 500, 10_000, 10, 10]);
    const slow = Array.from({ length: 100 }, (_, index) => ended(index, index < 96 ? 40 : 30_000, 204));
    expect(chartTop(slow)).toBe(100);
  });
});

describe("the event of the other family", () => {
  it("is found the other way round too, and is always of the other family", () => {
    for (const name of EVENT_NAMES) {
      const other = otherFamily(name);
      if (other === null) continue;
      expect(familyOf(other)).not.toBe(familyOf(name));
      expect(otherFamily(other)).toBe(name);
    }
    expect([otherFamily("charge.paid"), otherFamily("med.resolved")]).toEqual(["payment.completed", null]);
  });
  it("is of the same object and instant", () => {
    const event = { type: "charge.paid", subject: "s", created_at: "1" } as const;
    const right = { type: "payment.completed", subject: "s", created_at: "1" } as const;
    expect(counterpart(event, [{ ...right, created_at: "2" }, { ...right, subject: "x" }, right])).toBe(right);
    expect(counterpart(event, [event])).toBeNull();
  });
});

describe("the failing fields of an answer", () => {
  it("are those of the error and of its details, each once", () => {
    const details = [{ param: "amount" }, { param: "customer.name" }, {}];
    expect(failingFields({ error: { param: "amount", details } })).toEqual(["amount", "customer.name"]);
    expect([failingFields(null), failingFields("text"), failingFields({ error: {} })]).toEqual([[], [], []]);
  });
});

describe("the curl line to a receiver", () => {
  it("has the headers that curl does not add itself, with the same signature", () => {
    const headers = { host: "h", "content-length": "2", "content-type": "application/json", "x-qa-signature": "old" };
    expect(receiverCurl({ url: "http://127.0.0.1:3000/a?b=1", headers, body: "{}" }, "t=1,v1=2")).toBe(
      "curl -i -X POST 'http://127.0.0.1:3000/a?b=1' -H 'content-type: application/json' -H 'x-qa-signature: t=1,v1=2' --data-raw '{}'",
    );
  });
});
