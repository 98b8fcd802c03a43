import type { Client, ListItem, OperationAnswer } from "../../api/client/types.js";
import type { Reconciliation } from "../../checks/reconcile/rows.js";
import type { EventName } from "../../service/features/webhooks/catalogue.js";
import type { ReceivedEvent } from "../../service/webhooks/events.js";
import type { ReconcileOptions, ShopOrder } from "./reconcile.js";

/** The functions of an emulator for tests: move its clock, wait for events, look at deliveries, and begin anew. */

export interface WaitOptions {
  /** The id of the event's object: a charge, payment, payout or MED case, in every form. */
  readonly subject?: string | undefined;
  /** The wait in real time: milliseconds, or a text such as `500ms` or `10s`; 5 s by default. */
  readonly timeout?: number | string | undefined;
}

export interface DeliveriesOptions {
  /** The id of the events' object: a charge, payment, payout or MED case, in every form. */
  readonly subject?: string | undefined;
}

export interface CollectOptions {
  /** The events to collect; all events by default. */
  readonly events?: readonly EventName[] | undefined;
}

export interface NextOptions {
  /** The wait in real time: milliseconds, or a text such as `500ms` or `10s`; 5 s by default. */
  readonly timeout?: number | string | undefined;
}

/** A webhook as an endpoint would have received it. */
export interface CollectedWebhook<Name extends EventName = EventName> {
  /** The id of the delivery, as in the header X-QA-Delivery-Id. */
  readonly id: string;
  /** The time of sending, on the emulated clock (ISO 8601). */
  readonly at: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that was signed. */
  readonly body: string;
  /** The event in the body. */
  readonly event: ReceivedEvent<Name>;
}

/** Receives webhooks instead of an endpoint, without a port. */
export interface Collector {
  /** The secret that signs them. */
  readonly secret: string;
  /** The webhooks until now, oldest first. The list grows by itself; `settled` waits for due work. */
  readonly webhooks: readonly CollectedWebhook[];
  /**
   * Resolves to the next webhook, of this event if one is named. Earlier webhooks count too, each once.
   *
   * @throws OptionError for an unknown event or option; WaitTimeoutError when none comes in time; Error when the
   * collector was closed, or was ended by a reset.
   */
  next<Name extends EventName = EventName>(eventType?: Name, options?: NextOptions): Promise<CollectedWebhook<Name>>;
  /** Receives no more webhooks. */
  close(): Promise<void>;
}

/** The part of an emulator that is for tests. All of it is about the book of the test key. */
export interface TestKit {
  /** A client with the test key. */
  readonly client: Client;
  /**
   * Moves the emulated clock forward, and runs the work that falls due on the way: expiries, retries, steps of refunds.
   * Resolves when all of it is done, deliveries attempted included. The argument is milliseconds, a duration such as
   * `10s` or `1d`, an instant (ISO 8601 or a Date), or `next` for the next due work.
   *
   * @throws OptionError for anything else; ServiceError for an instant in the past.
   */
  advance(to: number | string | Date): Promise<OperationAnswer<"sandbox.clock.advance">>;
  /**
   * The present time of the emulated clock, also while it stands still, and under fake timers. `Date.now()` is the time of the
   * machine.
   */
  now(): Date;
  /** Resolves when all work is done that is due now: first attempts of deliveries, and the work that follows. */
  settled(): Promise<void>;
  /**
   * Resolves to the envelope of an event, as sent to an endpoint. An earlier event counts too; of several, the newest.
   * It waits for the event, not for its delivery: `settled` waits for deliveries. The emulated clock does not move
   * meanwhile unless it runs.
   *
   * @throws OptionError for an unknown event or option; WaitTimeoutError when the event does not come in time.
   */
  waitFor<Name extends EventName>(eventType: Name, options?: WaitOptions): Promise<ReceivedEvent<Name>>;
  /**
   * Collects the webhooks to an endpoint from now on. Every webhook is answered 200 and is among `deliveries`. A reset
   * ends the collector.
   *
   * @throws ServiceError for an unknown event; OptionError for an unknown option.
   */
  collect(options?: CollectOptions): Promise<Collector>;
  /** All deliveries of webhooks, newest first, each with its status, attempts, payload and URL. */
  deliveries(options?: DeliveriesOptions): Promise<ListItem<"sandbox.deliveries.list">[]>;
  /**
   * Compares the orders of your shop with the payments, like the command `reconcile`, by reading alone. A difference
   * has a sentence and the command with details.
   *
   * @throws OptionError for an unknown option, and for a row that cannot be read.
   */
  reconcile(rows: Iterable<ShopOrder>, options?: ReconcileOptions): Promise<Reconciliation>;
  /** Returns the emulator to the state after its start. Keys and the forward target stay as they are. */
  reset(): Promise<void>;
}

/** An event did not come in time. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  /** Undefined when the wait was for any event. */
  readonly eventType: string | undefined;
  readonly subject: string | undefined;
  readonly timeoutMs: number;

  constructor(
    eventType: string | undefined,
    subject: string | undefined,
    timeoutMs: number,
    instead: readonly string[],
  ) {
    const about = subject === undefined ? "" : ` about ${subject}`;
    const seen = instead.length === 0 ? "no event at all" : instead.join(", ");
    const name = eventType === undefined ? "" : ` ${eventType}`;
    super(`No event${name}${about} within ${timeoutMs} ms of real time. Reported so far${about}: ${seen}.`);
    this.eventType = eventType;
    this.subject = subject;
    this.timeoutMs = timeoutMs;
  }
}
