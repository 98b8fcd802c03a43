import { parseDuration } from "../../kernel/duration.js";
import { isWebAddress } from "../../kernel/page-address.js";
import { withScheme } from "../../kernel/url.js";
import { usage } from "../terminal/failure.js";

/** What a command line tells about a receiver of webhooks. */

const LONGEST_MS = 600_000;

/** Parses the value of `flag`: the milliseconds that a receiver has to answer. Throws Failure (exit 2). */
export function answerTimeOf(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms >= 1 && ms <= LONGEST_MS) return ms;
  throw usage(`${flag} takes a duration up to 10m, such as 30s, not ${text}.`);
}

/** Checks the address of a receiver that `name` takes. Throws Failure (exit 2) when it is not a complete one. */
export function receiverUrl(name: string, text: string): string {
  if (isWebAddress(text)) return text;
  const whole = withScheme(text);
  const hint = whole === null ? undefined : `Its scheme is missing: write ${whole}.`;
  throw usage(`${name} takes a complete URL such as http://localhost:3000/webhooks, not ${text}.`, hint);
}
