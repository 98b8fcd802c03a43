import { resolve } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator.js";
import { OptionError, type Wording } from "../../options/reading.js";
import { startOptions } from "../../options/service.js";
import { writeVariables } from "../env-file.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure, refusalOf } from "../failure.js";
import { type Fixture, loadFixture, runFixture } from "../fixtures.js";
import { kebab } from "../flag-name.js";
import type { Io } from "../io.js";
import { palette } from "../output.js";
import { listeningAt } from "../project.js";
import { sendOrFail } from "../request.js";
import { say, visibleLines } from "../terminal-text.js";
import { readFees } from "./fees.js";
import { liveLines } from "./live-lines.js";
import type { ServeFlags } from "./serve-options.js";
import { recordServer, type ServerRecord } from "./server-record.js";

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

/** Options as flags have them. */
const AS_FLAGS: Wording = {
  name: (option) => `--${kebab(option)}`,
  show: (given) => (given === "" ? "an empty text" : String(given)),
};

/** The number that a flag's text is; any other text stays what it is, to be refused. */
function numeral(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function words(text: string): string[] {
  return text.split(",").map((word) => word.trim());
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
export function emulatorOptions(io: Io, flags: ServeFlags): EmulatorOptions {
  const { events, fees, preview } = flags;
  const given = {
    ...flags,
    port: numeral(flags.port),
    maxAttempts: numeral(flags.maxAttempts),
    rateLimit: numeral(flags.rateLimit),
    events: events === undefined ? undefined : words(events),
    preview: preview?.flatMap(words),
    fees: fees === undefined ? undefined : readFees(fees, io.cwd),
  };
  try {
    const { db = ":memory:", ...others } = startOptions(given, AS_FLAGS);
    return { ...others, db: db === ":memory:" ? db : resolve(io.cwd, db) };
  } catch (error) {
    if (error instanceof OptionError) throw usage(error.message);
    throw error;
  }
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
  if (usableKey === null) throw usage("--write-env needs the database's test key: give it with --test-key.");
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
    warn: (message: string) => io.err(say`Warning: ${message}\n`),
    error: (message: string, cause?: unknown) =>
      io.err(visibleLines(`Error: ${message}${cause instanceof Error ? `: ${cause.stack ?? cause.message}` : ""}\n`)),
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
