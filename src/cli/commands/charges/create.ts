import { formatBrl, parseAmount } from "../../../kernel/money.js";
import type { OwnPart } from "../../operation/show.js";
import type { Io } from "../../terminal/io.js";
import { say } from "../../terminal/terminal-text.js";
import { showCreated } from "./picture.js";

async function askForAmount(io: Io): Promise<string> {
  const text = await io.prompt.input("Amount (R$ 19,90 with a comma, or 1990 in centavos)", (given) => {
    const amount = parseAmount(given);
    if (amount === null) return "Write R$ 19,90 with a comma, or the centavos alone: 1990.";
    return amount > 0 || "It must be more than nothing.";
  });
  const amount = parseAmount(text) ?? 0;
  io.err(say`That is ${formatBrl(amount)} (${amount} centavos).\n`);
  return String(amount);
}

/** A person without flags is asked for the charge, and sees the code that it is paid with. */
export const own: OwnPart = {
  async ask(io) {
    const amount = await askForAmount(io);
    const description = (await io.prompt.input("Description (may be empty)")).trim();
    const name = (await io.prompt.input("Name of the customer (may be empty)")).trim();
    return {
      amount,
      ...(description === "" ? {} : { description }),
      ...(name === "" ? {} : { "customer-name": name }),
    };
  },
  show: showCreated,
};
