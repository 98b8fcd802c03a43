import { createHash } from "node:crypto";
import { relative } from "node:path";
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node";

/**
 * The files of each project that took longest on an idle machine, the longest first. They start first: one that starts
 * last runs alone at the end, while the other workers have nothing to do.
 */
export const LONGEST: readonly string[] = [
  "test/browser/console/every-page.test.ts",
  "test/binary/crash.test.ts",
  "test/binary/guides.test.ts",
  "test/browser/console/charges.test.ts",
  "test/binary/serve.test.ts",
  "test/browser/checkout-axe.test.ts",
  "test/browser/console/connection.test.ts",
  "test/binary/exec.test.ts",
  "test/browser/console/steering.test.ts",
  "test/binary/exec-misbehaving.test.ts",
  "test/browser/console/portuguese.test.ts",
  "test/browser/console/overview.test.ts",
  "test/browser/console/endpoints.test.ts",
  "test/binary/snapshots.test.ts",
  "test/binary/listen.test.ts",
  "test/browser/console/payouts.test.ts",
  "test/browser/console/med-board.test.ts",
  "test/binary/bundled-sqlite.test.ts",
  "test/conformance/write-deviations.test.ts",
  "test/sandbox/timeline.property.test.ts",
  "test/features/wallets/money.property.test.ts",
  "test/cli/every-command.test.ts",
  "test/replay/answers.test.ts",
  "test/conformance/read-deviations.test.ts",
  "test/cli/exec.test.ts",
  "test/tidy/house-rules.test.ts",
  "test/cli/steering.test.ts",
  "test/sandbox/snapshot-files.test.ts",
  "test/delivery/plain-connections.property.test.ts",
  "test/documents/boleto-pdf.test.ts",
  "test/console/signature-snippets.test.ts",
  "test/support/invariants.test.ts",
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
