import { join } from "node:path";
import { PassThrough, Readable, type Writable } from "node:stream";
import { createRuntime, realTime, realWaiting } from "../../src/base/platform/real-runtime.js";
import type { Io, Prompt } from "../../src/programs/cli/terminal/io.js";
import type { Keychain } from "../../src/programs/cli/terminal/keychain.js";
import { messageText } from "../../src/programs/cli/terminal/program-command.js";
import { joinTexts, type Showable, visible } from "../../src/programs/cli/terminal/terminal-text.js";
import { run } from "../../src/programs/cli/tree/program.js";
import { newFolder } from "./folder.js";

/** The command line inside the test's own process, with a folder for its profiles that nobody else uses. */
export interface TestCli {
  readonly folder: string;
  run(words: readonly string[], options?: CliOptions): Promise<CliOutcome>;
  remove(): void;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The streams of a command that talks with another program. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
  /** The answers of a person at a terminal, in turn. Standard output is a terminal too unless `isScreen` is false. */
  readonly answers?: readonly (string | boolean)[];
  readonly isScreen?: boolean;
  readonly columns?: number;
  /** The texts of the questions are added here. */
  readonly asked?: string[];
  /** The texts of both outputs are added here, in the order in which they were written. */
  readonly screen?: string[];
  /** Called in place of a real pause. */
  readonly pause?: (ms: number, stop: AbortSignal) => Promise<void>;
  readonly now?: () => number;
  readonly onStop?: (callback: (signal: "SIGINT" | "SIGTERM") => void) => void;
  /** The working folder of the command; by default the home folder. */
  readonly cwd?: string;
  readonly home?: string | null;
  readonly uid?: number;
  /** How the person started the program. */
  readonly program?: string;
  /** The system's keychain; by default there is none. */
  readonly keychain?: Keychain;
  /** Tells whether a process runs; by default every process does. */
  readonly isRunning?: (pid: number) => boolean;
}

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Gives the answers in turn. An unexpected question, or an answer that is refused, fails the test. */
function prompterWith(answers: readonly (string | boolean)[], asked: string[]): Prompt {
  const left = [...answers];
  const next = (shown: Showable) => {
    const message = String(visible(shown));
    asked.push(message);
    const answer = left.shift();
    if (answer === undefined) throw new Error(`nobody expected to be asked: ${message}`);
    return answer;
  };
  return {
    confirm: async (message) => next(message) === true,
    password: async (message) => String(next(message)),
    async input(message, check = () => true) {
      for (;;) {
        const text = String(next(message));
        const verdict = check(text);
        if (verdict === true) return text;
        asked.push(String(visible(verdict)));
      }
    },
    async select(message, choices) {
      const wanted = String(next(joinTexts([message, ...choices.map(({ name }) => name)], "\n")));
      const found = choices.find(({ name, value }) => value === wanted || String(name).includes(wanted));
      if (found === undefined) throw new Error(`${wanted} is no choice`);
      return found.value;
    },
  };
}

function noKeychain(): never {
  throw new Error("there is none");
}
const NO_KEYCHAIN: Keychain = { read: noKeychain, write: noKeychain, remove: noKeychain };

/** `env` is the environment of every command. */
export function testCli(env: Readonly<Record<string, string>> = {}): TestCli {
  const { path: folder, remove } = newFolder();
  return {
    folder,
    async run(words, options = {}) {
      const text = { out: "", err: "" };
      const { program = "qa-pay" } = options;
      const io: Io = {
        out: (part) => {
          // Bytes are kept as they are, one character each.
          const shown = part instanceof Uint8Array ? Buffer.from(part).toString("latin1") : String(part);
          text.out += shown;
          options.screen?.push(shown);
        },
        err: (part) => {
          const shown = messageText(part, program);
          text.err += shown;
          options.screen?.push(shown);
        },
        program,
        argv: words,
        readInput: () => Promise.resolve(options.input ?? ""),
        streams: () => options.streams ?? { input: Readable.from([options.input ?? ""]), output: new PassThrough() },
        isTerminal: options.answers !== undefined,
        isScreen: options.isScreen ?? options.answers !== undefined,
        keychain: options.keychain ?? NO_KEYCHAIN,
        prompt: prompterWith(options.answers ?? [], options.asked ?? []),
        env: { QA_PAY_CONFIG_DIR: join(folder, "config"), ...env, ...options.env },
        cwd: options.cwd ?? folder,
        home: options.home === undefined ? folder : options.home,
        platform: "linux",
        pid: 1,
        again: [process.execPath],
        starter: null,
        uid: options.uid ?? process.getuid?.() ?? null,
        isRunning: options.isRunning ?? (() => true),
        columns: options.columns ?? 100,
        nodeVersion: process.versions.node,
        now: options.now ?? (() => Date.now()),
        real: realTime,
        waiting: realWaiting,
        runtime: (seed) => createRuntime(undefined, seed),
        random: () => crypto.randomUUID(),
        pause: options.pause ?? (() => Promise.resolve()),
        onStop: (callback) => options.onStop?.(callback),
        onSignal: options.onStop ?? (() => undefined),
        leave: (code) => {
          throw new Error(`the process would have ended with ${code}`);
        },
      };
      const code = await run(words, io);
      return { code, ...text };
    },
    remove,
  };
}
