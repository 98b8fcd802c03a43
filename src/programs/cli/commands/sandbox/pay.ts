import { pick } from "../../../../base/kernel/pick.js";
import { isForPerson, type OwnPart, showAnswer } from "../../operation/show.js";
import { say } from "../../terminal/terminal-text.js";

/** A person is told why the money went back. */
export const own: OwnPart = {
  async show(call, text) {
    await showAnswer(call, text);
    const answer: unknown = JSON.parse(text);
    if (!isForPerson(call) || pick(answer, "outcome") !== "returned") return;
    const status = String(pick(answer, "charge.status"));
    call.io.err(
      say`The money goes back to the payer, because the charge is ${status}. Only an open charge takes a payment, before it expires and with exactly its amount.\n`,
    );
  },
};
