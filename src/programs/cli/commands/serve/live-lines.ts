import type { GlobalFlags } from "../../../../api/client/flags.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { isoOrNull } from "../../../../base/kernel/time.js";
import type { Attempt } from "../../../../service/delivery/attempt.js";
import type { ClaimedDelivery } from "../../../../service/features/webhooks/store.js";
import type { Emulator } from "../../../start/emulator.js";
import type { Io } from "../../terminal/io.js";
import type { Palette } from "../../terminal/output.js";
import { joinTexts, jsonText, type Showable, say, type TerminalText } from "../../terminal/terminal-text.js";
import type { ServerRecord } from "./server-record.js";

/**
 * Prints the output of `serve`: a banner and a line for each event and each answer, or one JSON object on each line.
 */
export interface LiveLines {
  /** `isReached`: a command without flags, in the folder of this start, uses this server. */
  ready(emulator: Emulator, record: ServerRecord, isReached: boolean): void;
  onSending(delivery: ClaimedDelivery): void;
  onAttempt(attempt: Attempt): void;
  onStop(): void;
}

/** The parts of the process that the lines need. */
type LineIo = Pick<Io, "pid" | "program"> & { out(text: TerminalText): void };

interface LineOptions extends Pick<GlobalFlags, "json" | "quiet"> {
  readonly publicUrl?: string | null | undefined;
  /** The file with the certificate of a server with TLS. */
  readonly cert?: string | undefined;
  /** The way to stop this server, as a sentence. */
  readonly howToStop: string;
  /** Passwords and the live key are left out: a build server would keep them in its log. */
  readonly hidesSecrets?: boolean;
  /** A first command with its key, if the server belongs to no project: it was created for one charge. */
  readonly first?: { readonly words: string; readonly key: string } | undefined;
}

function jsonLines(io: LineIo, { cert }: LineOptions): LiveLines {
  const line = (value: object) => io.out(jsonText(value));
  return {
    ready: (emulator, { testKey }) =>
      line({
        event: "ready",
        url: emulator.url,
        ...(cert === undefined ? {} : { cert }),
        test_key: testKey,
        live_key: emulator.liveKey,
        users: emulator.users,
        signing_secret: emulator.signingSecret,
        forward:
          emulator.forward === null
            ? null
            : { endpoint_id: emulator.forward.endpointId, url: emulator.forward.url, secret: emulator.forward.secret },
        console_url: emulator.consoleUrl,
        random_seed: emulator.randomSeed,
        pid: io.pid,
      }),
    onSending: () => undefined,
    onAttempt: (attempt) =>
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
    onStop: () => line({ event: "stopping" }),
  };
}

/** The beginning of a body, on one line; null for an empty body. */
function shortBody(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

const SHOWN_ONCE = "password was shown at the first start";
const HIDDEN = "not printed, because CI is set";
const EARLIER = "created by an earlier start;";

/** The note instead of a test key that an earlier start created: its value is shown only once. */
function testKeyNote({ usableKey }: ServerRecord, isReached: boolean): string {
  if (usableKey === null) return `${EARLIER} --test-key takes one of your own`;
  return isReached ? `${EARLIER} commands in this folder use it` : `${EARLIER} --write-env writes it into a file`;
}

interface TryOptions extends Pick<LineOptions, "howToStop" | "first"> {
  readonly isReached: boolean;
  readonly paint: Palette;
}

/** Suggests a first command. Adds --base-url and --api-key when commands in this folder would use another server. */
function tryText(
  { program }: LineIo,
  { url }: Emulator,
  { testKey }: ServerRecord,
  { isReached, paint, howToStop, first }: TryOptions,
): TerminalText {
  const create = `${program} ${first?.words ?? "charges create --amount 1990"}`;
  if (isReached) return say`  Try  ${paint.strong(create)}   in another terminal in this folder. ${howToStop}\n`;
  const flags = `--base-url ${url} --api-key ${first?.key ?? testKey ?? "qa_test_…"}`;
  return joinTexts(
    [
      "  Commands in this folder use another server. With these flags they use this one:",
      say`    ${paint.strong(`${create} ${flags}`)}`,
      say`  ${first === undefined ? "With --write-env .env at the start they are unnecessary. " : ""}${howToStop}\n`,
    ],
    "\n",
  );
}

function textLines(
  io: LineIo,
  paint: Palette,
  { quiet = false, publicUrl, cert, howToStop, first, hidesSecrets = false }: LineOptions,
): LiveLines {
  const row = (name: string, value: Showable) => io.out(say`  ${paint.dim(name.padEnd(15))}${value}\n`);
  const banner: LiveLines["ready"] = (emulator, record, isReached) => {
    io.out(say`\n${paint.strong("qa-pay")} is ready at ${paint.good(emulator.url)}\n\n`);
    row("Test key", record.testKey ?? paint.dim(testKeyNote(record, isReached)));
    const kept = record.liveKeyIn === null ? "it was shown once" : `it is in ${record.liveKeyIn}`;
    const isHidden = hidesSecrets && emulator.liveKey !== null;
    const liveKey = isHidden ? paint.dim(`${HIDDEN}; ${kept}`) : emulator.liveKey;
    row("Live key", liveKey ?? paint.dim(`${EARLIER} ${kept}`));
    for (const { email, password, role } of emulator.users) {
      let shown: Showable = password ?? paint.dim(SHOWN_ONCE);
      if (hidesSecrets && password !== null) shown = paint.dim(HIDDEN);
      row(`${role.charAt(0)}${role.slice(1).toLowerCase()}`, say`${email}  ${shown}`);
    }
    row("Webhook secret", emulator.signingSecret);
    row("Database", emulator.database);
    if (cert !== undefined) row("Certificate", cert);
    if (publicUrl) row("Public address", publicUrl);
    if (emulator.consoleUrl !== null) row("Console", emulator.consoleUrl);
    if (emulator.forward !== null) row("Forwarding to", emulator.forward.url);
    io.out(quiet ? say`\n` : say`\n${tryText(io, emulator, record, { isReached, paint, howToStop, first })}\n`);
  };
  return {
    ready: banner,
    onSending(delivery) {
      if (quiet) return;
      io.out(say`--> ${paint.strong(delivery.type)} ${paint.dim(ID_PREFIX.event + delivery.event_id)}\n`);
    },
    onAttempt(attempt) {
      if (quiet) return;
      const good = attempt.error === null;
      const outcome = attempt.statusCode === null ? "failed" : String(attempt.statusCode);
      const event = paint.dim(`${attempt.type} ${attempt.eventId}`);
      io.out(
        say`<-- ${(good ? paint.good : paint.bad)(outcome)} POST ${attempt.url} ${attempt.durationMs} ms ${event}\n`,
      );
      if (attempt.chaos.length > 0) io.out(say`${paint.dim(`    chaos: ${attempt.chaos.join(", ")}`)}\n`);
      if (good) return;
      const body = shortBody(attempt.responseBody);
      if (attempt.statusCode === null && attempt.error !== null) io.out(say`    ${attempt.error}\n`);
      if (body !== null) io.out(say`    ${body}\n`);
      // A repeated delivery failed. An earlier attempt has arrived, so there is no next attempt to announce.
      if (attempt.status === "DELIVERED") return;
      const next = isoOrNull(attempt.nextAttemptAt);
      const then = next === null ? "given up (dead letter)" : `next attempt at ${next}`;
      io.out(say`${paint.dim(`    attempt ${attempt.attempt} of ${attempt.maxAttempts}, ${then}`)}\n`);
    },
    onStop: () => io.out(quiet ? say`` : say`Stopping…\n`),
  };
}

export function liveLines(io: LineIo, paint: Palette, options: LineOptions): LiveLines {
  return options.json ? jsonLines(io, options) : textLines(io, paint, options);
}

/**
 * The same lines, with none before the ready one: a server sends due webhooks while its files are still being written,
 * and they are printed afterwards.
 */
export function readyFirst(lines: LiveLines): LiveLines {
  let early: (() => void)[] | null = [];
  const delay =
    <What>(print: (what: What) => void) =>
    (what: What) =>
      early === null ? print(what) : void early.push(() => print(what));
  return {
    ...lines,
    onSending: delay(lines.onSending),
    onAttempt: delay(lines.onAttempt),
    ready(...what) {
      lines.ready(...what);
      for (const print of early ?? []) print();
      early = null;
    },
  };
}
