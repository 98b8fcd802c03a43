import { bareId } from "../../../client/given-id.js";
import type { GlobalFlags } from "../../../client/flags.js";
import { rawId } from "../../../kernel/ids.js";
import { isRequestId } from "../../../why/causes.js";
import { sentencesText } from "../../../why/finding.js";
import { resolveTarget } from "../../target/resolve-target.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette, timeText } from "../../terminal/output.js";
import { commandLine } from "../../terminal/started-as.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { explain } from "./explain.js";

/** `why`: the cause of an object's present state in one sentence, and what to run next (docs/guides/why.md). */

function notFound(id: string, isOfEmulator: boolean, isRequest: boolean): Failure {
  const message = `Nothing is known here of ${id}.`;
  if (isOfEmulator)
    return new Failure(EXIT.notFound, "not_found", message, "Is it of the other mode, or of another account?");
  const hint = isRequest
    ? "Only an emulator keeps a log of requests. An id of another kind begins with ch_, tx_, rf_, po_, wd_, evt_ or med_."
    : "Is the key of the same mode? Refunds, payouts and events are found here by their webhooks alone.";
  return new Failure(EXIT.notFound, "not_found", message, hint);
}

/** What is found about an id as people give it. `prove` as in `explain`. */
export async function whyAnswer(io: Io, flags: GlobalFlags, given: string, prove: boolean) {
  const written = bareId(given);
  const id =
    /^[a-z]{2,3}_[0-9a-f-]{36}$/i.test(written) || rawId(written.toLowerCase(), "") ? written.toLowerCase() : written;
  const { found, isEmulator } = await explain(await resolveTarget(io, flags), id, { prove });
  if (found === null) throw notFound(id, isEmulator, isRequestId(id));
  const { code, evidence, sentences, command } = found;
  const text = sentencesText({ sentences });
  const next = command === null ? null : commandLine(io.program, command, flags);
  return { json: { id: found.id, code, text, evidence, command: next }, sentences };
}

export const command = defineCommand({
  command: "why",
  summary: "Say why something is in its present state, and what to run next",
  takes: { "<id>": "id of a charge, payment, refund, payout, delivery, event, request or MED case" },
  examples: ["qa-pay why ch_0198…", "qa-pay why wd_0198… --json", "qa-pay why req_0198…"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, given, flags }) => {
  const { json, sentences } = await whyAnswer(io, flags, given.id, true);
  if (flags.json) {
    io.out(jsonText(json));
    return;
  }
  const { evidence, command: next } = json;
  const paint = await palette(io, flags.color !== false);
  const time = (at: string) => timeText(at, flags.utc);
  io.out(say`${paint.strong(sentencesText({ sentences }, time))}\n`);
  if (evidence.length > 0) io.out(say`\n`);
  for (const { at, text: what } of evidence) io.out(say`${paint.dim(time(at))}  ${what}\n`);
  if (next !== null) io.out(say`\n${next}\n`);
});
