import { pick } from "../../../../base/kernel/pick.js";
import { isForPerson, type OwnPart, showAnswer } from "../../operation/show.js";
import { visibleLines } from "../../terminal/terminal-text.js";

/** A person who finds no run here is told how to start one, because `survive` does not use an emulator that runs. */
export const own: OwnPart = {
  async show(call, text) {
    await showAnswer(call, text);
    if (!isForPerson(call) || pick(JSON.parse(text), "state") !== "none") return;
    call.io.err(visibleLines(NO_RUN));
  },
};

const NO_RUN =
  "No run belongs to this emulator. A run starts an emulator of its own: qa-pay survive --buy /buy --orders /orders -- node shop.js\n";
