import { t, type Words } from "../../../base/kernel/wording.js";
import type { Connection } from "../host/connection.js";
import { commandLine } from "../terminal/program-command.js";

/** The hint for a text that is no id: people have the order, a name or an amount of a payment at hand. */
export function findHint(text: string, { policy }: Pick<Connection, "policy">): Words {
  const command = commandLine("qa-pay", ["payments", "find", text], policy.hostFlags ?? {});
  return t`If it is an order, a name or an amount: \`${command}\``;
}
