import { serverEvents } from "../../../client/event-stream.js";
import { queryString, Unreachable } from "../../../client/send.js";
import { openEvents, requireEmulator } from "../../target/ask-host.js";
import { resolveTarget } from "../../target/resolve-target.js";
import { EXIT } from "../../terminal/exit-codes.js";
import { Failure, usage } from "../../terminal/failure.js";
import { type Palette, palette, timeText } from "../../terminal/output.js";
import { bodyText, say, type TerminalText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { type LoggedRequest, outcomeOf } from "./logged-request.js";
import { tailAll } from "./tail-all.js";

/** Formats a request as one line for a person. */
function lineOf(entry: LoggedRequest, paint: Palette, utc = false): TerminalText {
  const { at, method, path, status, id } = entry;
  const { outcome, took } = outcomeOf(entry);
  const shade = status > 0 && status < 400 ? paint.good : paint.bad;
  return say`${paint.dim(timeText(at, utc))} ${shade(outcome)} ${method} ${path} ${paint.dim(`${took} ${id}`)}\n`;
}

const MISSED =
  "Requests came faster than they could be shown, so some are missing here; `qa-pay sandbox requests` lists the latest.";

/** Prints the requests of a stream until it ends. Returns true when it ended because it was read too slowly. */
async function showStream(body: AsyncIterable<Uint8Array>, print: (data: string) => void): Promise<boolean> {
  let isTooSlow = false;
  for await (const { event, data } of serverEvents(body)) {
    if (event === "overflow") isTooSlow = true;
    else print(data);
  }
  return isTooSlow;
}

export const command = defineCommand({
  command: "logs tail",
  summary: "Follow the requests to /v1 live, or everything that happens",
  flags: {
    "--all": "everything that happens: requests, moves, events, deliveries, mail, clock, faults",
    "--method <name>": "only GET, POST, PATCH or DELETE",
    "--path <prefix>": "only paths that start like this",
    "--status <number>": "only this status",
  },
  examples: ["qa-pay logs tail", "qa-pay logs tail --all", "qa-pay logs tail --path /v1/charges --status 400 --json"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, flags }) => {
  const target = await resolveTarget(io, flags);
  const filter = (["method", "path", "status"] as const).find((name) => flags[name] !== undefined);
  if (flags.all && filter !== undefined) throw usage(`--${filter} does not go with --all.`);
  await requireEmulator(target);
  if (flags.all) return tailAll(io, target, flags);
  const { path, status } = flags;
  const query = queryString({ method: flags.method?.toUpperCase(), path, status });
  const stop = new AbortController();
  const paint = await palette(io, flags.color !== false);
  const print = (data: string) =>
    io.out(flags.json ? bodyText(io, `${data}\n`) : lineOf(JSON.parse(data) as LoggedRequest, paint, flags.utc));
  const open = () => openEvents(target, `/_sandbox/requests${query}`, stop.signal);
  try {
    let body = await open();
    io.onStop(() => stop.abort());
    if (!flags.quiet && !flags.json) io.err(say`Following requests. Ctrl-C stops.\n`);
    while (await showStream(body, print)) {
      io.err(say`${MISSED}\n`);
      body = await open();
    }
  } catch (error) {
    if (stop.signal.aborted) return;
    if (error instanceof Failure) throw error;
    if (error instanceof Unreachable) throw new Failure(EXIT.unreachable, "unreachable", error.message);
  }
  if (stop.signal.aborted) return;
  throw new Failure(EXIT.unreachable, "unreachable", `Nobody answers at ${target.baseUrl} any more.`);
});
