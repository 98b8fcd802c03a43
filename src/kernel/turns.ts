/** Lets a few pieces of work run at once, and a number of others wait for them. */
export function createTurns(atOnce: number, waiting: number) {
  const queue: (() => void)[] = [];
  let running = 0;
  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }
  return {
    /** Runs the work when it is its turn. Returns null, and does not run it, when too many wait already. */
    take: <Result>(work: () => Promise<Result>) => (running >= atOnce && queue.length >= waiting ? null : run(work)),
  };
}
