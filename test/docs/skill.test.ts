import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** skills/qa-pay/SKILL.md, for agents that read skills. test/docs/command-lines.test.ts checks its commands. */

it("the skill has a name and a description, and says enough on one page", () => {
  const text = readFileSync("skills/qa-pay/SKILL.md", "utf8");
  const [, front = "", rest = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields = Object.fromEntries(front.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
  expect(Object.keys(fields)).toEqual(["name", "description"]);
  expect(fields.name).toBe("qa-pay");
  expect(fields.description).toMatch(/^\S.{80,1000}$/);
  expect(rest).toMatch(/^\n# qa-pay\n/);
  expect(text.length).toBeLessThan(5_000);
});

it("the package has the skill", () => {
  expect(JSON.parse(readFileSync("package.json", "utf8")).files).toContain("skills");
});
