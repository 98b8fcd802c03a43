import type { Step } from "./steps/index.js";

/** Makes a failing run shorter: leaves out parts of it, large ones first, for as long as the rest still fails. */

interface Short<Failure> {
  readonly steps: readonly Step[];
  readonly failure: Failure;
}

export async function shorten<Failure extends { readonly at: number }>(
  steps: readonly Step[],
  attempt: (steps: readonly Step[]) => Promise<Failure | null>,
  seconds: number,
): Promise<Short<Failure>> {
  const until = performance.now() + seconds * 1_000;
  const first = await attempt(steps);
  if (first === null)
    throw new Error("the run does not fail when it is repeated: something in it is not drawn from the seed");
  let best: Short<Failure> = { steps: steps.slice(0, first.at), failure: first };
  for (
    let size = Math.ceil(best.steps.length / 2);
    size >= 1 && performance.now() < until;
    size = Math.floor(size / 2)
  ) {
    for (let from = 0; from < best.steps.length && performance.now() < until; ) {
      const fewer = [...best.steps.slice(0, from), ...best.steps.slice(from + size)];
      const failure = await attempt(fewer);
      if (failure === null) from += size;
      else best = { steps: fewer.slice(0, failure.at), failure };
    }
  }
  return best;
}
