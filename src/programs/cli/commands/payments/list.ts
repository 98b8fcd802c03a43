import { isJsonObject } from "../../../../base/kernel/json.js";
import { isForPerson, type OwnPart, showAnswer } from "../../operation/show.js";
import { localized } from "../../terminal/terminal-text.js";

/** Says what a person means by pending, when nothing has that status: a payment has it only until its codes are issued. */
export const own: OwnPart = {
  async show(call, text) {
    await showAnswer(call, text);
    const isPending = new URL(call.request.url).searchParams.get("status") === "PENDING";
    const answer: unknown = JSON.parse(text);
    const isEmpty = isJsonObject(answer) && Array.isArray(answer.data) && answer.data.length === 0;
    if (isPending && isEmpty && isForPerson(call)) {
      call.io.err(localized`What waits for its payer has another status: --status WAITING_PAYMENT\n`);
    }
  },
};
