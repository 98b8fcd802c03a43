import type { ListItem } from "../../api/client/types.js";
import { parseDuration } from "../../base/kernel/duration.js";
import { AS_OPTIONS, duration, OptionError, optionsOf, readOptions, text } from "../../base/kernel/options.js";
import { iso, parseInstant } from "../../base/kernel/time.js";
import type { EventName } from "../../service/features/webhooks/catalogue.js";
import type { ReceivedEvent } from "../../service/webhooks/events.js";
import { type CollectorParts, createCollect } from "./collector.js";
import { withCallerStack } from "./for-caller.js";
import { type ReconcileOptions, reconcileOrders, type ShopOrder } from "./reconcile.js";
import { type DeliveriesOptions, type TestKit, type WaitOptions, WaitTimeoutError } from "./test-kit.js";
import { checkEvent, waitUntil } from "./waiting.js";

/** Moves the clock of an emulator, waits for events, lists deliveries, and resets it. */

const DEFAULT_WAIT_MS = 5_000;
const SUBJECT = { subject: text("the id of a charge, payment, payout or MED case", /./) };
const WAIT_READERS = { ...SUBJECT, timeout: duration };
const ADVANCE_TAKES = 'milliseconds, a duration such as 10s or 1d, an instant such as 2026-01-31T12:00:00Z, or "next"';

/** The body of the request for an advance. */
function targetOf(to: unknown): { readonly seconds: number } | { readonly to: string } {
  if (typeof to === "number" && Number.isSafeInteger(to) && to >= 0) return { seconds: to / 1_000 };
  if (to instanceof Date && !Number.isNaN(to.getTime())) return { to: iso(to.getTime()) };
  if (typeof to === "string") {
    const ms = parseDuration(to);
    if (ms !== null) return { seconds: ms / 1_000 };
    if (to === "next" || parseInstant(to) !== null) return { to };
  }
  const given = to instanceof Date ? "an invalid Date" : AS_OPTIONS.show(to);
  throw new OptionError("to", `advance takes ${ADVANCE_TAKES}, not ${given}.`);
}

export interface TestControlsParts extends CollectorParts {
  /** Calls the listener after each event that is written. Returns a function that ends it. */
  readonly onEvent: (listener: () => void) => () => void;
  /** The address of the emulator. */
  readonly url: string;
  /** The time of the emulated clock, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

interface AwaitedEvent {
  readonly type: EventName;
  readonly subject: string | undefined;
  readonly timeoutMs: number;
}

/** The newest event of a type, or null. */
async function newestEvent({ client, closed }: TestControlsParts, { type, subject }: AwaitedEvent) {
  const { data } = await client["sandbox.events"]({ query: { limit: 1, type, subject }, signal: closed });
  return data[0] ?? null;
}

async function failure(
  { client, closed }: TestControlsParts,
  { type, subject, timeoutMs }: AwaitedEvent,
): Promise<Error> {
  const { data } = await client["sandbox.events"]({ query: { limit: 100, subject }, signal: closed });
  return new WaitTimeoutError(type, subject, timeoutMs, [...new Set(data.map((event) => event.type))].toReversed());
}

/** Looks for the event now and after each event that is written, until it is there or the time is over. */
async function waitForEvent(parts: TestControlsParts, wanted: AwaitedEvent): Promise<unknown> {
  const { real, closed, onEvent: onNews } = parts;
  const look = () => newestEvent(parts, wanted);
  const timeoutFailure = () => failure(parts, wanted);
  const event = await waitUntil({ ...wanted, real, closed, onNews, look, failure: timeoutFailure });
  return event.payload;
}

/** Creates the functions for tests of an emulator. Errors about wrong arguments begin at the caller's own line. */
export function createTestControls(parts: TestControlsParts): TestKit {
  const { client } = parts;
  const waitFor = withCallerStack(async (eventType: EventName, options: WaitOptions = {}) => {
    checkEvent("waitFor", eventType);
    const given = optionsOf("waitFor", options, WAIT_READERS);
    const { subject, timeout: timeoutMs = DEFAULT_WAIT_MS } = readOptions(given, WAIT_READERS, AS_OPTIONS);
    return (await waitForEvent(parts, { type: eventType, subject, timeoutMs })) as ReceivedEvent;
  });
  return {
    client,
    advance: withCallerStack((to: number | string | Date) => client["sandbox.clock.advance"]({ body: targetOf(to) })),
    now: () => new Date(parts.now()),
    async settled() {
      await client["sandbox.clock.advance"]({ body: { seconds: 0 } });
    },
    waitFor: waitFor as TestKit["waitFor"],
    collect: createCollect(parts),
    deliveries: withCallerStack(async (options: DeliveriesOptions = {}) => {
      const given = optionsOf("deliveries", options, SUBJECT);
      const { subject } = readOptions(given, SUBJECT, AS_OPTIONS);
      const all: ListItem<"sandbox.deliveries.list">[] = [];
      for await (const one of client.pages("sandbox.deliveries.list", { query: { limit: 100, subject } }))
        all.push(one);
      return all;
    }),
    reconcile: withCallerStack((rows: Iterable<ShopOrder>, options: ReconcileOptions = {}) =>
      reconcileOrders(client, parts.url, rows, options),
    ),
    async reset() {
      await client["sandbox.reset"]();
    },
  };
}
