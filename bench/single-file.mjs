/** The single-file executable: its size, and its starts against those of the package with the Node that runs this. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary, env, folder, here, millisecondsOf, start, stop } from "./processes.mjs";

const run = promisify(execFile);

const timed = (program, args) => millisecondsOf(() => run(program, args, { env }));

async function timeToReady(program, args) {
  const server = await start([...args, "serve", "--port", "0", "--json", "--db", ":memory:"], program);
  await stop(server);
  return server.took;
}

/** Makes the executable. Returns its size in bytes and pairs of milliseconds: the executable's, the package's. */
export async function singleFile(rounds) {
  const file = join(folder, "qa-pay");
  await run(process.execPath, [join(here, "..", "scripts", "single-file.mjs"), "--output", file]);
  const version = [];
  const ready = [];
  for (let round = 0; round < rounds; round++) {
    version.push([await timed(file, ["--version"]), await timed(process.execPath, [binary, "--version"])]);
    ready.push([await timeToReady(file, []), await timeToReady(process.execPath, [binary])]);
  }
  return { bytes: statSync(file).size, version, ready };
}
