import { processIo } from "./io.js";
import { run } from "./program.js";

/** The built binary's entry: answers the exit code. */
export function main(argv: readonly string[] = process.argv.slice(2)): Promise<number> {
  return run(argv, processIo());
}
