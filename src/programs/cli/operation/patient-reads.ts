import { DEFAULT_RETRIES, pauseBeforeNext, retryAfterMs } from "../../../api/client/retrying.js";
import { type HttpAnswer, Unreachable } from "../../../api/client/send.js";
import { t } from "../../../base/kernel/wording.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { localized, type TerminalText } from "../terminal/terminal-text.js";

/** Reads that belong together, such as the pages of a list: one failed answer must not lose the pages before it. */

/** The most requests for one page while the service answers 429. */
const MOST_TRIES = 10;
const DEFAULT_WAIT_MS = 1_000;
/** The command fails when the service requests a longer pause than this. */
const LONGEST_WAIT_MS = 300_000;

interface RetryContext {
  readonly io: Pick<Io, "now" | "pause" | "random">;
  readonly stop: AbortSignal;
  /** Reports to a person why the command waits. */
  readonly notify: (text: TerminalText) => void;
}

type Read<Answer> = (onAnswer: (answer: HttpAnswer) => void) => Promise<Answer>;

/** Waits and repeats a read, each time with a new request. Throws the Failure of the last try. */
export type PatientRead = <Answer>(read: Read<Answer>) => Promise<Answer>;

/**
 * Repeats while the service answers 429. Once a read was answered, repeats also after a 5xx and a lost connection, as the typed
 * client does; before that, an unreachable host is reported at once.
 */
export function patientReads({ io, stop, notify }: RetryContext): PatientRead {
  let wasAnswered = false;

  function waitAfter(failure: Failure, answer: HttpAnswer | undefined, tries: number): number | null {
    if (failure.exitCode === EXIT.rateLimited) {
      const ms = retryAfterMs(answer?.headers.get("retry-after"), io.now()) ?? DEFAULT_WAIT_MS;
      return tries < MOST_TRIES ? ms : null;
    }
    const { cause } = failure;
    if (!wasAnswered || tries > DEFAULT_RETRIES || failure.exitCode !== EXIT.unreachable) return null;
    const lost = cause instanceof Unreachable ? { lost: cause } : null;
    const outcome = answer === undefined ? lost : { answer };
    const fraction = Number.parseInt(io.random().slice(0, 8), 16) / 2 ** 32;
    return outcome && pauseBeforeNext(outcome, { isSafe: true, repeated: tries - 1, now: io.now(), fraction });
  }

  return async (read) => {
    for (let tries = 1; ; tries++) {
      let answer: HttpAnswer | undefined;
      try {
        const found = await read((one) => {
          answer = one;
        });
        wasAnswered = true;
        return found;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const wait = waitAfter(error, answer, tries);
        if (wait === null || wait > LONGEST_WAIT_MS || stop.aborted) throw error;
        const { exitCode, said } = error;
        const why = exitCode === EXIT.rateLimited ? t`The service limits the rate:` : t`${said} Reading goes on:`;
        notify(localized`${why} the next try is in ${Math.ceil(wait / 1_000)} s.\n`);
        await io.pause(wait, stop);
      }
    }
  };
}
