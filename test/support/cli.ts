import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../src/cli/io.js";
import { run } from "../../src/cli/program.js";

/** The command line inside the test's own process, with a folder for its profiles that nobody else uses. */
export interface TestCli {
  readonly folder: string;
  run(words: readonly string[], options?: CliOptions): Promise<CliOutcome>;
  remove(): void;
}

interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `env` holds for every command. */
export function testCli(env: Readonly<Record<string, string>> = {}): TestCli {
  const folder = mkdtempSync(join(tmpdir(), "qa-pay-cli-"));
  return {
    folder,
    async run(words, options = {}) {
      const text = { out: "", err: "" };
      const io: Io = {
        out: (part) => {
          text.out += part;
        },
        err: (part) => {
          text.err += part;
        },
        argv: words,
        readInput: () => Promise.resolve(options.input ?? ""),
        isTerminal: false,
        env: { QA_PAY_CONFIG_DIR: join(folder, "config"), ...env, ...options.env },
        cwd: folder,
        home: folder,
        platform: "linux",
        pid: 1,
        columns: 100,
        nodeVersion: process.versions.node,
        now: () => Date.now(),
        random: () => crypto.randomUUID(),
        pause: () => Promise.resolve(),
        onStop: () => undefined,
      };
      const code = await run(words, io);
      return { code, ...text };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
