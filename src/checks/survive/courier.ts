import type { Client } from "../../api/client/types.js";
import { answerExcerpt } from "../../base/kernel/answer-excerpt.js";
import { attemptErrorOf } from "../../base/kernel/attempt-errors.js";
import { MINUTE } from "../../base/kernel/duration.js";
import { isRefusal, isSuccess } from "../../base/kernel/http-status.js";
import type { Ids, Random, RealTime } from "../../base/kernel/runtime.js";
import { STALE_MS } from "../../service/delivery/chaos.js";
import type { AttemptResult } from "../../service/delivery/schedule.js";
import { familyOf, isEventName } from "../../service/features/webhooks/catalogue.js";
import type { FirstAnswer } from "../shop/first-order.js";
import type { ShopProcess } from "../shop/process.js";
import type { Shop } from "../shop/shop.js";
import type { FaultName } from "./faults.js";
import type { Finding } from "./oracles.js";
import type { Disturbance, Step } from "./schedule.js";
import { type Moment, together } from "./together.js";
import type { HeldWebhook, Signing, WebhookContent, WebhookRelay } from "./webhook-relay.js";

/**
 * Brings the webhooks of a schedule to the shop, as its steps say. The emulator's own retries bring again what was lost: the emulated
 * clock goes to the moment of the next one, so that nobody waits for it.
 */

/** What a run of schedules works with. */
export interface RunParts {
  readonly client: Client;
  readonly shop: Shop;
  readonly process: ShopProcess | null;
  readonly relay: WebhookRelay;
  /** The id of the emulator's endpoint, which is the relay. */
  readonly endpoint: string;
  /** Signs the webhooks to the shop. */
  readonly secret: string;
  readonly real: RealTime;
  readonly random: Random;
  readonly ids: Ids;
  readonly settleMs: number;
  readonly stopped: AbortSignal;
}

interface CourierParts extends RunParts {
  note(text: string): void;
  find(finding: Finding): void;
  /** This fault has happened to the shop. */
  show(fault: FaultName): void;
  /** The shop did not answer a webhook in time. Throws where nothing else can be tried. */
  late(type: string, result: AttemptResult): void;
  /** The emulated clock has moved. */
  moved(to: string): void;
  /** Calls the shop, and does what must be done when the shop is killed or dies meanwhile. */
  calling<Answer>(call: () => Promise<Answer>, restart: Restart | null): Promise<Answer>;
}

export type Restart = Extract<Disturbance, { fault: "restart" }>;

/** An attempt of the emulator that reached the shop. */
export interface ShopAttempt {
  /** The id of the delivery. */
  readonly delivery: string;
  readonly attempt: number;
}

/** What is still to happen to a delivery. */
interface DeliveryFate {
  lost: number;
  cut: number;
  isStale: boolean;
  copies: number;
  resent: number;
  /** Held back until the step with this number is over; null until the quiet end; undefined for not at all. */
  readonly heldUntil: number | null | undefined;
  /** The fault that holds it back. */
  readonly heldBy: "late" | "reordered";
}

/** How often a webhook is tried while nothing disturbs. */
const QUIET_TRIES = 4;
/** Real milliseconds that a webhook may take from the emulator to the relay. */
const PATIENCE_MS = 2_000;

function fault<Name extends Disturbance["fault"]>(step: Step | null, name: Name) {
  return step?.disturbed.find((one): one is Extract<Disturbance, { fault: Name }> => one.fault === name);
}

function fateOf(step: Step | null): DeliveryFate {
  const duplicate = fault(step, "duplicate");
  const late = fault(step, "late");
  const reordered = fault(step, "reordered");
  return {
    lost: fault(step, "lost_until_retry")?.attempts ?? 0,
    cut: fault(step, "cut_answer")?.attempts ?? 0,
    isStale: fault(step, "stale") !== undefined,
    copies: duplicate?.manner === "again" ? duplicate.copies : 0,
    resent: duplicate?.manner === "resent" ? duplicate.copies : 0,
    heldUntil: late !== undefined ? late.behind : (reordered?.behind ?? undefined),
    heldBy: late === undefined ? "reordered" : "late",
  };
}

export function answerText({ statusCode, error, responseBody }: AttemptResult): string {
  if (statusCode === null) return `no answer: ${attemptErrorOf(error).error}`;
  const body = responseBody?.trim() ?? "";
  return `answered ${statusCode}${isSuccess(statusCode) || body === "" ? "" : `: ${answerExcerpt(body, 200)}`}`;
}

export class Courier {
  readonly #parts: CourierParts;
  readonly #fates = new Map<string, DeliveryFate>();
  readonly #over = new Set<number>();
  /** Deliveries whose last attempt failed although nothing disturbed it: what was answered, and how often. */
  readonly #failing = new Map<string, { readonly text: string; readonly times: number }>();
  /** What the shop has taken, the oldest first. */
  readonly taken: HeldWebhook[] = [];
  /** The events that the shop has refused as wrong requests, although nothing was wrong with them. */
  readonly refused = new Set<string>();
  /** The attempts that reached the shop, in this order. */
  readonly handed: ShopAttempt[] = [];
  /** How the shop answered them. */
  readonly answers: FirstAnswer[] = [];
  #isQuiet = false;

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** Delivers what the step has caused. When it returns, nothing is due any more. */
  async deliver(step: Step | null): Promise<void> {
    let order: Step | null = step;
    for (;;) {
      const due = await this.#due();
      if (due.length === 0 && this.#parts.relay.held.size === 0) return;
      await this.#arrived(due);
      await this.#deliverOrHold(due, order);
      // Only the first webhooks are those of the step. A restart happens once.
      order = null;
    }
  }

  /** A step is over: what waited for it comes now, by the retries of the emulator. */
  async release(step: number): Promise<void> {
    this.#over.add(step);
    const { requestsOf } = this.#parts.relay;
    const waiting = [...this.#fates].filter(([, { heldUntil }]) => heldUntil === step);
    const requests = new Map(waiting.map(([id]) => [id, requestsOf(id)]));
    while (requests.size > 0) {
      const pending = (await this.#open("PENDING")).filter(({ id }) => requests.get(id) === requestsOf(id));
      if (pending.length === 0) return;
      await this.#advance(pending);
    }
  }

  /** Delivers everything that was held back. Returns the deliveries that still fail, as sentences. */
  async drain(): Promise<readonly string[]> {
    this.#isQuiet = true;
    for (;;) {
      await this.deliver(null);
      const isGivenUp = (id: string) => (this.#failing.get(id)?.times ?? 0) >= QUIET_TRIES;
      const pending = (await this.#open("PENDING")).filter(({ id }) => !isGivenUp(id));
      if (pending.length > 0 && !this.#parts.stopped.aborted) await this.#advance(pending);
      else return [...this.#failing.values()].map(({ text }) => text);
    }
  }

  /** Moves the clock to the first of these retries, and delivers what falls due. */
  async #advance(pending: readonly { readonly nextRetryAt: string | null }[]): Promise<void> {
    const next = pending.map(({ nextRetryAt }) => nextRetryAt ?? "").sort()[0];
    if (next === undefined || next === "") return this.deliver(null);
    const { client, relay } = this.#parts;
    let isMoving = true;
    const moved = client["sandbox.clock.advance"]({ body: { to: next } }).finally(() => {
      isMoving = false;
      relay.wake();
    });
    // It answers when what is due has been delivered, which happens here.
    while (isMoving) {
      const news = relay.news();
      if (relay.held.size === 0 && isMoving) await news;
      await this.deliver(null);
    }
    this.#parts.moved((await moved).now);
  }

  /** The deliveries of this schedule that wait for an attempt, or that are under way. */
  async #open(status: "PENDING" | "PROCESSING") {
    const { client, endpoint, relay } = this.#parts;
    const { data } = await client["sandbox.deliveries.list"]({ query: { endpoint, limit: 100, status } });
    return data.filter(({ subject }) => !relay.isForgotten(subject));
  }

  /** The ids of what is due now, the oldest first. */
  async #due(): Promise<string[]> {
    const { client, relay } = this.#parts;
    for (;;) {
      const [pending, sent, { now }] = await Promise.all([
        this.#open("PENDING"),
        this.#open("PROCESSING"),
        client["sandbox.clock.show"](),
      ]);
      const due = pending.filter(({ nextRetryAt }) => nextRetryAt === null || nextRetryAt <= now);
      // One whose answer is being recorded comes no more; whether it is due again is known in a moment.
      const isRecorded = sent.every(({ id, attempts }) => relay.held.has(id) || relay.requestsOf(id) <= attempts);
      if (isRecorded) return [...new Set([...sent, ...due].map(({ id }) => id))].sort();
    }
  }

  /** Resolves when all of these are held. */
  async #arrived(ids: readonly string[]): Promise<void> {
    const { relay, real } = this.#parts;
    let isOver = false;
    const timer = real.after(PATIENCE_MS, () => {
      isOver = true;
      relay.wake();
    });
    for (;;) {
      const news = relay.news();
      if (isOver || ids.every(relay.hasCome)) break;
      await news;
    }
    timer.cancel();
  }

  /** Delivers each webhook that the relay holds, drops it, or holds it back. */
  async #deliverOrHold(ids: readonly string[], step: Step | null): Promise<void> {
    const { relay, note, show } = this.#parts;
    const rank = (id: string) => ids.indexOf(id) + 1 || Infinity;
    const batch = [...relay.held.values()].sort((one, other) => rank(one.id) - rank(other.id));
    if (fault(step, "reordered")?.behind === null) {
      batch.reverse();
      if (batch.length > 1) show("reordered");
    }
    const ready = batch.filter((one) => {
      const fate = this.#fates.get(one.id) ?? fateOf(step);
      this.#fates.set(one.id, fate);
      const isHeld = !this.#isQuiet && fate.heldUntil !== undefined && !this.#over.has(fate.heldUntil ?? Number.NaN);
      if (!isHeld && fate.lost === 0) return true;
      if (!isHeld) fate.lost -= 1;
      show(isHeld ? fate.heldBy : "lost_until_retry");
      note(`${one.type} ${isHeld ? "is held back" : "is lost"}`);
      this.#answer(one, null);
      return false;
    });
    const restart = fault(step, "restart") ?? null;
    const killedAt = Math.min(restart?.moment === "during" ? restart.nth : Infinity, ready.length - 1);
    const simultaneous = fault(step, "simultaneous");
    const times = (simultaneous?.copies ?? 0) + 1;
    const alike = ready.filter((one) => !this.#isStale(one));
    const moment = simultaneous === undefined ? undefined : together(times * alike.length);
    const deliver = (one: HeldWebhook, index: number) =>
      this.#deliverOne(one, index === killedAt ? restart : null, times, moment);
    if (simultaneous !== undefined && times * alike.length > 1) show("simultaneous");
    if (moment !== undefined) await Promise.all(ready.map(deliver));
    else for (const [index, one] of ready.entries()) await deliver(one, index);
  }

  /** Whether this one comes with an old signature now, and alone. */
  #isStale(one: HeldWebhook): boolean {
    return this.#fates.get(one.id)?.isStale === true && isTimed(one);
  }

  #answer(one: HeldWebhook, result: AttemptResult | null): void {
    this.#parts.relay.held.delete(one.id);
    one.answer(result);
  }

  async #deliverOne(one: HeldWebhook, restart: Restart | null, times: number, moment?: Moment): Promise<void> {
    const { calling, note, client, relay, show } = this.#parts;
    const fate = this.#fates.get(one.id) ?? fateOf(null);
    const isStale = this.#isStale(one);
    fate.isStale = false;
    const send = async (what = "", at?: Moment) => {
      if (isStale) return this.sendOld(one);
      this.handed.push({ delivery: one.id, attempt: relay.requestsOf(one.id) });
      const result = await this.send(one, this.#signing(), at);
      note(`${one.type}${what}: ${answerText(result)}`);
      return result;
    };
    const all = () => Promise.all(Array.from({ length: times }, () => send("", moment)));
    const [result] = await calling(all, restart);
    if (result === undefined) return;
    const isGood = isSuccess(result.statusCode);
    if (isGood) {
      this.taken.push(one);
      this.#failing.delete(one.id);
    } else if (!isStale) this.#refusal(one, result);
    const isCut = fate.cut > 0 && isGood;
    if (isCut) {
      fate.cut -= 1;
      show("cut_answer");
      note(`the answer to ${one.type} is lost`);
    }
    this.#answer(one, isCut ? null : result);
    if (isGood && (fate.copies > 0 || (fate.resent > 0 && !isCut))) show("duplicate");
    for (; fate.copies > 0 && isGood; fate.copies--) await calling(() => send(" once more"), null);
    for (; fate.resent > 0 && isGood && !isCut; fate.resent--) {
      const { id } = await client["sandbox.deliveries.resend"]({ params: { id: one.id }, body: {} });
      this.#fates.set(id, fateOf(null));
    }
  }

  #refusal({ id, type }: HeldWebhook, result: AttemptResult): void {
    const { statusCode } = result;
    if (isRefusal(statusCode)) this.refused.add(type);
    const times = (this.#failing.get(id)?.times ?? 0) + 1;
    if (this.#isQuiet) this.#failing.set(id, { text: `${type}: ${answerText(result)}`, times });
  }

  #signing(age = 0): Signing {
    const { secret, real } = this.#parts;
    return { secret, at: real.shown() - age };
  }

  /** Sends a webhook to the shop, and only there. */
  async send(one: WebhookContent, signing: Signing | null, at?: Moment): Promise<AttemptResult> {
    // The address of the shop may change when it starts again.
    const result = await this.#parts.relay.send(this.#parts.shop.webhooks, one, signing, at);
    this.answers.push({ statusCode: result.statusCode, text: answerText(result) });
    if (result.timedOut) this.#parts.late(one.type, result);
    return result;
  }

  /**
   * Sends a webhook whose signature is old. A shop that takes it, and that refuses a wrong signature, does not look at the time. One
   * that takes both may know the event already, or may ask the service what is true.
   */
  async sendOld(one: HeldWebhook): Promise<AttemptResult> {
    const { note, find, random, show } = this.#parts;
    const result = await this.send(one, this.#signing(STALE_MS));
    if (isTimed(one)) show("stale");
    note(`${one.type} with an old signature: ${answerText(result)}`);
    if (!isSuccess(result.statusCode) || !isTimed(one)) return result;
    const forged = await this.send(one, { ...this.#signing(), secret: random.hex(32) });
    if (!isRefusal(forged.statusCode)) return result;
    const text = `The shop takes ${one.type} with a signature that is ${STALE_MS / MINUTE} minutes old: it was ${answerText(result)}.`;
    find({ oracle: "forgery_believed", text, charge: one.charge });
    return result;
  }
}

/** Whether the signature of the event has a time. */
function isTimed({ type }: Pick<HeldWebhook, "type">): boolean {
  return isEventName(type) && familyOf(type) === "canonical";
}
