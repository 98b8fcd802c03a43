import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import type { Subscribable } from "../../base/kernel/feed.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Clock, Log, RealTime, TimerHandle } from "../../base/kernel/runtime.js";
import { iso } from "../../base/kernel/time.js";
import type { Tx } from "../features/tx.js";
import { type Chaos, chaosKinds } from "../features/webhooks/chaos.js";
import type { ClaimedDelivery, WebhookStore } from "../features/webhooks/store.js";
import type { AdvanceWait, DueDeliveries } from "../jobs/advance-wait.js";
import { NO_ANSWER } from "./answer.js";
import { type Attempt, type AttemptRequest, buildAttempt, failedBeforeSending, toAttempt } from "./attempt.js";
import { deliveryFacts } from "./delivery-log.js";
import { type Recorded, Recorder } from "./recorder.js";
import type { AttemptResult } from "./schedule.js";
import { DeliverySlots } from "./slots.js";
import type { Transport } from "./transport.js";

/** Real time for an answer while the clock is being advanced, for endpoints that did not answer before. */
const HURRIED_PATIENCE_MS = 1_000;
/** Real time between two looks for due deliveries while the database cannot be read or written. */
const RETRY_LOOK_MS = 1_000;
/** Real time between two tries to record how an attempt ended, doubled after each try. */
const RETRY_RECORD_MS = { first: 100, longest: 5_000 };

/** How a collector answers. */
const COLLECTED: AttemptResult = { ...NO_ANSWER, statusCode: 200, error: null, timedOut: false, durationMs: 0 };

interface WorkerParts {
  readonly uow: Pick<UnitOfWork<Tx>, "writeOnce">;
  readonly webhooks: WebhookStore;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly transport: Transport;
  readonly chaos: Chaos;
  readonly retryBaseMs: number;
  /** The instant of a signature that is created now, in milliseconds. */
  readonly signatureTime: () => number;
  readonly userAgent: string;
  /** The emulated instant of each delivery that was created or moved. */
  readonly deliveryDue: Subscribable<number>;
  readonly onSending: (delivery: ClaimedDelivery) => void;
  /** Called for a webhook that a collector takes, instead of sending it. */
  readonly onCollected: (webhook: AttemptRequest) => void;
  /** Called when an attempt was recorded, with the delivery as it was before the attempt. */
  readonly onRecorded: (delivery: ClaimedDelivery) => void;
  readonly onAttempt: (attempt: Attempt) => void;
  /** Returns the header `traceparent` of an attempt, or of the copy that chaos sends. Null without `serve --otlp`. */
  readonly traces: { traceparent(delivery: ClaimedDelivery, isCopy: boolean): string | null } | null;
}

/** A caller of `drain` that waits. */
interface Drain {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** A due delivery. `turn` is how many attempts of its endpoint already run. */
interface DueTurn {
  readonly seq: number;
  readonly endpoint: number;
  readonly at: number;
  readonly turn: number;
}

export class DeliveryWorker implements DueDeliveries {
  readonly #parts: WorkerParts;
  readonly #slots: DeliverySlots;
  readonly #recorder: Recorder;
  /** The look for due deliveries that is under way. */
  #claiming: Promise<void> | null = null;
  /** A look was requested in this turn of the event loop. */
  #scheduled = false;
  /** A look was requested while another one was under way. */
  #again = false;
  /** Since the last look, an attempt has ended or a due delivery was held back. */
  #hasChanged = false;
  #stopped = false;
  /** How often all deliveries were replaced. An attempt of an earlier generation records nothing. */
  #generation = 0;
  #drains = new Set<Drain>();
  #isHurried = false;
  /** The timer of the next look, set when a slot becomes free by itself or when the database cannot be used. */
  #later: TimerHandle | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#slots = new DeliverySlots(parts.real);
    this.#recorder = new Recorder(parts, (generation) => generation === this.#generation);
  }

  /** Sends all deliveries that are due, and from now on each that becomes due. */
  start(): void {
    const { deliveryDue, clock } = this.#parts;
    deliveryDue.subscribe((dueAt) => {
      // The scheduler waits for a delivery that is due later.
      if (dueAt <= clock.now()) this.pump();
    });
    this.pump();
  }

  pump(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    this.#parts.real.callSoon(() => this.#start());
  }

  async drain(advance: AdvanceWait, signal: AbortSignal): Promise<void> {
    while (!this.#stopped && !signal.aborted && !this.#isIdle()) {
      if (!this.#isAwaited(advance)) {
        if (advance.isOver) return;
        advance.startGracePeriod(() => this.#wake());
      }
      await this.#nextChange(signal);
    }
  }

  #isIdle(): boolean {
    const due = this.#parts.webhooks.nextDelivery()?.due_at ?? null;
    const isDue = due !== null && due <= this.#parts.clock.now();
    return !isDue && this.#slots.size === 0 && this.#claiming === null;
  }

  /** True if a delivery is due or under way that was not added by a request during the advance. */
  #isAwaited({ since }: AdvanceWait): boolean {
    const { webhooks, clock } = this.#parts;
    // The look under way may be about to send one.
    if (this.#claiming !== null || webhooks.awaitedAttempt(clock.now(), since) !== null) return true;
    for (const seq of this.#slots.deliveries()) if (webhooks.awaitedDelivery(seq, since) !== null) return true;
    return false;
  }

  setHurry(isHurried: boolean): void {
    this.#isHurried = isHurried;
  }

  /** Resolves when an attempt or a look has ended, so that the state of the deliveries may have changed. */
  async #nextChange(signal: AbortSignal): Promise<void> {
    let wake: () => void = () => undefined;
    const changed = new Promise<void>((resolve, reject) => {
      wake = resolve;
      this.#drains.add({ resolve, reject });
    });
    // An advance of the clock comes here at every step with the same signal, so the listener is removed again.
    signal.addEventListener("abort", wake);
    this.pump();
    try {
      await changed;
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }

  /**
   * Gives up all attempts under way and records nothing of them: the database holds other deliveries now. Call it in the
   * same turn of the event loop in which the deliveries were replaced.
   */
  forget(): void {
    this.#generation += 1;
    this.#slots.clear();
    this.#parts.chaos.forget();
    this.#parts.transport.abort();
    this.#wake();
    this.pump();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#later?.cancel();
    this.#parts.transport.close();
    await this.#claiming;
    this.#wake();
  }

  #wake(failure?: unknown): void {
    const drains = this.#drains;
    this.#drains = new Set();
    for (const { resolve, reject } of drains) {
      if (failure === undefined) resolve();
      else reject(failure);
    }
  }

  #start(): void {
    this.#scheduled = false;
    if (this.#stopped) return;
    if (this.#claiming !== null) {
      // The look under way may have missed a delivery that has just become due.
      this.#again = true;
      return;
    }
    this.#claiming = this.#fill()
      .catch((reason) => {
        this.#parts.log.error("due deliveries could not be read; they are looked for again in a second", reason);
        this.#pumpAfter(RETRY_LOOK_MS);
        this.#wake(reason);
      })
      .finally(() => {
        this.#claiming = null;
        if (this.#again) {
          this.#again = false;
          this.pump();
        }
        // A caller of `drain` checks again whenever it wakes, so it is woken only when something may have changed.
        if (this.#hasChanged || this.#slots.size === 0) this.#wake();
        this.#hasChanged = false;
      });
  }

  #pumpAfter(ms: number): void {
    this.#later?.cancel();
    this.#later = this.#parts.real.after(ms, () => this.pump());
  }

  async #fill(): Promise<void> {
    while (!this.#stopped) {
      const { taken, heldBack, generation } = await this.#claim();
      if (generation !== this.#generation) continue;
      for (const delivery of taken) {
        this.#parts.log.debug?.("delivery claimed", deliveryFacts(delivery));
        const slot = this.#slots.enter(delivery.seq, delivery.endpoint_seq);
        const ended = this.#attempt(delivery, generation).catch((reason) => {
          this.#parts.log.error(
            `delivery ${ID_PREFIX.delivery}${delivery.id} failed; the next start sends it again`,
            reason,
          );
          return false;
        });
        void ended.then((isSilent) => {
          if (generation !== this.#generation) return;
          this.#slots.leave(slot, isSilent);
          this.#hasChanged = true;
          this.pump();
        });
      }
      // Deliveries that chaos held back free their slots, so look again at once. This turn of the event loop also keeps the
      // order in which an attempt and the next request of a client are recorded.
      if (heldBack > 0) this.#hasChanged = true;
      if (taken.length + heldBack > 0) continue;
      const wait = this.#slots.freeAgainIn();
      if (wait !== null) this.#pumpAfter(wait);
      return;
    }
  }

  /**
   * Due deliveries of endpoints that have free slots. The first delivery of every endpoint comes before the second of
   * any, so that the backlog of one endpoint does not delay another.
   */
  #due(now: number): DueTurn[] {
    const { webhooks } = this.#parts;
    const found: DueTurn[] = [];
    for (const { endpoint_seq: endpoint } of webhooks.endpointsWaiting()) {
      let turn = this.#slots.countOf(endpoint);
      const room = this.#slots.limitOf(endpoint, this.#isHurried) - turn;
      if (room <= 0) continue;
      for (const { seq, next_attempt_at: at } of webhooks.dueOf(endpoint, now, room)) {
        found.push({ seq, endpoint, at, turn });
        turn += 1;
      }
    }
    return found.sort((a, b) => a.turn - b.turn || a.at - b.at || a.seq - b.seq);
  }

  /** Claims as many due deliveries as there are slots, in one unit of work. `heldBack` counts those that chaos delays. */
  #claim(): Promise<{
    readonly taken: readonly ClaimedDelivery[];
    readonly heldBack: number;
    readonly generation: number;
  }> {
    const { uow, webhooks, chaos, log } = this.#parts;
    return uow.writeOnce((tx) => {
      const free = this.#slots.free();
      const taken: ClaimedDelivery[] = [];
      let heldBack = 0;
      for (const { seq, endpoint } of this.#due(tx.now)) {
        const pool = this.#slots.poolOf(endpoint);
        const row = free[pool] > 0 ? webhooks.claimable(seq) : null;
        if (row === null) continue;
        const later = chaos.delayUntil(row, tx.now);
        if (later !== null) {
          heldBack += webhooks.moveFirstAttempt(later, row.seq, row.id);
          if (log.debug !== undefined) {
            const facts = { ...deliveryFacts(row), until: iso(later) };
            tx.afterCommit(() => log.debug?.("delivery held back on purpose", facts));
          }
          tx.notify.delivery(later);
          continue;
        }
        if (webhooks.claim(tx.now, row.seq) === 0) continue;
        free[pool] -= 1;
        taken.push(row);
      }
      return { taken, heldBack, generation: this.#generation };
    });
  }

  async #attempt(delivery: ClaimedDelivery, generation: number): Promise<boolean> {
    const { request, result } = await this.#sendOnce(delivery);
    const recorded = await this.#recordAtLast(request, result, generation);
    if (recorded === null) return result.timedOut;
    this.#parts.onRecorded(delivery);
    this.#parts.onAttempt(toAttempt(delivery, recorded, result, request.chaos));
    if (recorded.isRepeated) await this.#repeat(request, recorded);
    return result.timedOut;
  }

  /** Sends an attempt. Stored data may be damaged: an attempt whose request cannot be built has failed. */
  async #sendOnce(
    delivery: ClaimedDelivery,
  ): Promise<{ readonly request: AttemptRequest; readonly result: AttemptResult }> {
    const { clock, chaos, webhooks, signatureTime, userAgent, traces } = this.#parts;
    const now = clock.now();
    try {
      const earlier = delivery.attempts === 0 ? [] : chaosKinds(webhooks.firstAttempt(delivery.seq)?.chaos);
      const traceparent = traces === null ? null : traces.traceparent(delivery, false);
      const sending = chaos.attempt(delivery, signatureTime(), earlier);
      const request = buildAttempt(delivery, sending, { sentAt: now, userAgent, traceparent });
      return { request, result: await this.#send(request, this.#patienceFor(delivery.endpoint_seq)) };
    } catch (reason) {
      return failedBeforeSending(delivery, now, userAgent, reason);
    }
  }

  /** The real milliseconds for the endpoint's answer; undefined for the usual time. */
  #patienceFor(endpoint: number): number | undefined {
    return this.#isHurried && this.#slots.isSilent(endpoint) ? HURRIED_PATIENCE_MS : undefined;
  }

  /**
   * Records how an attempt ended. Tries again for as long as the database cannot be written, such as on a full disk.
   * Returns null when the worker was stopped or the deliveries were replaced; after a stop, the next start sends again.
   */
  async #recordAtLast(request: AttemptRequest, result: AttemptResult, generation: number): Promise<Recorded | null> {
    const { log, real } = this.#parts;
    const ended = { request, result, generation };
    let record = () => this.#recorder.together(ended);
    for (let wait = RETRY_RECORD_MS.first; ; wait = Math.min(2 * wait, RETRY_RECORD_MS.longest)) {
      // The database may be closed already.
      if (this.#stopped || generation !== this.#generation) return null;
      try {
        return await record();
      } catch (reason) {
        const what = `the outcome of delivery ${ID_PREFIX.delivery}${request.delivery.id} could not be written`;
        log.error(`${what}; it is tried again in ${wait} ms`, reason);
        // Another attempt of the group may have caused the failure.
        record = () => this.#recorder.alone(ended);
      }
      await new Promise<void>((resolve) => void real.after(wait, resolve));
    }
  }

  /** Sends an arrived delivery once more, for the chaos setting `duplicate`. Its attempt is marked already. */
  async #repeat(first: AttemptRequest, recorded: Recorded): Promise<void> {
    const { clock, chaos, signatureTime, traces, userAgent } = this.#parts;
    const { delivery } = first;
    const traceparent = traces === null ? null : traces.traceparent(delivery, true);
    const sending = chaos.copy(delivery, signatureTime(), first);
    const request = buildAttempt(delivery, sending, { sentAt: clock.now(), userAgent, traceparent });
    const result = await this.#send(request, this.#patienceFor(delivery.endpoint_seq));
    if (!this.#stopped) this.#parts.onAttempt(toAttempt(delivery, recorded, result, sending.chaos));
  }

  async #send(webhook: AttemptRequest, patience: number | undefined): Promise<AttemptResult> {
    const { delivery, url, headers, body } = webhook;
    this.#parts.onSending(delivery);
    if (delivery.collector !== null) {
      this.#parts.onCollected(webhook);
      return COLLECTED;
    }
    return this.#parts.transport.post(url, headers, body, patience);
  }
}
