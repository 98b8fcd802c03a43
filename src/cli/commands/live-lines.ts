import type { Attempt } from "../../delivery/worker.js";
import type { Emulator } from "../../emulator.js";
import type { ClaimedDelivery } from "../../features/webhooks/store.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { isoOrNull } from "../../kernel/time.js";
import { harmless } from "../harmless.js";
import type { Io } from "../io.js";
import type { palette } from "../output.js";

type Palette = Awaited<ReturnType<typeof palette>>;

/** What `serve` says while it runs: a banner and a line per event and answer, or one JSON object a line. */
export interface LiveLines {
  ready(emulator: Emulator): void;
  sending(delivery: ClaimedDelivery): void;
  attempted(attempt: Attempt): void;
  stopping(): void;
}

function jsonLines(io: Io): LiveLines {
  const line = (value: object) => io.out(`${JSON.stringify(value)}\n`);
  return {
    ready: (emulator) =>
      line({
        event: "ready",
        url: emulator.url,
        test_key: emulator.testKey,
        live_key: emulator.liveKey,
        users: emulator.users,
        signing_secret: emulator.signingSecret,
        forward:
          emulator.forward === null
            ? null
            : { endpoint_id: emulator.forward.endpointId, url: emulator.forward.url, secret: emulator.forward.secret },
        console_url: emulator.consoleUrl,
        pid: io.pid,
      }),
    sending: () => undefined,
    attempted: (attempt) =>
      line({
        event: "delivery",
        type: attempt.type,
        event_id: attempt.eventId,
        delivery_id: attempt.deliveryId,
        url: attempt.url,
        attempt: attempt.attempt,
        status: attempt.status,
        status_code: attempt.statusCode,
        error: attempt.error,
        response_body: attempt.responseBody,
        duration_ms: attempt.durationMs,
        next_attempt_at: isoOrNull(attempt.nextAttemptAt),
        ...(attempt.chaos.length === 0 ? {} : { chaos: attempt.chaos }),
      }),
    stopping: () => line({ event: "stopping" }),
  };
}

function shortBody(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const line = text.trim().replace(/\s+/g, " ");
  return harmless(line.length > 300 ? `${line.slice(0, 300)}…` : line);
}

const SHOWN_ONCE = "password was shown at the first start";

function textLines(io: Io, paint: Palette): LiveLines {
  const row = (name: string, value: string) => io.out(`  ${paint.dim(name.padEnd(15))}${value}\n`);
  const known = (key: string | null) => key ?? paint.dim("made by an earlier start; the profile local has it");
  return {
    ready(emulator) {
      io.out(`\n${paint.strong("qa-pay")} is ready at ${paint.good(emulator.url)}\n\n`);
      row("Test key", known(emulator.testKey));
      row("Live key", emulator.liveKey ?? paint.dim("made by an earlier start; it was shown once"));
      for (const { email, password, role } of emulator.users) {
        row(`${role.charAt(0)}${role.slice(1).toLowerCase()}`, `${email}  ${password ?? paint.dim(SHOWN_ONCE)}`);
      }
      row("Database", emulator.database);
      row("Console", emulator.consoleUrl);
      if (emulator.forward !== null) {
        row("Forwarding to", emulator.forward.url);
        row("Its secret", emulator.forward.secret);
      }
      io.out(
        `\n  Try  ${paint.strong("qa-pay charges create --amount 1990")}   in another terminal. Ctrl-C stops.\n\n`,
      );
    },
    sending: (delivery) =>
      io.out(`--> ${paint.strong(delivery.type)} ${paint.dim(ID_PREFIX.event + delivery.event_id)}\n`),
    attempted(attempt) {
      const good = attempt.error === null;
      const outcome = attempt.statusCode === null ? "failed" : String(attempt.statusCode);
      io.out(
        `<-- ${(good ? paint.good : paint.bad)(outcome)} POST ${attempt.url} ${attempt.durationMs} ms ` +
          `${paint.dim(`${attempt.type} ${attempt.eventId}`)}\n`,
      );
      if (attempt.chaos.length > 0) io.out(paint.dim(`    chaos: ${attempt.chaos.join(", ")}\n`));
      if (good) return;
      const body = shortBody(attempt.responseBody);
      if (attempt.statusCode === null && attempt.error !== null) io.out(`    ${harmless(attempt.error)}\n`);
      if (body !== null) io.out(`    ${body}\n`);
      // A second sending may fail: the delivery has arrived all the same.
      if (attempt.status === "DELIVERED") return;
      const next = isoOrNull(attempt.nextAttemptAt);
      const then = next === null ? "given up (dead letter)" : `next attempt at ${next}`;
      io.out(paint.dim(`    attempt ${attempt.attempt} of ${attempt.maxAttempts}, ${then}\n`));
    },
    stopping: () => io.out("Stopping…\n"),
  };
}

export function liveLines(io: Io, paint: Palette, json: boolean): LiveLines {
  return json ? jsonLines(io) : textLines(io, paint);
}
