import { VERSION } from "../version.js";

/**
 * The header User-Agent of this package. A command is named in it, so that a request log can say which command sent a
 * request: `qa-pay/0.1.0 (charges create)`.
 */
export function userAgent(command?: string): string {
  return command === undefined ? `qa-pay/${VERSION}` : `qa-pay/${VERSION} (${command})`;
}
