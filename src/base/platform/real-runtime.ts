import type { Clock, Ids, Log, Random, RealTime, Runtime, TimerHandle } from "../kernel/runtime.js";
import { shownTime } from "./shown-time.js";

/** The real time and real random values: the only module of the service that reads them. */

const POOL_SIZE = 8_192;
/** Most names of a seed draw a few values only. */
const SEEDED_POOL_SIZE = 256;
const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Fills the pool with random bytes of the system. */
function fillFromSystem(pool: Uint8Array): void {
  process.getBuiltinModule("node:crypto").randomFillSync(pool);
}

/** Random values from a pool of random bytes, so that one system call is enough for hundreds of ids. */
export function createRandom(fill: (pool: Uint8Array) => void = fillFromSystem, size = POOL_SIZE): Random {
  const pool = Buffer.alloc(size);
  let used = size;
  /** Takes `count` unused bytes of the pool and returns where they begin. */
  function take(count: number): number {
    if (used + count > size) {
      fill(pool);
      used = 0;
    }
    used += count;
    return used - count;
  }
  function bytes(count: number): Buffer {
    const start = take(count);
    return Buffer.from(pool.subarray(start, start + count));
  }
  /** The characters of `count` random bytes: sometimes a few less. */
  function characters(count: number): string {
    const start = take(count);
    let text = "";
    for (let at = start; at < start + count; at++) {
      const byte = pool[at] ?? 255;
      // 248 is a multiple of 62. Bytes from 248 on are left out: with them some characters would be more frequent.
      if (byte < 248) text += ALPHANUMERIC[byte % 62];
    }
    return text;
  }
  return {
    bytes,
    alphanumeric(length) {
      let text = "";
      while (text.length < length) text += characters(length - text.length);
      return text;
    },
    token(count) {
      const start = take(count);
      return pool.toString("base64url", start, start + count);
    },
    hex(count) {
      const start = take(count);
      return pool.toString("hex", start, start + count);
    },
    fraction: () => bytes(6).readUIntBE(0, 6) / 2 ** 48,
  };
}

/** The values that follow from a seed and a name: AES-256 in counter mode under the SHA-256 of both. */
function createSeededRandom(seed: string, name: string): Random {
  const { createHash, createCipheriv } = process.getBuiltinModule("node:crypto");
  const key = createHash("sha256")
    .update(JSON.stringify([seed, name]))
    .digest();
  const stream = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  return createRandom((pool) => pool.set(stream.update(new Uint8Array(pool.length))), SEEDED_POOL_SIZE);
}

/**
 * Creates UUIDs version 7 (RFC 9562) with the time of the emulated clock. The 12 bits after the time count the ids of one
 * millisecond from `first` on, so that ids sort in the order of their creation, even while the clock stands still.
 */
export function createIds(clock: Clock, random: Random, first = 0): Ids {
  let last = 0;
  let counter = first;
  /** The digits of `last` at the beginning of an id. Several ids are created in a millisecond. */
  let begin = "";
  function startAt(at: number): void {
    last = at;
    counter = first;
    const time = at.toString(16).padStart(12, "0");
    begin = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
  startAt(0);
  return {
    next() {
      const now = clock.now();
      if (now > last || last - now > 60_000) startAt(now);
      else if (++counter > 0xfff) startAt(last + 1);
      const tail = random.hex(8);
      // The variant begins with the bits 10, so it is one of four digits.
      const variant = "89ab"[Number.parseInt(tail.charAt(0), 16) & 3];
      const sequence = counter.toString(16).padStart(3, "0");
      return `${begin}${sequence}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
    },
  };
}

/** The functions of time, as they were when this module was loaded. A test may replace the global ones later by fake timers. */
interface TimeFunctions {
  readonly epoch: () => number;
  readonly monotonic: () => number;
  readonly start: (callback: () => void, ms: number) => TimerHandle & { readonly unref: () => void };
  readonly soon: (callback: () => void) => void;
}

/** Fake timers are recognised by a name or a member that functions of Node do not have. */
function isFake(taken: (...given: never[]) => unknown, name: string): boolean {
  return taken.name !== name || Object.hasOwn(taken, "clock");
}

function timeFunctions(): TimeFunctions {
  const { setTimeout, clearTimeout, setImmediate, performance } = globalThis;
  const { now: epoch } = Date;
  const { now } = performance;
  const areFake =
    isFake(setTimeout, "setTimeout") ||
    isFake(setImmediate, "setImmediate") ||
    isFake(now, "now") ||
    !Function.prototype.toString.call(epoch).includes("[native code]");
  if (areFake) return timeBehindFakes();
  return {
    epoch,
    monotonic: () => now.call(performance),
    start(callback, ms) {
      const timer = setTimeout(callback, ms);
      return { unref: () => timer.unref(), cancel: () => clearTimeout(timer) };
    },
    soon: (callback) => void setImmediate(callback),
  };
}

/**
 * The same for a module that is loaded after fake timers were switched on: events and sockets have the time of Node itself, which
 * nobody replaces. The timer of a socket keeps no process alive.
 */
function timeBehindFakes(): TimeFunctions {
  const { Socket } = process.getBuiltinModule("node:net");
  const { timeOrigin } = process.getBuiltinModule("node:perf_hooks").performance;
  const monotonic = () => new Event("now").timeStamp;
  const start: TimeFunctions["start"] = (callback, ms) => {
    const socket = new Socket().setTimeout(Math.max(ms, 1), () => {
      socket.destroy();
      callback();
    });
    return { unref: () => undefined, cancel: () => void socket.destroy() };
  };
  return {
    epoch: () => Math.floor(timeOrigin + monotonic()),
    monotonic,
    start,
    soon: (callback) => void start(callback, 1),
  };
}

const time = timeFunctions();

export const realTime: RealTime = {
  epoch: time.epoch,
  readShownTime: shownTime,
  monotonic: time.monotonic,
  after(ms, callback) {
    const timer = time.start(callback, ms);
    timer.unref();
    return timer;
  },
  callSoon: time.soon,
};

/** The tools of a client that waits between two tries of a request. */
export interface WaitRuntime {
  /** Milliseconds since the Unix epoch. */
  epoch(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
  /** A number in [0, 1). */
  fraction(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted. Keeps the process alive until then. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realWaiting: WaitRuntime = {
  epoch: realTime.epoch,
  monotonic: realTime.monotonic,
  fraction: () => Math.random(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        timer.cancel();
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = time.start(end, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end);
    }),
};

const SILENT: Log = { warn: () => undefined, error: () => undefined };

export function memoryInUse(): { readonly rss: number; readonly heap: number } {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

export function createRuntime(log: Log = SILENT, seed: string | null = null): Runtime {
  const seeded = seed === null ? undefined : (name: string) => createSeededRandom(seed, name);
  return { random: createRandom(), seeded, real: realTime, log };
}

/** Runs `work` without the warnings of Node about experimental features, which would appear on standard error. */
export function withoutWarnings<Result>(work: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The SQLite driver that the environment names, or null. */
export function readDriverName(): string | null {
  return process.env.QA_PAY_SQLITE_DRIVER || null;
}

/**
 * The home folder of the user; null where there is none. An empty or relative HOME counts as not set: it would mean the working
 * folder, which may be shared with other people.
 */
export function homeFolder(): string | null {
  const { isAbsolute } = process.getBuiltinModule("node:path");
  const { homedir, userInfo } = process.getBuiltinModule("node:os");
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // The system does not know this user, as in a container.
    }
  }
  return null;
}

/** The folder that a variable names, else one below the home folder; null without both. A relative path counts as none, as XDG says. */
export function userFolder(named: string | undefined, home: string | null, ...usual: readonly string[]): string | null {
  const { join, isAbsolute } = process.getBuiltinModule("node:path");
  if (named !== undefined && isAbsolute(named)) return named;
  return home === null ? null : join(home, ...usual);
}

/** Calls back when this process ends, unless a signal kills it. The callback cannot wait for anything. */
function atExit(callback: () => void): void {
  process.once("exit", callback);
}

/** The signals that end a process without a listener: the terminal closes, Ctrl-C, Ctrl-\\, and the usual request to end. */
export const ENDING_SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;

/**
 * As `atExit`, also when a signal ends this process because nobody else listens to it. Only SIGKILL is not noticed. At most one
 * caller in a process: each of two would see the other as a listener.
 */
export function atAnyEnd(callback: () => void): void {
  atExit(callback);
  for (const signal of ENDING_SIGNALS) {
    const end = () => {
      if (process.listenerCount(signal) > 1) return;
      process.off(signal, end);
      callback();
      // Windows cannot send itself all of these.
      if (process.platform === "win32") process.exit(1);
      process.kill(process.pid, signal);
    };
    // This listener comes first, because the others may stop listening when they are called.
    process.prependListener(signal, end);
  }
}

/** `require` as for a module at this address. Loads node:module at its first use. */
export function requireFrom(address: string): NodeJS.Require {
  return process.getBuiltinModule("node:module").createRequire(address);
}

/**
 * Sends a signal to a program and all its children: the program leads a process group of its own. The signal 0 checks whether
 * one of them still runs. Returns false when none does. Windows has no groups, and there all signals end a program.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (process.platform !== "win32") return process.kill(-leader, signal);
    if (signal === 0) return process.kill(leader, 0);
    const words = ["/pid", String(leader), "/T", "/F"];
    return process.getBuiltinModule("node:child_process").spawnSync("taskkill", words).status === 0;
  } catch {
    return false;
  }
}

/** The load of a machine during some time. Shares are 0 to 1. */
export interface Load {
  /** The delay of this process that 99 of 100 moments did not exceed, in milliseconds. */
  readonly lateMs: number;
  /** The share of the time in which the thread of this process was busy. */
  readonly own: number;
  /** The share of all processors that was in use by any program. */
  readonly machine: number;
}

const SAMPLE_MS = 10;

/** Watches from now on, until the function that it returns is called. */
export function watchLoad(): () => Load {
  const { monitorEventLoopDelay, performance: clock } = process.getBuiltinModule("node:perf_hooks");
  const { cpus } = process.getBuiltinModule("node:os");
  const processors = () => {
    const times = cpus().map((one) => one.times);
    const idle = times.reduce((sum, one) => sum + one.idle, 0);
    return { idle, all: times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq, idle) };
  };
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  const before = processors();
  const begun = clock.eventLoopUtilization();
  return () => {
    delay.disable();
    const { idle, all } = processors();
    const spent = all - before.all;
    return {
      // A sample that is not late is as old as the pause between two of them.
      lateMs: Math.max(0, delay.percentile(99) / 1_000_000 - SAMPLE_MS),
      own: clock.eventLoopUtilization(begun).utilization,
      machine: spent === 0 ? 0 : 1 - (idle - before.idle) / spent,
    };
  };
}
