import { processIo } from "./io.js";
import { run } from "./program.js";

/** The built binary's entry: answers the exit code. */
export function main(): Promise<number> {
  const io = processIo();
  return run(io.argv, io);
}
