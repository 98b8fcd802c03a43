import { type Cause, CONSOLE } from "../kernel/cause.js";
import { type Exchange, header } from "./exchange.js";

/** The name that our own command line gives itself, with the words of the command: `qa-pay/1.0.0 (charges create)`. */
const COMMAND = /^qa-pay\/\S+ \(([a-z][a-z -]{0,60})\)$/;

/**
 * Returns the words of the command of our own command line that sent a request, and CONSOLE for the web console; null for
 * every other client.
 */
export function commandOf(exchange: Exchange): string | null {
  if (exchange.isConsole) return CONSOLE;
  const agent = header(exchange.request, "user-agent");
  const command = agent?.startsWith("qa-pay/") === true ? (COMMAND.exec(agent)?.[1] ?? null) : null;
  // The command `console` only asks for a link. A client that calls itself so is not the console.
  return command === CONSOLE ? null : command;
}

/** The cause of what a request does. `text` names its route: `request POST /v1/charges`. */
export function requestCause(text: string, exchange: Exchange): Cause {
  return { text, request: exchange.number, command: commandOf(exchange), parent: null };
}
