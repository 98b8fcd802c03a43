import { VERSION } from "../version.js";
import { processIo } from "./terminal/io.js";
import { say } from "./terminal/terminal-text.js";

/** The entry point of the built binary. Returns the exit code. */
export async function main(): Promise<number> {
  const io = processIo();
  const [word = "", ...others] = io.argv;
  // Answered before the commands are loaded: scripts often run `--version` only to see whether qa-pay is installed.
  if (others.length === 0 && (word === "--version" || word === "-V")) {
    io.out(say`${VERSION}\n`);
    return 0;
  }
  const { run } = await import("./tree/program.js");
  return run(io.argv, io);
}
