import { isSuccess } from "../../base/kernel/http-status.js";
import type { AttemptResult } from "../../service/delivery/schedule.js";
import type { Disturbance, Step } from "./schedule.js";
import type { RunParts } from "./shop-session.js";
import { answerText, type HeldWebhook, isTimed } from "./webhook-relay.js";

/**
 * The webhooks of a schedule: which are due, and what becomes of each. The queue returns what happened and calls nobody. The
 * emulator's own retries bring again what was lost: the emulated clock goes to the moment of the next one, so that nobody waits for it.
 */

/** The disturbances that a delivery still has to meet. */
interface DeliveryFate {
  lost: number;
  cut: number;
  isStale: boolean;
  copies: number;
  resent: number;
  /** Held back until the step with this number is over; null until the end of all steps; undefined for not at all. */
  readonly heldUntil: number | null | undefined;
  /** The fault that holds it back. */
  readonly heldBy: "late" | "reordered";
}

/** A webhook that the shop does not get now, and why. */
interface KeptWebhook {
  readonly one: HeldWebhook;
  readonly fault: "late" | "reordered" | "lost_until_retry";
}

/** The consequences of a shop's answer to a webhook. */
interface Delivered {
  /** The emulator did not get the answer. */
  readonly isCut: boolean;
  /** So often the same attempt comes again. */
  readonly copies: number;
  /** So often the emulator is to send the event again. */
  readonly resent: number;
}

type PendingDelivery = { readonly id: string; readonly nextRetryAt: string | null };

/** Batches of webhooks. The next one follows when those of the last one are delivered, held back or dropped. */
export type Batches = AsyncGenerator<readonly HeldWebhook[], void>;

/** How often a webhook is tried at the end, while nothing disturbs. */
const LAST_TRIES = 4;
/** Real milliseconds that a webhook may take from the emulator to the relay. */
const PATIENCE_MS = 2_000;

export function disturbanceOf<Name extends Disturbance["fault"]>(step: Step | null, name: Name) {
  return step?.disturbed.find((one): one is Extract<Disturbance, { fault: Name }> => one.fault === name);
}

function fateOf(step: Step | null): DeliveryFate {
  const duplicate = disturbanceOf(step, "duplicate");
  const late = disturbanceOf(step, "late");
  const reordered = disturbanceOf(step, "reordered");
  return {
    lost: disturbanceOf(step, "lost_until_retry")?.attempts ?? 0,
    cut: disturbanceOf(step, "cut_answer")?.attempts ?? 0,
    isStale: disturbanceOf(step, "stale") !== undefined,
    copies: duplicate?.manner === "again" ? duplicate.copies : 0,
    resent: duplicate?.manner === "resent" ? duplicate.copies : 0,
    heldUntil: late !== undefined ? late.behind : (reordered?.behind ?? undefined),
    heldBy: late === undefined ? "reordered" : "late",
  };
}

export class WebhookQueue {
  /** The emulated time, as the emulator reported it last. */
  now: string;
  readonly #parts: RunParts;
  readonly #fates = new Map<string, DeliveryFate>();
  /** The steps that are over. */
  readonly #over = new Set<number>();
  /** Deliveries whose last attempt failed although nothing disturbed it: what was answered, and how often. */
  readonly #failing = new Map<string, { readonly text: string; readonly times: number }>();
  #isEnding = false;

  constructor(parts: RunParts, now: string) {
    this.#parts = parts;
    this.now = now;
  }

  /** Yields what is due, the oldest first, until nothing is due any more. */
  async *takeDue(): Batches {
    const { held } = this.#parts.relay;
    for (;;) {
      const ids = await this.#dueIds();
      if (ids.length === 0 && held.size === 0) return;
      await this.#waitForAll(ids);
      const rank = (id: string) => ids.indexOf(id) + 1 || Infinity;
      yield [...held.values()].sort((one, other) => rank(one.id) - rank(other.id));
    }
  }

  /** The step is over: yields what was held back until then, by the retries of the emulator. */
  async *takeReleased(step: number): Batches {
    this.#over.add(step);
    const { requestsOf } = this.#parts.relay;
    const waiting = [...this.#fates].filter(([, { heldUntil }]) => heldUntil === step);
    const requests = new Map(waiting.map(([id]) => [id, requestsOf(id)]));
    while (requests.size > 0) {
      const pending = (await this.#open("PENDING")).filter(({ id }) => requests.get(id) === requestsOf(id));
      if (pending.length === 0) return;
      yield* this.#nextRetry(pending);
    }
  }

  /** All steps are over: yields everything that is left, until it is delivered or has failed too often. */
  async *takeRest(): Batches {
    this.#isEnding = true;
    for (;;) {
      yield* this.takeDue();
      const isGivenUp = (id: string) => (this.#failing.get(id)?.times ?? 0) >= LAST_TRIES;
      const pending = (await this.#open("PENDING")).filter(({ id }) => !isGivenUp(id));
      if (pending.length === 0 || this.#parts.stopped.aborted) return;
      yield* this.#nextRetry(pending);
    }
  }

  /** The deliveries that failed until the end, as sentences. */
  describeFailing(): readonly string[] {
    return [...this.#failing.values()].map(({ text }) => text);
  }

  /** Holds back or drops the webhooks of a batch of which `step` says so. Returns these, and those that are ready for the shop. */
  hold(batch: readonly HeldWebhook[], step: Step | null) {
    const kept: KeptWebhook[] = [];
    const ready = batch.filter((one) => {
      const fate = this.#fates.get(one.id) ?? fateOf(step);
      this.#fates.set(one.id, fate);
      const isHeld = !this.#isEnding && fate.heldUntil !== undefined && !this.#over.has(fate.heldUntil ?? Number.NaN);
      if (!isHeld && fate.lost === 0) return true;
      if (!isHeld) fate.lost -= 1;
      kept.push({ one, fault: isHeld ? fate.heldBy : "lost_until_retry" });
      this.drop(one);
      return false;
    });
    return { ready, kept };
  }

  /** True if this webhook is to come with an old signature, and alone. */
  isStale(one: HeldWebhook): boolean {
    return this.#fates.get(one.id)?.isStale === true && isTimed(one);
  }

  /** Answers the emulator as the shop did, unless the answer is to be lost. Returns what follows. */
  deliver(one: HeldWebhook, result: AttemptResult): Delivered {
    const fate = this.#fates.get(one.id) ?? fateOf(null);
    const isGood = isSuccess(result.statusCode);
    if (isGood) this.#failing.delete(one.id);
    else if (!this.isStale(one) && this.#isEnding) this.#fail(one, result);
    fate.isStale = false;
    const isCut = fate.cut > 0 && isGood;
    if (isCut) fate.cut -= 1;
    const copies = isGood ? fate.copies : 0;
    fate.copies -= copies;
    const resent = isGood && !isCut ? fate.resent : 0;
    fate.resent -= resent;
    this.#answer(one, isCut ? null : result);
    return { isCut, copies, resent };
  }

  /** Cuts the connection of the emulator, which tries again later. */
  drop(one: HeldWebhook): void {
    this.#answer(one, null);
  }

  #answer(one: HeldWebhook, result: AttemptResult | null): void {
    this.#parts.relay.held.delete(one.id);
    one.answer(result);
  }

  #fail({ id, type }: HeldWebhook, result: AttemptResult): void {
    const times = (this.#failing.get(id)?.times ?? 0) + 1;
    this.#failing.set(id, { text: `${type}: ${answerText(result)}`, times });
  }

  /** Moves the clock to the first of these retries, and yields what falls due. */
  async *#nextRetry(pending: readonly PendingDelivery[]): Batches {
    const to = pending.map(({ nextRetryAt }) => nextRetryAt ?? "").sort()[0];
    if (to === undefined || to === "") return yield* this.takeDue();
    const { client, relay } = this.#parts;
    let isMoving = true;
    const moved = client["sandbox.clock.advance"]({ body: { to } }).finally(() => {
      isMoving = false;
      relay.wake();
    });
    // The request ends when everything due is delivered, and that happens here.
    while (isMoving) {
      const news = relay.news();
      if (relay.held.size === 0 && isMoving) await news;
      yield* this.takeDue();
    }
    this.now = (await moved).now;
  }

  /** The deliveries of this schedule that wait for an attempt, or that are under way. */
  async #open(status: "PENDING" | "PROCESSING") {
    const { client, endpoint, relay } = this.#parts;
    const { data } = await client["sandbox.deliveries.list"]({ query: { endpoint, limit: 100, status } });
    return data.filter(({ subject }) => !relay.isForgotten(subject));
  }

  /** The ids of the deliveries that are due now, the oldest first. */
  async #dueIds(): Promise<string[]> {
    const { client, relay } = this.#parts;
    for (;;) {
      const [pending, sent, { now }] = await Promise.all([
        this.#open("PENDING"),
        this.#open("PROCESSING"),
        client["sandbox.clock.show"](),
      ]);
      const due = pending.filter(({ nextRetryAt }) => nextRetryAt === null || nextRetryAt <= now);
      // A delivery whose answer is being recorded comes no more. Whether it is due again is known a moment later.
      const isRecorded = sent.every(({ id, attempts }) => relay.held.has(id) || relay.requestsOf(id) <= attempts);
      if (isRecorded) return [...new Set([...sent, ...due].map(({ id }) => id))].sort();
    }
  }

  /** Resolves when all of these deliveries have come. */
  async #waitForAll(ids: readonly string[]): Promise<void> {
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
}
