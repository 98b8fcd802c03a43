import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { withoutMoreCertificates } from "./test/support/certificates.js";
import { leftOutReporter } from "./test/support/left-out.js";
import { keepTemporaryFilesInMemory } from "./test/support/memory-folder.js";
import { PATIENCE } from "./test/support/patience.js";
import { SEED } from "./test/support/seed.js";
import { seededSequencer, seedReporter } from "./test/support/seed-order.js";
import { RETRIES, unsteadyReporter } from "./test/support/unsteady.js";

/** A project without a number of its own takes that of the run, which `--maxWorkers` may change. */
const ONE_POOL = { maxWorkers: 0, sequence: { groupOrder: 1 } };
/** These tests wait for nothing, and each process more loads and compiles all modules once more. They run before the others. */
const BUSY = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };

/**
 * `npm test` runs `unit` and `smoke`; `npm run test:all` runs every project. Where a file belongs follows from its folder and its
 * name alone: CONTRIBUTING.md says which.
 */
const SMOKE = ["test/smoke/**/*.test.ts"];
const BUILT = ["test/binary/**/*.test.ts", "test/browser/**/*.test.ts"];
const LONG = ["test/**/*.long.test.ts"];
/** Only a run that holds one of these files pays for the build. */
const NEEDS_BUILD = { globalSetup: "test/support/build-once.ts", retry: RETRIES };

keepTemporaryFilesInMemory();
withoutMoreCertificates();

export default defineConfig({
  test: {
    // One module graph for all files of a worker: a quarter of a second saved per file. Allowed because the modules of src
    // remember nothing but what follows from their input (drawn QR codes, the day of the last instant that was asked
    // for), and every test closes what it opens.
    pool: "forks",
    isolate: false,
    // More than there are processors: a test of a page or of the built command uses less than half of one, and waits the rest.
    maxWorkers: availableParallelism() + 3,
    // Of the tests of one file that may run at the same time.
    maxConcurrency: 2,
    retry: 0,
    sequence: { sequencer: seededSequencer(SEED) },
    // Styles are text of pages, and without this they would be empty.
    css: { include: [/\.css\?raw$/] },
    setupFiles: "test/support/seed-setup.ts",
    reporters: ["default", seedReporter(SEED), leftOutReporter(), unsteadyReporter()],
    // Modules that were made ready for a run are kept in node_modules by their text: the second project has them from the
    // first, and the next run from this one. To make all of src ready takes three seconds of the processor each time.
    experimental: { fsModuleCache: true },
    // No test is about these limits: they only end one that hangs. A property test takes half a minute on an idle machine,
    // and several minutes when other programs use it; so does what starts a browser before the tests of a file.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: PATIENCE },
    projects: [
      {
        extends: true,
        test: { ...BUSY, name: "unit", include: ["test/**/*.test.ts"], exclude: [...SMOKE, ...BUILT, ...LONG] },
      },
      { extends: true, test: { ...BUSY, ...NEEDS_BUILD, name: "smoke", include: SMOKE } },
      { extends: true, test: { ...ONE_POOL, name: "long", include: LONG } },
      { extends: true, test: { ...ONE_POOL, ...NEEDS_BUILD, name: "built", include: BUILT } },
    ],
  },
});
