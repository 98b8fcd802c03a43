import { homedir } from "node:os";
import { setTimeout } from "node:timers/promises";

/**
 * The process as the command line sees it. Commands take this instead of reaching for globals, so a test runs them as
 * functions. Data goes to `out`, everything a person reads besides to `err`.
 */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** The words after the program's name. */
  readonly argv: readonly string[];
  /** The whole of standard input. */
  readInput(): Promise<string>;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly pid: number;
  readonly columns: number;
  readonly nodeVersion: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  random(): string;
  /** Comes back after `ms`, or at once when `stop` is called. */
  pause(ms: number, stop: AbortSignal): Promise<void>;
  /** Calls back at the first SIGINT or SIGTERM. */
  onStop(callback: () => void): void;
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString("utf8");
}

export function processIo(): Io {
  // A reader that goes away early (`| head`) is no error of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
  return {
    argv: process.argv.slice(2),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readInput: () => readAll(process.stdin),
    // Opening a stream to ask it takes time, so only who wants to know pays for it.
    get isTerminal() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true;
    },
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    pid: process.pid,
    get columns() {
      return process.stdout.columns ?? 100;
    },
    nodeVersion: process.versions.node,
    now: () => Date.now(),
    random: () => crypto.randomUUID(),
    pause: (ms, stop) => setTimeout(ms, undefined, { signal: stop }).catch(() => undefined),
    onStop(callback) {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, callback);
    },
  };
}
