import { processIo } from "./terminal/io.js";

/** The entry point of the built binary, which has answered `--version` already. Returns the exit code. */
export async function main(): Promise<number> {
  const io = processIo();
  const { run } = await import("./tree/program.js");
  if (io.starter === null) return run(io.argv, io);
  const { inBackground } = await import("./terminal/background.js");
  return run(io.argv, inBackground(io, io.starter));
}
