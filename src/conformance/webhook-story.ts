import { isLoopbackHost } from "../kernel/loopback.js";
import { pick } from "../kernel/pick.js";
import { answerText } from "./answer.js";
import {
  type CheckedExchange,
  type CreatedCharge,
  type Host,
  type Received,
  Skip,
  type WebhookStory,
  type WebhookTarget,
} from "./check.js";
import { type Receiver, type Reply, startReceiver } from "./receiver.js";
import { withoutPrefix } from "./test-objects.js";

/**
 * One scenario for all checks of webhooks. A charge is created and cancelled, which sends events of both families. The
 * receiver refuses the first delivery of two of them, so that they must come again.
 */

/** The first delivery of this event is refused with 500, and the first one of the legacy event with 429. */
export const FAILED = "charge.failed";
export const LIMITED = "payment.failed";
/** What the receiver says in Retry-After, in seconds. */
export const RETRY_AFTER = 1;

const EVENTS = ["charge.created", FAILED, LIMITED];
const LOG_PATIENCE = 40;
const LOG_PAUSE_MS = 50;

function isAbout({ json }: Received, raw: string): boolean {
  const id = pick(json, "data.object.id") ?? pick(json, "data.transactionId");
  return withoutPrefix(id) === raw;
}

/** Registers an endpoint, which the end of the run deletes. Throws Skip when the host refuses the address. */
async function register(host: Host, url: string, name: string): Promise<WebhookTarget> {
  const body = { url: `${url}/${name}`, events: EVENTS };
  const seen = await host.ask("POST", "/v1/webhooks/endpoints", { body });
  const [id, secret] = [pick(seen.json, "id"), pick(seen.json, "secret")];
  if (seen.status !== 201 || typeof id !== "string" || typeof secret !== "string") {
    throw new Skip(`the host does not register an address of this machine (it answered ${answerText(seen)})`);
  }
  host.atEnd(async () => void (await host.ask("DELETE", `/v1/webhooks/endpoints/${encodeURIComponent(id)}`)));
  return { id, name, secret };
}

function replies(main: () => WebhookTarget | undefined, raw: () => string | undefined) {
  return (one: Received, earlier: readonly Received[]): Reply => {
    const about = raw();
    if (about === undefined || one.endpoint !== main()?.name || !isAbout(one, about)) return { status: 204 };
    const isFirst = !earlier.some(
      ({ endpoint, type, json }) => endpoint === one.endpoint && type === one.type && isAbout({ ...one, json }, about),
    );
    if (!isFirst) return { status: 204 };
    if (one.type === FAILED) return { status: 500 };
    return one.type === LIMITED ? { status: 429, headers: { "retry-after": String(RETRY_AFTER) } } : { status: 204 };
  };
}

/** Reads the list of deliveries to an endpoint, once none of them is under way. */
async function settledLog(host: Host, { id }: WebhookTarget): Promise<CheckedExchange> {
  const path = `/v1/webhooks/deliveries?endpointId=${encodeURIComponent(id)}&limit=100`;
  for (let attempt = 1; ; attempt += 1) {
    const log = await host.get(path);
    const data = pick(log.json, "data");
    const isMoving = Array.isArray(data) && data.some((one) => pick(one, "status") === "PROCESSING");
    if (!isMoving || attempt === LOG_PATIENCE) return log;
    await host.context.pause(LOG_PAUSE_MS);
  }
}

/** Exchanges the secret of `control`, creates one more charge, and waits for its event. */
async function rotation(host: Host, receiver: Receiver, control: WebhookTarget): Promise<WebhookStory["rotated"]> {
  const { objects, context } = host;
  const changed = await host.ask("POST", `/v1/webhooks/endpoints/${encodeURIComponent(control.id)}/rotate-secret`);
  const secret = String(pick(changed.json, "secret"));
  const next = await objects.createCharge(objects.chargeBody("an event under the new secret"));
  const raw = withoutPrefix(pick(next.json, "id"));
  const fits = (one: Received) => one.endpoint === control.name && isAbout(one, raw);
  await receiver.waitFor(fits, 1, context.webhookWaitMs);
  return { delivery: receiver.received.find(fits) ?? null, secret };
}

export async function createWebhookStory(host: Host): Promise<WebhookStory> {
  const { objects, context, facts } = host;
  const { baseUrl, real, webhookWaitMs } = context;
  if (!isLoopbackHost(new URL(baseUrl).hostname)) throw new Skip("the host cannot send to a receiver on this machine");
  let main: WebhookTarget | undefined;
  let charge: CreatedCharge | undefined;
  const reply = replies(
    () => main,
    () => charge?.raw,
  );
  const receiver = await startReceiver(`/qa-pay-conform-${host.run}`, real, reply);
  host.atEnd(() => receiver.close());
  main = await register(host, receiver.url, "main");
  const control = await register(host, receiver.url, "control");
  const created = await objects.createCharge(objects.chargeBody("the charge whose webhooks are checked"));
  const id = String(pick(created.json, "id"));
  if (created.status !== 201) throw new Skip("it needs a charge, and none could be created");
  const subject: CreatedCharge = { id, raw: withoutPrefix(id), created };
  charge = subject;
  const of = (endpoint: WebhookTarget, type?: string) =>
    receiver.received.filter(
      (one) => one.endpoint === endpoint.name && isAbout(one, subject.raw) && (type === undefined || one.type === type),
    );
  /** Waits until `main` has got `count` deliveries of an event about the charge. */
  const arrived = (target: WebhookTarget, type: string, count: number) =>
    receiver.waitFor(
      (one) => one.endpoint === target.name && one.type === type && isAbout(one, subject.raw),
      count,
      webhookWaitMs,
    );
  const isHeard = (await arrived(main, "charge.created", 1)) && (await arrived(control, "charge.created", 1));
  let resentAt = Number.POSITIVE_INFINITY;
  const beforeResend = (endpoint: WebhookTarget, type: string) => of(endpoint, type).filter(({ at }) => at < resentAt);
  const story = { charge: subject, isHeard, main, control, of, beforeResend };
  if (!isHeard) {
    const log = await settledLog(host, main);
    return { ...story, resent: null, log, rotated: { delivery: null, secret: "" } };
  }
  await host.ask("POST", `/v1/payments/${subject.raw}/cancel`);
  const times = facts.isClockRunning ? 2 : 1;
  await arrived(main, LIMITED, times);
  await arrived(main, FAILED, times);
  const log = await settledLog(host, main);
  resentAt = real.monotonic();
  const resent = await host.ask("POST", `/v1/payments/${subject.raw}/resend-webhook`);
  await arrived(control, FAILED, 2);
  return { ...story, resent, log, rotated: await rotation(host, receiver, control) };
}
