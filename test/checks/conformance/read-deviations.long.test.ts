import { expect, it } from "vitest";
import { deviationBench } from "../../support/conform.js";
import { shared } from "../../support/shared.js";
import { READ_DEVIATIONS } from "./read-deviations.js";

/** `conform` finds each deviation, by the check that is about it and by no other. */

const bench = shared(deviationBench);

it.each(READ_DEVIATIONS)("a host that is only read is found with %s: %s", async (_title, fails, distortion) => {
  const { failed, code } = await bench.verdicts(distortion);
  expect([failed.toSorted(), code]).toEqual([fails.split(" ").sort(), 1]);
});
