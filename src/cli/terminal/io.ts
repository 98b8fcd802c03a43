import { homedir } from "node:os";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import { type Showable, type TerminalText, visible } from "./terminal-text.js";

/**
 * Questions to the person at the terminal, asked on standard error so that standard output stays data. Only where
 * `isTerminal`: nobody else could answer. Each throws Failure (exit 2) when the person leaves with Ctrl-C.
 */
export interface Prompt {
  /** Yes or no; no when the person just presses return. */
  confirm(message: Showable): Promise<boolean>;
  /** One line. `check` answers true, or what is wrong with it. */
  input(message: Showable, check?: (text: string) => true | string): Promise<string>;
  /** One line that is not shown. */
  password(message: Showable): Promise<string>;
  /** The value of the choice that was picked. */
  select(message: Showable, choices: readonly { readonly name: Showable; readonly value: string }[]): Promise<string>;
}

/**
 * The process as the command line sees it. Commands take this instead of reaching for globals, so a test runs them as
 * functions. Data goes to `out`, everything a person reads besides to `err`.
 */
export interface Io {
  /** Bytes are those of a file: they go where no terminal is. */
  out(text: TerminalText | Uint8Array): void;
  err(text: TerminalText): void;
  /** The words after the program's name. */
  readonly argv: readonly string[];
  /** The whole of standard input. */
  readInput(): Promise<string>;
  /** A person can be asked: standard input and standard error are a terminal. */
  readonly isTerminal: boolean;
  /** What goes to `out` is looked at by a person: standard output is a terminal too. */
  readonly isScreen: boolean;
  readonly prompt: Prompt;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly pid: number;
  /** The user who runs this; null where files do not say whose they are. */
  readonly uid: number | null;
  /** Whether a process of this id is there, whoever it belongs to. */
  isRunning(pid: number): boolean;
  readonly columns: number;
  readonly nodeVersion: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  random(): string;
  /** Comes back after `ms`, or at once when `stop` is called. */
  pause(ms: number, stop: AbortSignal): Promise<void>;
  /** Calls back at the first SIGINT or SIGTERM. A second one, of either kind, ends the process at once. */
  onStop(callback: () => void): void;
  /** Calls back at the first SIGINT and at the first SIGTERM, to pass them on. */
  onSignal(callback: (signal: StopSignal) => void): void;
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

type StopSignal = (typeof STOP_SIGNALS)[number];

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString("utf8");
}

type Ask<T> = (prompts: typeof import("@inquirer/prompts"), context: { output: NodeJS.WriteStream }) => Promise<T>;

/** The library is loaded, and standard error opened, at the first question: hardly any command asks one. */
async function answered<T>(ask: Ask<T>): Promise<T> {
  const prompts = await import("@inquirer/prompts");
  try {
    return await ask(prompts, { output: process.stderr });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ExitPromptError") throw error;
    throw new Failure(EXIT.usage, "cancelled", "Stopped before anything was done.");
  }
}

function shown(text: Showable): string {
  return String(visible(text));
}

const processPrompt: Prompt = {
  confirm: (message) =>
    answered(({ confirm }, context) => confirm({ message: shown(message), default: false }, context)),
  input: (message, check = () => true) =>
    answered(({ input }, context) => input({ message: shown(message), validate: check }, context)),
  password: (message) => answered(({ password }, context) => password({ message: shown(message), mask: "•" }, context)),
  select: (message, choices) =>
    answered(({ select }, context) => {
      const named = choices.map(({ name, value }) => ({ name: shown(name), value }));
      return select({ message: shown(message), choices: named, pageSize: 10, loop: false }, context);
    }),
};

/** Importing it would make what it exports, streams included, which takes longer than all that is wanted of it here. */
const { fstatSync, writeSync } = process.getBuiltinModule("node:fs");

/** A file or a pipe; a terminal is a device. */
function isPlain(descriptor: number): boolean {
  try {
    return process.platform !== "win32" && !fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** A reader that goes away early (`| head`) is no error of ours; a full disk must not look like success. */
function endUnwritten({ code }: NodeJS.ErrnoException): never {
  if (code === "EPIPE") process.exit(EXIT.done);
  process.stderr.write(`Error: What was to be printed cannot be written (${code}).\n`);
  process.exit(EXIT.unexpected);
}

/**
 * Files and pipes are written to as they are: opening the stream for them takes as long as all that a short command does
 * besides. Where a pipe is full and does not wait, the stream takes over.
 */
function standardOutput(): (text: TerminalText | Uint8Array) => void {
  let stream: NodeJS.WriteStream | null = null;
  const viaStream = (bytes: Uint8Array) => {
    stream ??= process.stdout.on("error", endUnwritten);
    stream.write(bytes);
  };
  const isDirect = isPlain(1);
  return (text) => {
    let left: Uint8Array = text instanceof Uint8Array ? text : Buffer.from(String(text));
    while (isDirect && stream === null && left.length > 0) {
      try {
        left = left.subarray(writeSync(1, left));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") endUnwritten(error as NodeJS.ErrnoException);
        break;
      }
    }
    if (left.length > 0) viaStream(left);
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be sent a signal, but it is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function processIo(): Io {
  return {
    argv: process.argv.slice(2),
    out: standardOutput(),
    err: (text) => void process.stderr.write(String(text)),
    readInput: () => readAll(process.stdin),
    // Opening a stream to ask it takes time, so only who wants to know pays for it.
    get isTerminal() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true;
    },
    get isScreen() {
      return !isPlain(1) && process.stdout.isTTY === true;
    },
    prompt: processPrompt,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    pid: process.pid,
    get uid() {
      return process.getuid?.() ?? null;
    },
    isRunning,
    get columns() {
      return (isPlain(1) ? undefined : process.stdout.columns) ?? 100;
    },
    nodeVersion: process.versions.node,
    now: () => Date.now(),
    random: () => crypto.randomUUID(),
    async pause(ms, stop) {
      const { setTimeout } = await import("node:timers/promises");
      await setTimeout(ms, undefined, { signal: stop }).catch(() => undefined);
    },
    onStop(callback) {
      const stop = () => {
        for (const signal of STOP_SIGNALS) process.off(signal, stop);
        callback();
      };
      for (const signal of STOP_SIGNALS) process.on(signal, stop);
    },
    onSignal(callback) {
      for (const signal of STOP_SIGNALS) process.once(signal, () => callback(signal));
    },
  };
}
