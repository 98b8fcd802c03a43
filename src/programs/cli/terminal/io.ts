import type { Readable, Writable } from "node:stream";
import { errorCode } from "../../../base/kernel/reason.js";
import type { RealTime, Runtime } from "../../../base/kernel/runtime.js";
import { t, type Words } from "../../../base/kernel/wording.js";
import {
  createRuntime,
  ENDING_SIGNALS,
  homeFolder,
  realTime,
  realWaiting,
  type WaitRuntime,
} from "../../../base/platform/real-runtime.js";
import { EXIT, Failure, usage } from "./failure.js";
import { type Keychain, systemKeychain } from "./keychain.js";
import { messageText } from "./program-command.js";
import { isTerminal, programName, standardOutput, terminalColumns, workingFolder } from "./standard-output.js";
import { localized, type Showable, type TerminalText, visible } from "./terminal-text.js";
import { readYesNo } from "./yes-no.js";

/**
 * Questions to the person at the terminal. They are written to standard error, because standard output is for data. Use
 * them only when `isTerminal` is true. Each one throws Failure (exit 2) when the person presses Ctrl-C.
 */
export interface Prompt {
  /** Puts a yes/no question. The return key alone means no. */
  confirm(message: Showable): Promise<boolean>;
  /** Reads one line from the person. `check` returns true, or a message about what is wrong with the line. */
  input(message: Showable, check?: (text: string) => true | Words): Promise<string>;
  /** Reads one line from the person and does not show it. */
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
  /** Writes to standard error. The commands in a text that is no data are worded as the person starts them. */
  err(text: TerminalText): void;
  /** How the person started this program: `qa-pay`, `npx qa-pay` or `node bin/qa-pay.js`. */
  readonly program: string;
  /** The arguments, without node and the script. */
  readonly argv: readonly string[];
  /** The running command, such as `charges get`, once it is found. Requests name it. */
  command?: string;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Standard input and output as streams, for a conversation with another program. Nothing else may use them then. */
  streams(): { readonly input: Readable; readonly output: Writable };
  /** True when standard input and standard error are a terminal, so that a person can answer. */
  readonly isTerminal: boolean;
  /** True when standard output is a terminal, so that a person reads the output. */
  readonly isScreen: boolean;
  readonly prompt: Prompt;
  readonly keychain: Keychain;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder. Reading it throws Failure (exit 2) when it was deleted. */
  readonly cwd: string;
  /** The home folder of the user; null where there is none. */
  readonly home: string | null;
  readonly platform: string;
  readonly pid: number;
  /** The id of the user who runs this process; null on systems without user ids, such as Windows. */
  readonly uid: number | null;
  /** The words that start this program again, before its arguments. */
  readonly again: readonly [string, ...string[]];
  /** Set in a process that works in the background: the command that started it, and that waits until it is ready. */
  readonly starter: Starter | null;
  /** Returns whether a process with this id runs. It may belong to another user. */
  isRunning(pid: number): boolean;
  readonly columns: number;
  readonly nodeVersion: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Real time, for the parts of the service that a command uses. */
  readonly real: RealTime;
  /** Real time, for what a command has to wait for. */
  readonly waiting: WaitRuntime;
  /** Real time and random values, which follow from the seed where there is one. */
  runtime(seed?: string): Runtime;
  random(): string;
  /** Waits for `ms` milliseconds, or until `stop` is aborted. */
  pause(ms: number, stop: AbortSignal): Promise<void>;
  /**
   * Calls back at the first SIGINT or SIGTERM, and when npm has ended before this process that it started. The second
   * signal, SIGINT or SIGTERM, ends the process at once.
   */
  onStop(callback: () => void): void;
  /**
   * Calls back at each SIGINT, SIGTERM, SIGHUP and SIGQUIT, so that a caller can pass them to a child process. None of them
   * ends this process by itself any more. The end of npm counts as SIGTERM.
   */
  onSignal(callback: (signal: EndingSignal) => void): void;
  /** Ends this process at once, even with open handles, for a signal that comes when all work is done. */
  leave(code: number): void;
}

/** Messages from a process in the background to the command that started it. */
export type BackgroundMessage =
  | { readonly out: string }
  | { readonly err: string }
  /** `open` is an address for a browser, which a process in the background cannot start; null for none. */
  | { readonly ready: true; readonly open: string | null };

export interface Starter {
  send(message: BackgroundMessage): void;
  /** Reports that this process is ready. The command that started it opens the address, if there is one, and ends. */
  ready(open: string | null): void;
}

/** This variable makes a process work in the background. */
export const IN_BACKGROUND = "QA_PAY_IN_BACKGROUND";

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Of these, a terminal sends SIGINT and SIGQUIT itself to all programs that it has in front. */
export type EndingSignal = (typeof ENDING_SIGNALS)[number];

type Ask<T> = (questions: typeof import("./prompts.js").prompts, context: { output: NodeJS.WriteStream }) => Promise<T>;

/** Loads the prompt library and opens standard error at the first question, because most commands ask none. */
async function promptAnswer<T>(ask: Ask<T>): Promise<T> {
  const { prompts } = await import("./prompts.js");
  try {
    return await ask(prompts, { output: process.stderr });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ExitPromptError") throw error;
    throw new Failure(EXIT.usage, "cancelled", t`Stopped before anything was done.`);
  }
}

function promptText(text: Showable): string {
  return String(visible(text));
}

/** Repeats the question until the answer is yes or no. What stays on the screen is the answer as it was understood. */
async function askYesNo(message: Showable): Promise<boolean> {
  const wrong = promptText(t`Answer with yes or no.`);
  const yes = promptText(t`Yes`);
  const no = promptText(t`No`);
  const answer = await promptAnswer(({ input }, context) => {
    const validate = (text: string) => readYesNo(text) !== null || wrong;
    const understood = (text: string) => (readYesNo(text) === true ? yes : no);
    const transformer = (text: string, { isFinal }: { readonly isFinal: boolean }) =>
      isFinal ? understood(text) : text;
    return input({ message: promptText(localized`${visible(message)} (y/N)`), validate, transformer }, context);
  });
  return readYesNo(answer) === true;
}

const processPrompt: Prompt = {
  confirm: askYesNo,
  input: (message, check = () => true) =>
    promptAnswer(({ input }, context) => {
      const validate = (text: string) => {
        const verdict = check(text);
        return verdict === true || promptText(verdict);
      };
      return input({ message: promptText(message), validate }, context);
    }),
  password: (message) =>
    promptAnswer(({ password }, context) => password({ message: promptText(message), mask: "•" }, context)),
  select: (message, choices) =>
    promptAnswer(({ select }, context) => {
      const named = choices.map(({ name, value }) => ({ name: promptText(name), value }));
      return select({ message: promptText(message), choices: named, pageSize: 10, loop: false }, context);
    }),
};

/** Not imported, to start faster: an import of node:fs would also create its stream classes. */
const { readFileSync } = process.getBuiltinModule("node:fs");

/**
 * Returns whether a process has ended although its id is still taken: its parent has not read the exit code yet. Only
 * Linux counts such a process among those that a signal could be sent to.
 */
function isDefunct(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    // The state follows the name of the program, which stands in parentheses and may contain some itself.
    return /^\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*(?=\) )/s, ""));
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isDefunct(pid);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return errorCode(error) === "EPERM";
  }
}

/** How often a process looks whether npm is still there. */
const PARENT_CHECK_MS = 500;

/**
 * Returns a function that calls back when the process that started this one has ended. npm runs a command through a shell.
 * SIGTERM ends npm and the shell, and the command gets no signal. Does nothing where npm did not start this command itself: a
 * program or a shell may end before what it started in the background.
 */
function parentWatch({ npm_lifecycle_script: script = "", [IN_BACKGROUND]: background }: NodeJS.ProcessEnv) {
  const parent = process.ppid;
  return (callback: () => void): void => {
    if (!/\bqa-pay\b/.test(script) || background !== undefined) return;
    const look = () => {
      if (process.ppid === parent && isRunning(parent)) return;
      clearInterval(timer);
      callback();
    };
    const timer = setInterval(look, PARENT_CHECK_MS).unref();
  };
}

/** Returns null for a process that nobody started in the background. */
function processStarter(): Starter | null {
  if (process.env[IN_BACKGROUND] === undefined || process.send === undefined) return null;
  const send = (message: BackgroundMessage) => {
    // The command that waits may have been killed.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  return {
    send,
    ready(open) {
      send({ ready: true, open });
      if (process.connected) process.disconnect();
    },
  };
}

/** A single executable (docs/decisions/061-pipelines-and-single-files.md) has no script: it is the program itself. */
function restartCommand(): Io["again"] {
  const [, script] = process.argv;
  const isProgram = script === undefined || script === process.execPath;
  return [process.execPath, ...process.execArgv, ...(isProgram ? [] : [script])];
}

/** Writes to standard error. When nobody reads it any more, the messages are lost, and the command goes on. */
function standardError(program: string): Io["err"] {
  let stream: NodeJS.WriteStream | null = null;
  return (text) => {
    stream ??= process.stderr.on("error", () => undefined);
    stream.write(messageText(text, program));
  };
}

/** Throws Failure (exit 2) when the working folder was deleted. */
function cwdOrFailure(): string {
  const folder = workingFolder();
  if (folder !== null) return folder;
  throw usage(t`The working folder no longer exists.`, t`Change to another folder, and run the command again.`);
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  const { setTimeout } = await import("node:timers/promises");
  await setTimeout(ms, undefined, { signal: stop }).catch(() => undefined);
}

/** Returns the process as commands see it, with its real streams, time and environment. */
export function processIo(): Io {
  const program = programName();
  const onParentEnd = parentWatch(process.env);
  return {
    argv: process.argv.slice(2),
    out: standardOutput(),
    err: standardError(program),
    program,
    async readInput() {
      const { inputText } = await import("./bounded-read.js");
      return inputText(process.stdin);
    },
    streams: () => ({ input: process.stdin, output: process.stdout }),
    get isTerminal() {
      return isTerminal(0) && isTerminal(2);
    },
    get isScreen() {
      return isTerminal(1);
    },
    prompt: processPrompt,
    keychain: systemKeychain(),
    env: process.env,
    get cwd() {
      return cwdOrFailure();
    },
    home: homeFolder(),
    platform: process.platform,
    pid: process.pid,
    get uid() {
      return process.getuid?.() ?? null;
    },
    again: restartCommand(),
    starter: processStarter(),
    isRunning,
    get columns() {
      return terminalColumns();
    },
    nodeVersion: process.versions.node,
    now: () => Date.now(),
    real: realTime,
    waiting: realWaiting,
    runtime: (seed) => createRuntime(undefined, seed),
    random: () => crypto.randomUUID(),
    pause,
    onStop(callback) {
      const stop = () => {
        for (const signal of STOP_SIGNALS) process.off(signal, stop);
        callback();
      };
      for (const signal of STOP_SIGNALS) process.on(signal, stop);
      onParentEnd(stop);
    },
    onSignal(callback) {
      for (const signal of ENDING_SIGNALS) process.on(signal, () => callback(signal));
      onParentEnd(() => callback("SIGTERM"));
    },
    leave: (code) => process.exit(code),
  };
}
