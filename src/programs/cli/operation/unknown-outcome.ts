import { flagWords } from "../../../api/client/command-words.js";
import type { GlobalFlags } from "../../../api/client/flags.js";
import { shellWord } from "../../../base/kernel/shell.js";
import { joinWords, t, type Wording } from "../../../base/kernel/wording.js";
import { EXIT, Failure } from "../terminal/failure.js";
import { hostFlags } from "../terminal/program-command.js";

/**
 * Handles requests with an unknown outcome: there was no usable answer, but the service may have carried them out. They
 * are safe to repeat with the same idempotency key.
 */

type Value = string | readonly string[] | boolean | undefined;

/** Flags that a repetition does not need. The idempotency key is added separately. */
const LEFT_OUT = new Set(["verbose", "dry-run", "watch", "wait-for", "timeout", "open", "idempotency-key"]);

function optionWords(name: string, value: Value): string[] {
  if (value === undefined || LEFT_OUT.has(name)) return [];
  if (value === true) return [`--${name}`];
  if (value === false) return name === "color" ? ["--no-color"] : [];
  return (Array.isArray(value) ? value : [value]).flatMap((one) => flagWords(name, String(one)));
}

/** The command line that repeats a request. `options` has the names of the command's own flags as keys. */
export function repetition(
  words: readonly string[],
  options: Readonly<Record<string, Value>>,
  flags: GlobalFlags,
  idempotencyKey: string,
): string {
  const own = Object.entries(options)
    .filter(([name, value]) => !(name === "color" && value === true))
    .flatMap(([name, value]) => optionWords(name, value));
  const yes = flags.yes === true ? " --yes" : "";
  const key = ` --idempotency-key ${shellWord(idempotencyKey)}`;
  return ["qa-pay", ...words.map(shellWord), ...own].join(" ") + hostFlags(flags) + yes + key;
}

/** Nobody reads a longer command line, or finds its end: it holds a whole body. The command is in the history of the shell. */
const MOST_SHOWN = 2_000;

function repeatText(repeat: string): Wording {
  if (repeat.length <= MOST_SHOWN) return t`with this command: ${repeat}`;
  return t`with the same command and ${repeat.slice(repeat.lastIndexOf("--idempotency-key "))}`;
}

/**
 * The failure of a change that has an idempotency key. When the outcome is unknown (no answer, a 5xx, or an answer that is
 * not from the service), the hint is the command line `repeat`. It contains the key, so `--json` and `--quiet` show it too.
 */
export function toBeRepeated(failure: Failure, repeat: string): Failure {
  if (failure.exitCode !== EXIT.unreachable || failure.wasNeverSent) return failure;
  // The answer may come from another host, so the question about the address stands before the advice to repeat.
  const doubt = failure.code === "unexpected_answer" && failure.hint !== undefined ? [failure.hint] : [];
  const advice = t`It may have been carried out. Repeat it safely ${repeatText(repeat)}`;
  return failure.with({ hint: joinWords([...doubt, advice], "\n") });
}

/** Runs a change that has an idempotency key. */
export async function withRepetition<Result>(send: () => Promise<Result>, repeat: string): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    throw error instanceof Failure ? toBeRepeated(error, repeat) : error;
  }
}
