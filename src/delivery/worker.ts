import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Tx } from "../features/tx.js";
import { envelope } from "../features/webhooks/envelope.js";
import type { ClaimedDelivery, WebhookStore } from "../features/webhooks/store.js";
import { ID_PREFIX } from "../kernel/ids.js";
import type { Clock, Log, RealTime } from "../kernel/runtime.js";
import type { Chaos, ChaosKind, Sending } from "./chaos.js";
import { type AttemptResult, isSuccess, type Verdict, verdict } from "./schedule.js";
import { signature } from "./signer.js";
import type { Transport } from "./transport.js";

const MAX_IN_FLIGHT = 64;
/** No single endpoint may take all the places: a receiver that hangs must not hold up the others. */
const MAX_PER_ENDPOINT = 16;

/** One attempt, told to whoever follows deliveries live. */
export interface Attempt {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly url: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly status: "DELIVERED" | "PENDING" | "FAILED";
  readonly nextAttemptAt: number | null;
  /** What was done to it on purpose. One with `duplicate` is a second sending: it changes nothing of the delivery. */
  readonly chaos: readonly ChaosKind[];
}

export interface DeliveryWorker {
  /** Looks for due deliveries soon; calling it too often costs nothing. */
  pump(): void;
  /** Comes back when no delivery is due and none is on its way. */
  drain(): Promise<void>;
  /**
   * The database holds other deliveries now: what is on its way has nothing to report to any more, and takes no place.
   * Call it in the turn in which they were replaced.
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
  readonly sending: (delivery: ClaimedDelivery) => void;
  readonly attempted: (attempt: Attempt) => void;
}

/** What an attempt meant for its delivery. */
interface Recorded extends Verdict {
  readonly attempt: number;
  /** False also where the delivery was cancelled, or removed by a reset, meanwhile. */
  readonly hasArrived: boolean;
}

/** What went wrong, and what the receiver said to it; nothing of an answer that is 2xx. */
function failureOf(result: AttemptResult): { error: string | null; responseBody: string | null } {
  if (isSuccess(result)) return { error: null, responseBody: null };
  return { error: result.error ?? `the endpoint answered ${result.statusCode}`, responseBody: result.responseBody };
}

export function createDeliveryWorker(parts: WorkerParts): DeliveryWorker {
  return new Worker(parts);
}

class Worker implements DeliveryWorker {
  readonly #parts: WorkerParts;
  /** Attempts on their way, by endpoint. */
  readonly #inFlight = new Map<number, number>();
  #total = 0;
  #claiming: Promise<void> | null = null;
  #scheduled = false;
  #again = false;
  #stopped = false;
  /** Goes up when the deliveries are replaced. What was claimed before is of no concern after. */
  #era = 0;
  #waiting: (() => void)[] = [];

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  pump(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    this.#parts.real.soon(() => this.#start());
  }

  async drain(): Promise<void> {
    while (!this.#stopped) {
      const due = this.#parts.webhooks.nextDelivery()?.due_at ?? null;
      const idle = this.#total === 0 && this.#claiming === null;
      if (idle && (due === null || due > this.#parts.clock.now())) return;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        this.pump();
      });
    }
  }

  forget(): void {
    this.#era += 1;
    this.#total = 0;
    this.#inFlight.clear();
    this.#parts.chaos.forget();
    this.#wake();
    this.pump();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#parts.transport.close();
    await this.#claiming;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
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
      .catch((reason) => this.#parts.log.error("due deliveries could not be read", reason))
      .finally(() => {
        this.#claiming = null;
        if (this.#again) {
          this.#again = false;
          this.pump();
        }
        if (this.#total === 0) this.#wake();
      });
  }

  async #fill(): Promise<void> {
    while (!this.#stopped && this.#total < MAX_IN_FLIGHT) {
      const { taken, putOff, era } = await this.#claim();
      if (era !== this.#era) continue;
      if (taken.length + putOff === 0) return;
      for (const delivery of taken) {
        this.#total += 1;
        this.#inFlight.set(delivery.endpoint_seq, (this.#inFlight.get(delivery.endpoint_seq) ?? 0) + 1);
        void this.#attempt(delivery, era).finally(() => {
          if (era === this.#era) this.#leave(delivery.endpoint_seq);
        });
      }
    }
  }

  #leave(endpoint: number): void {
    this.#total -= 1;
    const left = (this.#inFlight.get(endpoint) ?? 1) - 1;
    if (left === 0) this.#inFlight.delete(endpoint);
    else this.#inFlight.set(endpoint, left);
    this.pump();
  }

  /** Takes what is due, as many as there are places, in one unit of work. Tells how many were put off instead. */
  #claim(): Promise<{ readonly taken: readonly ClaimedDelivery[]; readonly putOff: number; readonly era: number }> {
    const { uow, webhooks, chaos } = this.#parts;
    return uow.write((tx) => {
      const perEndpoint = new Map(this.#inFlight);
      const saturated = [...perEndpoint].filter(([, count]) => count >= MAX_PER_ENDPOINT).map(([endpoint]) => endpoint);
      const taken: ClaimedDelivery[] = [];
      let putOff = 0;
      for (const row of webhooks.dueDeliveries(tx.now, JSON.stringify(saturated), MAX_IN_FLIGHT - this.#total)) {
        const count = perEndpoint.get(row.endpoint_seq) ?? 0;
        if (count >= MAX_PER_ENDPOINT) continue;
        const later = chaos.putOff(row, tx.now);
        if (later !== null) {
          putOff += webhooks.moveFirstAttempt(later, row.seq, row.id);
          tx.notify.delivery(later);
          continue;
        }
        if (webhooks.claim(tx.now, row.seq) === 0) continue;
        perEndpoint.set(row.endpoint_seq, count + 1);
        taken.push(row);
      }
      return { taken, putOff, era: this.#era };
    });
  }

  async #attempt(delivery: ClaimedDelivery, era: number): Promise<void> {
    const { clock, log, chaos } = this.#parts;
    const sending = chaos.attempt(delivery, clock.now());
    const result = await this.#send(delivery, sending);
    // The database may be closed already; the next start finds the claim and sends again.
    if (this.#stopped) return;
    let recorded: Recorded | null;
    try {
      recorded = await this.#record(delivery, result, era);
    } catch (reason) {
      log.error(`the outcome of delivery wd_${delivery.id} could not be written; it will be sent again`, reason);
      return;
    }
    if (recorded === null) return;
    this.#tell(delivery, recorded, result, sending);
    if (recorded.hasArrived && chaos.repeats()) await this.#repeat(delivery, recorded);
  }

  /** Sends once more what has arrived. That is chaos and leaves no trace but in what is told live. */
  async #repeat(delivery: ClaimedDelivery, recorded: Recorded): Promise<void> {
    const { clock, chaos } = this.#parts;
    const sending = chaos.repetition(delivery, clock.now());
    const result = await this.#send(delivery, sending);
    if (!this.#stopped) this.#tell(delivery, recorded, result, sending);
  }

  #send(delivery: ClaimedDelivery, { secret, signedAt }: Sending): Promise<AttemptResult> {
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
    return transport.post(delivery.url, headers, body);
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
