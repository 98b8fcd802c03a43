import { expect } from "vitest";
import type { TestCli } from "./cli.js";
import type { Loose } from "./emulator.js";

/** Runs `doctor --json`. Returns the checks by name, their order, and whether they came to "healthy". */
export async function doctorFindings(
  cli: TestCli,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Loose> {
  const { code, out, err } = await cli.run(["doctor", "--json", ...words], { env });
  expect(err).toBe("");
  const { healthy, checks, ...rest } = JSON.parse(out);
  expect([code, rest]).toEqual([healthy ? 0 : 1, {}]);
  const shape = { name: expect.any(String), status: expect.stringMatching(/^(ok|warn|fail)$/) };
  const detail = expect.not.stringMatching(/undefined|null|\n/);
  expect(checks).toEqual(checks.map(() => ({ ...shape, detail })));
  expect(healthy).toBe(checks.every(({ status }: Loose) => status !== "fail"));
  const named = checks.map(({ name, ...check }: Loose) => [name, check]);
  expect(new Set(named.map(([name]: Loose) => name)).size).toBe(named.length);
  return { healthy, order: named.map(([name]: Loose) => name), ...Object.fromEntries(named) };
}
