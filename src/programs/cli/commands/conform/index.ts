import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { type HttpRequest, Unreachable } from "../../../../api/client/send.js";
import {
  bySection,
  type Check,
  type CheckOutcome,
  resultOf,
  sectionTitle,
} from "../../../../checks/conformance/check.js";
import type { CheckedExchange, Facts, RunContext } from "../../../../checks/conformance/run-context.js";
import { connect } from "../../host/connect.js";
import { type Connection, projectOf } from "../../host/connection.js";
import { mayBeSent } from "../../host/consent.js";
import { requireKey } from "../../host/credential.js";
import { keyMode } from "../../host/keys.js";
import { requireEncryption } from "../../host/policy.js";
import { printAnswerHead, printRequest } from "../../host/print.js";
import { refusalOfHost } from "../../host/read.js";
import { sendThrough } from "../../host/send.js";
import type { ReportCase } from "../../reports/junit.js";
import { buildServerOf, REPORT_FLAGS } from "../../reports/reporter.js";
import { EXIT, type ExitCode, Failure, suggestion, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { commandLine } from "../../terminal/program-command.js";
import { listItems } from "../../terminal/read-value.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { answerTimeOf } from "../receiver.js";
import { printReport } from "./report.js";

/**
 * `conform`: checks a host against the interface specification
 * (docs/decisions/055-conformance.md). It changes nothing without --write.
 */

const FLAGS = {
  "--write": "also the checks that create objects (with a test key)",
  "--only <names>": { about: "only these checks or sections (comma-separated, or repeated)", many: true },
  ...REPORT_FLAGS,
  "--other-key <key>": "key of the same account in the other mode",
  "--webhook-wait <duration>": { about: "how long to wait for each webhook", default: "30s" },
  "--list": "list the checks, and send nothing",
} as const;

type ConformFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

/** The checks that --only chooses, by name or section. Throws Failure (exit 2) for a name that does not exist. */
function chooseChecks(all: readonly Check[], only: readonly string[] | undefined): readonly Check[] {
  if (only === undefined) return all;
  const names = listItems(...only);
  for (const name of names) {
    if (all.some((check) => check.name === name || check.section === name)) continue;
    const known = all.map((check) => check.name);
    throw usage(`There is no check ${name}. \`qa-pay conform --list\` shows all.`, suggestion(name, known));
  }
  return all.filter(({ name, section }) => names.includes(name) || names.includes(section));
}

/** Throws Failure (exit 2) unless objects may be created: with a test key, or with --yes. */
async function requireWrite(io: Io, connection: Connection, apiKey: string, flags: ConformFlags): Promise<void> {
  if (keyMode(apiKey) !== "test" && !flags.yes) {
    const message = "--write creates charges and endpoints, and this is no test key (qa_test_…).";
    throw new Failure(EXIT.usage, "confirmation_required", message, "Use a test key, or add --yes.");
  }
  const request = {
    method: "POST",
    url: `${connection.host.url}/v1/charges`,
    headers: { apikey: apiKey },
    body: undefined,
  };
  await mayBeSent(io, connection.policy, request, { ...flags, verbose: false, others: 200 });
}

/** The key of the other mode: that of the flag, else on the project's own server the one that `serve` has kept. */
function otherKey({ host, credential: { apiKey } }: Connection, flags: ConformFlags): string | null {
  const project = projectOf(host);
  if (flags.otherKey !== undefined) return flags.otherKey;
  if (project === null) return null;
  return apiKey === project.testKey ? project.liveKey : null;
}

/** Returns a command that shows more of an exchange. */
function lookAt({ program }: Io, flags: GlobalFlags) {
  const line = (...words: readonly string[]) => commandLine(program, words, flags);
  return ({ method, path, headers, isOwn }: CheckedExchange, { isEmulator }: Facts): string => {
    const id = headers.get("x-request-id");
    if (isEmulator && id !== undefined) return line("logs", "show", id);
    if (method === "GET" && isOwn) return line("api", "GET", path);
    return id === undefined ? `${method} ${path}` : `request ${id} in the log of the host`;
  };
}

function contextOf(io: Io, connection: Connection, apiKey: string, flags: ConformFlags): RunContext {
  const stop = new AbortController();
  return {
    baseUrl: connection.host.url,
    apiKey,
    otherKey: otherKey(connection, flags),
    canWrite: flags.write === true,
    webhookWaitMs: answerTimeOf("--webhook-wait", flags.webhookWait),
    async send(request: HttpRequest) {
      printRequest(io, request, flags);
      const answer = await sendThrough(connection.policy, { timeoutMs: connection.policy.timeoutMs, ...request });
      printAnswerHead(io, answer, flags);
      return answer;
    },
    pause: (ms) => io.pause(ms, stop.signal),
    random: () => io.random(),
    real: io.real,
  };
}

/** Runs the checks. Throws Failure when the host is not there (exit 7), not the service (7), or refuses the key (3). */
async function outcomesOf(
  io: Io,
  connection: Connection,
  checks: readonly Check[],
  flags: ConformFlags,
): Promise<readonly CheckOutcome[]> {
  const { checkHost, KeyRefused, UnknownHost } = await import("../../../../checks/conformance/run.js");
  const apiKey = requireKey(connection);
  if (flags.write) await requireWrite(io, connection, apiKey, flags);
  let isStopped = false;
  io.onStop(() => {
    isStopped = true;
  });
  if (!flags.json && !flags.quiet) {
    const how = flags.write ? "creating objects" : "changing nothing";
    io.err(say`Asking ${connection.host.url}, ${how}: ${checks.length} checks.\n`);
  }
  try {
    const context = contextOf(io, connection, apiKey, flags);
    return await checkHost(context, { checks, look: lookAt(io, flags), isStopped: () => isStopped });
  } catch (error) {
    if (error instanceof KeyRefused) throw refusalOfHost(connection, error.status, error.text);
    if (error instanceof UnknownHost) {
      const hint = "Is this its address? `qa-pay doctor` looks at it.";
      throw new Failure(EXIT.unreachable, "unexpected_answer", error.message, hint);
    }
    if (!(error instanceof Unreachable)) throw error;
    throw new Failure(EXIT.unreachable, "unreachable", error.message, "Is the address right, and is it running?");
  }
}

/** A warning is a passed check with its text. */
function reportCaseOf(outcome: CheckOutcome): ReportCase {
  const { check, status, isWarned, seen, ms } = outcome;
  const { detail } = resultOf(outcome);
  const isReported = status !== "passed" || isWarned;
  return {
    group: sectionTitle(check.section),
    name: check.name,
    status,
    message: seen,
    detail: isReported ? detail : "",
    ms,
  };
}

function printList(io: Io, checks: readonly Check[], json: boolean): void {
  if (json) {
    const described = checks.map(({ name, section, about, needs = [], isWarning = false }) => {
      return { name, section, about, needs, warning: isWarning };
    });
    io.out(jsonText({ checks: described }));
    return;
  }
  let last = "";
  for (const { name, section, about, needs = [] } of checks) {
    if (section !== last) io.out(say`${last === "" ? "" : say`\n`}${sectionTitle(section)}\n`);
    last = section;
    const how = needs.includes("write") ? " (--write)" : "";
    io.out(say`  ${name}${how}\n    ${about}\n`);
  }
}

async function conform(io: Io, flags: ConformFlags): Promise<ExitCode> {
  const { CHECKS } = await import("../../../../checks/conformance/checks/index.js");
  const checks = chooseChecks(CHECKS, flags.only);
  answerTimeOf("--webhook-wait", flags.webhookWait);
  if (flags.list) {
    const sorted = [...checks].sort((one, other) => bySection(one.section, other.section));
    printList(io, sorted, flags.json === true);
    return EXIT.done;
  }
  const reportToBuildServer = await buildServerOf(io, "conform", flags.junit);
  const connection = await connect(io, flags);
  requireEncryption(connection.host.url, flags.otherKey, flags);
  const outcomes = await outcomesOf(io, connection, checks, flags);
  if (flags.json) io.out(jsonText({ checks: outcomes.map(resultOf) }));
  else await printReport(io, outcomes, { color: flags.color !== false, isShort: flags.quiet === true });
  await reportToBuildServer(outcomes.map(reportCaseOf));
  if (outcomes.length < checks.length) {
    throw new Failure(EXIT.unexpected, "stopped", `Stopped after ${outcomes.length} of ${checks.length} checks.`);
  }
  return outcomes.some(({ status }) => status === "failed") ? EXIT.unexpected : EXIT.done;
}

export const command = defineCommand({
  command: "conform",
  summary: "Check a host against the interface specification",
  flags: FLAGS,
  examples: [
    "qa-pay conform",
    "qa-pay conform --write --junit conform.xml",
    "qa-pay conform --only med-pages,key-missing --only 4.7 --json",
    "qa-pay conform --list",
  ],
  sends: true,
  globals: { dryRun: false, utc: false },
}).run(({ io, flags }) => conform(io, flags));
