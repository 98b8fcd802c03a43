import { VERSION } from "../version.js";
import { processIo } from "./terminal/io.js";
import { say } from "./terminal/terminal-text.js";

/** The built binary's entry: answers the exit code. */
export async function main(): Promise<number> {
  const io = processIo();
  const [word = "", ...others] = io.argv;
  // Scripts ask for nothing else to see whether it is installed: no command needs to be declared for that.
  if (others.length === 0 && (word === "--version" || word === "-V")) {
    io.out(say`${VERSION}\n`);
    return 0;
  }
  const { run } = await import("./tree/program.js");
  return run(io.argv, io);
}
