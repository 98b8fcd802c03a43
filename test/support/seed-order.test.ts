import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { LONGEST, seededSequencer } from "./seed-order.js";

const SHORT = ["a", "b", "c", "d", "e", "f"].map((name) => `test/kernel/${name}.test.ts`);

async function orderOf(seed: number, files: readonly string[]): Promise<string[]> {
  const specs = files.map((file) => ({ moduleId: resolve(file), project: { name: "unit" } }) as TestSpecification);
  const sorted = await new (seededSequencer(seed))({ config: {} } as Vitest).sort(specs);
  return sorted.map(({ moduleId }) => files.find((file) => resolve(file) === moduleId) ?? moduleId);
}

describe("the order of the test files", () => {
  it("begins with the longest", async () => {
    const files = [...SHORT, ...LONGEST.toReversed()];
    expect((await orderOf(1, files)).slice(0, LONGEST.length)).toEqual(LONGEST);
  });

  it("is the same again for a seed, and another one for another seed", async () => {
    const first = await orderOf(1, SHORT);
    expect(await orderOf(1, SHORT.toReversed())).toEqual(first);
    expect(await orderOf(2, SHORT)).not.toEqual(first);
    expect(first.toSorted()).toEqual(SHORT);
  });

  it.each(LONGEST)("knows %s, which exists", (file) => {
    expect(existsSync(file)).toBe(true);
  });
});
