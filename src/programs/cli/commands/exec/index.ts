import { type ChildProcess, spawn } from "node:child_process";
import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { shorten } from "../../../../base/kernel/errors.js";
import { shellWord } from "../../../../base/kernel/shell.js";
import type { Emulator } from "../../../start/emulator.js";
import { loadFixture, runFixture } from "../../fixtures/run-fixture.js";
import { ownConnection } from "../../host/connection.js";
import { readFrom } from "../../host/read.js";
import { sendOrFail } from "../../host/send.js";
import type { ReportCase } from "../../reports/junit.js";
import { buildServerOf, REPORT_FLAGS } from "../../reports/reporter.js";
import { EXIT, refusalOf } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { serverLog } from "../serve/server-log.js";
import { BEHAVIOUR_FLAGS, SERVER_FLAGS } from "../serve/setting-flags.js";
import { settingsOf } from "../serve/settings-of-flags.js";
import { codeOfSignal, environmentOf, notStarted } from "../started-program.js";
import { linesOf, parseAssertions, type SeenDelivery, type Verdict } from "./assertions.js";

/** `exec`: starts a service in memory for one program, runs the program, and stops the service when it has ended. */

const FLAGS = {
  "--quiet": "print only the output of the command",
  "--port <number>": { about: "port of the service; 0 takes any free one", default: "0" },
  "--assert <condition>": { about: "condition on the deliveries, checked at the end; may be repeated", many: true },
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

/** The time for all deliveries that are due at the end. Each receiver without an answer takes 30 seconds of it. */
const DRAIN_MS = 600_000;

/** The most characters of the command in a report. */
const SHOWN_COMMAND = 200;

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

function runCommand(io: Io, words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
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
      if (over.signal.aborted) return io.leave(codeOfSignal(signal));
      // A terminal sends these to the program too. A second one could interrupt its clean-up.
      const isKnown = io.isTerminal && (signal === "SIGINT" || signal === "SIGQUIT");
      if (!isKnown) child.kill(signal);
      signals += 1;
      if (signals === 2) void io.waiting.pause(ENDING_MS, over.signal).then(() => child.kill("SIGKILL"));
    });
  });
}

/** Waits until all due deliveries are sent, and returns all deliveries, oldest first. */
async function deliveriesOf(emulator: Emulator, apiKey: string): Promise<SeenDelivery[]> {
  const connection = ownConnection(emulator.url, apiKey, { command: "exec", timeoutMs: DRAIN_MS });
  const call = async (method: string, path: string, body?: string) => {
    const headers = { apikey: apiKey, "content-type": "application/json" };
    const { status, text } = await sendOrFail({ method, url: emulator.url + path, headers, body }, connection.policy);
    if (status >= 300) throw refusalOf(status, text);
  };
  // The program may have left fault rules behind. They must not disturb these requests.
  await call("DELETE", "/_sandbox/faults");
  await call("POST", "/_sandbox/clock/advance", '{"seconds":0}');
  const all: SeenDelivery[] = [];
  for (;;) {
    const path = `/v1/webhooks/deliveries?limit=100&offset=${all.length}`;
    const { data } = await readFrom<{ data: SeenDelivery[] }>(connection, path);
    all.push(...data);
    if (data.length < 100) return all.reverse();
  }
}

async function report(io: Io, verdicts: readonly Verdict[], flags: ExecFlags): Promise<void> {
  if (flags.json) {
    io.err(jsonText({ assertions: verdicts }));
    return;
  }
  const paint = await palette(io, flags.color !== false);
  for (const verdict of verdicts) {
    const { condition, holds, reason } = verdict;
    if (holds && flags.quiet) continue;
    io.err(say`${holds ? paint.good("✓") : paint.bad("✗")} ${condition}: ${reason}\n`);
    for (const line of linesOf(verdict)) io.err(say`    ${line}\n`);
  }
}

interface ProgramEnd {
  readonly code: number;
  /** How long it ran. */
  readonly ms: number;
}

/** The command and each condition, for a build server. */
function reportCasesOf(words: readonly string[], { code, ms }: ProgramEnd, verdicts: readonly Verdict[]): ReportCase[] {
  const ended = `the command ended with ${code}`;
  const isDone = code === EXIT.done;
  return [
    {
      group: "command",
      name: shorten(words.map(shellWord).join(" "), SHOWN_COMMAND),
      status: isDone ? "passed" : "failed",
      message: ended,
      detail: isDone ? "" : ended,
      ms,
    },
    ...verdicts.map((verdict): ReportCase => {
      const { condition, holds, reason } = verdict;
      const detail = [reason, ...linesOf(verdict)].join("\n");
      return { group: "assert", name: condition, status: holds ? "passed" : "failed", message: reason, detail };
    }),
  ];
}

async function exec(io: Io, words: readonly string[], flags: ExecFlags): Promise<number> {
  const judge = parseAssertions(flags.assert ?? []);
  const reportToBuildServer = await buildServerOf(io, "exec", flags.junit);
  const fixture = flags.seed === undefined ? null : await loadFixture(io, flags.seed);
  const { createEmulator } = await import("../../../start/emulator.js");
  const log = serverLog(io, flags);
  const emulator = await createEmulator({
    ...settingsOf(io, { ...flags, host: "127.0.0.1", db: ":memory:" }),
    log,
  });
  try {
    const apiKey = emulator.testKey ?? "";
    if (fixture !== null) await runFixture(io, ownConnection(emulator.url, apiKey), flags, { fixture });
    const own: Readonly<Record<keyof typeof VARIABLES, string>> = {
      QA_PAY_BASE_URL: emulator.url,
      QA_PAY_API_KEY: apiKey,
      QA_PAY_WEBHOOK_SECRET: emulator.signingSecret,
    };
    const begin = io.now();
    const code = await runCommand(io, words, own);
    const ms = io.now() - begin;
    const verdicts = flags.assert === undefined ? [] : judge(await deliveriesOf(emulator, apiKey));
    if (flags.assert !== undefined) await report(io, verdicts, flags);
    // Without these flags exec writes nothing of its own.
    const isReported = flags.assert !== undefined || flags.junit !== undefined;
    if (isReported) await reportToBuildServer(reportCasesOf(words, { code, ms }, verdicts));
    const held = verdicts.every(({ holds }) => holds);
    return code !== EXIT.done || held ? code : EXIT.unexpected;
  } finally {
    await emulator.close();
  }
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
    "qa-pay exec --assert 'charge.paid delivered' --junit qa-pay.xml -- npm test",
    "qa-pay exec --seed small-shop -- sh -c 'curl -H \"apikey: $QA_PAY_API_KEY\" $QA_PAY_BASE_URL/v1/payments'",
  ],
}).run(({ io, given, flags }) => exec(io, given.command, flags));
