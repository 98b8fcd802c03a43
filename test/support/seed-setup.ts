import { relative } from "node:path";
import fc from "fast-check";
import { beforeAll, expect } from "vitest";
import { beginFile, SEED } from "./seed.js";

/** Runs before every test file. */

fc.configureGlobal({ seed: SEED });

beforeAll(() => {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error("Vitest does not say which test file runs");
  beginFile(relative(process.cwd(), testPath));
});
