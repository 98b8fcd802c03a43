import { bareId } from "../../../client/given-id.js";
import { type IdKind, kindOf, rawId } from "../../../kernel/ids.js";
import { isEmulator } from "../../target/ask-host.js";
import { resolveTarget } from "../../target/resolve-target.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import { palette, timeText } from "../../terminal/output.js";
import { commandLine } from "../../terminal/started-as.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import * as causes from "./causes.js";

/** `why`: the cause of an object's present state in one sentence, and what to run next (docs/guides/why.md). */

const BY_KIND: Readonly<Partial<Record<IdKind, causes.Cause>>> = {
  charge: causes.payment,
  transaction: causes.payment,
  refund: causes.refund,
  payout: causes.payout,
  delivery: causes.delivery,
  event: causes.event,
  medCase: causes.medCase,
};

/** Clients choose the ids of their requests, so every other text may be one. A bare UUID is that of a payment. */
function causeOf(id: string): causes.Cause {
  const kind = rawId(id, "") === null ? kindOf(id) : "transaction";
  return (kind === null ? undefined : BY_KIND[kind]) ?? causes.request;
}

function notFound(id: string, isOfEmulator: boolean, isRequest: boolean): Failure {
  const message = `Nothing is known here of ${id}.`;
  if (isOfEmulator)
    return new Failure(EXIT.notFound, "not_found", message, "Is it of the other mode, or of another account?");
  const hint = isRequest
    ? "Only an emulator keeps a log of requests. An id of another kind begins with ch_, tx_, rf_, po_, wd_, evt_ or med_."
    : "Is the key of the same mode? Refunds, payouts and events are found here by their webhooks alone.";
  return new Failure(EXIT.notFound, "not_found", message, hint);
}

export const command = defineCommand({
  command: "why",
  summary: "Say why something is in its present state, and what to run next",
  takes: { "<id>": "id of a charge, payment, refund, payout, delivery, event, request or MED case" },
  examples: ["qa-pay why ch_0198…", "qa-pay why wd_0198… --json", "qa-pay why req_0198…"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, given, flags }) => {
  const written = bareId(given.id);
  const id =
    /^[a-z]{2,3}_[0-9a-f-]{36}$/i.test(written) || rawId(written.toLowerCase(), "") ? written.toLowerCase() : written;
  const target = await resolveTarget(io, flags);
  const host = { target, isEmulator: await isEmulator(target) };
  const cause = causeOf(id);
  const found = await cause(host, id);
  if (found === null) throw notFound(id, host.isEmulator, cause === causes.request);
  const { code, text, evidence } = found;
  const command = found.command === null ? null : commandLine(io.program, found.command, flags);
  if (flags.json) {
    io.out(jsonText({ id: found.id ?? id, code, text, evidence, command }));
    return;
  }
  const paint = await palette(io, flags.color !== false);
  io.out(say`${paint.strong(text)}\n`);
  if (evidence.length > 0) io.out(say`\n`);
  for (const { at, text: what } of evidence) io.out(say`${paint.dim(timeText(at, flags.utc))}  ${what}\n`);
  if (command !== null) io.out(say`\n${command}\n`);
});
