import type { GlobalFlags } from "../../../../api/client/flags.js";
import { asSent, curlLine, type Repetition } from "../../../../api/client/request-text.js";
import { queryString } from "../../../../api/client/route.js";
import { connect } from "../../host/connect.js";
import type { Connection } from "../../host/connection.js";
import { getWithKey, readFrom, refusalOfHost, requireEmulator } from "../../host/read.js";
import { EXIT, Failure, jsonOf } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { zonedTime } from "../../terminal/output.js";
import { bodyText, dataLines, joinTexts, jsonText, say, type TerminalText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { routes } from "../../tree/route-table.js";
import { type LoggedRequest, outcomeOf } from "./logged-request.js";
import { commandToRepeat } from "./repeat.js";

function show(io: Io, entry: LoggedRequest, flags: GlobalFlags): void {
  if (flags.json) {
    io.out(jsonText(entry));
    return;
  }
  const { method, path, at } = entry;
  const { outcome, took } = outcomeOf(entry);
  io.out(say`${method} ${path}\n${zonedTime(at, flags.utc)}  ${outcome}  ${took}\n`);
  for (const [name, value] of factsOf(entry)) io.out(say`${name.padEnd(12)} ${value}\n`);
  const requested = [">", entry.request_headers, entry.request_body] as const;
  const answered = ["<", entry.response_headers, entry.response_body] as const;
  for (const [mark, headers = {}, body] of [requested, answered]) {
    const lines = Object.entries(headers).map(([name, value]) => say`${mark} ${name}: ${value}`);
    if (lines.length > 0) io.out(say`\n${joinTexts(lines, "\n")}\n`);
    if (body !== null && body !== "") io.out(say`\n${markLines(mark, body)}\n`);
  }
}

/** The facts that the log knows of a request, each with its name. */
function factsOf({ number, id, caller, subject, idempotency, differs, error }: LoggedRequest): [string, string][] {
  const fields = differs ? `, differs in ${differs.join(", ")}` : "";
  const param = error?.param ? ` (${error.param})` : "";
  const facts: [string, string | null][] = [
    ["Number", number === undefined ? null : String(number)],
    ["Request id", id],
    ["Caller", caller ?? null],
    ["Subject", subject ?? null],
    ["Idempotency", idempotency ? idempotency + fields : null],
    ["Error", error ? error.code + param : null],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** Puts the mark before every line of a body, so that no line of it looks like output of this program. */
function markLines(mark: string, body: unknown): TerminalText {
  if (typeof body !== "string") return say`${mark} ${dataLines(JSON.stringify(body, null, 2))}`;
  return joinTexts(
    body.split("\n").map((line) => say`${mark} ${line}`),
    "\n",
  );
}

/** Returns the request with this number, else the latest one with this id. Throws Failure (exit 4) without either. */
async function find(connection: Connection, text: string): Promise<LoggedRequest> {
  if (/^\d{1,15}$/.test(text)) {
    const answer = await getWithKey(connection, `/_sandbox/requests/${text}`);
    if (answer.status === 200) return jsonOf(answer.text) as LoggedRequest;
    // A client may have chosen digits as the id of a request.
    if (answer.status !== 404) throw refusalOfHost(connection, answer.status, answer.text);
  }
  const path = `/_sandbox/requests${queryString({ request: text, limit: 1 })}`;
  const [found] = (await readFrom<{ data: LoggedRequest[] }>(connection, path)).data;
  if (found !== undefined) return found;
  const message = `The log has no request ${text}; it keeps only the latest ones.`;
  throw new Failure(EXIT.notFound, "not_found", message);
}

function printRepetitions(io: Io, repetitions: Readonly<Record<string, Repetition>>, flags: GlobalFlags): void {
  if (flags.json) {
    const lines = Object.entries(repetitions).map(([name, { line }]) => [name, line]);
    const notes = Object.values(repetitions).flatMap(({ notes: own }) => own);
    io.out(jsonText({ ...Object.fromEntries(lines), notes: [...new Set(notes)] }));
    return;
  }
  for (const { line, notes } of Object.values(repetitions)) {
    if (!flags.quiet) for (const note of notes) io.err(say`${note}\n`);
    io.out(bodyText(io, `${line}\n`));
  }
}

export const command = defineCommand({
  command: "logs show",
  summary: "Show one request with its bodies, or the command that repeats it",
  takes: { "<request_id>": "Id or number of the request: req_…, your own X-Request-Id, or 418" },
  flags: {
    "--curl": "print the curl command that repeats it",
    "--cli": "print the qa-pay command that repeats it",
  },
  examples: ["qa-pay logs show req_0198…", "qa-pay logs show 418 --curl"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, operations, given: { request_id: id }, flags }) => {
  const connection = await connect(io, flags);
  await requireEmulator(connection);
  const entry = await find(connection, id);
  if (!flags.curl && !flags.cli) return show(io, entry, flags);
  const repetitions = {
    ...(flags.curl ? { curl: curlLine(asSent(entry, routes), connection.host.url) } : {}),
    ...(flags.cli ? { cli: commandToRepeat(entry, connection.host.url, operations(), io.program) } : {}),
  };
  printRepetitions(io, repetitions, flags);
});
