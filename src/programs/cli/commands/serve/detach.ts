import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, reasonOf } from "../../../../base/kernel/reason.js";
import { projectFileIn } from "../../project/project-file.js";
import { EXIT, Failure, usage } from "../../terminal/failure.js";
import { type BackgroundMessage, IN_BACKGROUND, type Io } from "../../terminal/io.js";
import { openConsole } from "../../terminal/opener.js";
import { visibleLines } from "../../terminal/terminal-text.js";
import { makeProjectFolder } from "./project-file.js";

/** `serve --detach`: starts the same command in the background and waits until its server is ready. */

/**
 * Opens the log for reading and appending, for its owner alone. Throws Failure (exit 2) for a link or a file with
 * another name elsewhere: in a folder from somebody else, it could lead to a file of the user.
 */
function openLog(folder: string): number {
  const file = join(folder, "serve.log");
  try {
    makeProjectFolder(folder);
    const log = openSync(
      file,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
      0o600,
    );
    const found = fstatSync(log);
    if (!found.isFile()) throw new Error("it is not a regular file");
    if (found.nlink > 1) throw new Error("it is a file with several names (hard links)");
    fchmodSync(log, 0o600);
    return log;
  } catch (error) {
    const why = errorCode(error) === "ELOOP" ? "it is a link" : reasonOf(error);
    throw usage(`${file} cannot be written: ${why}.`, "The server in the background writes its output there.");
  }
}

function begin(io: Io, log: number): ChildProcess {
  const [program, ...words] = io.again;
  return spawn(program, [...words, ...io.argv], {
    cwd: io.cwd,
    // Neither this command nor the log shows colours.
    env: { ...io.env, [IN_BACKGROUND]: "1", NO_COLOR: "1", FORCE_COLOR: undefined },
    // A session of its own: the end of the terminal does not reach it.
    detached: true,
    windowsHide: true,
    stdio: ["ignore", log, log, "ipc"],
  });
}

/**
 * Prints the output of the server until it is ready or has ended. Returns the address to open of one that is ready, or the exit code
 * of one that has ended, and true if it explained its end.
 */
async function waitForStart(io: Io, server: ChildProcess) {
  let hasExplained = false;
  const ready = new Promise<{ readonly open: string | null }>((done) => {
    server.on("message", (message: BackgroundMessage) => {
      if ("out" in message) io.out(visibleLines(message.out));
      else if ("err" in message) {
        hasExplained = true;
        io.err(visibleLines(message.err));
      } else done(message);
    });
  });
  // All its output has arrived when the channel closes.
  const ended = Promise.all([once(server, "exit"), once(server, "disconnect")]);
  const ending = ended.then(([[exit]]) => ({ code: Number(exit ?? EXIT.unexpected), hasExplained }));
  return Promise.race([ready, ending]);
}

/** Starts the server and returns the exit code of this command: when the server is ready, or has ended before that. */
export async function serveInBackground(io: Io): Promise<number> {
  const folder = dirname(projectFileIn(io.cwd));
  const log = openLog(folder);
  const server = begin(io, log);
  closeSync(log);
  let isStopped = false;
  io.onSignal((signal) => {
    isStopped = true;
    server.kill(signal);
  });
  const start = await waitForStart(io, server);
  if (server.connected) server.disconnect();
  server.unref();
  if (isStopped) throw new Failure(EXIT.usage, "cancelled", "The server was stopped while it started.");
  if ("open" in start) {
    if (start.open !== null) await openConsole(io, start.open);
    return EXIT.done;
  }
  const { code } = start;
  if (start.hasExplained && code !== EXIT.done) return code;
  const message = `The server ended with ${code} before it was ready.`;
  throw new Failure(EXIT.unexpected, "unexpected", message, `Its log is ${join(folder, "serve.log")}.`);
}
