/** Processor time in milliseconds, from `/proc`. It hardly depends on what else the machine does. NaN where there is no `/proc`. */
import { readdirSync, readFileSync } from "node:fs";

/** The unit of the times of children, on every usual Linux. */
const TICK_MS = 10;

function read(path, value) {
  try {
    return value(readFileSync(path, "utf8"));
  } catch {
    return Number.NaN;
  }
}

/** Of all threads of a process that runs. */
export function spentBy(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const each = tasks.map((task) => read(`/proc/${pid}/task/${task}/schedstat`, (text) => Number(text.split(" ")[0])));
    return each.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Of the processes that this one has started and that have ended. */
export function spentByChildren() {
  return read("/proc/self/stat", (text) => {
    const [user, system] = text.split(") ")[1].split(" ").slice(13, 15).map(Number);
    return (user + system) * TICK_MS;
  });
}
