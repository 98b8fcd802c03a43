import { defineConfig, type Plugin } from "vitest/config";

/** Migrations are imported as text: what the build does with esbuild's text loader. */
const sqlAsText: Plugin = {
  name: "sql-as-text",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith(".sql") ? { code: `export default ${JSON.stringify(code)};`, map: null } : null,
};

const needBuild = ["test/binary/**/*.test.ts", "test/browser/**/*.test.ts"];

export default defineConfig({
  plugins: [sqlAsText],
  test: {
    // One module graph for all files of a worker: a quarter of a second saved per file. Allowed because modules of src keep no
    // state but caches of pure functions; what a test opens, it closes.
    pool: "forks",
    isolate: false,
    maxWorkers: "100%",
    retry: 0,
    testTimeout: 20_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/**/*.test.ts"], exclude: needBuild } },
      // Only a run that holds one of these files pays for the build.
      { extends: true, test: { name: "built", include: needBuild, globalSetup: "test/support/build-once.ts" } },
    ],
  },
});
