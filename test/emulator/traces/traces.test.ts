import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { freshKey, startEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { ownEmulator, shared, sharedReceiver } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";
import { attribute, spansIn } from "./decoder.js";

/** docs/decisions/044-history-and-timelines.md */

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;
const CHARGE = { amount: 1990, payment_method: "pix" };

const collector = sharedReceiver();
const handler = sharedReceiver();
const folder = shared(newFolder);

beforeEach(() => {
  for (const one of [collector, handler]) {
    one.received.length = 0;
    one.respond = null;
  }
});

const place = () => new URL(collector.url).origin;
const traced = (more: object = {}) => ownEmulator({ otlp: place(), frozen: true, ...more });
type Emulator = Awaited<ReturnType<typeof traced>>;

/** All spans by their names, when the server has ended. */
async function spansOf(emulator: Emulator): Promise<Record<string, Loose>> {
  await emulator.close();
  expect(collector.received.map(({ path }) => path)).toContain("/v1/traces");
  const spans = collector.received.flatMap(({ raw }) => spansIn(raw));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  return Object.fromEntries(spans.map((span) => [span.name, span]));
}

const create = (emulator: Emulator, headers: Record<string, string> = {}, more: object = {}) =>
  emulator.call("POST", "/v1/charges", {
    body: { ...CHARGE, ...more },
    headers: { "idempotency-key": freshKey(), ...headers },
  });

describe("with --otlp", () => {
  it("a request, its event, the delivery and each attempt are a chain of spans, which continues the caller's trace", async () => {
    const emulator = await traced();
    await subscribe(emulator, handler.url, ["charge.created"]);
    handler.replies.push({ status: 503 });
    const { body, headers } = await create(emulator, { traceparent: TRACEPARENT });
    await settle(emulator);
    await advance(emulator, 10);
    const spans = await spansOf(emulator);
    const request = spans["POST /v1/charges"];
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: 2 });
    expect(attribute(request, "qa_pay.subject")).toBe(body.id);
    expect(attribute(request, "qa_pay.request.id")).toBe(headers.get("x-request-id"));
    expect(attribute(request, "http.response.status_code")).toBe("201");
    expect(spans["charge.created"]).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId });
    const delivery = spans["delivery charge.created"];
    expect(delivery).toMatchObject({ traceId: TRACE, parentSpanId: spans["charge.created"].spanId });
    const first = spans["attempt 1 charge.created"];
    const second = spans["attempt 2 charge.created"];
    expect(first).toMatchObject({ traceId: TRACE, parentSpanId: delivery.spanId, kind: 3, status: { code: 2 } });
    expect(second).toMatchObject({ traceId: TRACE, parentSpanId: delivery.spanId, kind: 3 });
    expect(second.status).toBeUndefined();
    expect(handler.received.map(({ headers: sent }) => sent.traceparent)).toEqual([
      `00-${TRACE}-${first.spanId}-01`,
      `00-${TRACE}-${second.spanId}-01`,
    ]);
    for (const { startTimeUnixNano: start, endTimeUnixNano: end } of Object.values(spans)) {
      expect(BigInt(start) <= BigInt(end)).toBe(true);
    }
  });

  it("a request without a traceparent begins a trace, and its webhooks have none", async () => {
    const emulator = await traced();
    await subscribe(emulator, handler.url, ["charge.created"]);
    await create(emulator);
    await settle(emulator);
    const spans = await spansOf(emulator);
    expect(spans["POST /v1/charges"].parentSpanId).toBeUndefined();
    const { traceId } = spans["POST /v1/charges"];
    expect(spans["attempt 1 charge.created"].traceId).toBe(traceId);
    expect(handler.received[0]?.headers).not.toHaveProperty("traceparent");
  });

  it.each([
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    `00-${TRACE}-0000000000000000-01`,
    `ff-${TRACE}-${CALLER}-01`,
    `00-${TRACE}-${CALLER}-01-more`,
    TRACEPARENT.toUpperCase(),
    "nonsense",
  ])("the traceparent %s is ignored", async (traceparent) => {
    const emulator = await traced();
    await create(emulator, { traceparent });
    const request = (await spansOf(emulator))["POST /v1/charges"];
    expect(request.parentSpanId).toBeUndefined();
    expect(request.traceId).not.toBe(TRACE);
  });

  it("what follows later belongs to the same trace, also after a restart", async () => {
    const options = { otlp: place(), db: join(folder.path, "later.db"), testKey: "qa_test_traces-go-on", frozen: true };
    const first = await startEmulator(options);
    await subscribe(first, handler.url, ["charge.expired"]);
    await create(first, { traceparent: TRACEPARENT }, { expires_in: 600 });
    await first.close();
    const second = await startEmulator(options);
    await advance(second, 600);
    const spans = await spansOf(second);
    expect(spans["charge.expired"]).toMatchObject({ traceId: TRACE, parentSpanId: spans["POST /v1/charges"].spanId });
    expect(handler.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${spans["attempt 1 charge.expired"].spanId}-01`);
  });

  it("what a request to the control interface does belongs to its caller, and that request is no span", async () => {
    const emulator = await traced();
    await subscribe(emulator, handler.url, ["charge.paid"]);
    const { body } = await create(emulator);
    const path = `/_sandbox/charges/${body.id}/pay`;
    await emulator.call("POST", path, { body: {}, headers: { traceparent: TRACEPARENT } });
    await settle(emulator);
    const spans = await spansOf(emulator);
    expect(Object.keys(spans).filter((name) => name.includes("_sandbox"))).toEqual([]);
    expect(spans["charge.paid"]).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
    expect(handler.received[0]?.headers.traceparent).toContain(TRACE);
  });

  it("a resend belongs to the request that caused it", async () => {
    const emulator = await traced();
    await subscribe(emulator, handler.url, ["charge.created"]);
    await create(emulator);
    await settle(emulator);
    const [{ id }] = (await emulator.call("GET", "/v1/webhooks/deliveries")).body.data;
    await emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/resend`, {
      body: {},
      headers: { traceparent: TRACEPARENT },
    });
    await settle(emulator);
    const spans = await spansOf(emulator);
    expect(spans["delivery charge.created"]).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
  });

  it("a refusal is a span with its code, and no secret is in any span", async () => {
    const emulator = await traced();
    await subscribe(emulator, `${handler.url}?token=hidden`, ["charge.created"]);
    await create(emulator);
    await emulator.call("GET", "/v1/charges/ch_0?hidden=1");
    await emulator.call("GET", `/v1/charges/${emulator.key}`);
    await emulator.call("GET", `/v1/${emulator.key}/${emulator.live}`);
    await settle(emulator);
    const spans = await spansOf(emulator);
    expect(attribute(spans["GET /v1/charges/{id}"], "error.type")).toBe("not_found");
    expect(Object.keys(spans)).toContain("GET /v1/…/…");
    expect(JSON.stringify(spans)).not.toMatch(/hidden|qa_test_|qa_live_/);
  });
});

it("without --otlp nothing is sent, the history keeps nothing, and webhooks have no traceparent", async () => {
  const emulator = await ownEmulator({ frozen: true });
  await subscribe(emulator, handler.url, ["charge.created"]);
  await create(emulator, { traceparent: TRACEPARENT });
  await settle(emulator);
  expect(handler.received[0]?.headers).not.toHaveProperty("traceparent");
  await emulator.close();
  expect(collector.received).toEqual([]);
});
