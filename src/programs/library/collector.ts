import { ServiceError } from "../../api/client/service-error.js";
import type { Client } from "../../api/client/types.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { AS_OPTIONS, duration, optionsOf, type Reader, readOptions } from "../../base/kernel/options.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { iso } from "../../base/kernel/time.js";
import type { AttemptRequest } from "../../service/delivery/attempt.js";
import type { EventName } from "../../service/features/webhooks/catalogue.js";
import type { ReceivedEvent } from "../../service/webhooks/events.js";
import { withCallerStack } from "./for-caller.js";
import {
  type CollectedWebhook,
  type CollectOptions,
  type Collector,
  type NextOptions,
  type TestKit,
  WaitTimeoutError,
} from "./test-kit.js";
import { checkEvent, waitUntil } from "./waiting.js";

export interface CollectorParts {
  readonly client: Client;
  readonly real: Pick<RealTime, "after">;
  readonly onCollected: (listener: (webhook: AttemptRequest) => void) => () => void;
  readonly closed: AbortSignal;
}

/** The service checks the names. */
const events: Reader<EventName[]> = (given, refuse) =>
  Array.isArray(given) ? given : refuse.takes("a list of events");
const OPTIONS = { events };
const NEXT_OPTIONS = { timeout: duration };
const DEFAULT_WAIT_MS = 5_000;

function webhookOf({ delivery, headers, body, sentAt }: AttemptRequest): CollectedWebhook {
  const event = JSON.parse(body) as ReceivedEvent;
  return { id: ID_PREFIX.delivery + delivery.id, at: iso(sentAt), headers, body, event };
}

const nameOf = ({ event }: CollectedWebhook): EventName => event.type ?? event.event;

/** Returns `collect` of an emulator. */
export function createCollect(parts: CollectorParts): TestKit["collect"] {
  return withCallerStack((options: CollectOptions = {}) =>
    collect(parts, readOptions(optionsOf("collect", options, OPTIONS), OPTIONS, AS_OPTIONS)),
  );
}

/** Returns a function that takes the first webhook not taken yet. One caller gets it, even if several wait. */
function unreadOf(webhooks: readonly CollectedWebhook[]) {
  const given = new Set<CollectedWebhook>();
  return (eventType: string | undefined): CollectedWebhook | null => {
    const isNext = (one: CollectedWebhook) => !given.has(one) && (eventType ?? nameOf(one)) === nameOf(one);
    const next = webhooks.find(isNext) ?? null;
    if (next !== null) given.add(next);
    return next;
  };
}

interface MissingWebhook {
  readonly id: string;
  readonly webhooks: readonly CollectedWebhook[];
  readonly eventType: string | undefined;
  readonly timeoutMs: number;
}

/** Explains why no webhook arrived in time. */
async function failure(client: Client, { id, webhooks, eventType, timeoutMs }: MissingWebhook): Promise<Error> {
  const isGone = await client["sandbox.collectors.webhooks"]({ params: { id } }).then(
    () => false,
    (error: unknown) => error instanceof ServiceError && error.status === 404,
  );
  if (isGone)
    return new Error(
      `The collector ${id} is gone, because a reset ends collectors. Create another one after the reset.`,
    );
  return new WaitTimeoutError(eventType, undefined, timeoutMs, [...new Set(webhooks.map(nameOf))]);
}

/** Creates a collector, whose list grows while webhooks are sent to it. */
async function collect(parts: CollectorParts, body: { readonly events?: EventName[] }): Promise<Collector> {
  const { client, real } = parts;
  const early: AttemptRequest[] = [];
  let take = (webhook: AttemptRequest): unknown => early.push(webhook);
  const news = new Set<() => void>();
  // It listens before its endpoint exists, so that it misses nothing.
  const stop = parts.onCollected((webhook) => {
    take(webhook);
    for (const notify of news) notify();
  });
  const { id, secret } = await client["sandbox.collectors.create"]({ body }).catch((error: unknown) => {
    stop();
    throw error;
  });
  const webhooks: CollectedWebhook[] = [];
  take = (webhook) => ID_PREFIX.collector + webhook.delivery.collector === id && webhooks.push(webhookOf(webhook));
  early.forEach(take);
  const unread = unreadOf(webhooks);
  const ended = new AbortController();
  const closed = AbortSignal.any([parts.closed, ended.signal]);

  function onNews(listener: () => void): () => void {
    news.add(listener);
    return () => news.delete(listener);
  }

  const next = withCallerStack((eventType?: EventName, options: NextOptions = {}) => {
    if (eventType !== undefined) checkEvent("next", eventType);
    const given = readOptions(optionsOf("next", options, NEXT_OPTIONS), NEXT_OPTIONS, AS_OPTIONS);
    const { timeout: timeoutMs = DEFAULT_WAIT_MS } = given;
    return waitUntil({
      real,
      timeoutMs,
      closed,
      onNews,
      look: () => unread(eventType),
      failure: () => failure(client, { id, webhooks, eventType, timeoutMs }),
    });
  });
  return {
    secret,
    webhooks,
    next: next as Collector["next"],
    async close() {
      if (ended.signal.aborted) return;
      ended.abort(new Error(`The collector ${id} was closed.`));
      stop();
      await client["sandbox.collectors.delete"]({ params: { id } }).catch((error: unknown) => {
        // A reset has already ended it.
        if (!(error instanceof ServiceError && error.status === 404)) throw error;
      });
    },
  };
}
