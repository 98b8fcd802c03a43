import { expect, it } from "vitest";
import { withRunning } from "../../scripts/smoke.mjs";

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("a smoke test that fails leaves none of its programs behind", async () => {
  let server = 0;
  // As npx does: a program that starts the server, and waits for it.
  const failed = withRunning("sh", ["-c", "sleep 600 & echo $!; wait"], {}, async ({ line }) => {
    server = Number(await line());
    throw new Error("the check failed");
  });
  await expect(failed).rejects.toThrow("the check failed");
  expect(server).toBeGreaterThan(0);
  await expect.poll(() => isThere(server)).toBe(false);
});
