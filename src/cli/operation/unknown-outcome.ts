import { EXIT } from "../terminal/exit-codes.js";
import { Failure } from "../terminal/failure.js";
import type { GlobalFlags } from "../tree/flags.js";

/** What to do after a change that may have been carried out: repeat it under the same idempotency key, which is safe. */

/** A word as a POSIX shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

type Value = string | readonly string[] | boolean | undefined;

/** Flags that would change nothing of a repetition, or show a secret. */
const LEFT_OUT = new Set(["api-key", "verbose", "dry-run", "watch", "wait-for", "timeout", "open", "idempotency-key"]);

function flagWords(name: string, value: Value): string[] {
  if (value === undefined || LEFT_OUT.has(name)) return [];
  if (value === true) return [`--${name}`];
  if (value === false) return name === "color" ? ["--no-color"] : [];
  return (Array.isArray(value) ? value : [value]).flatMap((one) => [`--${name}`, String(one)]);
}

/** The global flags that say where a request goes, and that it is meant. */
export function targetFlags({ profile, baseUrl, yes }: GlobalFlags): Readonly<Record<string, Value>> {
  return { profile, "base-url": baseUrl, yes };
}

/** The command line that repeats a request. `options` are by the names of their flags. */
export function repetition(
  words: readonly string[],
  options: Readonly<Record<string, Value>>,
  idempotencyKey: string,
): string {
  const flags = Object.entries(options)
    .filter(([name, value]) => !(name === "color" && value === true))
    .flatMap(([name, value]) => flagWords(name, value));
  return ["qa-pay", ...words, ...flags, "--idempotency-key", idempotencyKey].map(quoted).join(" ");
}

/** For a person who does not know whether a change was carried out. `repeat` is a whole command line. */
export function unknownOutcome(repeat: string): string {
  return `It may have been carried out. Repeat it safely with this command: ${repeat}`;
}

/**
 * The failure of a change that has an idempotency key. When the outcome is unknown (no answer, a 5xx, or no answer of the
 * service), it says how to repeat the change, and the key with it, whatever else is printed.
 */
export function toBeRepeated(failure: Failure, repeat: string): Failure {
  if (failure.exitCode !== EXIT.unreachable || failure.wasNeverSent) return failure;
  const { exitCode, code, message, envelope } = failure;
  // It may not be the service that answered: the doubt about its address comes before the advice to repeat.
  const doubt = code === "unexpected_answer" && failure.hint !== undefined ? `${failure.hint}\n` : "";
  return new Failure(exitCode, code, message, envelope, doubt + unknownOutcome(repeat));
}

/** Runs a change that has an idempotency key. */
export async function withRepetition<Result>(send: () => Promise<Result>, repeat: string): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    throw error instanceof Failure ? toBeRepeated(error, repeat) : error;
  }
}
