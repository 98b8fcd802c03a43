import { type ChildProcess, spawn } from "node:child_process";
import { atAnyEnd, signalGroup } from "../platform/real-runtime.js";

/** A program that qa-pay starts without a shell, as the leader of a process group, so that it can be ended with all that it started. */

/** Where a program runs, and with which variables. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Program {
  /** Null until it has ended. What it started may still run. */
  readonly ended: Ending | null;
  /** Resolves when it has ended and its output is complete. Rejects with the system's error when it cannot be started. */
  readonly closed: Promise<Ending>;
  /** To it and to all that it started. Returns false when none of them is there any more. */
  signal(signal: NodeJS.Signals | 0): boolean;
}

/** The leaders of the groups that may still run. They end with this process. */
const running = new Set<number>();
let isWatched = false;

function endWithThisProcess(): void {
  if (isWatched) return;
  isWatched = true;
  atAnyEnd(() => {
    for (const leader of running) signalGroup(leader, "SIGKILL");
  });
}

/** `read` gets each piece of standard output (true) and of standard error (false). */
export function startProgram(
  [name = "", ...args]: readonly string[],
  { cwd, env }: ProgramOptions,
  read: (text: string, isOutput: boolean) => void,
): Program {
  let child: ChildProcess;
  try {
    const detached = process.platform !== "win32";
    child = spawn(name, args, { cwd, env, detached, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const never: Ending = { code: null, signal: null };
    const closed = Promise.reject(error);
    closed.catch(() => undefined);
    return { ended: never, closed, signal: () => false };
  }
  const { pid, stdout, stderr } = child;
  let ended: Ending | null = null;
  stdout?.setEncoding("utf8").on("data", (text: string) => read(text, true));
  stderr?.setEncoding("utf8").on("data", (text: string) => read(text, false));
  if (pid !== undefined) {
    running.add(pid);
    endWithThisProcess();
  }
  child.on("exit", (code, signal) => {
    ended = { code, signal };
  });
  const closed = new Promise<Ending>((resolve, reject) => {
    child.on("error", (error) => {
      ended ??= { code: null, signal: null };
      reject(error);
    });
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  closed.catch(() => undefined);
  return {
    get ended() {
      return ended;
    },
    closed,
    signal(signal) {
      // When the group is gone, its number may become that of another one.
      if (pid === undefined || !running.has(pid)) return false;
      const isThere = signalGroup(pid, signal);
      if (!isThere && ended !== null) running.delete(pid);
      return isThere;
    },
  };
}
