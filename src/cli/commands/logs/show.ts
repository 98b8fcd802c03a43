import { queryString } from "../../../client/send.js";
import { readFrom, requireEmulator } from "../../target/ask-host.js";
import { resolveTarget } from "../../target/resolve-target.js";
import { EXIT } from "../../terminal/exit-codes.js";
import { Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { timeText } from "../../terminal/output.js";
import { joined, jsonText, say, type TerminalText, visibleLines } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import type { GlobalFlags } from "../../tree/flags.js";
import { type LoggedRequest, outcomeOf } from "./logged-request.js";

function show(io: Io, entry: LoggedRequest, flags: GlobalFlags): void {
  if (flags.json) {
    io.out(jsonText(entry));
    return;
  }
  const { method, path, at, request_body, response_body } = entry;
  const { outcome, took } = outcomeOf(entry);
  io.out(say`${method} ${path}\n${timeText(at, flags.utc)}  ${outcome}  ${took}\n`);
  for (const [mark, body] of [[">", request_body] as const, ["<", response_body] as const]) {
    if (body !== null && body !== "") io.out(say`\n${marked(mark, body)}\n`);
  }
}

/** Puts the mark before every line of a body, so that no line of it looks like output of this program. */
function marked(mark: string, body: unknown): TerminalText {
  if (typeof body !== "string") return say`${mark} ${visibleLines(JSON.stringify(body, null, 2))}`;
  return joined(
    body.split("\n").map((line) => say`${mark} ${line}`),
    "\n",
  );
}

// Searches the log page by page, because the emulator has no route for a single request.
export const command = defineCommand({
  command: "logs show",
  summary: "Show one request with its bodies",
  takes: { "<request_id>": "Id of the request: req_…, or what your X-Request-Id said" },
  examples: ["qa-pay logs show req_0198…"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, given: { request_id: id }, flags }) => {
  const target = await resolveTarget(io, flags);
  await requireEmulator(target);
  let after: string | undefined;
  do {
    const path = `/_sandbox/requests${queryString({ limit: 100, after })}`;
    const page = await readFrom<{ data: LoggedRequest[]; next_cursor: string | null }>(target, path);
    const found = page.data.find((entry) => entry.id === id);
    if (found !== undefined) {
      show(io, found, flags);
      return;
    }
    after = page.next_cursor ?? undefined;
  } while (after !== undefined);
  throw new Failure(EXIT.notFound, "not_found", `There is no request ${id} in the log; it keeps the latest ones only.`);
});
