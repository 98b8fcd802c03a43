import { isRefusal, isSuccess } from "../../base/kernel/http-status.js";
import { toPlainId } from "../reconcile/orders.js";
import type { ShopOrder } from "../shop/shop.js";
import { prepareFaults } from "./api-faults.js";
import { judgeOrder, neverSettled } from "./judge.js";
import { OrderTracker } from "./order-tracker.js";
import { performStep, type ScheduleRun } from "./perform-step.js";
import type { Step } from "./schedule.js";
import { type ScheduleOutcome, ScheduleRecord, ShopGone } from "./schedule-record.js";
import { type Restart, type RunParts, ShopSession } from "./shop-session.js";
import { type Batches, disturbanceOf, WebhookQueue } from "./webhook-queue.js";
import { type HeldWebhook, type Moment, together } from "./webhook-relay.js";
import { actText } from "./words.js";

/** Runs one schedule: its steps, then what is left of its webhooks, then the judgement of the shop. */

const SHOWN_OUTPUT = 4_000;
/** The first and the longest real milliseconds until the shop's orders are read again. */
const PAUSE_MS = { first: 4, longest: 250 };

async function begin(parts: RunParts): Promise<ScheduleRun> {
  const { now } = await parts.client["sandbox.clock.advance"]({ body: { seconds: 1 } });
  const queue = new WebhookQueue(parts, now);
  const record = new ScheduleRecord(queue);
  const session = new ShopSession(parts, record);
  return { parts, queue, record, session, orders: new OrderTracker(parts.client, now), forged: new Set() };
}

export async function runSchedule(parts: RunParts, steps: readonly Step[]): Promise<ScheduleOutcome> {
  const run = await begin(parts);
  const { orders, record } = run;
  let isGone = false;
  try {
    for (const step of steps) if (!parts.stopped.aborted) await runStep(run, step);
    if (!parts.stopped.aborted) await end(run);
  } catch (error) {
    if (!(error instanceof ShopGone)) throw error;
    isGone = true;
  } finally {
    parts.relay.forget(orders.charges());
  }
  const output = (parts.process?.output() ?? "").slice(-SHOWN_OUTPUT);
  return record.outcome({ output, isGone, isCharged: orders.charges().length > 0 });
}

/** Performs a step, and delivers what it caused and what was held back until then. */
async function runStep(run: ScheduleRun, step: Step): Promise<void> {
  const { parts, queue, session, record } = run;
  record.note(actText(step));
  session.isCalm = step.disturbed.length === 0;
  const faults = await prepareFaults(parts.client, step);
  await performStep(run, step, faults);
  const handed = record.handed.length;
  await deliverAll(run, queue.takeDue(), step);
  for (const fault of await faults.endFaults()) record.show(fault);
  for (const fault of await faults.end()) if (record.handed.length > handed) record.show(fault);
  await deliverAll(run, queue.takeReleased(step.id), null);
}

/** Delivers all batches. Only the webhooks of the first one are those that `step` caused. */
async function deliverAll(run: ScheduleRun, batches: Batches, step: Step | null): Promise<void> {
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
  const send = () => (isStale ? session.sendStale(one) : session.sendFresh(one, "", moment));
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
  const again = () => (isStale ? session.sendStale(one) : session.sendFresh(one, " once more"));
  for (let count = 0; count < copies; count++) await session.call(again);
  for (let count = 0; count < resent; count++)
    await parts.client["sandbox.deliveries.resend"]({ params: { id: one.id }, body: {} });
}

/** Nothing disturbs any more, and everything that is left is delivered. Then the shop is judged. */
async function end(run: ScheduleRun): Promise<void> {
  const { parts, queue, session, record } = run;
  session.isCalm = true;
  await deliverAll(run, queue.takeRest(), null);
  if (parts.stopped.aborted) return;
  record.note("nothing disturbs any more, and nothing is due");
  await judgeSettled(run);
  record.find(...neverSettled(queue.describeFailing()));
}

/** Judges the orders again and again, until they are right and rest, or the shop's time is over. */
async function judgeSettled({ parts, orders, session, record, forged }: ScheduleRun): Promise<void> {
  const { real, settleMs, stopped } = parts;
  const deadline = real.monotonic() + settleMs;
  let last = "";
  for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
    await orders.read();
    const rows = await session.orders();
    const findings = orders.all().flatMap((known) => (forged.has(known.order) ? [] : judgeOrder(known, rows)));
    const own = ownRows(orders, rows);
    const state = JSON.stringify(own);
    if (own.length > 0) record.listsFulfilled = own.some(({ fulfilled }) => fulfilled !== null);
    // A right shop that does not move is done. One that is wrong may need its time.
    if ((findings.length === 0 && state === last) || real.monotonic() >= deadline || stopped.aborted)
      return record.find(...findings);
    last = state;
    await session.pause(pause);
  }
}

/** The rows of the shop that are about orders of this schedule. */
function ownRows(orders: OrderTracker, rows: readonly ShopOrder[]): readonly ShopOrder[] {
  const names = new Set(orders.all().map(({ order }) => order));
  const charges = new Set(orders.charges());
  return rows.filter(({ id, order }) => names.has(order ?? "") || (id !== null && charges.has(toPlainId(id))));
}
