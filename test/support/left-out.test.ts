import { describe, expect, it } from "vitest";
import { patternOf } from "./left-out.js";
import { hasProgram } from "./programs.js";

/** What happens where a machine lacks what a test needs. */

describe("a program that is missing", () => {
  const machine = (env: Record<string, string>) => ({ isInstalled: (name: string) => name === "php", env });

  it("leaves the test out, and is noted", (context) => {
    expect(hasProgram(context, "go", "a page", machine({}))).toBe(false);
    expect(context.task.meta.leftOut).toEqual({ needs: "go", what: "a page" });
    delete context.task.meta.leftOut;
  });

  it("is a failure in CI", (context) => {
    const ci = machine({ CI: "true" });
    expect(() => hasProgram(context, "go", "a page", ci)).toThrow("a page needs go, which is not installed. `npm run");
    expect(hasProgram(context, "php", "a page", ci)).toBe(true);
  });

  it("is none in CI where programs are left out on purpose", (context) => {
    expect(hasProgram(context, "go", "a page", machine({ CI: "true", QA_PAY_PROGRAMS: "optional" }))).toBe(false);
    delete context.task.meta.leftOut;
  });

  it("is a fault of the test when nobody could install it", (context) => {
    expect(() => hasProgram(context, "gopher", "a page")).toThrow("gopher is not among the programs of scripts/");
  });
});

it("the tests that were left out are matched by their pattern, and no others are", () => {
  const pattern = new RegExp(patternOf(["every sample of docs/a.md (php)", "a suite > checks in Go"]));
  expect(["every sample of docs/a.md (php)", "a suite checks in Go"].every((name) => pattern.test(name))).toBe(true);
  expect(["every sample of docs/aXmd (php)", "a suite checks in Go too"].some((name) => pattern.test(name))).toBe(
    false,
  );
  expect(patternOf([])).toBe("");
});
