import type { Client, ListItem, OperationAnswer } from "../client/types.js";
import type { EventName } from "../features/webhooks/catalogue.js";
import type { ReceivedEvent } from "../webhooks/events.js";

/** What tests do with an emulator: move its clock, wait for events, look at deliveries, and begin anew. */

export interface WaitOptions {
  /** The id of the object that the event is about: a charge, payment, payout or MED case, in every form. */
  readonly subject?: string | undefined;
  /** How long to wait in real time: milliseconds, or a text such as `500ms` or `10s`; 5 s by default. */
  readonly timeout?: number | string | undefined;
}

export interface DeliveriesOptions {
  /** The id of the object that the events are about: a charge, payment, payout or MED case, in every form. */
  readonly subject?: string | undefined;
}

/** The part of an emulator that is for tests. All of it is about the book of the test key. */
export interface TestKit {
  /** A client with the test key. */
  readonly client: Client;
  /**
   * Moves the emulated clock forward, and does on the way what falls due: expiries, retries, steps of refunds. Resolves
   * when all of it is done, deliveries attempted included. Takes milliseconds, a duration such as `10s` or `1d`, an
   * instant (ISO 8601 or a Date), or `next` for the next due work.
   *
   * @throws OptionError for anything else; ServiceError for an instant in the past.
   */
  advance(to: number | string | Date): Promise<OperationAnswer<"sandbox.clock.advance">>;
  /** Resolves when everything is done that is due now: first attempts of deliveries, and the work that follows. */
  settled(): Promise<void>;
  /**
   * Resolves to the envelope of an event, as an endpoint is sent it. An event that was told before counts too; of
   * several, the newest. It waits for the event, not for its delivery: `settled` waits for deliveries. The emulated
   * clock does not move meanwhile unless it runs.
   *
   * @throws OptionError for an unknown event or option; WaitTimeoutError when the event does not come in time.
   */
  waitFor<Name extends EventName>(eventType: Name, options?: WaitOptions): Promise<ReceivedEvent<Name>>;
  /** All deliveries of webhooks, newest first, each with its status, attempts, payload and URL. */
  deliveries(options?: DeliveriesOptions): Promise<ListItem<"sandbox.deliveries.list">[]>;
  /** Brings the emulator back to the state after its start. Keys and the forward target stay as they are. */
  reset(): Promise<void>;
}

/** An event did not come in time. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  readonly eventType: string;
  readonly subject: string | undefined;
  readonly timeoutMs: number;

  constructor(eventType: string, subject: string | undefined, timeoutMs: number, instead: readonly string[]) {
    const about = subject === undefined ? "" : ` about ${subject}`;
    const seen = instead.length === 0 ? "no event at all" : instead.join(", ");
    super(`No event ${eventType}${about} within ${timeoutMs} ms of real time. Told until now${about}: ${seen}.`);
    this.eventType = eventType;
    this.subject = subject;
    this.timeoutMs = timeoutMs;
  }
}
