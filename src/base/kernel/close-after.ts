/**
 * Runs `work`, then `close`, also when the work fails. When both fail, the error of the work is thrown: it came first, and
 * usually caused the other one.
 */
export async function closeAfter<Result>(work: () => Promise<Result>, close: () => unknown): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await (async () => close())().catch(() => undefined);
    throw error;
  }
  await close();
  return result;
}
