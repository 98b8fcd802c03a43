import { parseObject } from "../../../../base/kernel/json.js";
import { t } from "../../../../base/kernel/wording.js";
import { isForPerson, type OwnPart, showAnswer, showObject } from "../../operation/show.js";

/** Shows a person also the end-to-end id of its charge, its history, its Pix code and its refunds. */
export const own: OwnPart = {
  async show(call, text) {
    if (!isForPerson(call)) return showAnswer(call, text);
    const { printListBelow, readBeside } = await import("../../operation/beside.js");
    const { showPicture } = await import("../charges/picture.js");
    const payment = parseObject(text);
    const charge = payment.paidWith === "PIX" ? await readBeside(call, "charges get") : undefined;
    await showObject(call, { ...payment, charge });
    await showPicture(call, payment);
    // Money of a refused payer went back without ever being paid.
    const mayHaveRefunds = typeof payment.paidAt === "string" || payment.status === "REFUNDED";
    if (mayHaveRefunds) await printListBelow(call, "payments refunds", t`Refunds`);
  },
};
