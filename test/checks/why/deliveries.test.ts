import { describe, expect, it } from "vitest";
import { type Delivery, explainDelivery } from "../../../src/checks/why/deliveries.js";

/** Why a delivery is where it is, by what is known of it. */

const AT = "2026-11-21T12:00:00.000Z";
const PAYMENT = "ch_0193b0e6-9a4c-7f00-8000-000000000001";

/** A delivery that has failed permanently, but for the changes of a case. */
function delivery(of: Partial<Delivery>): Delivery {
  return {
    ...{ id: "wd_1", endpointId: "we_1", eventType: "charge.paid", status: "FAILED", attempts: 5, maxAttempts: 5 },
    ...{ lastStatusCode: null, lastError: null, nextRetryAt: null, deliveredAt: null, createdAt: AT, updatedAt: AT },
    payload: { id: "evt_1", data: { object: { id: PAYMENT } } },
    ...of,
  };
}

const explained = (
  of: Partial<Delivery>,
  facts: { readonly isEmulator?: boolean; readonly endpoint?: "INACTIVE" } = {},
) => explainDelivery({ delivery: delivery(of), isEmulator: true, ...facts });

type Case = readonly [what: string, of: Partial<Delivery>, code: string, sentence: string];

describe("a delivery that failed is explained by", () => {
  it.each<Case>([
    ["500", { lastStatusCode: 500 }, "receiver_error", "receiver_error"],
    ["302", { lastStatusCode: 302 }, "receiver_redirects", "receiver_redirects"],
    ["401", { lastStatusCode: 401 }, "receiver_refused_signature", "receiver_disbelieves"],
    [
      "403 to a legacy event",
      { lastStatusCode: 403, payload: {} },
      "receiver_refused_signature",
      "receiver_disbelieves_legacy",
    ],
    ["404", { lastStatusCode: 404 }, "receiver_missing", "receiver_missing"],
    ["410", { lastStatusCode: 410 }, "receiver_missing", "receiver_missing"],
    ["422", { lastStatusCode: 422 }, "receiver_refused", "receiver_refused"],
    ["429", { lastStatusCode: 429 }, "receiver_refused", "receiver_busy"],
    ["no answer in time", { lastError: "x", lastErrorCode: "late_by_one" }, "receiver_slow", "receiver_slow"],
    ["no answer in time, of an older server", { lastError: "no answer within 30 s" }, "receiver_slow", "receiver_slow"],
    ["an attempt that was given up", { lastError: "x", lastErrorCode: "given_up" }, "unknown", "no_answer"],
    ["a certificate", { lastError: "self-signed certificate" }, "receiver_tls", "receiver_tls"],
    ["a network", { lastError: "ENOTFOUND" }, "receiver_unreachable", "receiver_unreachable"],
    [
      "nobody at its address",
      { lastError: "ECONNREFUSED", lastErrorCode: null, url: "http://127.0.0.1:9/" },
      "receiver_unreachable",
      "receiver_absent",
    ],
  ])("%s", (_what, of, code, first) => {
    const found = explained(of);
    expect([found.code, ...found.sentences.map((one) => one.code)]).toEqual([code, first, "last_attempt"]);
  });

  it("a fault that was planned for it, unless nobody has seen it", () => {
    const attempt = { number: 1, at: AT, duration_ms: 1, response: null, error: "x", chaos: ["corrupt_signature"] };
    const attempts_log = [attempt] as unknown as NonNullable<Delivery["attempts_log"]>;
    expect(explained({ lastStatusCode: 401, attempts_log }).code).toBe("chaos");
    expect(explained({ lastError: "ENOTFOUND", attempts_log }).code).toBe("receiver_unreachable");
  });

  it("a fault that is planned is switched off before the webhook is sent again", () => {
    const attempt = { number: 1, at: AT, duration_ms: 1, response: null, error: "x", chaos: ["corrupt_signature"] };
    const attempts_log = [attempt] as unknown as NonNullable<Delivery["attempts_log"]>;
    const of = delivery({ lastStatusCode: 401, attempts_log });
    const commandWith = (corrupt_signature: number) => {
      const chaos = { ...{ duplicate: 0.5, reorder: 0, delay_ms: 0, stale_timestamp: 0 }, corrupt_signature };
      const off = { lose_med: 0, unknown_fields: 0, unknown_values: 0 };
      return explainDelivery({ delivery: of, isEmulator: true, chaos: { ...chaos, ...off } }).command?.join(" ");
    };
    expect([commandWith(1), commandWith(0)]).toEqual(["sandbox chaos off", "sandbox deliveries resend wd_1"]);
  });

  it("a mistake that is proven, whatever the refusal", () => {
    const mistake = { code: "receiver_refused", params: {} } as const;
    const facts = { delivery: delivery({ lastStatusCode: 400 }), isEmulator: true };
    expect(explainDelivery({ ...facts, mistake }).code).toBe("receiver_refused_signature");
    expect(explainDelivery(facts).code).toBe("receiver_refused");
  });
});

describe("a delivery that was not sent is explained by", () => {
  const waiting = { status: "PENDING", attempts: 0 } as const;
  it.each([
    ["its endpoint, which is off", waiting, { endpoint: "INACTIVE" }, "endpoint_disabled", "endpoint_off"],
    ["its endpoint, which is deleted", { status: "CANCELLED" }, {}, "endpoint_disabled", "endpoint_deleted"],
    ["nothing that is known", waiting, {}, "unknown", "not_sent"],
  ] as const)("%s", (_what, of, facts, code, first) => {
    const { code: found, sentences, evidence } = explained(of, facts);
    expect([found, sentences[0]?.code, evidence.length]).toEqual([code, first, 1]);
  });
});

it("another attempt is reported with its instant", () => {
  const { sentences } = explained({ status: "PENDING", attempts: 1, lastStatusCode: 500, nextRetryAt: AT });
  expect(sentences.at(-1)).toEqual({ code: "next_attempt", params: { next_at: AT } });
});

it("the command sends it again: the delivery on an emulator, and else the webhooks of its payment", () => {
  const failed = { lastStatusCode: 500 };
  expect(explained(failed).command).toEqual(["sandbox", "deliveries", "resend", "wd_1"]);
  expect(explained(failed, { isEmulator: false }).command).toEqual(["payments", "resend-webhook", PAYMENT]);
  expect(explained({ ...failed, payload: {} }, { isEmulator: false }).command).toBeNull();
});

describe("a resend is not advised", () => {
  const activate = ["webhooks", "endpoints", "update", "we_1", "--status", "ACTIVE"];
  const list = ["webhooks", "endpoints", "list"];
  it.each([
    ["to an endpoint that is off", { lastStatusCode: 500 }, { endpoint: "INACTIVE" }, activate],
    ["to an endpoint that is deleted", { lastStatusCode: 500 }, { endpoint: null }, list],
    ["to an address without a receiver", { lastStatusCode: 404 }, {}, list],
    ["to one that is gone", { lastStatusCode: 410 }, {}, list],
    ["to an address that leads elsewhere", { lastStatusCode: 301 }, {}, list],
    ["where nobody listens", { lastError: "connect ECONNREFUSED" }, {}, list],
    ["to a name that does not exist", { lastError: "getaddrinfo ENOTFOUND" }, {}, list],
    ["over a connection that is not trusted", { lastError: "self-signed certificate" }, {}, list],
    ["to the address of a payment", { lastStatusCode: 404, endpointId: null }, { endpoint: undefined }, null],
    ["to a receiver that wants to wait", { lastStatusCode: 429, nextRetryAt: AT, status: "PENDING" }, {}, null],
  ] as const)("%s", (_what, of, facts, command) => {
    for (const isEmulator of [true, false]) {
      expect(explainDelivery({ delivery: delivery(of), isEmulator, ...facts }).command).toEqual(command);
    }
  });

  it("to a receiver whose clock is another one", () => {
    const mistake = { code: "mistake_clock", params: {} } as const;
    const facts = { delivery: delivery({ lastStatusCode: 401 }), isEmulator: true, mistake };
    expect(explainDelivery(facts).command).toBeNull();
  });
});

it("one that arrived is reported with the evidence", () => {
  const { code, evidence, command } = explained({ status: "DELIVERED", attempts: 1, lastStatusCode: 204 });
  const told = evidence.map(({ at, text }) => [at, String(text)]);
  expect([code, command, told]).toEqual(["delivered", null, [[AT, "attempt 1: accepted"]]]);
});
