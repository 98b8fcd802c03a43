import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { keepTemporaryFilesInMemory } from "./test/support/memory-folder.js";
import { SEED } from "./test/support/seed.js";
import { seededSequencer, seedReporter } from "./test/support/seed-order.js";

const needBuild = ["test/binary/**/*.test.ts", "test/browser/**/*.test.ts"];

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    // One module graph for all files of a worker: a quarter of a second saved per file. Allowed because the modules of src
    // remember nothing but what follows from their input (drawn QR codes, the day of the last instant that was asked
    // for), and every test closes what it opens.
    pool: "forks",
    isolate: false,
    // One more than there are processors: some files wait for half a minute, such as for a receiver that never answers.
    maxWorkers: availableParallelism() + 1,
    retry: 0,
    sequence: { sequencer: seededSequencer(SEED) },
    // Styles are text of pages, and without this they would be empty.
    css: { include: [/\.css\?raw$/] },
    setupFiles: "test/support/seed-setup.ts",
    reporters: ["default", seedReporter(SEED)],
    // A property test takes seconds on an idle machine, and much longer when other programs use it.
    testTimeout: 60_000,
    // So does the start of a browser, which is a part of what comes before the tests of a file.
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/**/*.test.ts"], exclude: needBuild } },
      // Only a run that holds one of these files pays for the build.
      { extends: true, test: { name: "built", include: needBuild, globalSetup: "test/support/build-once.ts" } },
    ],
  },
});
