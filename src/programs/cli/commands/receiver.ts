import { isWebAddress } from "../../../base/kernel/page-address.js";
import { withScheme } from "../../../base/kernel/url.js";
import { wrongValue } from "../terminal/failure.js";
import { readDuration } from "../terminal/read-value.js";

/** What a command line tells about a receiver of webhooks. */

const LONGEST_MS = 600_000;

/** Parses the value of `flag`: the milliseconds that a receiver has to answer. Throws Failure (exit 2). */
export function answerTimeOf(flag: string, text: string): number {
  return readDuration(flag, text, "up to 10m, such as 30s", [1, LONGEST_MS]);
}

/** Checks the address of a receiver that `name` takes. Throws Failure (exit 2) when it is not a complete one. */
export function receiverUrl(name: string, text: string): string {
  if (isWebAddress(text)) return text;
  const whole = withScheme(text);
  const hint = whole === null ? undefined : `Its scheme is missing: write ${whole}.`;
  throw wrongValue(name, "a complete URL such as http://localhost:3000/webhooks", text, hint);
}
