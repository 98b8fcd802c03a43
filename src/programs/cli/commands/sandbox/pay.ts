import { pick } from "../../../../base/kernel/pick.js";
import { isForPerson, type OwnPart, showAnswer } from "../../operation/show.js";
import { StateName } from "../../terminal/language.js";
import { localized } from "../../terminal/terminal-text.js";

/** Shows a person why the money went back. */
export const own: OwnPart = {
  async show(call, text) {
    await showAnswer(call, text);
    const answer: unknown = JSON.parse(text);
    if (!isForPerson(call) || pick(answer, "outcome") !== "returned") return;
    const status = String(pick(answer, "charge.status"));
    call.io.err(
      localized`The money goes back to the payer, because the charge is ${new StateName(status)}. Only an open charge takes a payment, before it expires and with exactly its amount.\n`,
    );
  },
};
