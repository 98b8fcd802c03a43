import { processIo } from "./terminal/io.js";

/** The entry point of the built binary, which has answered `--version` already. Returns the exit code. */
export async function main(): Promise<number> {
  const io = processIo();
  const { run } = await import("./tree/program.js");
  return run(io.argv, io);
}
