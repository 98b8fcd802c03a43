import { checkSignature } from "../../../base/kernel/check-signature.js";
import { hmacHex } from "../../../base/kernel/hmac.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { pick } from "../../../base/kernel/pick.js";
import { type Family, parseSignature, SIGNATURE_HEADER } from "../../../base/kernel/webhook-signature.js";
import { field, listIn, valueText } from "../answer.js";
import { type Check, checks, type Host } from "../check.js";
import * as expect from "../expect.js";
import type { Received } from "../receiver.js";
import { Deviation, Skip } from "../run-context.js";
import { withoutPrefix } from "../test-objects.js";
import { FAILED, LIMITED, RETRY_AFTER, type WebhookStory, type WebhookTarget } from "../webhook-story.js";

/** Webhooks, as a receiver on this machine gets them. All checks look at the same scenario. */

const CREATED = "charge.created";
const NEEDS = ["write", "receiver"] as const;
/** How far the timestamp of a signature may be from the event, in seconds. */
const NEAR_SECONDS = 300;
/** A retry that comes this much sooner than Retry-After says is too early, in milliseconds. */
const CLOCK_SLACK_MS = 100;

/** A check of the scenario, when its first event has arrived. */
function ofStory(run: (story: WebhookStory, host: Host) => string | Promise<string>): Check["run"] {
  return async (host) => {
    const story = await host.webhooks();
    if (!story.isHeard) throw new Skip("no webhook arrived; the check webhook-arrives says more");
    return run(story, host);
  };
}

function header({ headers }: Received, name: string): string {
  return String(headers[name] ?? "");
}

/** The deliveries of an event to an endpoint. Throws Skip when none arrived. */
function deliveries(story: WebhookStory, target: WebhookTarget, type: string): readonly [Received, ...Received[]] {
  const [first, ...more] = story.of(target, type);
  if (first === undefined) throw new Skip(`no ${type} arrived; the check webhook-emission says more`);
  return [first, ...more];
}

/** Returns the fault of a delivery's signature; null for a right one. */
async function signatureFault(one: Received, secret: string, family: Family): Promise<string | null> {
  const value = header(one, SIGNATURE_HEADER);
  if (parseSignature(value)?.family !== family) {
    return `X-QA-Signature is ${valueText(value.replace(/[0-9a-f]{32,}/g, "<hex>"))}`;
  }
  const tolerance = { ms: Infinity, written: "any time" };
  const { code, reason } = await checkSignature({ header: value, secret, body: one.raw, now: 0, tolerance }, hmacHex);
  return code === "valid" ? null : reason;
}

async function expectSigned(all: readonly Received[], target: WebhookTarget, family: Family): Promise<void> {
  for (const one of all) {
    const fault = await signatureFault(one, target.secret, family);
    const expected =
      family === "canonical" ? "t=<unix>,v1=<HMAC-SHA256 of t.body>" : "sha256=<HMAC-SHA256 of the body>";
    expect.that(fault === null, `X-QA-Signature of ${one.type} is ${expected}.`, String(fault));
  }
}

/** Throws Skip on an emulator whose clock stands still: no retry happens there. */
function requireClock({ facts }: Host): void {
  const way = "`qa-pay sandbox clock resume` starts it again";
  if (!facts.isClockRunning) throw new Skip(`the clock of the emulator stands still, so nothing is sent again; ${way}`);
}

/** The second delivery of an event, which was refused at first. */
function retryOf(host: Host, story: WebhookStory, type: string): readonly [Received, Received] {
  requireClock(host);
  const [sent] = deliveries(story, story.main, type);
  const again = story.beforeResend(story.main, type)[1];
  if (again !== undefined) return [sent, again];
  const saw = `nothing came again within ${host.context.webhookWaitMs / 1_000} s`;
  throw new Deviation(saw, undefined, `${type} is sent again after it was refused.`);
}

const CONTENT = checks(NEEDS, {
  async "webhook-arrives"(host) {
    const { isHeard } = await host.webhooks();
    const saw = `not both of two endpoints got it within ${host.context.webhookWaitMs / 1_000} s`;
    expect.that(isHeard, "charge.created arrives.", saw);
    return "at two endpoints";
  },
  "webhook-emission": ofStory((story) => {
    for (const type of [FAILED, LIMITED]) {
      expect.that(story.of(story.main, type).length > 0, `${type} arrives.`, "it did not");
    }
    const before = story.of(story.control, CREATED).length;
    expect.that(before === 1, "charge.created arrives once where it is accepted.", `${before} times`);
    return `charge.created, ${FAILED}, ${LIMITED}`;
  }),
  "webhook-canonical": ofStory((story, host) => {
    const [one] = deliveries(story, story.main, CREATED);
    const issues = host.shapes.eventIssues(CREATED, one.json);
    expect.that(issues === null, "The body is an event with data.object.", String(issues));
    const id = pick(one.json, "id");
    expect.that(String(id).startsWith("evt_"), "id begins with evt_.", valueText(id));
    const [is, should] = [
      Object.keys(Object(pick(one.json, "data.object"))),
      Object.keys(Object(story.charge.created.json)),
    ];
    const isSame = valueText(is.sort()) === valueText(should.sort());
    expect.that(isSame, `data.object has the fields ${should.join(", ")}.`, is.join(", "));
    return `${String(id)} with the charge`;
  }),
  "webhook-legacy": ofStory((story, host) => {
    const [one] = deliveries(story, story.main, LIMITED);
    const issues = host.shapes.eventIssues(LIMITED, one.json);
    expect.that(issues === null, "The body is {event, data}.", String(issues));
    const got = ["amount", "status", "previousStatus"].map((name) => pick(one.json, `data.${name}`));
    const wanted = [field(story.charge.created, "amount"), "CANCELLED", "WAITING_PAYMENT"];
    expect.same(got, wanted, `amount, status and previousStatus are ${valueText(wanted)}.`);
    return valueText(got);
  }),
  "webhook-event-id": ofStory((story) => {
    const [main, control] = [story.main, story.control].map((target) =>
      pick(deliveries(story, target, CREATED)[0].json, "id"),
    );
    expect.that(main === control, "Both endpoints get the same id.", `${valueText(main)} and ${valueText(control)}`);
    return String(main);
  }),
});

const TRANSPORT = checks(NEEDS, {
  "webhook-headers": ofStory((story) => {
    const ids = new Set<string>();
    for (const one of [...story.of(story.main), ...story.of(story.control)]) {
      const typeHeader = header(one, "x-qa-event-type");
      expect.that(typeHeader === one.type, `X-QA-Event-Type is ${one.type}.`, `it is ${valueText(typeHeader)}`);
      const id = header(one, "x-qa-delivery-id");
      expect.that(id !== "", `${one.type} has X-QA-Delivery-Id.`, "it has none");
      const content = header(one, "content-type");
      expect.that(content.startsWith("application/json"), "The content type is JSON.", valueText(content));
      ids.add(id);
    }
    return `${ids.size} deliveries`;
  }),
  "webhook-signature-canonical": ofStory(async (story) => {
    for (const target of [story.main, story.control])
      await expectSigned(deliveries(story, target, CREATED), target, "canonical");
    const [one] = deliveries(story, story.main, CREATED);
    const t = Number(parseSignature(header(one, SIGNATURE_HEADER))?.t);
    const seconds = Math.abs(t - Date.parse(String(pick(one.json, "created_at"))) / 1_000);
    const expected = `t is in Unix seconds, within ${NEAR_SECONDS} s of created_at.`;
    expect.that(seconds <= NEAR_SECONDS, expected, `${t} and ${valueText(pick(one.json, "created_at"))}`);
    return "t and v1 are right, at two endpoints";
  }),
  "webhook-signature-legacy": ofStory(async (story) => {
    await expectSigned(deliveries(story, story.main, LIMITED), story.main, "legacy");
    return "sha256 is right";
  }),
  "webhook-rotation": ofStory(async ({ rotated, control }) => {
    if (rotated.delivery === null) throw new Skip("no event arrived after the rotation");
    const fault = await signatureFault(rotated.delivery, rotated.secret, "canonical");
    const isOld = (await signatureFault(rotated.delivery, control.secret, "canonical")) === null;
    const saw = isOld ? "it is computed with the old secret" : String(fault);
    expect.that(fault === null, "The signature is computed with the new secret.", saw);
    return "the new secret";
  }),
  "webhook-retry": ofStory(async (story, host) => {
    const [first, second] = retryOf(host, story, FAILED);
    const ids = [first, second].map((one) => header(one, "x-qa-delivery-id"));
    expect.that(ids[0] === ids[1], `X-QA-Delivery-Id is ${ids[0]} again.`, `it is ${ids[1]}`);
    expect.that(first.raw === second.raw, "The body is the same.", "it is another one");
    await expectSigned([second], story.main, "canonical");
    return `${ids[0]} twice, ${Math.round((second.at - first.at) / 100) / 10} s apart`;
  }),
  "webhook-retry-after": ofStory((story, host) => {
    const [first, second] = retryOf(host, story, LIMITED);
    const waited = second.at - first.at;
    const expected = `It comes again after ${RETRY_AFTER} s or later.`;
    expect.that(waited >= RETRY_AFTER * 1_000 - CLOCK_SLACK_MS, expected, `after ${Math.round(waited)} ms`);
    return `after ${Math.round(waited / 100) / 10} s`;
  }),
  "webhook-log": ofStory((story, host) => {
    const [first] = deliveries(story, story.main, FAILED);
    host.shapes.check(story.log, "GET /v1/webhooks/deliveries");
    const id = header(first, "x-qa-delivery-id");
    const entry = listIn(story.log).find((one) => pick(one, "id") === id);
    expect.that(isJsonObject(entry), `The list has ${id}.`, "it does not", story.log);
    const got = ["endpointId", "eventType", "attempts", "lastStatusCode", "status"].map((name) => pick(entry, name));
    const end = host.facts.isClockRunning ? [2, 204, "DELIVERED"] : [1, 500, "PENDING"];
    const wanted = [story.main.id, FAILED, ...end];
    expect.same(got, wanted, `${id} is ${valueText(wanted)}.`, story.log);
    expect.same(pick(entry, "payload.id"), pick(first.json, "id"), "payload is the envelope that was sent.", story.log);
    return valueText(got.slice(1));
  }),
  "webhook-resend": ofStory((story, host) => {
    if (story.resent === null) throw new Skip("it was not requested");
    expect.status(story.resent, 200);
    host.shapes.check(story.resent, "POST /v1/payments/{id}/resend-webhook");
    const all = deliveries(story, story.control, FAILED);
    const [first, again] = all;
    expect.that(again !== undefined, `${FAILED} arrives again.`, "it did not", story.resent);
    const ids = [first, again ?? first].map((one) => header(one, "x-qa-delivery-id"));
    expect.that(ids[0] !== ids[1], "X-QA-Delivery-Id is a new one.", `it is ${ids[1]} again`, story.resent);
    const event = pick(first.json, "id");
    expect.same(pick((again ?? first).json, "id"), event, `The event is ${valueText(event)} again.`, story.resent);
    return `${withoutPrefix(story.charge.id)}: a new delivery of ${String(event)}`;
  }),
});

export const WEBHOOKS: readonly Check[] = [...CONTENT, ...TRANSPORT];
