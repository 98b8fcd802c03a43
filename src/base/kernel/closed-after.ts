/**
 * Works, then closes what it has used, whatever came of the work. When both fail, the error of the work is thrown: it came first, and
 * that the close fails too most often follows from it.
 */
export async function closedAfter<Result>(work: () => Promise<Result>, close: () => unknown): Promise<Result> {
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
