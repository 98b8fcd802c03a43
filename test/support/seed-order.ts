import { createHash } from "node:crypto";
import { relative } from "node:path";
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node";

/**
 * Runs the test files in an order that the seed alone decides. Vitest's own order depends on how long they took last.
 */
export function seededSequencer(seed: number) {
  const place = ({ moduleId }: TestSpecification) =>
    createHash("sha256")
      .update(`${seed} ${relative(process.cwd(), moduleId)}`)
      .digest("hex");
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
