import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deviationBench } from "../support/conform.js";
import { WARNINGS, WRITE_DEVIATIONS } from "./write-deviations.js";

/** `conform` finds each deviation, by the check that is about it and by no other. */

let bench: Awaited<ReturnType<typeof deviationBench>>;
beforeAll(async () => {
  bench = await deviationBench();
});
afterAll(() => bench.close());

it("the proxy alone changes nothing that a check could see", async () => {
  const { failed, warned, code } = await bench.verdicts({ title: "", distortion: {}, fails: [] }, "--write");
  expect([failed, warned, code]).toEqual([[], [], 0]);
});

describe("a choice that the specification leaves open is a warning", () => {
  it.each(WARNINGS)("$title", async (deviation) => {
    const { failed, warned, code } = await bench.verdicts(deviation, "--write");
    expect([failed, warned, code]).toEqual([[], deviation.fails, 0]);
  });
});

describe("a host that is written to", () => {
  it.each(WRITE_DEVIATIONS)("is found with $title", async (deviation) => {
    const { failed, code } = await bench.verdicts(deviation, "--write");
    expect([failed.toSorted(), code]).toEqual([[...deviation.fails].sort(), 1]);
  });
});
