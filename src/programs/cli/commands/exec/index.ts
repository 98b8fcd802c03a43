import { type ChildProcess, spawn } from "node:child_process";
import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import type { Emulator } from "../../../start/emulator.js";
import { loadFixture, runFixture } from "../../fixtures/run-fixture.js";
import { type Connection, ownConnection } from "../../host/connection.js";
import { buildServerOf, caseOfFailure, REPORT_FLAGS } from "../../reports/reporter.js";
import { EXIT } from "../../terminal/failure.js";
import type { EndingSignal, Io } from "../../terminal/io.js";
import { defineCommand } from "../../tree/define-command.js";
import { serverLog } from "../serve/server-log.js";
import { BEHAVIOUR_FLAGS, SERVER_FLAGS } from "../serve/setting-flags.js";
import { settingsOf } from "../serve/settings-of-flags.js";
import { codeOfSignal, environmentOf, notStarted } from "../started-program.js";
import { type ArtifactFolder, openArtifactFolder } from "./artifact-folder.js";
import { parseAssertions, type SeenDelivery } from "./assertions.js";
import { causeOf } from "./cause.js";
import { connectionTo, rowsOf, sendTo } from "./own-service.js";
import { type Findings, nameOfCommand, report, reportCasesOf } from "./report.js";

/** `exec`: starts a service in memory for one program, runs the program, and stops the service when it has ended. */

const FLAGS = {
  "--quiet": "print only the output of the command",
  "--port <number>": { about: "port of the service; 0 takes any free one", default: "0" },
  "--assert <condition>": { about: "condition on the deliveries, checked at the end; may be repeated", many: true },
  "--artifacts <folder>":
    "write requests, deliveries, timelines and the database into this folder at the end, without keys",
  ...REPORT_FLAGS,
  ...BEHAVIOUR_FLAGS,
  ...SERVER_FLAGS,
} as const;

/** The environment of the program, besides that of exec. */
const VARIABLES = {
  QA_PAY_BASE_URL: "address of the service",
  QA_PAY_API_KEY: "its test key",
  QA_PAY_WEBHOOK_SECRET: "the secret that signs the webhooks to --forward-to",
} as const;

type ExecFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

/** The time for the program to end after a second signal. */
const ENDING_MS = 1_000;

function startProgram(io: Io, words: readonly string[], own: Readonly<Record<string, string>>): ChildProcess {
  const [program = "", ...args] = words;
  const { cwd } = io;
  try {
    return spawn(program, args, { stdio: "inherit", cwd, env: environmentOf(io, own) });
  } catch (error) {
    throw notStarted("exec", words, error);
  }
}

/** A signal that comes when the program has ended: the rest of the work is cut short, and the next one ends this process. */
function lateSignalOf(io: Io, hasArtifacts: boolean) {
  const stop = new AbortController();
  let code: number | null = null;
  return {
    signal: stop.signal,
    /** The exit code for that signal; null before. */
    code: () => code,
    take(signal: EndingSignal): void {
      if (!hasArtifacts || code !== null) io.leave(codeOfSignal(signal));
      code = codeOfSignal(signal);
      stop.abort();
    },
  };
}

type LateSignal = ReturnType<typeof lateSignalOf>;

interface Program {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function runCommand(io: Io, { words, env }: Program, late: LateSignal): Promise<number> {
  return new Promise((done, failed) => {
    const child = startProgram(io, words, env);
    const over = new AbortController();
    let signals = 0;
    child.on("error", (error) => failed(notStarted("exec", words, error)));
    child.on("close", (code, signal) => {
      over.abort();
      done(code ?? (signal === null ? 0 : codeOfSignal(signal)));
    });
    io.onSignal((signal) => {
      // The rest of the work, such as waiting for deliveries, may be skipped then.
      if (over.signal.aborted) return late.take(signal);
      // A terminal sends these to the program too. A second one could interrupt its clean-up.
      const isKnown = io.isTerminal && (signal === "SIGINT" || signal === "SIGQUIT");
      if (!isKnown) child.kill(signal);
      signals += 1;
      if (signals === 2) void io.waiting.pause(ENDING_MS, over.signal).then(() => child.kill("SIGKILL"));
    });
  });
}

/** Waits until all due deliveries are sent. */
async function sendWhatIsDue(connection: Connection, late: LateSignal): Promise<void> {
  await sendTo(connection, "POST /_sandbox/clock/advance", '{"seconds":0}', late.signal).catch((error) => {
    if (!late.signal.aborted) throw error;
  });
}

/** Returns all deliveries, oldest first. */
async function deliveriesOf(connection: Connection): Promise<SeenDelivery[]> {
  const all: SeenDelivery[] = [];
  for await (const one of rowsOf<SeenDelivery>(connection, "/_sandbox/webhooks/deliveries")) all.push(one);
  return all.reverse();
}

interface Tools {
  readonly emulator: Emulator;
  readonly judge: ReturnType<typeof parseAssertions>;
  readonly folder: ArtifactFolder | null;
  readonly late: LateSignal;
}

/** Judges the deliveries once nothing is due any more. Without conditions it reads them after a failure alone. */
async function judged(connection: Connection, code: number, flags: ExecFlags, { judge, folder, late }: Tools) {
  const hasConditions = flags.assert !== undefined;
  if (hasConditions) await sendWhatIsDue(connection, late);
  const isLooking = hasConditions || (folder !== null && code !== EXIT.done);
  const deliveries = isLooking ? await deliveriesOf(connection) : [];
  return { deliveries, verdicts: hasConditions ? judge(deliveries) : [] };
}

type Fixture = Awaited<ReturnType<typeof loadFixture>>;

/** Runs the program beside the service, which a fixture may fill before, judges the deliveries, and writes the artifacts. */
async function findingsOf(
  io: Io,
  words: readonly string[],
  { fixture, ...flags }: ExecFlags & { readonly fixture: Fixture | null },
  tools: Tools,
): Promise<Findings> {
  const { emulator, folder, late } = tools;
  const env: Readonly<Record<keyof typeof VARIABLES, string>> = {
    QA_PAY_BASE_URL: emulator.url,
    QA_PAY_API_KEY: emulator.testKey ?? "",
    QA_PAY_WEBHOOK_SECRET: emulator.signingSecret,
  };
  const connection = connectionTo(emulator, env.QA_PAY_API_KEY);
  const keep = async () => {
    if (folder === null) return null;
    const { writeArtifacts } = await import("./artifacts.js");
    return { folder: folder.name, ...(await writeArtifacts(io, emulator, folder, { stop: late.signal })) };
  };
  try {
    if (fixture !== null) await runFixture(io, ownConnection(emulator.url, env.QA_PAY_API_KEY), flags, { fixture });
    const begin = io.now();
    const code = await runCommand(io, { words, env }, late);
    const ms = io.now() - begin;
    const found = { words, code, ms, ...(await judged(connection, code, flags, tools)), artifacts: await keep() };
    return { ...found, cause: late.code() === null ? await causeOf(io, connection, found) : null };
  } catch (error) {
    await keep();
    throw error;
  }
}

/** Starts the service, and returns what was found once the program has ended, with the exit code of exec. */
async function runWithService(io: Io, words: readonly string[], flags: ExecFlags, folder: ArtifactFolder | null) {
  const judge = parseAssertions(flags.assert ?? []);
  const fixture = flags.seed === undefined ? null : await loadFixture(io, flags.seed);
  const { createEmulator } = await import("../../../start/emulator.js");
  const log = serverLog(io, flags);
  const emulator = await createEmulator({
    ...settingsOf(io, { ...flags, host: "127.0.0.1", db: ":memory:" }),
    log,
  });
  const late = lateSignalOf(io, folder !== null);
  try {
    const findings = await findingsOf(io, words, { ...flags, fixture }, { emulator, judge, folder, late });
    const { code, verdicts, artifacts } = findings;
    const isDone = verdicts.every(({ holds }) => holds) && artifacts?.lacks.some(({ isFault }) => isFault) !== true;
    return { findings, exitCode: late.code() ?? (code !== EXIT.done || isDone ? code : EXIT.unexpected) };
  } finally {
    await emulator.close();
  }
}

async function exec(io: Io, words: readonly string[], flags: ExecFlags): Promise<number> {
  // Both come first, because they remove what an earlier run has written: nobody takes it for the result of this one.
  const reportToBuildServer = await buildServerOf(io, "exec", flags.junit);
  const folder = flags.artifacts === undefined ? null : await openArtifactFolder(io, flags.artifacts);
  // Without these flags exec writes nothing of its own.
  const isReported = [flags.assert, flags.junit, flags.artifacts].some((flag) => flag !== undefined);
  const { findings, exitCode } = await runWithService(io, words, flags, folder).catch(async (error) => {
    if (isReported) await reportToBuildServer(caseOfFailure(error, "command", nameOfCommand(words)));
    throw error;
  });
  if (isReported) {
    await report(io, findings, flags);
    await reportToBuildServer(reportCasesOf(findings));
  }
  return exitCode;
}

export const command = defineCommand({
  command: "exec",
  summary: "Start a service in memory, run a command against it, and stop the service",
  takes: { "<command...>": "the program and its arguments, after two dashes" },
  flags: FLAGS,
  gives: VARIABLES,
  usage: "[flags] -- <command> [args...]",
  examples: [
    "qa-pay exec -- npm test",
    "qa-pay exec --forward-to http://localhost:3000/webhooks --assert 'every delivery 2xx within 5s' -- npm test",
    "qa-pay exec --assert 'charge.paid delivered' --junit qa-pay.xml --artifacts qa-pay -- npm test",
    "qa-pay exec --seed small-shop -- sh -c 'curl -H \"apikey: $QA_PAY_API_KEY\" $QA_PAY_BASE_URL/v1/payments'",
  ],
}).run(({ io, given, flags }) => exec(io, given.command, flags));
