import { certainPrice, formatBrl, parseAmount } from "../../../../base/kernel/money.js";
import { trimPasted } from "../../../../base/kernel/pasted-text.js";
import { t, type Wording } from "../../../../base/kernel/wording.js";
import type { OwnPart } from "../../operation/show.js";
import type { Io } from "../../terminal/io.js";
import { localized } from "../../terminal/terminal-text.js";
import { showCreated } from "./picture.js";

/** Returns a hint with the amount as the service and this prompt would read it. */
function priceHint(given: string): Wording {
  const price = certainPrice(given);
  if (price === null) return t`Write reais with a comma and two digits, or the centavos as digits alone.`;
  return t`Write ${formatBrl(price)} with a comma, or the centavos alone: ${price}.`;
}

async function askForAmount(io: Io): Promise<string> {
  const text = await io.prompt.input(t`Amount (R$ 19,90 with a comma, or 1990 in centavos)`, (given) => {
    const amount = parseAmount(given);
    if (amount === null) return priceHint(given);
    return amount > 0 || t`The amount must be more than zero.`;
  });
  const amount = parseAmount(text) ?? 0;
  io.err(localized`That is ${formatBrl(amount)} (${amount} centavos).\n`);
  return String(amount);
}

/** Reads the charge from a person who gave no flags, and shows the code that pays it. */
export const own: OwnPart = {
  async ask(io) {
    const amount = await askForAmount(io);
    const description = trimPasted(await io.prompt.input(t`Description (may be empty)`));
    const name = trimPasted(await io.prompt.input(t`Name of the customer (may be empty)`));
    return {
      amount,
      ...(description === "" ? {} : { description }),
      ...(name === "" ? {} : { "customer-name": name }),
    };
  },
  show: showCreated,
};
