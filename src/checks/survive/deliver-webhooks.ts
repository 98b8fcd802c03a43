import { MINUTE } from "../../base/kernel/duration.js";
import { isRefusal, isSuccess } from "../../base/kernel/http-status.js";
import { STALE_MS } from "../../service/features/webhooks/chaos.js";
import type { AttemptResult } from "../../service/delivery/schedule.js";
import type { OrderTracker } from "./order-tracker.js";
import type { Step } from "./schedule.js";
import type { ScheduleRecord } from "./schedule-record.js";
import type { Restart, RunParts, ShopSession } from "./shop-session.js";
import { type Moment, together } from "./together.js";
import { type Batches, disturbanceOf, isTimed, type WebhookQueue } from "./webhook-queue.js";
import { answerText, type HeldWebhook, type Signing } from "./webhook-relay.js";

/** Brings the webhooks of the queue to the shop, as the steps of a schedule say. */

/** A schedule that runs. */
export interface ScheduleRun {
  readonly parts: RunParts;
  readonly orders: OrderTracker;
  readonly queue: WebhookQueue;
  readonly session: ShopSession;
  readonly record: ScheduleRecord;
  /** The orders about which the shop believed a forged webhook. That explains all else that is wrong with them. */
  readonly forged: Set<string>;
}

/** Delivers all batches. Only the webhooks of the first one are those that `step` caused. */
export async function deliverAll(run: ScheduleRun, batches: Batches, step: Step | null): Promise<void> {
  let cause = step;
  for await (const batch of batches) {
    await deliverBatch(run, batch, cause);
    cause = null;
  }
}

async function deliverBatch(run: ScheduleRun, batch: readonly HeldWebhook[], step: Step | null): Promise<void> {
  const { queue, record } = run;
  const isReversed = disturbanceOf(step, "reordered")?.behind === null;
  if (isReversed && batch.length > 1) record.show("reordered");
  const { ready, kept } = queue.hold(isReversed ? batch.toReversed() : batch, step);
  for (const { one, fault } of kept) {
    record.show(fault);
    record.note(`${one.type} ${fault === "lost_until_retry" ? "is lost" : "is held back"}`);
  }
  const restart = disturbanceOf(step, "restart") ?? null;
  const killedAt = Math.min(restart?.moment === "during" ? restart.nth : Infinity, ready.length - 1);
  const restartAt = (index: number) => (index === killedAt ? restart : null);
  const simultaneous = disturbanceOf(step, "simultaneous");
  if (simultaneous === undefined) {
    for (const [index, one] of ready.entries()) await deliver(run, one, restartAt(index));
    return;
  }
  const times = simultaneous.copies + 1;
  const count = times * ready.filter((one) => !queue.isStale(one)).length;
  if (count > 1) record.show("simultaneous");
  const crowd = { times, moment: together(count) };
  await Promise.all(ready.map((one, index) => deliver(run, one, restartAt(index), crowd)));
}

/** Sends a webhook, `times` at the same moment, and lets the emulator know what the shop answered. */
async function deliver(
  run: ScheduleRun,
  one: HeldWebhook,
  restart: Restart | null,
  { times, moment }: { readonly times: number; readonly moment?: Moment } = { times: 1 },
): Promise<void> {
  const { session, queue, record, parts } = run;
  const isStale = queue.isStale(one);
  const send = () => (isStale ? sendStale(run, one) : sendFresh(run, one, "", moment));
  const [result] = await session.call(() => Promise.all(Array.from({ length: times }, send)), restart);
  if (result === undefined) return;
  if (isSuccess(result.statusCode)) record.taken.push(one);
  else if (!isStale && isRefusal(result.statusCode)) record.refused.add(one.type);
  const { isCut, copies, resent } = queue.deliver(one, result);
  if (isCut) {
    record.show("cut_answer");
    record.note(`the answer to ${one.type} is lost`);
  }
  if (copies > 0 || resent > 0) record.show("duplicate");
  const again = () => (isStale ? sendStale(run, one) : sendFresh(run, one, " once more"));
  for (let count = 0; count < copies; count++) await session.call(again);
  for (let count = 0; count < resent; count++)
    await parts.client["sandbox.deliveries.resend"]({ params: { id: one.id }, body: {} });
}

function signingOf({ parts: { secret, real } }: ScheduleRun, age = 0): Signing {
  return { secret, at: real.shown() - age };
}

async function sendFresh(run: ScheduleRun, one: HeldWebhook, what: string, moment?: Moment): Promise<AttemptResult> {
  const { session, record, parts } = run;
  record.handed.push({ delivery: one.id, attempt: parts.relay.requestsOf(one.id) });
  const result = await session.send(one, signingOf(run), moment);
  record.note(`${one.type}${what}: ${answerText(result)}`);
  return result;
}

/**
 * Sends a webhook whose signature is old. A shop that accepts it, and that refuses a wrong signature, does not look at the time. A
 * shop that accepts both may know the event already, or may read from the service what is true.
 */
export async function sendStale(run: ScheduleRun, one: HeldWebhook): Promise<AttemptResult> {
  const { session, record, parts } = run;
  const result = await session.send(one, signingOf(run, STALE_MS));
  if (isTimed(one)) record.show("stale");
  record.note(`${one.type} with an old signature: ${answerText(result)}`);
  if (!isSuccess(result.statusCode) || !isTimed(one)) return result;
  const forged = await session.send(one, { ...signingOf(run), secret: parts.random.hex(32) });
  if (!isRefusal(forged.statusCode)) return result;
  const text = `The shop takes ${one.type} with a signature that is ${STALE_MS / MINUTE} minutes old: it was ${answerText(result)}.`;
  record.find({ oracle: "forgery_believed", text, charge: one.charge });
  return result;
}
