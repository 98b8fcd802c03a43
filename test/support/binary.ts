import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import type { Loose } from "./emulator.js";
import { newFolder } from "./folder.js";

/** Runs the built command as a user does: processes of their own, in folders of their own. */

const BIN = new URL("../../bin/qa-pay.js", import.meta.url).pathname;

export interface Place {
  readonly folder: string;
  readonly db: string;
  readonly env: Record<string, string>;
  remove(): void;
}

/**
 * A folder for one test, which is the home folder, with a configuration folder in it; nothing of the user's own
 * environment reaches the command.
 */
export function newPlace(): Place {
  const { path: folder, remove } = newFolder();
  // On GitHub Actions, failures are written as annotations too.
  const isLeftOut = (name: string) => /^(?:QA_PAY_.*|GITHUB_ACTIONS)$/.test(name);
  const inherited = Object.entries(process.env).filter(([name]) => !isLeftOut(name));
  return {
    folder,
    db: join(folder, "qa-pay.db"),
    // Files of projects are looked for up to the home folder.
    env: {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      HOME: folder,
      QA_PAY_CONFIG_DIR: join(folder, "config"),
      NO_COLOR: "1",
    },
    remove,
  };
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A process that a test has started, as what it says is heard. */
export interface ProcessOutput {
  /** The output so far. */
  readonly text: { out: string; err: string };
  /** Resolves with the first match in standard output. Throws what was said when the process ends before that. */
  says(wanted: RegExp): Promise<string>;
  readonly ended: Promise<ProcessEnd>;
}

/** The output of a process is text; `latin1` keeps bytes as they are, one character each. */
export function collectOutput(child: ChildProcess, encoding: "utf8" | "latin1" = "utf8"): ProcessOutput {
  const text = { out: "", err: "" };
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding(encoding).on("data", (part: string) => {
    text.out += part;
    for (const look of [...waiting]) look();
  });
  child.stderr?.setEncoding(encoding).on("data", (part: string) => {
    text.err += part;
  });
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
  const says = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = wanted.exec(text.out)?.[0];
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(
        ({ code }) => reject(new Error(`ended with ${code} without ${wanted}: ${text.out}${text.err}`)),
        reject,
      );
    });
  return { text, says, ended };
}

export interface Launched extends ProcessOutput {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** All of standard input; without it, that stays open. */
  readonly input?: string | Uint8Array;
  readonly encoding?: "utf8" | "latin1";
}

type Where = Pick<Place, "folder" | "env">;

/** Starts a program in the folder. */
export function launch(
  { folder, env: own }: Where,
  [program = "", ...args]: readonly string[],
  { env = {}, input, encoding }: RunOptions = {},
): Launched {
  const child = spawn(program, args, { cwd: folder, env: { ...own, ...env } });
  // A program that does not read its input may be gone before it arrives.
  child.stdin.on("error", () => undefined);
  if (input !== undefined) child.stdin.end(input);
  return { ...collectOutput(child, encoding), child, pid: child.pid ?? 0, signal: (name) => void child.kill(name) };
}

/** The words that start the built command. */
export const QA_PAY = [process.execPath, BIN] as const;

/** Runs one command until it ends. */
export function run(where: Where, args: readonly string[], options: RunOptions = {}): Promise<ProcessEnd> {
  return launch(where, [...QA_PAY, ...args], { input: "", ...options }).ended;
}

/** Runs a program of Node in the folder until it ends. */
export function program(where: Where, args: readonly string[], env: Record<string, string> = {}): Promise<ProcessEnd> {
  return launch(where, [process.execPath, ...args], { env }).ended;
}

export interface Server extends Launched {
  /** The ready line, as parsed. */
  readonly ready: Loose;
  readonly url: string;
  /** Sends SIGTERM and waits until the process has ended. */
  stop(): Promise<ProcessEnd>;
}

/** A server that is starting. A test may kill it before it is ready. */
export type Starting = Pick<Server, "signal" | "ended"> & {
  /** Resolves with the ready server. Throws the output when the process ends before that. */
  readonly ready: Promise<Server>;
};

/** `serve` on a free port, ready to answer. Throws the output when it ends before that. */
export function serve(place: Place, args: readonly string[] = [], json = true): Promise<Server> {
  return beginServe(place, args, json).ready;
}

export function beginServe(place: Place, args: readonly string[] = [], json = true): Starting {
  const words = ["serve", "--port", "0", "--db", place.db, ...(json ? ["--json"] : []), ...args];
  const launched = launch(place, [...QA_PAY, ...words]);
  const { signal, ended, says } = launched;
  const stop = () => {
    signal("SIGTERM");
    return ended;
  };
  const ready = says(json ? /^.+\n/ : /is ready at http:\S+\n/).then((first) => {
    const told: Loose = json ? JSON.parse(first) : null;
    return { ...launched, stop, ready: told, url: told?.url ?? /http:\S+/.exec(first)?.[0] ?? "" };
  });
  return { signal, ended, ready };
}

/** A request to a server that runs as a process. */
export async function ask(
  server: { url: string },
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Loose> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      apikey: key,
      "content-type": "application/json",
      ...(path === "/v1/charges" ? { "idempotency-key": crypto.randomUUID() } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}
