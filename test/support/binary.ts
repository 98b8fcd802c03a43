import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
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
  // Under npx, commands in messages begin with `npx`. On GitHub Actions, failures are written as annotations too.
  const isLeftOut = (name: string) => /^(?:QA_PAY_.*|GITHUB_ACTIONS|npm_command)$/.test(name);
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

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
}

function start(place: Place, args: readonly string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, [BIN, ...args], { cwd: place.folder, env: { ...place.env, ...env } });
}

function collected(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text.out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
}

/** Runs one command until it ends. */
export function run(place: Place, args: readonly string[], { env, input }: RunOptions = {}): Promise<Ended> {
  const child = start(place, args, env);
  // A command that does not read its input may be gone before it arrives.
  child.stdin.on("error", () => undefined).end(input ?? "");
  return collected(child);
}

/** Runs a program of Node in the folder until it ends. */
export function program(place: Place, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return collected(spawn(process.execPath, [...args], { cwd: place.folder, env: { ...place.env, ...env } }));
}

export interface Server {
  /** The ready line, as parsed. */
  readonly ready: Loose;
  readonly url: string;
  /** Complete lines of standard output so far. */
  readonly lines: string[];
  /** Resolves with the first line of standard output that matches. */
  line(fits: (line: string) => boolean): Promise<string>;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void;
  readonly ended: Promise<Ended>;
  /** Sends SIGTERM and waits until the process has ended. */
  stop(): Promise<Ended>;
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
  const child = start(place, ["serve", "--port", "0", "--db", place.db, ...(json ? ["--json"] : []), ...args]);
  const ended = collected(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  child.stdout.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    for (const look of [...waiting]) look();
  });
  const server = {
    lines,
    line: (fits: (line: string) => boolean) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = lines.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(({ code, err }) => reject(new Error(`ended with ${code}: ${err}`)));
      }),
    signal: (name: "SIGTERM" | "SIGINT" | "SIGKILL") => void child.kill(name),
    ended,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
  const ready = server
    .line((line) => (json ? true : line.includes("is ready at ")))
    .then((first) => {
      const told: Loose = json ? JSON.parse(first) : null;
      return { ...server, ready: told, url: told?.url ?? /http:\/\/\S+/.exec(first)?.[0] ?? "" };
    });
  return { signal: server.signal, ended, ready };
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
