// @ts-check
// Usage: node scripts/smoke-dev.mjs
// Starts `npm run dev`, touches a source and stops it: it must serve, serve again after the change, and end cleanly. Starts it
// again and stops it while it still builds: it must end as cleanly.
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { inFolder, readyLine, withRunning } from "./smoke.mjs";

await inFolder(async (folder) => {
  const args = ["scripts/dev.mjs", "--port", "0", "--json", "--db", join(folder, "dev.db")];
  const env = { ...process.env, QA_PAY_CONFIG_DIR: folder };
  await withRunning(process.execPath, args, { env }, async (dev) => {
    const first = await readyLine(dev);
    const now = new Date();
    utimesSync("src/platform/version.ts", now, now);
    const second = await readyLine(dev);
    assert.notEqual(second.pid, first.pid, "the server was not started anew");
    await stopped(dev, second.pid);
  });
  await withRunning(process.execPath, args, { env }, async (dev) => stopped(dev, (await readyLine(dev)).pid));
  console.log("npm run dev serves, serves again after a change, and stops cleanly, also while it builds.");
});

/**
 * @param {import("./smoke.mjs").Running} dev
 * @param {number} server
 */
async function stopped(dev, server) {
  await dev.stopped();
  assert.throws(() => process.kill(server, 0), "the server outlives npm run dev");
}
