import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectOutput, type Place, type ProcessOutput, QA_PAY } from "./binary.js";

/**
 * A shell in a folder of its own, in which `qa-pay` and `npx qa-pay` are the built command, started as an installation for the
 * machine and as npx start it: commands in its messages begin so.
 */
export interface Shell {
  /** Runs the lines and waits. The output has both streams in their order; `code` is that of the first failed command. */
  run(lines: string): Promise<{ readonly code: number; readonly out: string }>;
  /** Starts one command and does not wait. */
  start(line: string): Background;
  close(): void;
}

export interface Background extends Pick<ProcessOutput, "says"> {
  readonly out: () => string;
  /** Stops it as Ctrl-C would, and resolves with its exit code; null when a signal ended it. */
  stop(): Promise<number | null>;
}

function program(folder: string, name: string, script: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** A program whose two streams are one. */
function inBackground(child: ChildProcess): Background {
  const { says, text, ended } = collectOutput(child);
  return {
    says,
    out: () => text.out,
    async stop() {
      // The whole group: a program such as `go run` starts another one, and does not pass signals on.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      return (await ended).code;
    },
  };
}

export function openShell({ folder, env }: Place): Shell {
  const programs = join(folder, ".programs");
  mkdirSync(programs);
  const installed = join(programs, "installed");
  mkdirSync(installed);
  symlinkSync(QA_PAY[1], join(installed, "qa-pay"));
  program(programs, "qa-pay", `exec '${process.execPath}' '${installed}/qa-pay' "$@"`);
  const fetched = join(programs, "_npx", "node_modules", ".bin");
  mkdirSync(fetched, { recursive: true });
  symlinkSync(QA_PAY[1], join(fetched, "qa-pay"));
  const start = `exec '${process.execPath}' '${fetched}/qa-pay' "$@"`;
  program(programs, "npx", `case "$1" in qa-pay) shift; ${start};; *) echo "npx $1 is not run here"; exit 1;; esac`);
  const options = { cwd: folder, env: { ...env, TZ: "UTC", PATH: `${programs}:${process.env.PATH}` } };
  const bash = spawn("bash", [], options);
  const { says, text } = collectOutput(bash);
  // Errors stand where a person would see them. The first failed command decides.
  bash.stdin.write(`exec 2>&1\nset -o pipefail -o errtrace\ntrap 'failed=\${failed:-$?}' ERR\n`);
  let runs = 0;
  let read = 0;
  return {
    async run(lines) {
      runs += 1;
      bash.stdin.write(`unset failed\n${lines}\nprintf '\\nEND %s %s\\n' ${runs} "\${failed:-0}"\n`);
      const end = await says(new RegExp(`\\nEND ${runs} \\d+\\n`));
      const out = text.out.slice(read, text.out.indexOf(end, read));
      read = text.out.indexOf(end, read) + end.length;
      return { code: Number(end.trim().split(" ")[2]), out: out === "" ? "" : `${out.trimEnd()}\n` };
    },
    start: (line) => inBackground(spawn("bash", ["-c", `exec 2>&1 ${line}`], { ...options, detached: true })),
    close: () => void bash.kill("SIGKILL"),
  };
}
