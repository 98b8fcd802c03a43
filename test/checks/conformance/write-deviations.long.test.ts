import { expect, it } from "vitest";
import { deviationBench } from "../../support/conform.js";
import { shared } from "../../support/shared.js";
import { WARNINGS, WRITE_DEVIATIONS } from "./write-deviations.js";

/** `conform` finds each deviation, by the check that is about it and by no other. */

const bench = shared(deviationBench);

it.each(WARNINGS)(
  "a choice that the specification leaves open is a warning: %s",
  async (_title, warns, distortion, only) => {
    const { failed, warned, code } = await bench.verdicts(distortion, "--write", "--only", ...only.split(" "));
    expect([failed, warned, code]).toEqual([[], [warns], 0]);
  },
);

it.each(WRITE_DEVIATIONS)("a host that is written to is found with %s: %s", async (_title, fails, distortion, only) => {
  const { failed, code } = await bench.verdicts(distortion, "--write", "--only", ...only.split(" "));
  expect([failed.toSorted(), code]).toEqual([fails.split(" ").sort(), 1]);
});
