// @ts-check
// `npm run dev -- [flags of serve]`: builds the sources and serves, and does both again whenever a source changes. The
// database is kept, so charges, keys and the clock are there after a restart. The built command is up to date too: drive
// the server from another terminal with `node bin/qa-pay.js`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { build } from "tsup";

const serve = ["bin/qa-pay.js", "serve", ...process.argv.slice(2)];
/** @type {import("node:child_process").ChildProcess | undefined} */
let server;

/** The start or the stop that is under way, after which the next one begins. */
let turn = Promise.resolve();
let isEnding = false;

// Before the first build, which starts a server when it is done: a signal must never leave that server behind.
// Ctrl-C reaches the server by itself, and a second signal would cut it short.
process.once("SIGINT", () => end());
process.once("SIGTERM", () => end("SIGTERM"));

// The program, the library and the page of the console are built side by side, and each calls `start`.
await build({ silent: true, watch: ["src", "bin", "package.json"], onSuccess: start });

/** Starts the server, in place of the one that runs. */
async function start() {
  turn = turn.then(async () => {
    // Another part was built first. The program calls again when it is there.
    if (isEnding || !existsSync("dist/cli.cjs")) return;
    await stop("SIGTERM");
    server = spawn(process.execPath, serve, { stdio: "inherit" });
  });
  await turn;
}

/** @param {NodeJS.Signals} [signal] */
async function stop(signal) {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  if (signal !== undefined) server.kill(signal);
  await exited;
}

/** @param {NodeJS.Signals} [signal] */
function end(signal) {
  isEnding = true;
  turn = turn.then(() => stop(signal)).then(() => process.exit(0));
}
