import { parseObject } from "../../../../base/kernel/json.js";
import { pick } from "../../../../base/kernel/pick.js";
import { isForPerson, type OwnPart, showAnswer, showObject } from "../../operation/show.js";

/** Shows a person also when the charge was paid, its history, and the code that pays it. */
export const own: OwnPart = {
  async show(call, text) {
    if (!isForPerson(call)) return showAnswer(call, text);
    const { readBeside } = await import("../../operation/beside.js");
    const { showPicture } = await import("./picture.js");
    const charge = parseObject(text);
    // The charge itself does not say when it was paid.
    const isPaid = typeof pick(charge, "settlement.end_to_end_id") === "string";
    const payment = isPaid ? await readBeside(call, "payments get") : undefined;
    await showObject(call, { ...charge, payment });
    await showPicture(call, charge);
  },
};
