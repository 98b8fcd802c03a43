import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import type { Fixture } from "../../../../api/fixtures/fixture.js";
import { completeSettings } from "../../../../service/features/read-settings.js";
import type { SettingsInput } from "../../../../service/features/service-settings.js";
import type { Emulator, EmulatorOptions } from "../../../start/emulator.js";
import { VARIABLES } from "../../files/env-file.js";
import type { OwnCertificate } from "../../files/own-certificate.js";
import { requireEnvFile, writeVariables } from "../../files/write-env.js";
import { loadFixture, runFixture } from "../../fixtures/run-fixture.js";
import { type Connection, ownConnection } from "../../host/connection.js";
import { readFrom } from "../../host/read.js";
import { describeServerWith } from "../../project/running-servers.js";
import { batchWrites } from "../../terminal/batch-writes.js";
import { EXIT, Failure, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { defineCommand } from "../../tree/define-command.js";
import { liveLines, readyFirst } from "./live-lines.js";
import { serverLog } from "./server-log.js";
import { recordServer, type ServerRecord } from "./server-record.js";
import { BEHAVIOUR_FLAGS, PLACE_FLAGS, SERVER_FLAGS, type SettingFlags } from "./setting-flags.js";
import { settingsOf } from "./settings-of-flags.js";

const FLAGS = {
  ...PLACE_FLAGS,
  "--detach": "run in the background, and return when the server is ready",
  "--stop-with <pid>": "stop when the process with this id has ended, such as that of a test run",
  "--open": "open the console in the browser when the server is ready",
  "--https": "answer by TLS, with a certificate for localhost that is made once",
  "--write-env <file>": "write address, test key and webhook secret into this file, keeping the rest",
  ...BEHAVIOUR_FLAGS,
  ...SERVER_FLAGS,
} as const;

type ServeFlags = GlobalFlags & FlagsOf<typeof FLAGS> & SettingFlags;

/** Runs the fixture of --seed when the database has no payments yet, so that a second start does not fill it twice. */
async function seed(io: Io, connection: Connection, fixture: Fixture): Promise<void> {
  const { total } = await readFrom<{ total: number }>(connection, "/v1/payments?limit=1");
  if (total === 0) await runFixture(io, connection, {}, { fixture });
}

/** Addresses that a program reaches by the names in the certificate of --https. */
const OF_LOCALHOST: readonly string[] = ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::"];

/** The certificate of --https. Warns when it is another one than before. */
async function certificateFor(io: Io, warn: (text: string) => void): Promise<OwnCertificate> {
  const { ownCertificate } = await import("../../files/own-certificate.js");
  const certificate = await ownCertificate(io);
  if (certificate.replaced !== null) warn(certificate.replaced);
  return certificate;
}

/** Starts the emulator. Throws Failure with the address of the other server if that one uses the database. */
async function startOrFail(io: Io, options: EmulatorOptions): Promise<Emulator> {
  const { createEmulator } = await import("../../../start/emulator.js");
  try {
    return await createEmulator(options);
  } catch (error) {
    if (!(error instanceof Error) || !("isInUse" in error && error.isInUse)) throw error;
    const where = await describeServerWith(io, options.db ?? "");
    throw new Failure(EXIT.unexpected, "unexpected", error.message, where);
  }
}

/** The interval of the checks of --stop-with. */
const LOOK_MS = 500;

/** Calls `stop` when the process of --stop-with has ended. Throws Failure (exit 2) when it does not run now. */
function stopWith(io: Io, text: string, stop: () => void, stopped: AbortSignal): void {
  const pid = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  if (pid === null)
    throw usage(`--stop-with takes the id of a process, such as 4711, and not ${JSON.stringify(text)}.`);
  if (!io.isRunning(pid)) throw usage(`--stop-with ${pid}: no process with this id runs.`);
  const look = async () => {
    while (!stopped.aborted && io.isRunning(pid)) await io.pause(LOOK_MS, stopped);
    stop();
  };
  void look();
}

interface PrepareOptions {
  readonly flags: ServeFlags;
  readonly fixture: Fixture | null;
  readonly certificate: string | undefined;
  readonly warn: (text: string) => void;
}

/** Does the work of --seed and --write-env. */
async function prepare(
  io: Io,
  { url: baseUrl, signingSecret }: Emulator,
  { usableKey: apiKey }: ServerRecord,
  { flags, fixture, certificate, warn }: PrepareOptions,
): Promise<void> {
  if (fixture !== null && apiKey !== null) await seed(io, ownConnection(baseUrl, apiKey, { certificate }), fixture);
  else if (fixture !== null) warn("--seed needs the database's test key: pass it with --test-key");
  if (flags.writeEnv === undefined) return;
  if (apiKey === null) throw usage("--write-env needs the database's test key: pass it with --test-key.");
  const variables = { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apiKey, QA_PAY_WEBHOOK_SECRET: signingSecret };
  const warning = writeVariables(io, flags.writeEnv, variables, flags);
  if (warning !== null) warn(warning);
}

/** Build servers set CI, most of them to `true`. */
function isBuildServer({ env: { CI = "" } }: Io): boolean {
  return !["", "0", "false"].includes(CI.toLowerCase());
}

/** Throws Failure (exit 2) for settings that --https or --open does not go with. */
function requireFitting({ https, open }: ServeFlags, options: SettingsInput): void {
  const { host, publicUrl, console: hasConsole } = completeSettings(options);
  if (open && !hasConsole) {
    throw usage(
      "--open needs the console, which this server does not have.",
      "Leave out --no-console, or add --console.",
    );
  }
  if (!https) return;
  if (publicUrl?.startsWith("http:")) {
    const message = "--https and a --public-url with http:// contradict each other.";
    throw usage(message, "Write the address with https://, or leave one of them out.");
  }
  if (!OF_LOCALHOST.includes(host)) {
    const message = `--https does not go with --host ${host}: its certificate is for localhost, 127.0.0.1 and ::1 alone.`;
    throw usage(message, "For other machines, put a proxy with TLS in front, and name it with --public-url.");
  }
}

/** Starts the service and runs it until SIGINT or SIGTERM. */
async function serve(io: Io, flags: ServeFlags): Promise<number> {
  if (flags.detach && io.starter === null) {
    const { serveInBackground } = await import("./detach.js");
    return serveInBackground(io);
  }
  const options = settingsOf(io, flags);
  requireFitting(flags, options);
  const fixture = flags.seed === undefined ? null : await loadFixture(io, flags.seed);
  if (flags.writeEnv !== undefined) requireEnvFile(io, flags.writeEnv, VARIABLES, flags);
  const log = serverLog(io, flags);
  const tls = flags.https ? await certificateFor(io, log.warn) : undefined;
  const start = { instance: io.random(), secret: io.random(), certificate: tls?.cert };
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const stopped = new Promise<void>((done) => stopping.signal.addEventListener("abort", () => done()));
  io.onStop(stop);
  if (flags.stopWith !== undefined) stopWith(io, flags.stopWith, stop, stopping.signal);
  const out = batchWrites(io.out, io.real);
  const howToStop = io.starter === null ? "Ctrl-C stops." : `\`${io.program} stop\` stops it.`;
  const hidesSecrets = io.starter !== null && isBuildServer(io);
  const printed = { ...flags, publicUrl: options.publicUrl, cert: tls?.file, howToStop, hidesSecrets };
  const paint = await palette(io, flags.color !== false);
  const lines = readyFirst(liveLines({ pid: io.pid, program: io.program, out: out.write }, paint, printed));
  const emulator = await startOrFail(io, { ...options, log, tls, owner: { ...start, stop } });
  emulator.onSending(lines.onSending);
  emulator.onAttempt(lines.onAttempt);
  try {
    const record = await recordServer(io, emulator, start, log.warn);
    emulator.keepKey(record.testKey);
    try {
      await prepare(io, emulator, record, { flags, fixture, certificate: tls?.cert, warn: log.warn });
      // It needs a request of its own, and only persons read it.
      const isReached = !flags.json && (await record.isReached());
      lines.ready(emulator, record, isReached);
      out.flush();
      const toOpen = flags.open ? emulator.consoleUrl : null;
      if (io.starter !== null) io.starter.ready(toOpen);
      else if (toOpen !== null) await (await import("../../terminal/opener.js")).openConsole(io, toOpen);
      await stopped;
      lines.onStop();
      out.flush();
    } finally {
      record.recordStop();
    }
  } finally {
    await emulator.close();
  }
  return EXIT.done;
}

export const command = defineCommand({
  command: "serve",
  summary: "Start the service on this machine",
  flags: FLAGS,
  examples: [
    "qa-pay serve",
    "qa-pay serve --forward-to http://localhost:3000/webhooks --events charge.paid",
    "qa-pay serve --port 0 --db :memory: --json",
    "qa-pay serve --detach",
  ],
  globals: { quiet: true, utc: true },
}).run(({ io, flags }) => serve(io, flags));
