import { attemptErrorOf } from "../../base/kernel/attempt-errors.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { requestOf } from "../../service/delivery/attempt.js";
import { createTransport } from "../../service/delivery/transport.js";
import { chaosKinds } from "../../service/features/webhooks/chaos.js";
import { IncidentError } from "./incident-error.js";
import type { Plan, Sending } from "./plan.js";

/** Sends the webhooks of a replay to a receiver (docs/decisions/152-incidents.md). */

export interface SentWebhook {
  readonly event: string;
  readonly type: string;
  readonly delivery: string;
  readonly attempt: number;
  readonly repeated: boolean;
  readonly then: Sending["then"];
  readonly now: { readonly status_code: number | null; readonly error: string | null; readonly duration_ms: number };
}

interface SendOptions {
  readonly real: RealTime;
  pause(ms: number, stop: AbortSignal): Promise<void>;
  readonly url: string;
  readonly secret: string;
  readonly speed: "real" | "fast";
  readonly stopped: AbortSignal;
  readonly onSent: (sent: SentWebhook) => void;
}

function unreachable(url: string, error: string | null): IncidentError {
  const message = `No receiver answers at ${new URL(url).origin} (${error ?? "no answer"}).`;
  return new IncidentError("unreachable", message, "Start the receiver, or correct --forward-to.");
}

/** Sends all webhooks. Throws IncidentError when the first one reaches nobody; the others are not sent then. */
export async function sendAll(
  { sendings }: Plan,
  { real, pause, url, secret, speed, stopped, onSent }: SendOptions,
): Promise<SentWebhook[]> {
  const transport = createTransport({ real, insecureTls: false });
  const ended = new AbortController();
  stopped.addEventListener("abort", () => {
    ended.abort();
    transport.abort();
  });

  async function send({ event, delivery, attempt, isRepeated, then }: Sending, isFirst: boolean): Promise<SentWebhook> {
    const what = { ...event, id: delivery.id, url, event_id: event.id, event_created_at: event.created_at };
    // Signed as of now: receivers refuse what is old.
    const signed = { secret, signedAt: real.readShownTime(), chaos: chaosKinds(attempt.chaos) };
    const { headers, body } = requestOf(what, signed, attempt.user_agent);
    const { statusCode, error, timedOut, durationMs } = await transport.post(url, headers, body);
    const networkError = attemptErrorOf(error).error;
    if (isFirst && statusCode === null && !timedOut && !stopped.aborted) throw unreachable(url, networkError);
    const one: SentWebhook = {
      event: ID_PREFIX.event + event.id,
      type: event.type,
      delivery: ID_PREFIX.delivery + delivery.id,
      attempt: attempt.attempt,
      repeated: isRepeated,
      then,
      now: { status_code: statusCode, error: networkError, duration_ms: durationMs },
    };
    onSent(one);
    return one;
  }

  try {
    const began = real.monotonic();
    const sent: Promise<SentWebhook>[] = [];
    for (const [place, sending] of sendings.entries()) {
      if (speed === "real") await pause(Math.max(0, sending.after - (real.monotonic() - began)), ended.signal);
      if (ended.signal.aborted) break;
      const one = send(sending, place === 0);
      one.catch(() => ended.abort());
      sent.push(one);
      // With `real` no webhook waits for another, but a repeated one waits for the answer to its first sending.
      if (speed === "fast" || sendings[place + 1]?.isRepeated) await one;
    }
    return await Promise.all(sent);
  } finally {
    transport.close();
  }
}

/** The events whose last sending was not answered with 2xx. */
export function failedEvents(sent: readonly SentWebhook[]): string[] {
  const last = new Map(sent.map((one) => [one.event, one]));
  return [...last.values()].filter(({ now }) => !isSuccess(now.status_code)).map(({ event }) => event);
}
