import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { atAnyEnd, signalGroup, type WaitRuntime } from "../../base/platform/real-runtime.js";

/**
 * A program that qa-pay starts without a shell, as the leader of a process group, so that it can be ended with all its
 * children.
 */

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
  /** Null until it has ended. Its children may still run. */
  readonly ended: Ending | null;
  /** Resolves when it has ended and its output is complete. Rejects with the system's error when it cannot be started. */
  readonly closed: Promise<Ending>;
  /** The same, but children that still run may keep the output open: they get only a moment. */
  waitForEnd(waiting: Pick<WaitRuntime, "pause">): Promise<Ending>;
  /** Sends a signal to it and to all its children. Returns false when none of them runs any more. */
  signal(signal: NodeJS.Signals | 0): boolean;
}

/** The time for the last output of a program that has ended. */
const OUTPUT_MS = 1_000;

/** The leaders of the process groups that may still run. They end with this process. */
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
    return { ended: never, closed, waitForEnd: () => closed, signal: () => false };
  }
  const { pid, stdout, stderr } = child;
  let ended: Ending | null = null;
  stdout?.setEncoding("utf8").on("data", (text: string) => read(text, true));
  stderr?.setEncoding("utf8").on("data", (text: string) => read(text, false));
  if (pid !== undefined) {
    running.add(pid);
    endWithThisProcess();
  }
  const exited = new Promise<Ending>((resolve) => {
    child.on("exit", (code, signal) => {
      ended = { code, signal };
      resolve(ended);
      // A daemon of the program may keep these streams open for ever. They must not keep this process alive.
      for (const pipe of [stdout, stderr]) if (pipe instanceof Socket) pipe.unref();
    });
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
    async waitForEnd({ pause }) {
      const ending = await Promise.race([closed, exited]);
      const stop = new AbortController();
      await Promise.race([closed, pause(OUTPUT_MS, stop.signal)]);
      stop.abort();
      return ending;
    },
    signal(signal) {
      // When the group is gone, another group may get its number.
      if (pid === undefined || !running.has(pid)) return false;
      const isThere = signalGroup(pid, signal);
      if (!isThere && ended !== null) running.delete(pid);
      return isThere;
    },
  };
}
