import { pick } from "../../../../../base/kernel/pick.js";
import { type OwnPart, showAnswer } from "../../../operation/show.js";
import { say } from "../../../terminal/terminal-text.js";
import { formOf } from "../../../tree/syntax.js";

const NOTHING_PROVEN =
  "No usual mistake was found: the receiver refuses every form of the signature, or accepts any. A login or a form's token in front of it has the same effect.";

/** Says to a person that nothing was proven, which an empty answer leaves open. */
export const own: OwnPart = {
  async show(call, text) {
    await showAnswer(call, text);
    const isProven = pick(JSON.parse(text), "proof") !== null;
    if (!isProven && !call.flags.quiet && formOf(call.flags) !== "json") call.io.err(say`${NOTHING_PROVEN}\n`);
  },
};
