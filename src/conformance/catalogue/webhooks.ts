import { isJsonObject } from "../../kernel/json.js";
import { pick } from "../../kernel/pick.js";
import { checkSignature } from "../../receiver-check/check-signature.js";
import { parseSignature } from "../../receiver-check/signature-parts.js";
import { Drift, Skip } from "../check.js";
import { expectStatus, expectThat, field, listIn, shown } from "../expect.js";
import { rawId } from "../material.js";
import type { Check, Host, Received, WebhookStory, WebhookTarget } from "../types.js";
import { FAILED, LIMITED, RETRY_AFTER } from "../webhook-story.js";

/** Webhooks, as a receiver on this machine gets them. All checks look at the same scenario. */

const CREATED = "charge.created";
const NEEDS = ["write", "receiver"] as const;
/** How far the timestamp of a signature may be from the event, in seconds. */
const NEAR_SECONDS = 300;
/** A retry that comes this much sooner than Retry-After says is too early, in milliseconds. */
const CLOCK_SLACK_MS = 100;

/** The scenario, when its first event has arrived. */
async function heard(host: Host): Promise<WebhookStory> {
  const story = await host.webhooks();
  if (!story.isHeard) throw new Skip("no webhook arrived; the check webhook-arrives says more");
  return story;
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

/** What is wrong with the signature of a delivery; null when nothing is. */
function signatureFault(one: Received, secret: string, form: "canonical" | "legacy"): string | null {
  const value = header(one, "x-qa-signature");
  const signature = parseSignature(value);
  if (signature?.form !== form) return `X-QA-Signature is ${shown(value.replace(/[0-9a-f]{32,}/g, "<hex>"))}`;
  const now = form === "legacy" ? 0 : Number(signature.t) * 1_000;
  const verdict = checkSignature(value, secret, one.raw, now, { ms: 1, written: "0s" });
  if (!verdict.valid) return verdict.reason;
  return null;
}

function expectSigned(all: readonly Received[], target: WebhookTarget, form: "canonical" | "legacy"): void {
  for (const one of all) {
    const fault = signatureFault(one, target.secret, form);
    const expected = form === "canonical" ? "t=<unix>,v1=<HMAC-SHA256 of t.body>" : "sha256=<HMAC-SHA256 of the body>";
    expectThat(fault === null, `X-QA-Signature of ${one.type} is ${expected}.`, String(fault));
  }
}

/** Throws Skip on an emulator whose clock stands still: no retry happens there. */
function requireClock({ facts }: Host): void {
  const way = "`qa-pay sandbox clock resume` lets it run";
  if (!facts.isClockRunning) throw new Skip(`the clock of the emulator stands still, so nothing is sent again; ${way}`);
}

/** The second delivery of an event, which was refused at first. */
function retryOf(host: Host, story: WebhookStory, type: string): readonly [Received, Received] {
  requireClock(host);
  const [sent] = deliveries(story, story.main, type);
  const again = story.beforeResend(story.main, type)[1];
  if (again !== undefined) return [sent, again];
  const saw = `nothing came again within ${host.surroundings.webhookWaitMs / 1_000} s`;
  throw new Drift(saw, undefined, `${type} is sent again after it was refused.`);
}

const CONTENT: readonly Check[] = [
  {
    name: "webhook-arrives",
    section: "6.2",
    about: "A new charge sends charge.created to every endpoint that is registered for it.",
    needs: NEEDS,
    async run(host) {
      const { isHeard } = await host.webhooks();
      const saw = `not both of two endpoints got it within ${host.surroundings.webhookWaitMs / 1_000} s`;
      expectThat(isHeard, "charge.created arrives.", saw);
      return "at two endpoints";
    },
  },
  {
    name: "webhook-emission",
    section: "6.2",
    about: "A cancelled charge sends charge.failed and payment.failed, and no event twice.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      for (const type of [FAILED, LIMITED]) {
        expectThat(story.of(story.main, type).length > 0, `${type} arrives.`, "it did not");
      }
      const before = story.of(story.twin, CREATED).length;
      expectThat(before === 1, "charge.created arrives once where it is accepted.", `${before} times`);
      return `charge.created, ${FAILED}, ${LIMITED}`;
    },
  },
  {
    name: "webhook-canonical",
    section: "6.3",
    about: "A canonical event has the envelope of its schema, and the charge as the API shows it.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      const [one] = deliveries(story, story.main, CREATED);
      const issues = host.shapes.eventIssues(CREATED, one.json);
      expectThat(issues === null, "The body is an event with data.object.", String(issues));
      const id = pick(one.json, "id");
      expectThat(String(id).startsWith("evt_"), "id begins with evt_.", shown(id));
      const [is, should] = [
        Object.keys(Object(pick(one.json, "data.object"))),
        Object.keys(Object(story.charge.created.json)),
      ];
      const isSame = shown(is.sort()) === shown(should.sort());
      expectThat(isSame, `data.object has the fields ${should.join(", ")}.`, is.join(", "));
      return `${String(id)} with the charge`;
    },
  },
  {
    name: "webhook-legacy",
    section: "6.4",
    about: "A legacy event has event and data, with the id, the amount and both statuses.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      const [one] = deliveries(story, story.main, LIMITED);
      const issues = host.shapes.eventIssues(LIMITED, one.json);
      expectThat(issues === null, "The body is {event, data}.", String(issues));
      const got = ["amount", "status", "previousStatus"].map((name) => pick(one.json, `data.${name}`));
      const wanted = [field(story.charge.created, "amount"), "CANCELLED", "WAITING_PAYMENT"];
      expectThat(shown(got) === shown(wanted), `amount, status and previousStatus are ${shown(wanted)}.`, shown(got));
      return shown(got);
    },
  },
  {
    name: "webhook-event-id",
    section: "6.3",
    about: "An event has the same id at every endpoint.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      const [main, twin] = [story.main, story.twin].map((target) =>
        pick(deliveries(story, target, CREATED)[0].json, "id"),
      );
      expectThat(main === twin, "Both endpoints get the same id.", `${shown(main)} and ${shown(twin)}`);
      return String(main);
    },
  },
];

const TRANSPORT: readonly Check[] = [
  {
    name: "webhook-headers",
    section: "6.5",
    about: "A delivery has the headers X-QA-Delivery-Id and X-QA-Event-Type, and a JSON body.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      const ids = new Set<string>();
      for (const one of [...story.of(story.main), ...story.of(story.twin)]) {
        const told = header(one, "x-qa-event-type");
        expectThat(told === one.type, `X-QA-Event-Type is ${one.type}.`, `it is ${shown(told)}`);
        const id = header(one, "x-qa-delivery-id");
        expectThat(id !== "", `${one.type} has X-QA-Delivery-Id.`, "it has none");
        const content = header(one, "content-type");
        expectThat(content.startsWith("application/json"), "The content type is JSON.", shown(content));
        ids.add(id);
      }
      return `${ids.size} deliveries`;
    },
  },
  {
    name: "webhook-signature-canonical",
    section: "6.5",
    about: "A canonical event is signed with the secret of its endpoint, over t and the body.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      for (const target of [story.main, story.twin])
        expectSigned(deliveries(story, target, CREATED), target, "canonical");
      const [one] = deliveries(story, story.main, CREATED);
      const t = Number(parseSignature(header(one, "x-qa-signature"))?.t);
      const seconds = Math.abs(t - Date.parse(String(pick(one.json, "created_at"))) / 1_000);
      const expected = `t is in Unix seconds, within ${NEAR_SECONDS} s of created_at.`;
      expectThat(seconds <= NEAR_SECONDS, expected, `${t} and ${shown(pick(one.json, "created_at"))}`);
      return "t and v1 are right, at two endpoints";
    },
  },
  {
    name: "webhook-signature-legacy",
    section: "6.5",
    about: "A legacy event is signed with the secret of its endpoint, over the body alone.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      expectSigned(deliveries(story, story.main, LIMITED), story.main, "legacy");
      return "sha256 is right";
    },
  },
  {
    name: "webhook-rotation",
    section: "6.5",
    about: "After a rotation, deliveries are signed with the new secret.",
    needs: NEEDS,
    async run(host) {
      const { rotated, twin } = await heard(host);
      if (rotated.delivery === null) throw new Skip("no event arrived after the rotation");
      const fault = signatureFault(rotated.delivery, rotated.secret, "canonical");
      const isOld = signatureFault(rotated.delivery, twin.secret, "canonical") === null;
      const saw = isOld ? "it is made with the old secret" : String(fault);
      expectThat(fault === null, "The signature is made with the new secret.", saw);
      return "the new secret";
    },
  },
  {
    name: "webhook-retry",
    section: "6.6",
    about: "A delivery that is answered 500 comes again, with the same ids and a right signature.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      const [first, second] = retryOf(host, story, FAILED);
      const ids = [first, second].map((one) => header(one, "x-qa-delivery-id"));
      expectThat(ids[0] === ids[1], `X-QA-Delivery-Id is ${ids[0]} again.`, `it is ${ids[1]}`);
      expectThat(first.raw === second.raw, "The body is the same.", "it is another one");
      expectSigned([second], story.main, "canonical");
      return `${ids[0]} twice, ${Math.round((second.at - first.at) / 100) / 10} s apart`;
    },
  },
  {
    name: "webhook-retry-after",
    section: "6.6",
    about: "A delivery that is answered 429 comes again, not before Retry-After has passed.",
    needs: NEEDS,
    async run(host) {
      const [first, second] = retryOf(host, await heard(host), LIMITED);
      const waited = second.at - first.at;
      const expected = `It comes again after ${RETRY_AFTER} s or later.`;
      expectThat(waited >= RETRY_AFTER * 1_000 - CLOCK_SLACK_MS, expected, `after ${Math.round(waited)} ms`);
      return `after ${Math.round(waited / 100) / 10} s`;
    },
  },
  {
    name: "webhook-log",
    section: "2.7",
    about: "The list of deliveries shows what was sent, how often, and what was answered.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      const [first] = deliveries(story, story.main, FAILED);
      host.shapes.check(story.log, "GET /v1/webhooks/deliveries");
      const id = header(first, "x-qa-delivery-id");
      const entry = listIn(story.log).find((one) => pick(one, "id") === id);
      expectThat(isJsonObject(entry), `The list has ${id}.`, "it does not", story.log);
      const got = ["endpointId", "eventType", "attempts", "lastStatusCode", "status"].map((name) => pick(entry, name));
      const end = host.facts.isClockRunning ? [2, 204, "DELIVERED"] : [1, 500, "PENDING"];
      const wanted = [story.main.id, FAILED, ...end];
      expectThat(shown(got) === shown(wanted), `${id} is ${shown(wanted)}.`, shown(got), story.log);
      const payload = pick(entry, "payload.id");
      expectThat(
        payload === pick(first.json, "id"),
        "payload is the envelope that was sent.",
        shown(payload),
        story.log,
      );
      return shown(got.slice(1));
    },
  },
  {
    name: "webhook-resend",
    section: "6.2",
    about: "resend-webhook sends the present status once more, as a new delivery of the same event.",
    needs: NEEDS,
    async run(host) {
      const story = await heard(host);
      if (story.resent === null) throw new Skip("it was not asked for");
      expectStatus(story.resent, 200);
      host.shapes.check(story.resent, "POST /v1/payments/{id}/resend-webhook");
      const all = deliveries(story, story.twin, FAILED);
      const [first, again] = all;
      expectThat(again !== undefined, `${FAILED} arrives again.`, "it did not", story.resent);
      const ids = [first, again ?? first].map((one) => header(one, "x-qa-delivery-id"));
      expectThat(ids[0] !== ids[1], "X-QA-Delivery-Id is a new one.", `it is ${ids[1]} again`, story.resent);
      const events = [first, again ?? first].map((one) => pick(one.json, "id"));
      expectThat(events[0] === events[1], `The event is ${shown(events[0])} again.`, shown(events[1]), story.resent);
      return `${rawId(story.charge.id)}: a new delivery of ${String(events[0])}`;
    },
  },
];

export const WEBHOOKS: readonly Check[] = [...CONTENT, ...TRANSPORT];
