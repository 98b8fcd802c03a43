import { chaosKinds } from "../../../../features/webhooks/changed-envelope.js";
import { attemptErrorOf } from "../../../../kernel/attempt-errors.js";
import { isSuccess } from "../../../../kernel/http-status.js";
import { ID_PREFIX } from "../../../../kernel/ids.js";
import { EXIT, Failure } from "../../../terminal/failure.js";
import type { Io } from "../../../terminal/io.js";
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
  readonly io: Pick<Io, "pause" | "real">;
  readonly url: string;
  readonly secret: string;
  readonly speed: "real" | "fast";
  readonly stopped: AbortSignal;
  readonly onSent: (sent: SentWebhook) => void;
}

function unreachable(url: string, error: string | null): Failure {
  const message = `Nobody answers at ${new URL(url).origin} (${error ?? "no answer"}).`;
  return new Failure(EXIT.unreachable, "unreachable", message, "Start the receiver, or correct --forward-to.");
}

/** Sends all of them. Throws Failure (exit 7) when the first one reaches nobody; the others are not sent then. */
export async function sendAll(
  { sendings }: Plan,
  { io, url, secret, speed, stopped, onSent }: SendOptions,
): Promise<SentWebhook[]> {
  const { requestOf } = await import("../../../../delivery/attempt.js");
  const { createTransport } = await import("../../../../delivery/transport.js");
  const transport = createTransport({ real: io.real, insecureTls: false });
  const ended = new AbortController();
  stopped.addEventListener("abort", () => {
    ended.abort();
    transport.abort();
  });

  async function send({ event, delivery, attempt, isRepeated, then }: Sending, isFirst: boolean): Promise<SentWebhook> {
    const what = { ...event, id: delivery.id, url, event_id: event.id, event_created_at: event.created_at };
    // Signed as of now: receivers refuse what is old.
    const signed = { secret, signedAt: io.real.epoch(), chaos: chaosKinds(attempt.chaos) };
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
    const began = io.real.monotonic();
    const sent: Promise<SentWebhook>[] = [];
    for (const [place, sending] of sendings.entries()) {
      if (speed === "real") await io.pause(Math.max(0, sending.after - (io.real.monotonic() - began)), ended.signal);
      if (ended.signal.aborted) break;
      const one = send(sending, place === 0);
      one.catch(() => ended.abort());
      sent.push(one);
      // With `real` the next one waits for nobody, but what is sent twice is sent again behind its answer.
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
