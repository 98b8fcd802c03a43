import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Tx } from "../features/tx.js";
import { envelope } from "../features/webhooks/envelope.js";
import type { ClaimedDelivery, WebhookStore } from "../features/webhooks/store.js";
import type { Subscribable } from "../kernel/feed.js";
import { ID_PREFIX } from "../kernel/ids.js";
import type { Clock, Log, RealTime, TimerHandle } from "../kernel/runtime.js";
import { iso } from "../kernel/time.js";
import { type Attempt, failureOf } from "./attempt.js";
import type { Chaos, Sending } from "./chaos.js";
import { deliveryFacts } from "./delivery-log.js";
import { Places } from "./places.js";
import { type AttemptResult, type Verdict, verdict } from "./schedule.js";
import { signature } from "./signer.js";
import type { Transport } from "./transport.js";

/** Real time that a journey of the clock gives an endpoint that did not answer before. */
const JOURNEY_PATIENCE_MS = 1_000;
/** Real time after which due deliveries are looked for again when the database could not be read or written. */
const RETRY_LOOK_MS = 1_000;
/** Real time between tries to write down how an attempt ended: doubled each time. */
const RETRY_RECORD_MS = { first: 100, longest: 5_000 };

export interface DeliveryWorker {
  /** Sends what is due already, and from now on what becomes due. */
  start(): void;
  /** Looks for due deliveries soon; calling it too often costs nothing. */
  pump(): void;
  /**
   * Comes back when no delivery is due and none is on its way, or when `signal` says so. Rejects when the database cannot
   * be read or written.
   */
  drain(signal: AbortSignal): Promise<void>;
  /** While the clock is being advanced, endpoints that did not answer before are given less time. */
  setHurry(isHurried: boolean): void;
  /**
   * The database holds other deliveries now: what is on its way is given up, and nothing of it is recorded. Call it in
   * the turn in which they were replaced.
   */
  forget(): void;
  stop(): Promise<void>;
}

export interface WorkerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly webhooks: WebhookStore;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly transport: Transport;
  readonly chaos: Chaos;
  readonly retryBaseMs: number;
  readonly userAgent: string;
  /** The emulated instant of each delivery that was made or moved. */
  readonly deliveryDue: Subscribable<number>;
  readonly sending: (delivery: ClaimedDelivery) => void;
  readonly attempted: (attempt: Attempt) => void;
}

/** What an attempt meant for its delivery. */
interface Recorded extends Verdict {
  readonly attempt: number;
  /** False also where the delivery was cancelled, or removed by a reset, meanwhile. */
  readonly hasArrived: boolean;
}

export function createDeliveryWorker(parts: WorkerParts): DeliveryWorker {
  return new Worker(parts);
}

interface Drain {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

class Worker implements DeliveryWorker {
  readonly #parts: WorkerParts;
  readonly #places: Places;
  #claiming: Promise<void> | null = null;
  #scheduled = false;
  #again = false;
  #stopped = false;
  /** Goes up when the deliveries are replaced. Nothing is recorded of an attempt that began before. */
  #era = 0;
  /** Those who wait for everything that is due. */
  #drains = new Set<Drain>();
  #isHurried = false;
  /** Looks again when a place becomes free by itself, or when the database may be back. */
  #later: TimerHandle | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#places = new Places(parts.real);
  }

  start(): void {
    const { deliveryDue, clock } = this.#parts;
    deliveryDue.subscribe((dueAt) => {
      // The scheduler waits for later ones.
      if (dueAt <= clock.now()) this.pump();
    });
    this.pump();
  }

  pump(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    this.#parts.real.soon(() => this.#start());
  }

  async drain(signal: AbortSignal): Promise<void> {
    while (!this.#stopped && !signal.aborted) {
      const due = this.#parts.webhooks.nextDelivery()?.due_at ?? null;
      const idle = this.#places.size === 0 && this.#claiming === null;
      if (idle && (due === null || due > this.#parts.clock.now())) return;
      await this.#nextChange(signal);
    }
  }

  setHurry(isHurried: boolean): void {
    this.#isHurried = isHurried;
  }

  /** Comes back when it is worth looking again whether everything due has been sent. */
  async #nextChange(signal: AbortSignal): Promise<void> {
    let wake: () => void = () => undefined;
    const changed = new Promise<void>((resolve, reject) => {
      wake = resolve;
      this.#drains.add({ resolve, reject });
    });
    // A journey of the clock waits here at each of its steps: its signal is not to gather a listener for each.
    signal.addEventListener("abort", wake);
    this.pump();
    try {
      await changed;
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }

  forget(): void {
    this.#era += 1;
    this.#places.clear();
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
      // Something became due after the look that is going on: look once more when that one has ended.
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
        if (this.#places.size === 0) this.#wake();
      });
  }

  #pumpAfter(ms: number): void {
    this.#later?.cancel();
    this.#later = this.#parts.real.after(ms, () => this.pump());
  }

  async #fill(): Promise<void> {
    while (!this.#stopped) {
      const { taken, putOff, era } = await this.#claim();
      if (era !== this.#era) continue;
      for (const delivery of taken) {
        this.#parts.log.debug?.("delivery claimed", deliveryFacts(delivery));
        const place = this.#places.enter(delivery.endpoint_seq);
        void this.#attempt(delivery, era).then((isSilent) => {
          if (era !== this.#era) return;
          this.#places.leave(place, isSilent);
          this.pump();
        });
      }
      if (taken.length + putOff > 0) continue;
      const wait = this.#places.freeAgainIn();
      if (wait !== null) this.#pumpAfter(wait);
      return;
    }
  }

  /**
   * What is due, as far as its endpoints have free places. Each endpoint's first comes before anybody's second: the
   * backlog of one does not hold up another.
   */
  #due(now: number): { seq: number; endpoint_seq: number }[] {
    const { webhooks } = this.#parts;
    const found = webhooks.endpointsWaiting().flatMap(({ endpoint_seq: endpoint }) => {
      const taken = this.#places.takenBy(endpoint);
      const room = this.#places.limitOf(endpoint, this.#isHurried) - taken;
      if (room <= 0) return [];
      return webhooks.dueOf(endpoint, now, room).map((row, index) => ({ ...row, turn: taken + index }));
    });
    return found.sort((a, b) => a.turn - b.turn || a.next_attempt_at - b.next_attempt_at || a.seq - b.seq);
  }

  /** Takes what is due, as far as there are places, in one unit of work. Tells how many were put off instead. */
  #claim(): Promise<{ readonly taken: readonly ClaimedDelivery[]; readonly putOff: number; readonly era: number }> {
    const { uow, webhooks, chaos, log } = this.#parts;
    return uow.write((tx) => {
      const free = this.#places.free();
      const taken: ClaimedDelivery[] = [];
      let putOff = 0;
      for (const { seq, endpoint_seq: endpoint } of this.#due(tx.now)) {
        const pool = this.#places.poolOf(endpoint);
        const row = free[pool] > 0 ? webhooks.claimable(seq) : null;
        if (row === null) continue;
        const later = chaos.putOff(row, tx.now);
        if (later !== null) {
          putOff += webhooks.moveFirstAttempt(later, row.seq, row.id);
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
      return { taken, putOff, era: this.#era };
    });
  }

  /** Never rejects. Answers whether the endpoint let the attempt time out. */
  async #attempt(delivery: ClaimedDelivery, era: number): Promise<boolean> {
    const { clock, chaos } = this.#parts;
    const sending = chaos.attempt(delivery, clock.now());
    const patience = this.#patienceFor(delivery.endpoint_seq);
    const result = await this.#send(delivery, sending, patience);
    const recorded = await this.#recordAtLast(delivery, result, era);
    if (recorded === null) return result.timedOut;
    this.#tell(delivery, recorded, result, sending);
    if (recorded.hasArrived && chaos.repeats()) await this.#repeat(delivery, recorded);
    return result.timedOut;
  }

  /** Real milliseconds; undefined for the usual time. */
  #patienceFor(endpoint: number): number | undefined {
    return this.#isHurried && this.#places.isSilent(endpoint) ? JOURNEY_PATIENCE_MS : undefined;
  }

  /**
   * Writes down how an attempt ended, again and again while the database cannot be written (a full disk). Null when
   * nothing is to be written any more: the next start finds the claim and sends again.
   */
  async #recordAtLast(delivery: ClaimedDelivery, result: AttemptResult, era: number): Promise<Recorded | null> {
    const { log, real } = this.#parts;
    for (let wait = RETRY_RECORD_MS.first; ; wait = Math.min(2 * wait, RETRY_RECORD_MS.longest)) {
      // The database may be closed already.
      if (this.#stopped || era !== this.#era) return null;
      try {
        return await this.#record(delivery, result, era);
      } catch (reason) {
        const what = `the outcome of delivery wd_${delivery.id} could not be written`;
        log.error(`${what}; it is tried again in ${wait} ms`, reason);
      }
      await new Promise<void>((resolve) => void real.after(wait, resolve));
    }
  }

  /** Sends once more what has arrived. That is chaos and leaves no trace but in what is told live. */
  async #repeat(delivery: ClaimedDelivery, recorded: Recorded): Promise<void> {
    const { clock, chaos } = this.#parts;
    const sending = chaos.repetition(delivery, clock.now());
    const result = await this.#send(delivery, sending, this.#patienceFor(delivery.endpoint_seq));
    if (!this.#stopped) this.#tell(delivery, recorded, result, sending);
  }

  #send(
    delivery: ClaimedDelivery,
    { secret, signedAt }: Sending,
    patience: number | undefined,
  ): Promise<AttemptResult> {
    const { sending, transport, userAgent } = this.#parts;
    sending(delivery);
    const body = envelope({ ...delivery, id: delivery.event_id, created_at: delivery.event_created_at });
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": userAgent,
      "x-qa-signature": signature(delivery.type, secret, body, signedAt),
      "x-qa-delivery-id": ID_PREFIX.delivery + delivery.id,
      "x-qa-event-type": delivery.type,
    };
    return transport.post(delivery.url, headers, body, patience);
  }

  /** Null when the deliveries were replaced meanwhile: another one may have its place. */
  #record(delivery: ClaimedDelivery, result: AttemptResult, era: number): Promise<Recorded | null> {
    const { uow, webhooks, chaos, retryBaseMs } = this.#parts;
    const attempt = delivery.attempts + 1;
    return uow.write((tx) => {
      if (era !== this.#era) return null;
      const { status, nextAttemptAt } = verdict(result, attempt, delivery.max_attempts, retryBaseMs, tx.now);
      const delivered = status === "DELIVERED";
      const { statusCode, durationMs } = result;
      const { error, responseBody } = failureOf(result);
      const deliveredAt = delivered ? tx.now : null;
      const changed = webhooks.settleAttempt(
        status,
        attempt,
        nextAttemptAt,
        statusCode,
        error,
        responseBody,
        deliveredAt,
        tx.now,
        delivery.seq,
        delivery.id,
      );
      webhooks.insertAttempt(attempt, statusCode, error, durationMs, tx.now, delivery.seq, delivery.id);
      if (nextAttemptAt !== null) tx.notify.delivery(nextAttemptAt);
      const held = chaos.overtakenBy(delivery.id);
      if (held !== null && webhooks.moveFirstAttempt(tx.now, held.seq, held.id) > 0) tx.notify.delivery(tx.now);
      return { attempt, status, nextAttemptAt, hasArrived: delivered && changed > 0 };
    });
  }

  #tell(delivery: ClaimedDelivery, recorded: Recorded, result: AttemptResult, { chaos }: Sending): void {
    const { attempt, status, nextAttemptAt } = recorded;
    this.#parts.attempted({
      deliveryId: ID_PREFIX.delivery + delivery.id,
      eventId: ID_PREFIX.event + delivery.event_id,
      type: delivery.type,
      url: delivery.url,
      attempt,
      maxAttempts: delivery.max_attempts,
      statusCode: result.statusCode,
      ...failureOf(result),
      durationMs: result.durationMs,
      status,
      nextAttemptAt,
      chaos,
    });
  }
}
