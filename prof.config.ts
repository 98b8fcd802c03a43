import base from "./vitest.config.js";
const { projects, ...test } = base.test as any;
const build = "built" === "built" ? { globalSetup: "test/support/build-once.ts" } : {};
export default { ...base, test: { ...test, ...build, maxWorkers: 1, include: ["test/**/*.test.ts"], setupFiles: ["./prof-setup.ts", "test/support/seed-setup.ts"] } };
