import type { Reporter, TestCase } from "vitest/node";

/**
 * How often a test of the built command or of a page is tried again. Processes, ports and a browser take turns that no
 * test decides, and in CI one test of thousands would refuse a change that has nothing to do with it. Elsewhere there is no
 * second try, so that whoever writes such a test sees it fail. What runs in one process has none anywhere: there, another
 * outcome is a fault.
 */
export const RETRIES = process.env.CI ? 1 : 0;

/** The message of a test's first try, in one line. */
function firstFault(test: TestCase): string {
  const [first] = test.result().errors ?? [];
  return first?.message.split("\n")[0] ?? "nothing was said";
}

/** Names at the end of a run each test that passed only at its second try, so that somebody mends it. */
export function unsteadyReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const unsteady = modules
        .flatMap((module) => [...module.children.allTests()])
        .filter((test) => test.diagnostic()?.flaky);
      for (const test of unsteady) {
        console.error(`Unsteady: ${test.module.relativeModuleId} > ${test.fullName}`);
        console.error(`  passed at its second try. The first one failed: ${firstFault(test)}`);
      }
      if (unsteady.length > 0) console.error(`${unsteady.length} unsteady. Each of them has to be mended.\n`);
    },
  };
}
