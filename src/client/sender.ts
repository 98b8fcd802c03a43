import { AsyncLocalStorage } from "node:async_hooks";
import { VERSION } from "../version.js";

/** The header User-Agent of this package, so that a request log can say which command sent a request. */

const commands = new AsyncLocalStorage<string>();

/** Runs a command. All requests that it sends name it: `qa-pay/0.1.0 (charges create)`. */
export function asCommand<Result>(command: string, run: () => Result): Result {
  return commands.run(command, run);
}

export function userAgent(): string {
  const command = commands.getStore();
  return command === undefined ? `qa-pay/${VERSION}` : `qa-pay/${VERSION} (${command})`;
}
