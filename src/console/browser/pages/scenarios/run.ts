import type { Fixture } from "../../../../fixtures/fixture.js";
import { runSteps } from "../../../../fixtures/resolve.js";
import { answerTo, ownHeaders } from "../../api/call.js";

/** Runs a script through the session of the console, step by step, as `qa-pay fixtures run` does with a key. */

export interface Ran {
  readonly name: string;
  readonly request: string;
  readonly answer: unknown;
  /** Why the step was refused; null when it was not. */
  readonly refusal: Error | null;
}

export async function runScript({ steps }: Fixture, onStep: (ran: Ran) => void): Promise<boolean> {
  let under = { name: "", request: "" };
  try {
    await runSteps(steps, {
      fresh: () => crypto.randomUUID(),
      credential: ownHeaders(),
      async send({ name, request }, make) {
        under = { name, request };
        const made = make();
        under = { name, request: `${made.method} ${made.address}` };
        const answer = (await answerTo(made)) ?? null;
        onStep({ ...under, answer, refusal: null });
        return answer;
      },
    });
    return true;
  } catch (thrown) {
    const refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
    onStep({ ...under, answer: null, refusal });
    return false;
  }
}
