import { queryString } from "../../../client/route.js";
import { requireEmulator } from "../../target/ask-host.js";
import { resolveTarget } from "../../target/resolve-target.js";
import { usage } from "../../terminal/failure.js";
import { type Palette, palette, timeText } from "../../terminal/output.js";
import { bodyText, say, type TerminalText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { follow } from "./follow.js";
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
  const filter = (["method", "path", "status"] as const).find((name) => flags[name] !== undefined);
  if (flags.all && filter !== undefined) throw usage(`--${filter} does not go with --all.`);
  const target = await resolveTarget(io, flags);
  await requireEmulator(target);
  if (flags.all) return tailAll(io, target, flags);
  const { path, status } = flags;
  const query = queryString({ method: flags.method?.toUpperCase(), path, status });
  const paint = await palette(io, flags.color !== false);
  await follow(io, target, {
    path: `/_sandbox/requests${query}`,
    tries: 0,
    begun: () => flags.quiet || flags.json || io.err(say`Following requests. Ctrl-C stops.\n`),
    print({ event, data }) {
      if (event === "overflow") io.err(say`${MISSED}\n`);
      else if (flags.json) io.out(bodyText(io, `${data}\n`));
      else io.out(lineOf(JSON.parse(data) as LoggedRequest, paint, flags.utc));
      return event !== "overflow";
    },
  });
});
