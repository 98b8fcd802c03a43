import { pick } from "../../../../base/kernel/pick.js";
import { type OwnPart, showAnswer } from "../../operation/show.js";
import { say } from "../../terminal/terminal-text.js";
import { formOf } from "../../tree/syntax.js";

/** A person is told what was not looked through. */
export const own: OwnPart = {
  async show(call, text) {
    await showAnswer(call, text);
    const note = pick(JSON.parse(text), "note");
    const { quiet } = call.flags;
    if (typeof note === "string" && !quiet && formOf(call.flags) !== "json") call.io.err(say`${note}\n`);
  },
};
