// @ts-check
// `npm run dev -- [flags of serve]`: builds the sources and serves, and does both again whenever a source changes. The
// database is kept, so charges, keys and the clock are there after a restart. The built command is up to date too: drive
// the server from another terminal with `node bin/qa-pay.js`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { build } from "tsup";

const serve = ["bin/qa-pay.js", "serve", ...process.argv.slice(2)];
/** @type {import("node:child_process").ChildProcess | undefined} */
let server;

await build({ silent: true, watch: ["src", "bin", "package.json"], onSuccess: start });

async function start() {
  server = spawn(process.execPath, serve, { stdio: "inherit" });
  return () => stop("SIGTERM");
}

/** @param {NodeJS.Signals} [signal] */
async function stop(signal) {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  if (signal !== undefined) server.kill(signal);
  await exited;
}

// Ctrl-C reaches the server by itself, and a second signal would cut it short.
process.once("SIGINT", () => stop().then(() => process.exit(0)));
process.once("SIGTERM", () => stop("SIGTERM").then(() => process.exit(0)));
