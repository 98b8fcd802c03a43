import { expect, it } from "vitest";
import { createTurns } from "../../src/kernel/turns.js";

it("lets so many work at once, so many wait in their order, and sends others away", async () => {
  const turns = createTurns(2, 2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = (name: string) =>
    turns.take(() => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ["a", "b", "c", "d"].map(take);
  expect([take("e"), begun]).toEqual([null, ["a", "b"]]);
  for (const [index, one] of all.entries()) {
    ends[index]?.();
    await one;
  }
  expect(begun).toEqual(["a", "b", "c", "d"]);
  expect(take("f")).not.toBeNull();
});

it("goes on after work that fails", async () => {
  const turns = createTurns(1, 5);
  const failed = turns.take(() => Promise.reject(new Error("no")));
  const next = turns.take(() => Promise.resolve("done"));
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
