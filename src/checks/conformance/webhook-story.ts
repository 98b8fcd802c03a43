import { isLoopbackHost } from "../../base/kernel/loopback.js";
import { pick } from "../../base/kernel/pick.js";
import { answerText } from "./answer.js";
import type { HostAccess } from "./host.js";
import { type Received, type Receiver, type Reply, startReceiver } from "./receiver.js";
import { type CheckedExchange, Skip } from "./run-context.js";
import { type CreatedCharge, type TestObjects, withoutPrefix } from "./test-objects.js";

/**
 * One scenario for all checks of webhooks. A charge is created and cancelled, which sends events of both families. The
 * receiver refuses the first delivery of two of them, so that they must come again.
 */

/** The first delivery of this event is refused with 500, and the first one of the legacy event with 429. */
export const FAILED = "charge.failed";
export const LIMITED = "payment.failed";
/** The Retry-After of the receiver, in seconds. */
export const RETRY_AFTER = 1;

/** An endpoint that the run has registered. */
export interface WebhookTarget {
  readonly id: string;
  /** The last part of its address. */
  readonly name: string;
  readonly secret: string;
}

const EVENTS = ["charge.created", FAILED, LIMITED];
const LOG_PATIENCE = 40;
const LOG_PAUSE_MS = 50;

function isAbout({ json }: Received, raw: string): boolean {
  const id = pick(json, "data.object.id") ?? pick(json, "data.transactionId");
  return withoutPrefix(id) === raw;
}

/** Registers an endpoint, which the end of the run deletes. Throws Skip when the host refuses the address. */
async function register(host: HostAccess, url: string, name: string): Promise<WebhookTarget> {
  const body = { url: `${url}/${name}`, events: EVENTS };
  const seen = await host.ask("POST", "/v1/webhooks/endpoints", { body });
  const [id, secret] = [pick(seen.json, "id"), pick(seen.json, "secret")];
  if (seen.status !== 201 || typeof id !== "string" || typeof secret !== "string") {
    throw new Skip(`the host does not register an address of this machine (it answered ${answerText(seen)})`);
  }
  host.atEnd(async () => void (await host.ask("DELETE", `/v1/webhooks/endpoints/${encodeURIComponent(id)}`)));
  return { id, name, secret };
}

/** The answer of `main` to the first delivery of an event about the charge. All other deliveries are accepted. */
const FIRST_REPLIES: Readonly<Record<string, Reply>> = {
  [FAILED]: { status: 500 },
  [LIMITED]: { status: 429, headers: { "retry-after": String(RETRY_AFTER) } },
};

/** Reads the list of deliveries to an endpoint, once none of them is under way. */
async function readSettledLog(host: HostAccess, { id }: WebhookTarget): Promise<CheckedExchange> {
  const path = `/v1/webhooks/deliveries?endpointId=${encodeURIComponent(id)}&limit=100`;
  for (let attempt = 1; ; attempt += 1) {
    const log = await host.get(path);
    const data = pick(log.json, "data");
    const isMoving = Array.isArray(data) && data.some((one) => pick(one, "status") === "PROCESSING");
    if (!isMoving || attempt === LOG_PATIENCE) return log;
    await host.context.pause(LOG_PAUSE_MS);
  }
}

/** Rotates the secret of `control`, creates one more charge, and waits for its event. */
async function rotation(host: HostAccess, objects: TestObjects, receiver: Receiver, control: WebhookTarget) {
  const changed = await host.ask("POST", `/v1/webhooks/endpoints/${encodeURIComponent(control.id)}/rotate-secret`);
  const secret = String(pick(changed.json, "secret"));
  const next = await objects.createCharge(objects.chargeBody("an event under the new secret"));
  const raw = withoutPrefix(pick(next.json, "id"));
  const fits = (one: Received) => one.endpoint === control.name && isAbout(one, raw);
  await receiver.waitFor(fits, 1, host.context.webhookWaitMs);
  return { delivery: receiver.received.find(fits) ?? null, secret };
}

/** The webhooks of one charge that was created and cancelled, and whose events were sent again. */
export type WebhookStory = Awaited<ReturnType<typeof createWebhookStory>>;

/** Plays the story and returns the deliveries. Throws Skip when the host cannot send to this machine, or creates no charge. */
export async function createWebhookStory(host: HostAccess, objects: TestObjects) {
  const { baseUrl, real, webhookWaitMs } = host.context;
  if (!isLoopbackHost(new URL(baseUrl).hostname)) throw new Skip("the host cannot send to a receiver on this machine");
  let raw: string | undefined;
  const isOf = (one: Received, endpoint: string, type = one.type) =>
    raw !== undefined && one.endpoint === endpoint && one.type === type && isAbout(one, raw);
  const receiver = await startReceiver(`/qa-pay-conform-${host.run}`, real, (one, earlier) => {
    const isFirst = isOf(one, "main") && !earlier.some((other) => isOf(other, "main", one.type));
    return (isFirst ? FIRST_REPLIES[one.type] : undefined) ?? { status: 204 };
  });
  host.atEnd(() => receiver.close());
  const main = await register(host, receiver.url, "main");
  const control = await register(host, receiver.url, "control");
  const created = await objects.createCharge(objects.chargeBody("the charge whose webhooks are checked"));
  const id = String(pick(created.json, "id"));
  if (created.status !== 201) throw new Skip("it needs a charge, and none could be created");
  raw = withoutPrefix(id);
  /** Waits until an endpoint has got `count` deliveries of an event about the charge. */
  const waitForDeliveries = (target: WebhookTarget, type: string, count: number) =>
    receiver.waitFor((one) => isOf(one, target.name, type), count, webhookWaitMs);
  let resentAt = Number.POSITIVE_INFINITY;
  /** The deliveries about the charge to one endpoint, in the order of arrival. */
  const of = (target: WebhookTarget, type?: string) => receiver.received.filter((one) => isOf(one, target.name, type));
  const story = {
    charge: { id, raw, created } satisfies CreatedCharge,
    /** False when not even the first event arrived. */
    isHeard:
      (await waitForDeliveries(main, "charge.created", 1)) && (await waitForDeliveries(control, "charge.created", 1)),
    /** The registrations of both endpoints. `main` refuses some deliveries at first, `control` accepts all. */
    main,
    control,
    of,
    /** The same as `of`, without deliveries that were sent again by request. */
    beforeResend: (target: WebhookTarget, type: string) => of(target, type).filter(({ at }) => at < resentAt),
    /** The answer to the request to send again; null when there was none. */
    resent: null as CheckedExchange | null,
    /** The first delivery to `control` after its secret was rotated, with the new secret; null when none arrived. */
    rotated: { delivery: null as Received | null, secret: "" },
  };
  if (!story.isHeard) return { ...story, log: await readSettledLog(host, main) };
  await host.ask("POST", `/v1/payments/${raw}/cancel`);
  const times = host.facts.isClockRunning ? 2 : 1;
  await waitForDeliveries(main, LIMITED, times);
  await waitForDeliveries(main, FAILED, times);
  /** The list of deliveries to `main` at the end. */
  const log = await readSettledLog(host, main);
  resentAt = real.monotonic();
  const resent = await host.ask("POST", `/v1/payments/${raw}/resend-webhook`);
  await waitForDeliveries(control, FAILED, 2);
  return { ...story, log, resent, rotated: await rotation(host, objects, receiver, control) };
}
