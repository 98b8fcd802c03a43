import type { ServerEvent } from "../../../../api/client/event-stream.js";
import type { GlobalFlags } from "../../../../api/client/flags.js";
import { queryString } from "../../../../api/client/route.js";
import { parseObject } from "../../../../base/kernel/json.js";
import { connect } from "../../host/connect.js";
import type { Connection } from "../../host/connection.js";
import { requireEmulator } from "../../host/read.js";
import { usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { type Palette, palette, timeText } from "../../terminal/output.js";
import { bodyText, joinTexts, say, type TerminalText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { follow } from "./follow.js";
import { type LoggedRequest, outcomeOf } from "./logged-request.js";

type Data = Readonly<Record<string, unknown>>;

const RESYNC: Readonly<Record<string, string>> = {
  missed: "some messages were missed because they came faster than they were read",
  unknown_id: "the server was restarted, or some messages were missed",
  replaced: "a reset or a restored snapshot has replaced everything",
};

/** The most tries for a server that does not answer. */
const TRIES = 10;

/** The facts of a message: those of requests in the form of `logs tail`, others with their names. */
function factsOf(event: string, data: Data): TerminalText {
  if (event === "resync") return say`${RESYNC[String(data.reason)] ?? "messages were missed"}`;
  if (event === "request") {
    const { status, method, path, duration_ms: took, number } = data;
    const outcome = status === 0 ? "cut" : String(status);
    return say`${outcome} ${String(method)} ${String(path)} ${Math.round(Number(took))} ms #${String(number)}`;
  }
  const facts = Object.entries(data).filter(([name, value]) => name !== "at" && value !== null);
  return joinTexts(
    facts.map(([name, value]) => say`${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`),
    " ",
  );
}

function messageLine({ event, data }: ServerEvent, paint: Palette, utc = false): TerminalText {
  const record = parseObject(data);
  const at = typeof record.at === "string" ? timeText(record.at, utc) : "";
  const kind = event === "resync" ? paint.bad(event.padEnd(11)) : event.padEnd(11);
  return say`${at === "" ? "" : say`${paint.dim(at)} `}${kind} ${factsOf(event, record)}\n`;
}

/** Follows everything that happens on an emulator. */
async function tailAll(io: Io, connection: Connection, flags: GlobalFlags): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  await follow(io, connection, {
    path: "/_sandbox/stream",
    tries: TRIES,
    onStart: () => flags.quiet || flags.json || io.err(say`Following everything. Ctrl-C stops.\n`),
    print(message) {
      const { id, event, data } = message;
      const line = `{"id":${JSON.stringify(id)},"event":${JSON.stringify(event)},"data":${data}}\n`;
      io.out(flags.json ? bodyText(io, line) : messageLine(message, paint, flags.utc));
      return true;
    },
  });
}

/** Formats a request as one line for a person. */
function lineOf(entry: LoggedRequest, paint: Palette, utc = false): TerminalText {
  const { at, method, path, status, id } = entry;
  const { outcome, took } = outcomeOf(entry);
  const shade = status > 0 && status < 400 ? paint.good : paint.bad;
  return say`${paint.dim(timeText(at, utc))} ${shade(outcome)} ${method} ${path} ${paint.dim(`${took} ${id}`)}\n`;
}

const MISSED =
  "Requests came faster than they could be shown, so some are missing here; `qa-pay sandbox requests` lists the latest.";

export const command = defineCommand({
  command: "logs tail",
  summary: "Follow the requests to /v1 live, or everything that happens",
  flags: {
    "--all": "everything that happens: requests, moves, events, deliveries, mail, clock, faults",
    "--method <name>": "only GET, POST, PATCH or DELETE",
    "--path <prefix>": "only paths that start with this text",
    "--status <number>": "only this status",
  },
  examples: ["qa-pay logs tail", "qa-pay logs tail --all", "qa-pay logs tail --path /v1/charges --status 400 --json"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, flags }) => {
  const filter = (["method", "path", "status"] as const).find((name) => flags[name] !== undefined);
  if (flags.all && filter !== undefined) throw usage(`--${filter} cannot be combined with --all.`);
  const connection = await connect(io, flags);
  await requireEmulator(connection);
  if (flags.all) return tailAll(io, connection, flags);
  const { path, status } = flags;
  const query = queryString({ method: flags.method?.toUpperCase(), path, status });
  const paint = await palette(io, flags.color !== false);
  await follow(io, connection, {
    path: `/_sandbox/requests${query}`,
    tries: 0,
    onStart: () => flags.quiet || flags.json || io.err(say`Following requests. Ctrl-C stops.\n`),
    print({ event, data }) {
      if (event === "overflow") io.err(say`${MISSED}\n`);
      else if (flags.json) io.out(bodyText(io, `${data}\n`));
      else io.out(lineOf(JSON.parse(data) as LoggedRequest, paint, flags.utc));
      return event !== "overflow";
    },
  });
});
