import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import type { Tx } from "../features/tx.js";
import type { Chaos } from "../features/webhooks/chaos.js";
import type { WebhookStore } from "../features/webhooks/store.js";
import { type AttemptRequest, attemptRow, failureOf } from "./attempt.js";
import { type AttemptResult, type Verdict, verdict } from "./schedule.js";

export interface Recorded extends Verdict {
  readonly attempt: number;
  /**
   * True when chaos sends the delivery a second time: it arrived, and neither it nor its endpoint was removed during the attempt.
   */
  readonly isRepeated: boolean;
}

export interface FinishedAttempt {
  readonly request: AttemptRequest;
  readonly result: AttemptResult;
  /** How often all deliveries had been replaced when the attempt began. */
  readonly generation: number;
}

/** An attempt that waits for the end of the turn of the event loop, where it is recorded. */
interface PendingRecord {
  readonly ended: FinishedAttempt;
  readonly resolve: (recorded: Recorded | null) => void;
  readonly reject: (reason: unknown) => void;
}

interface RecorderParts {
  readonly uow: Pick<UnitOfWork<Tx>, "writeOnce">;
  readonly webhooks: WebhookStore;
  readonly chaos: Chaos;
  readonly retryBaseMs: number;
}

/** Stores how attempts ended. Returns null for an attempt whose deliveries were replaced meanwhile. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #isCurrent: (generation: number) => boolean;
  #waiting: PendingRecord[] = [];

  constructor(parts: RecorderParts, isCurrent: (generation: number) => boolean) {
    this.#parts = parts;
    this.#isCurrent = isCurrent;
  }

  /**
   * Records an attempt in one unit of work with all others that end in this turn of the event loop: a unit for each costs
   * a busy server about as much as the rows. Rejects when the unit fails, for whichever attempt of the group.
   */
  together(ended: FinishedAttempt): Promise<Recorded | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ended, resolve, reject });
      if (this.#waiting.length === 1) void this.#recordGroup();
    });
  }

  alone(ended: FinishedAttempt): Promise<Recorded | null> {
    return this.#parts.uow.writeOnce((tx) => this.#record(tx, ended));
  }

  async #recordGroup(): Promise<void> {
    let group: readonly PendingRecord[] | null = null;
    const take = () => {
      group = this.#waiting;
      this.#waiting = [];
      return group;
    };
    try {
      const recorded = await this.#parts.uow.writeOnce((tx) =>
        take().map((one) => ({ as: this.#record(tx, one.ended), ...one })),
      );
      for (const { resolve, as } of recorded) resolve(as);
    } catch (reason) {
      // When no transaction could begin, the group is still waiting.
      for (const { reject } of group ?? take()) reject(reason);
    }
  }

  #record(tx: Tx, { request, result, generation }: FinishedAttempt): Recorded | null {
    // Another delivery may have the same `seq` now.
    if (!this.#isCurrent(generation)) return null;
    const { webhooks, chaos, retryBaseMs } = this.#parts;
    const { delivery } = request;
    const attempt = delivery.attempts + 1;
    const isAbandoned = () => webhooks.abandoned(delivery.seq) !== null;
    const { status, nextAttemptAt } = verdict(result, {
      attempt,
      maxAttempts: delivery.max_attempts,
      baseMs: retryBaseMs,
      endedAt: tx.now,
      isAbandoned,
    });
    const delivered = status === "DELIVERED";
    const { stored, responseBody } = failureOf(result);
    const changed = webhooks.settleAttempt({
      seq: delivery.seq,
      id: delivery.id,
      status,
      attempts: attempt,
      next_attempt_at: nextAttemptAt,
      last_status_code: result.statusCode,
      last_error: stored,
      last_response_body: responseBody,
      delivered_at: delivered ? tx.now : null,
      updated_at: tx.now,
    });
    const { repeats, overtaken } = chaos.endAttempt(delivery);
    const isRepeated = delivered && changed > 0 && repeats && !isAbandoned();
    const row = attemptRow(request, result, { attempt, isRepeated, endedAt: tx.now });
    webhooks.insertAttempt(row, delivery.id, tx.history.last(), changed > 0);
    if (nextAttemptAt !== null) tx.notify.delivery(nextAttemptAt);
    if (overtaken !== null && webhooks.moveFirstAttempt(tx.now, overtaken.seq, overtaken.id) > 0)
      tx.notify.delivery(tx.now);
    return { attempt, status, nextAttemptAt, isRepeated };
  }
}
