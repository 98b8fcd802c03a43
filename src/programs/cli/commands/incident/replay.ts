import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { isSuccess } from "../../../../base/kernel/http-status.js";
import { type Incident, strangeFile } from "../../../../checks/incident/file.js";
import { endpointId, type Plan, planOf } from "../../../../checks/incident/plan.js";
import { failedEvents, type SentWebhook, sendAll } from "../../../../checks/incident/send.js";
import { isKeyOf } from "../../../../service/features/access/keys.js";
import type { Emulator } from "../../../start/emulator.js";
import { EXIT, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { receiverUrl } from "../receiver.js";
import { liveLines } from "../serve/live-lines.js";
import { serverLog } from "../serve/server-log.js";
import { settingsOf } from "../serve/settings-of-flags.js";
import { incidentIn, withExitCodes } from "./named-incident.js";

const SPEEDS = ["real", "fast"] as const;

const FLAGS = {
  "--forward-to <url>": "receiver to which the webhooks are sent",
  "--webhook-secret <secret>": "sign them with this secret of 64 hexadecimal digits (default: a new one)",
  "--endpoint <id>": "send the webhooks of this endpoint (default: the one with the most attempts)",
  "--speed <real|fast>": {
    about: "real keeps the original pauses; fast sends each once the one before is answered",
    choices: SPEEDS,
    default: "fast",
  },
  "--serve": "keep the emulator running afterwards, until Ctrl-C",
  "--port <number>": { about: "port of the emulator; 0 takes any free one", default: "0" },
  "--key <key>": "API key of the emulator, such as that of your shop (default: a new one)",
} as const;

type ReplayFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

const bare = (uuid: string) => uuid.replaceAll("-", "");

/** The mode of the book that the charge is in. */
function modeOf({ books = [], transactions = [] }: Incident["rows"]): "test" | "live" {
  return books.find(({ id }) => id === transactions[0]?.book_id)?.mode === "live" ? "live" : "test";
}

/** The cost of a password's hash (N of scrypt): the database ends with the command, so nobody can take its hashes. */
const COST = 16;

interface ReplayProject {
  readonly name: string;
  readonly incident: Incident;
  readonly folder: string;
  readonly secret: string;
}

/** Starts the emulator on a file of the rows. Throws IncidentError for rows that qa-pay has not written. */
async function startEmulator(io: Io, { name, incident, folder, secret }: ReplayProject, flags: ReplayFlags) {
  const { forwardTo, port, serve } = flags;
  const mode = modeOf(incident.rows);
  const createId = (one: string) => `qa_${one}_${bare(io.random())}`;
  const { key = createId(mode) } = flags;
  if (!isKeyOf(mode, key)) throw usage(`The charge is a ${mode} one, so --key takes a key such as ${createId(mode)}.`);
  const options = settingsOf(io, {
    port,
    host: "127.0.0.1",
    db: join(folder, "incident.db"),
    webhookSecret: secret,
    // Later events, for example after a click in the console, go to the receiver too.
    ...(serve && forwardTo !== undefined ? { forwardTo } : {}),
    testKey: createId("test"),
    liveKey: createId("live"),
    [`${mode}Key`]: key,
  });
  const { writeStory } = await import("../../../../emulator/snapshots/write-story.js");
  const wrong = writeStory(options.db ?? "", incident.rows, secret);
  if (wrong !== null) throw strangeFile(name, wrong);
  const { createEmulator } = await import("../../../start/emulator.js");
  return { key, emulator: await createEmulator({ ...options, passwordCost: COST, log: serverLog(io, {}) }) };
}

const outcome = ({ status_code, error }: SentWebhook["then"]) =>
  status_code === null ? (error ?? "no answer") : `${status_code}`;

async function lineReporter(io: Io, flags: ReplayFlags): Promise<(sent: SentWebhook) => void> {
  if (flags.json) return () => undefined;
  const paint = await palette(io, flags.color !== false);
  return ({ type, delivery, attempt, repeated, then, now }) => {
    const isWell = isSuccess(now.status_code);
    const again = repeated ? " once more" : "";
    const what = say`${paint.strong(type)} ${paint.dim(delivery)} attempt ${attempt}${again}`;
    io.out(
      say`${what}: then ${outcome(then)}, now ${(isWell ? paint.good : paint.bad)(outcome(now))} in ${now.duration_ms} ms\n`,
    );
  };
}

interface Replay {
  readonly io: Io;
  readonly flags: ReplayFlags;
  readonly incident: Incident;
  readonly emulator: Emulator;
  /** A key of the mode of the charge. */
  readonly key: string;
  readonly plan: Plan;
  readonly stopped: AbortSignal;
}

function printStart({ io, flags, incident, emulator, key, plan }: Replay): void {
  if (flags.json || flags.quiet) return;
  const { source, subject } = incident;
  const { forwardTo, serve } = flags;
  const isAsked = forwardTo !== undefined || serve;
  const place = isAsked ? `, at ${emulator.url} with the key ${key}` : "";
  io.err(say`${subject} of ${source.host} is created again${place}.\n`);
  if (source.missing.length > 0) io.err(say`The file does not have: ${source.missing.join(", ")}.\n`);
  const count = plan.sendings.length;
  const webhooks = formatCount(count, "webhook");
  if (forwardTo === undefined) {
    const receiver = count === 0 ? "the file has no webhooks" : `--forward-to names a receiver for ${webhooks}`;
    io.err(say`Nothing is sent: ${receiver}.${serve ? "" : " --serve keeps the emulator running."}\n`);
    return;
  }
  const how = flags.webhookSecret === undefined ? ` with the new secret ${emulator.signingSecret}` : "";
  const from = plan.endpoint === null ? "" : ` of ${endpointId(plan.endpoint)}`;
  io.err(say`Sending ${webhooks}${from} to ${forwardTo}, signed${how}.\n`);
}

/** Sends the webhooks and reports the results. Returns the exit code. */
async function runReplay(replay: Replay): Promise<number> {
  const { io, flags, incident, emulator, key, plan, stopped } = replay;
  const { forwardTo: url } = flags;
  printStart(replay);
  const onSent = await lineReporter(io, flags);
  const { real, pause } = io;
  const options = { real, pause, secret: emulator.signingSecret, speed: flags.speed, stopped, onSent } as const;
  const sent = url === undefined ? [] : await sendAll(plan, { ...options, url });
  const failed = failedEvents(sent);
  if (flags.json) {
    const { endpoint } = plan;
    const about = { subject: incident.subject, source: incident.source, url: emulator.url, api_key: key };
    const to = { webhook_secret: emulator.signingSecret, forward_to: url ?? null };
    io.out(jsonText({ ...about, ...to, endpoint: endpoint && endpointId(endpoint), sent, failed }));
  } else if (url !== undefined && !flags.quiet) {
    const events = new Set(sent.map(({ event }) => event)).size;
    io.out(say`${events - failed.length} of ${formatCount(events, "event")} answered with 2xx in the end.\n`);
  }
  const isWhole = url === undefined || sent.length === plan.sendings.length;
  return failed.length === 0 && isWhole ? EXIT.done : EXIT.unexpected;
}

/** Prints the ready line of `serve` and waits for the end. No file of the folder leads its commands to this server. */
async function serveUntilStopped({ io, flags, incident, emulator, key, stopped }: Replay): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  const first = { words: `payments get ${incident.subject}`, key };
  const lines = liveLines(io, paint, { ...flags, howToStop: "Ctrl-C stops.", first });
  const { testKey } = emulator;
  lines.ready(
    emulator,
    { testKey, usableKey: testKey, liveKeyIn: null, isReached: async () => false, recordStop: () => undefined },
    false,
  );
  emulator.onSending(lines.onSending);
  emulator.onAttempt(lines.onAttempt);
  if (!stopped.aborted) await new Promise<void>((done) => stopped.addEventListener("abort", () => done()));
  lines.onStop();
}

async function replay(io: Io, name: string, flags: ReplayFlags): Promise<number> {
  if (flags.forwardTo !== undefined) receiverUrl("--forward-to", flags.forwardTo);
  const incident = await incidentIn(io, name);
  const secret = flags.webhookSecret ?? bare(io.random()) + bare(io.random());
  const stopping = new AbortController();
  io.onStop(() => stopping.abort());
  const folder = mkdtempSync(join(tmpdir(), "qa-pay-incident-"));
  try {
    const { emulator, key } = await startEmulator(io, { name, incident, folder, secret }, flags);
    try {
      const plan = planOf(incident.rows, flags.endpoint);
      const one = { io, flags, incident, emulator, key, plan, stopped: stopping.signal };
      const code = await runReplay(one);
      if (flags.serve) await serveUntilStopped(one);
      return code;
    } finally {
      await emulator.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const command = defineCommand({
  command: "incident replay",
  summary: "Create the charge of a file in an emulator of its own, and send its webhooks again",
  takes: { "<file>": "a file of `incident save`; - is standard input" },
  flags: FLAGS,
  examples: [
    'qa-pay incident replay incident.json --forward-to http://localhost:3000/webhooks --webhook-secret "$SECRET"',
    "qa-pay incident replay incident.json --serve",
  ],
  globals: { quiet: true },
}).run(withExitCodes(({ io, given, flags }) => replay(io, given.file, flags)));
