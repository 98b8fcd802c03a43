import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Tx } from "../features/tx.js";
import { envelope } from "../features/webhooks/envelope.js";
import type { ClaimedDelivery, WebhookStore } from "../features/webhooks/store.js";
import { ID_PREFIX } from "../kernel/ids.js";
import type { Clock, Log, RealTime } from "../kernel/runtime.js";
import { type AttemptResult, verdict } from "./schedule.js";
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
}

export interface DeliveryWorker {
  /** Looks for due deliveries soon; calling it too often costs nothing. */
  pump(): void;
  /** Comes back when no delivery is due and none is on its way. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly webhooks: WebhookStore;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly transport: Transport;
  readonly retryBaseMs: number;
  readonly userAgent: string;
  readonly sending: (delivery: ClaimedDelivery) => void;
  readonly attempted: (attempt: Attempt) => void;
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
      const batch = await this.#claim();
      if (batch.length === 0) return;
      for (const delivery of batch) {
        this.#total += 1;
        this.#inFlight.set(delivery.endpoint_seq, (this.#inFlight.get(delivery.endpoint_seq) ?? 0) + 1);
        void this.#attempt(delivery).finally(() => this.#leave(delivery.endpoint_seq));
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

  /** Takes what is due, as many as there are places, in one unit of work. */
  #claim(): Promise<ClaimedDelivery[]> {
    const { uow, webhooks } = this.#parts;
    return uow.write((tx) => {
      const perEndpoint = new Map(this.#inFlight);
      const saturated = [...perEndpoint].filter(([, count]) => count >= MAX_PER_ENDPOINT).map(([endpoint]) => endpoint);
      const taken: ClaimedDelivery[] = [];
      for (const row of webhooks.dueDeliveries(tx.now, JSON.stringify(saturated), MAX_IN_FLIGHT - this.#total)) {
        const count = perEndpoint.get(row.endpoint_seq) ?? 0;
        if (count >= MAX_PER_ENDPOINT || webhooks.claim(tx.now, row.seq) === 0) continue;
        perEndpoint.set(row.endpoint_seq, count + 1);
        taken.push(row);
      }
      return taken;
    });
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { sending, clock, transport, log, userAgent } = this.#parts;
    sending(delivery);
    const body = envelope({ ...delivery, id: delivery.event_id, created_at: delivery.event_created_at });
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": userAgent,
      "x-qa-signature": signature(delivery.type, delivery.secret, body, clock.now()),
      "x-qa-delivery-id": ID_PREFIX.delivery + delivery.id,
      "x-qa-event-type": delivery.type,
    };
    const result = await transport.post(delivery.url, headers, body);
    // The database may be closed already; the next start finds the claim and sends again.
    if (this.#stopped) return;
    try {
      this.#parts.attempted(await this.#record(delivery, result));
    } catch (reason) {
      log.error(`the outcome of delivery wd_${delivery.id} could not be written; it will be sent again`, reason);
    }
  }

  async #record(delivery: ClaimedDelivery, result: AttemptResult): Promise<Attempt> {
    const { uow, webhooks, retryBaseMs } = this.#parts;
    const attempt = delivery.attempts + 1;
    return uow.write((tx) => {
      const { status, nextAttemptAt } = verdict(result, attempt, delivery.max_attempts, retryBaseMs, tx.now);
      const delivered = status === "DELIVERED";
      const error = result.error ?? (delivered ? null : `the endpoint answered ${result.statusCode}`);
      const responseBody = delivered ? null : result.responseBody;
      const { statusCode, durationMs } = result;
      const deliveredAt = delivered ? tx.now : null;
      webhooks.settleAttempt(
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
      return {
        deliveryId: ID_PREFIX.delivery + delivery.id,
        eventId: ID_PREFIX.event + delivery.event_id,
        type: delivery.type,
        url: delivery.url,
        attempt,
        maxAttempts: delivery.max_attempts,
        statusCode,
        error,
        responseBody,
        durationMs,
        status,
        nextAttemptAt,
      };
    });
  }
}
