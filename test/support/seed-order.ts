import { createHash } from "node:crypto";
import { relative } from "node:path";
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node";

/** They start first: one that starts last runs alone at the end, while the other workers have nothing to do. */
const LONGEST: readonly string[] = [
  "test/binary/crash.test.ts",
  "test/browser/console/every-page.test.ts",
  "test/binary/guides.test.ts",
  "test/browser/console/standing-still.test.ts",
  "test/zoo/zoo.long.test.ts",
  "test/programs/cli/every-command.test.ts",
  "test/simulation/simulation.long.test.ts",
  "test/programs/cli/exec.test.ts",
];

/**
 * Runs the longest test files first, and all others in an order that the seed alone decides. Vitest's own order depends
 * on how long they took last.
 */
export function seededSequencer(seed: number) {
  const place = ({ moduleId }: TestSpecification) => {
    const file = relative(process.cwd(), moduleId).replaceAll("\\", "/");
    const rank = LONGEST.indexOf(file);
    if (rank !== -1) return String(rank).padStart(3, "0");
    return `by seed ${createHash("sha256").update(`${seed} ${file}`).digest("hex")}`;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      // Files of one project stay together, because they share their workers.
      const key = (spec: TestSpecification) => `${spec.project.name} ${place(spec)}`;
      return files.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    }
  };
}

/** Prints after a failure how to repeat the same run. */
export function seedReporter(seed: number): Reporter {
  return {
    onTestRunEnd(_modules, _errors, reason) {
      if (reason === "failed") console.error(`Run it again with the same order and data: QA_PAY_SEED=${seed}\n`);
    },
  };
}
