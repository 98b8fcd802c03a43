import { resolve } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator.js";
import { isKeyOf } from "../../features/access/keys.js";
import type { ServiceSettings, Velocity } from "../../features/settings.js";
import { type EventName, isEventName } from "../../features/webhooks/catalogue.js";
import { checkWebhookUrl } from "../../features/webhooks/rules.js";
import { parseDuration } from "../../kernel/duration.js";
import { writeVariables } from "../env-file.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure, refusalOf } from "../failure.js";
import { type Fixture, loadFixture, runFixture } from "../fixtures.js";
import type { Io } from "../io.js";
import { palette } from "../output.js";
import { listeningAt } from "../project.js";
import { sendOrFail } from "../request.js";
import { checkedSecret } from "../webhook-secret.js";
import { readFees } from "./fees.js";
import { liveLines } from "./live-lines.js";
import type { ServeFlags } from "./serve-options.js";
import { recordServer, type ServerRecord } from "./server-record.js";

function usage(message: string): never {
  throw new Failure(EXIT.usage, "usage", message);
}

function whole(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max
    ? value
    : usage(`${flag} takes a whole number from ${min} to ${max}, not ${text}.`);
}

function duration(flag: string, text: string): number {
  return parseDuration(text) ?? usage(`${flag} takes a duration such as 500ms, 10s, 5m, 1h or 1d, not ${text}.`);
}

/** A duration; a bare number is milliseconds. */
function milliseconds(flag: string, text: string): number {
  return duration(flag, /^\d+$/.test(text) ? `${text}ms` : text);
}

function velocity(flag: string, text: string): Velocity {
  const [, count = "", window = ""] = /^(\d{1,9})\/(.+)$/.exec(text) ?? [];
  const windowMs = parseDuration(window) ?? 0;
  return Number(count) > 0 && windowMs > 0
    ? { count: Number(count), windowMs }
    : usage(`${flag} takes how many charges in which time, such as 5/60s or 100/1h, not ${text}.`);
}

/** The guards are off unless asked for. */
function guardsOf({ rateLimit, customerVelocity, accountVelocity }: ServeFlags): Partial<ServiceSettings> {
  return {
    ...(rateLimit === undefined ? {} : { rateLimit: whole("--rate-limit", rateLimit, 1, 1_000_000) }),
    ...(customerVelocity === undefined ? {} : { customerVelocity: velocity("--customer-velocity", customerVelocity) }),
    ...(accountVelocity === undefined ? {} : { accountVelocity: velocity("--account-velocity", accountVelocity) }),
  };
}

function settingsOf(flags: ServeFlags, cwd: string): Partial<ServiceSettings> {
  const { fees, acquirerDelay, refundDelay, settlementHold, retryBase, maxAttempts, qr, preview } = flags;
  if (qr !== "url" && qr !== "base64") usage(`--qr takes url or base64, not ${qr}.`);
  const stray = preview?.flatMap((names) => names.split(",")).find((name) => name !== "charge-list");
  if (stray !== undefined) usage(`--preview takes charge-list, not ${stray}.`);
  return {
    ...(fees === undefined ? {} : { fees: readFees(fees, cwd) }),
    ...(acquirerDelay === undefined ? {} : { acquirerDelayMs: milliseconds("--acquirer-delay", acquirerDelay) }),
    ...(refundDelay === undefined ? {} : { refundDelayMs: milliseconds("--refund-delay", refundDelay) }),
    ...(settlementHold === undefined ? {} : { settlementHoldMs: duration("--settlement-hold", settlementHold) }),
    ...(retryBase === undefined ? {} : { retryBaseMs: duration("--retry-base", retryBase) }),
    ...(maxAttempts === undefined ? {} : { maxAttempts: whole("--max-attempts", maxAttempts, 1, 1_000) }),
    ...guardsOf(flags),
    medOutcomeNotices: flags.medOutcomeNotices ?? true,
    strictHttps: flags.strictHttps ?? false,
    qr,
    previews: new Set(preview?.flatMap((names) => names.split(","))),
  };
}

function eventsOf(flags: ServeFlags): EventName[] | undefined {
  if (flags.events === undefined) return undefined;
  if (flags.forwardTo === undefined) usage("--events goes with --forward-to.");
  const names = flags.events.split(",").map((name) => name.trim());
  const stray = names.find((name) => !isEventName(name));
  if (stray !== undefined) usage(`--events: there is no event ${stray}. \`qa-pay webhooks events\` lists them.`);
  return names.filter(isEventName);
}

function checkForward({ forwardTo, strictHttps }: ServeFlags): void {
  if (forwardTo === undefined) return;
  try {
    checkWebhookUrl("--forward-to", forwardTo, strictHttps ?? false);
  } catch (error) {
    usage(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

function smtpUrlOf({ smtpUrl }: ServeFlags): string | undefined {
  if (smtpUrl === undefined || /^smtps?:\/\/[^/]+/.test(smtpUrl)) return smtpUrl;
  return usage(`--smtp-url takes an address such as smtp://localhost:1025, not ${smtpUrl}.`);
}

function checkKeys(flags: ServeFlags): void {
  for (const mode of ["test", "live"] as const) {
    const key = flags[`${mode}Key`];
    if (key !== undefined && !isKeyOf(mode, key)) {
      usage(`--${mode}-key takes a key that starts with qa_${mode}_ and goes on with 8 or more of A-Z a-z 0-9 _ -.`);
    }
  }
}

/** Runs a script against a database that has nothing in it yet; another start finds what the first one made. */
async function seed(
  io: Io,
  { url: baseUrl }: Emulator,
  apiKey: string | null,
  fixture: Fixture,
  warn: (text: string) => void,
): Promise<void> {
  if (apiKey === null) return warn("--seed needs the database's test key: give it with --test-key");
  const target = { baseUrl, apiKey };
  const url = `${baseUrl}/v1/payments?limit=1`;
  const known = await sendOrFail({ method: "GET", url, headers: { apikey: apiKey }, body: undefined });
  if (known.status !== 200) throw refusalOf(known.status, known.text);
  if ((JSON.parse(known.text) as { total: number }).total > 0) return;
  await runFixture(io, target, {}, fixture);
}

/** What the flags ask for. Throws Failure (usage) before anything is started. */
export function emulatorOptions(io: Io, flags: ServeFlags) {
  checkKeys(flags);
  checkForward(flags);
  return {
    db: flags.db === ":memory:" ? flags.db : resolve(io.cwd, flags.db),
    host: flags.host,
    port: whole("--port", flags.port, 0, 65_535),
    testKey: flags.testKey,
    liveKey: flags.liveKey,
    webhookSecret: flags.webhookSecret === undefined ? undefined : checkedSecret(flags.webhookSecret),
    forwardTo: flags.forwardTo,
    forwardEvents: eventsOf(flags),
    frozen: flags.frozen ?? false,
    smtpUrl: smtpUrlOf(flags),
    insecureWebhookTls: flags.insecureWebhookTls ?? false,
    settings: settingsOf(flags, io.cwd),
  };
}

/** Throws Failure that says where the other server is, when one has the database. */
async function started(io: Io, options: EmulatorOptions): Promise<Emulator> {
  const { createEmulator } = await import("../../emulator.js");
  try {
    return await createEmulator(options);
  } catch (error) {
    if (!(error instanceof Error) || !("isInUse" in error && error.isInUse)) throw error;
    const where = listeningAt(io, options.db ?? "");
    throw new Failure(EXIT.unexpected, "unexpected", error.message, undefined, where);
  }
}

/** Fills the database and the file of --write-env, when that is asked for. */
async function prepare(
  io: Io,
  emulator: Emulator,
  { usableKey }: ServerRecord,
  flags: ServeFlags,
  fixture: Fixture | null,
  warn: (text: string) => void,
): Promise<void> {
  if (fixture !== null) await seed(io, emulator, usableKey, fixture, warn);
  if (flags.writeEnv === undefined) return;
  if (usableKey === null) usage("--write-env needs the database's test key: give it with --test-key.");
  await writeVariables(io, flags.writeEnv, {
    QA_PAY_BASE_URL: emulator.url,
    QA_PAY_API_KEY: usableKey,
    QA_PAY_WEBHOOK_SECRET: emulator.signingSecret,
  });
}

/** Starts the service and runs it until it is told to stop. */
export async function serve(io: Io, flags: ServeFlags): Promise<ExitCode> {
  const options = emulatorOptions(io, flags);
  const fixture = flags.seed === undefined ? null : await loadFixture(io, flags.seed);
  const log = {
    warn: (message: string) => io.err(`Warning: ${message}\n`),
    error: (message: string, cause?: unknown) =>
      io.err(`Error: ${message}${cause instanceof Error ? `: ${cause.stack ?? cause.message}` : ""}\n`),
  };
  const stopped = new Promise<void>((done) => io.onStop(() => done()));
  const emulator = await started(io, { ...options, log });
  try {
    const record = await recordServer(io, emulator, log.warn);
    try {
      await prepare(io, emulator, record, flags, fixture, log.warn);
      const lines = liveLines(io, await palette(io, flags.color !== false), flags);
      lines.ready(emulator, record);
      emulator.onSending(lines.sending);
      emulator.onAttempt(lines.attempted);
      await stopped;
      lines.stopping();
    } finally {
      record.stopped();
    }
  } finally {
    await emulator.close();
  }
  return EXIT.done;
}
