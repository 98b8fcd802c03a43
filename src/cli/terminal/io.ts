import { homedir } from "node:os";
import type { Readable, Writable } from "node:stream";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import { type Keychain, systemKeychain } from "./keychain.js";
import { type Showable, type TerminalText, visible } from "./terminal-text.js";

/**
 * Questions to the person at the terminal. They are written to standard error, because standard output is for data. Use
 * them only when `isTerminal` is true. Each one throws Failure (exit 2) when the person presses Ctrl-C.
 */
export interface Prompt {
  /** Asks a yes/no question. The return key alone means no. */
  confirm(message: Showable): Promise<boolean>;
  /** Asks for one line. `check` returns true, or a message that tells the person what is wrong with the line. */
  input(message: Showable, check?: (text: string) => true | string): Promise<string>;
  /** Asks for one line and does not show it. */
  password(message: Showable): Promise<string>;
  /** Lets the person pick one of the choices. Returns its value. */
  select(message: Showable, choices: readonly { readonly name: Showable; readonly value: string }[]): Promise<string>;
}

/**
 * The process as commands see it: input, output, environment and clock. Commands get it as an argument instead of using
 * globals, so tests can call them as functions. Write data to `out`, and messages to a person to `err`.
 */
export interface Io {
  /** Writes to standard output. Bytes are the content of a file, and must not be written to a terminal. */
  out(text: TerminalText | Uint8Array): void;
  err(text: TerminalText): void;
  /** The arguments, without node and the script. */
  readonly argv: readonly string[];
  /** The running command, such as `charges get`, once it is found. Requests name it. */
  command?: string;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Standard input and output as streams, for a conversation with another program. Nothing else may use them then. */
  streams(): { readonly input: Readable; readonly output: Writable };
  /** True when standard input and standard error are a terminal, so that a person can be asked. */
  readonly isTerminal: boolean;
  /** True when standard output is a terminal, so that a person reads the output. */
  readonly isScreen: boolean;
  readonly prompt: Prompt;
  readonly keychain: Keychain;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly pid: number;
  /** The id of the user who runs this process; null on systems without user ids, such as Windows. */
  readonly uid: number | null;
  /** Tells whether a process with this id exists. It may belong to another user. */
  isRunning(pid: number): boolean;
  readonly columns: number;
  readonly nodeVersion: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  random(): string;
  /** Waits for `ms` milliseconds, or until `stop` is aborted. */
  pause(ms: number, stop: AbortSignal): Promise<void>;
  /** Calls back at the first SIGINT or SIGTERM. The second signal, SIGINT or SIGTERM, ends the process at once. */
  onStop(callback: () => void): void;
  /** Calls back at the first SIGINT and at the first SIGTERM, so that a caller can pass them to a child process. */
  onSignal(callback: (signal: StopSignal) => void): void;
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

type StopSignal = (typeof STOP_SIGNALS)[number];

type Ask<T> = (questions: typeof import("./prompts.js").prompts, context: { output: NodeJS.WriteStream }) => Promise<T>;

/** Loads the prompt library and opens standard error at the first question, because most commands ask none. */
async function answered<T>(ask: Ask<T>): Promise<T> {
  const { prompts } = await import("./prompts.js");
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

/** Not imported, to start faster: an import of node:fs would also create its stream classes. */
const { fstatSync, writeSync } = process.getBuiltinModule("node:fs");

/** True for a file or a pipe. False for a device such as a terminal, and always false on Windows. */
function isPlain(descriptor: number): boolean {
  try {
    return process.platform !== "win32" && !fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Ends the process when standard output cannot be written. A reader that stops early (`| head`) is not an error: exit
 * 0. Anything else, such as a full disk, is one: exit 1.
 */
function endUnwritten({ code }: NodeJS.ErrnoException): never {
  if (code === "EPIPE") process.exit(EXIT.done);
  process.stderr.write(`Error: Standard output cannot be written (${code}).\n`);
  process.exit(EXIT.unexpected);
}

/**
 * Writes to standard output. Files and pipes are written directly, because opening Node's stream takes as long as a
 * whole short command. When a pipe is full and does not block (EAGAIN), the stream writes the rest.
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
    // EPERM means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function processIo(): Io {
  return {
    argv: process.argv.slice(2),
    out: standardOutput(),
    err: (text) => void process.stderr.write(String(text)),
    async readInput() {
      const { buffer } = await import("node:stream/consumers");
      return String(await buffer(process.stdin));
    },
    streams: () => ({ input: process.stdin, output: process.stdout }),
    // A getter, because reading `isTTY` opens the streams, which takes time that most commands need not spend.
    get isTerminal() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true;
    },
    get isScreen() {
      return !isPlain(1) && process.stdout.isTTY === true;
    },
    prompt: processPrompt,
    keychain: systemKeychain(),
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
