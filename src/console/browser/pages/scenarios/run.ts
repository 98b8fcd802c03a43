import type { Fixture } from "../../../../fixtures/fixture.js";
import { requestOf } from "../../../../fixtures/resolve.js";
import { callAddress } from "../../api/call.js";

/** Runs a script through the session of the console, step by step, as `qa-pay fixtures run` does with a key. */

export interface Ran {
  readonly name: string;
  readonly request: string;
  readonly answer: unknown;
  /** Why the step was refused; null when it was not. */
  readonly refusal: Error | null;
}

export async function runScript({ steps }: Fixture, onStep: (ran: Ran) => void): Promise<boolean> {
  const answers: Record<string, unknown> = {};
  for (const step of steps) {
    let request = step.request;
    try {
      const made = requestOf(step, { answers, fresh: () => crypto.randomUUID(), rehearsal: false });
      request = `${made.method} ${made.path}`;
      const answer = await callAddress(made.method, made.path, made.body);
      answers[step.name] = answer;
      onStep({ name: step.name, request, answer, refusal: null });
    } catch (thrown) {
      const refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
      onStep({ name: step.name, request, answer: null, refusal });
      return false;
    }
  }
  return true;
}
