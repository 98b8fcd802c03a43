import { execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";

/** Files that no build reads. All else in the repository may be part of one. */
const NO_INPUT = new Set([".git", "bench", "coverage", "dist", "node_modules", "test"]);
/** npm writes it with every change of the installed packages. */
const INSTALLED = "node_modules/.package-lock.json";
/** Of which inputs the build in dist/ was made, and what it was. */
const STAMP = "node_modules/.cache/qa-pay/build-of-tests.json";

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** One sum of the names and the contents of files. */
function sumOf(files: readonly string[]): string {
  const sum = createHash("sha256");
  for (const file of files.toSorted()) {
    const bytes = readFileSync(file);
    sum.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return sum.digest("hex");
}

function inputs(): string {
  const entries = readdirSync(".", { withFileTypes: true }).filter(({ name }) => !NO_INPUT.has(name));
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const inFolders = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => filesIn(name));
  return `${process.version} ${sumOf([...files, ...inFolders, ...(existsSync(INSTALLED) ? [INSTALLED] : [])])}`;
}

/** The parts of the build that a run needs. */
type Part = "all" | "smoke";

const stamp = (made: string, part: Part) => JSON.stringify({ inputs: made, part, output: sumOf(filesIn("dist")) });

/** A whole build has everything that a part of it has. */
function isBuilt(part: Part): boolean {
  if (!existsSync(STAMP) || !existsSync("dist")) return false;
  const [made, known] = [inputs(), readFileSync(STAMP, "utf8")];
  return [part, "all" as const].some((one) => known === stamp(made, one));
}

/**
 * Builds `dist/` before the first test that runs it, so that no such test ever meets a stale build. A build takes twenty
 * seconds of the processor: where dist/ is, byte for byte, what an earlier run built of the same files, it stays. A run of `npm
 * test` builds the command without its pages, which takes half of that; in CI other steps need all of it.
 */
export function setup({ vitest }: Pick<TestProject, "vitest">): void {
  const needsAll = process.env.CI !== undefined || vitest.projects.some(({ name }) => name === "built");
  const part: Part = needsAll ? "all" : "smoke";
  if (isBuilt(part)) return;
  // Read before the build: what changes while it runs must be built by the next run.
  const made = inputs();
  const env = { ...process.env, QA_PAY_BUILD: part };
  execSync("npm run --silent build", { stdio: ["ignore", "ignore", "inherit"], env });
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, stamp(made, part));
}
