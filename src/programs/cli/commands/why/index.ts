import { t } from "../../../../base/kernel/wording.js";
import { sentencesText, sentencesWording } from "../../../../checks/why/finding.js";
import { connect } from "../../host/connect.js";
import { palette, timeText, withTimesHere, zoneText } from "../../terminal/output.js";
import { jsonText, say, textOf } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { whyAnswer } from "./answer.js";

/** `why`: the cause of an object's present state in one sentence, and what to run next (docs/guides/why.md). */

/** An instant that the sentences name; undefined where they name none. */
function instantIn(sentences: Parameters<typeof sentencesText>[0]["sentences"]): string | undefined {
  let found: string | undefined;
  sentencesText({ sentences }, (instant) => {
    found ??= instant;
    return instant;
  });
  return found;
}

export const command = defineCommand({
  command: "why",
  summary: "Explain why an object is in its state, and what to run next",
  takes: { "<id>": "id of a charge, payment, refund, payout, delivery, event, request or MED case, or an order" },
  examples: ["qa-pay why ch_0198…", "qa-pay why wd_0198… --json", "qa-pay why req_0198…"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, given, flags }) => {
  const { json, sentences, evidence } = await whyAnswer(io, await connect(io, flags), flags, {
    given: given.id,
    prove: true,
  });
  if (flags.json) return io.out(jsonText(json));
  const { command: next } = json;
  const paint = await palette(io, flags.color !== false);
  const time = (at: string) => timeText(at, flags.utc);
  io.out(say`${paint.strong(sentencesWording({ sentences }, time))}\n`);
  if (evidence.length > 0) io.out(say`\n`);
  for (const { at, text: what } of evidence) {
    io.out(say`${paint.dim(time(at))}  ${withTimesHere(textOf(what), flags.utc)}\n`);
  }
  const instant = evidence[0]?.at ?? instantIn(sentences);
  if (!flags.utc && instant !== undefined) io.out(say`${paint.dim(t`Times are in ${zoneText(instant)}.`)}\n`);
  if (next !== null) io.out(say`\n${next}\n`);
});
