import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deviationBench } from "../support/conform.js";
import { READ_DEVIATIONS } from "./read-deviations.js";

/** `conform` finds each deviation, by the check that is about it and by no other. */

let bench: Awaited<ReturnType<typeof deviationBench>>;
beforeAll(async () => {
  bench = await deviationBench();
});
afterAll(() => bench.close());

describe("a host that is only read", () => {
  it.each(READ_DEVIATIONS)("is found with $title", async (deviation) => {
    const { failed, code } = await bench.verdicts(deviation);
    expect([failed.toSorted(), code]).toEqual([[...deviation.fails].sort(), 1]);
  });
});
