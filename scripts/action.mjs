// @ts-check
// Runs for action.yml: installs qa-pay, starts `qa-pay serve` in the background and passes its address to later steps; or
// stops it; or runs a command with `qa-pay exec`. The runner sets GITHUB_ENV, GITHUB_OUTPUT, GITHUB_PATH, GITHUB_WORKSPACE and RUNNER_TEMP, and action.yml the
// variables ACTION_….
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { shell } from "./platform.mjs";

/** Seconds that a server has to stop. Its own limit is five. */
const STOP_SECONDS = 10;
const POLL_MS = 50;

/** An error that a user can mend. `code` is the exit code of the step. */
class Trouble extends Error {
  /**
   * @param {string} message
   * @param {number} code
   */
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

/** @param {string} name */
function readSetting(name) {
  const value = process.env[name];
  if (value === undefined || value === "")
    throw new Trouble(`${name} is not set: this script runs as a step of action.yml.`);
  return value;
}

const workspace = readSetting("GITHUB_WORKSPACE");
/** Beside the checkout, so that nothing of it shows up there. */
const home = join(readSetting("RUNNER_TEMP"), "qa-pay");
const state = join(home, "server.json");

/** The flags of `qa-pay exec` for keys and secrets, each with a function that makes a value. */
const SECRET_FLAGS = {
  "--test-key": () => `qa_test_${randomBytes(24).toString("base64url")}`,
  "--live-key": () => `qa_live_${randomBytes(24).toString("base64url")}`,
  "--webhook-secret": () => randomBytes(32).toString("hex"),
};

try {
  const run = process.env.ACTION_RUN || "start";
  const command = process.env.ACTION_COMMAND ?? "";
  if (run !== "start" && run !== "stop") throw new Trouble(`run is start or stop, not ${run}.`, 2);
  if (command !== "" && run === "stop") throw new Trouble("command has a server of its own: leave run: stop out.", 2);
  if (command === "" && process.env.ACTION_ARTIFACTS)
    throw new Trouble("artifacts needs command: a server for later steps writes its log alone.", 2);
  if (run === "stop") await stop();
  else if (command === "") await start();
  else await runCommand(command);
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.log(`::error title=qa-pay::${escapeText(error.message)}`);
  process.exitCode = error.code;
}

/**
 * Runs commands with `qa-pay exec`, and ends as it does. Keys and the secret are known before, so that they can be masked in all
 * that is printed.
 * @param {string} command
 */
async function runCommand(command) {
  const name = process.env.ACTION_ARTIFACTS ?? "";
  if (!/^[\w. -]*$/.test(name) || /^\.+$/.test(name))
    throw new Trouble(`artifacts is the name of an artifact, not ${name}.`, 2);
  const args = flags(process.env.ACTION_FLAGS ?? "");
  for (const [flag, make] of Object.entries(SECRET_FLAGS)) {
    const at = args.findIndex((word) => word.split("=")[0] === flag);
    const [, behind] = (args[at] ?? "").split("=");
    const value = at < 0 ? make() : (behind ?? args[at + 1] ?? "");
    console.log(`::add-mask::${value}`);
    if (at < 0) args.push(flag, value);
  }
  const bin = install();
  const folder = join(home, "artifacts", name);
  const kept = name === "" ? [] : ["--artifacts", folder];
  if (name !== "") appendFileSync(readSetting("GITHUB_OUTPUT"), assignments({ artifacts: folder }));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("ACTION_"));
  const child = spawn(
    process.execPath,
    [bin, "exec", ...args, ...kept, "--", "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
    {
      cwd: workspace,
      stdio: "inherit",
      env: { ...Object.fromEntries(own), PATH: `${binFolder()}${delimiter}${process.env.PATH}` },
    },
  );
  // A cancelled job sends these to this process.
  for (const name of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(name, () => child.kill(name));
  process.exitCode = await new Promise((ended, failed) => {
    child.on("error", failed);
    child.on("close", (code) => ended(code ?? 1));
  });
}

/** The folder of the command `qa-pay`. */
function binFolder() {
  return join(home, "node_modules", ".bin");
}

async function start() {
  const args = flags(process.env.ACTION_FLAGS ?? "");
  const seconds = Number(process.env.ACTION_TIMEOUT || "60");
  if (!(seconds > 0)) throw new Trouble(`timeout is a number of seconds, not ${process.env.ACTION_TIMEOUT}.`, 2);
  if (existsSync(state)) throw new Trouble("A server of this action is running. Stop it first, with run: stop.", 2);
  const bin = install();
  const log = resolve(workspace, process.env.ACTION_LOG || "qa-pay.log");
  const server = launch([bin, "serve", "--json", "--port", "0", "--db", ":memory:", ...args], log);
  const ready = await readiness(server, log, seconds);
  hideSecrets(ready, log);
  writeFileSync(state, JSON.stringify({ pid: ready.pid, log }));
  exportVariables(ready, log);
  console.log(`qa-pay is ready at ${ready.url}. It writes its log to ${log}`);
}

/**
 * A line is a flag with its value behind it, so that values need no quotes.
 * @param {string} text
 */
function flags(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [, flag = "", value] = /^(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
      if (!flag.startsWith("-"))
        throw new Trouble(`Each line of flags begins with a flag, such as --port 4600: ${line}`, 2);
      return value === undefined ? [flag] : [flag, value];
    });
}

/** Installs the package in a folder of its own and returns the path of its command. */
function install() {
  const named = process.env.ACTION_VERSION ?? "";
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const isFile = /[\\/]|\.tgz$/.test(named);
  if (!isFile && !/^[\w.^~+-]*$/.test(named))
    throw new Trouble(`version is no version or tag of a package: ${named}`, 2);
  const wanted = isFile ? resolve(workspace, named) : `${manifest.name}@${named || manifest.version}`;
  if (isFile && !existsSync(wanted)) throw new Trouble(`version names a file that does not exist: ${wanted}`, 2);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const quoted = shell ? `"${wanted}"` : wanted;
  const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", quoted];
  const { status } = spawnSync("npm", words, { cwd: home, shell, stdio: "inherit" });
  if (status !== 0) throw new Trouble(`npm could not install ${wanted}: its messages are above.`);
  const { bin } = JSON.parse(readFileSync(join(home, "node_modules", manifest.name, "package.json"), "utf8"));
  return join(home, "node_modules", manifest.name, bin[manifest.name]);
}

/**
 * Starts the server so that it outlives this step. Its output is appended to the log.
 * @param {readonly string[]} words
 * @param {string} log
 */
function launch(words, log) {
  mkdirSync(dirname(log), { recursive: true });
  // The log of an earlier server would look like that of this one. Keys stand in it until the server is ready.
  writeFileSync(log, "", { mode: 0o600 });
  const output = openSync(log, "a");
  const server = spawn(process.execPath, words, {
    cwd: workspace,
    detached: true,
    windowsHide: true,
    stdio: ["ignore", output, output],
  });
  server.unref();
  return server;
}

/**
 * Waits for the first line of JSON with the address and the keys. Throws when the server ends before, with its exit
 * code, and when it takes too long.
 * @param {import("node:child_process").ChildProcess} server
 * @param {string} log
 * @param {number} seconds
 * @returns {Promise<Ready>}
 */
async function readiness(server, log, seconds) {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    // In this order: what a server wrote before it ended is in the file by then.
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    const lines = readFileSync(log, "utf8").split("\n");
    const ready = lines.slice(0, -1).find((line) => line.startsWith('{"event":"ready"'));
    if (ready !== undefined) return JSON.parse(ready);
    if (hasEnded) throw notStarted(lines, server.exitCode ?? 1, "qa-pay serve ended before it was ready");
    if (performance.now() > end) {
      server.kill("SIGKILL");
      throw notStarted(lines, 1, `qa-pay serve was not ready within ${seconds} seconds`);
    }
    await sleep(POLL_MS);
  }
}

/**
 * @param {readonly string[]} lines
 * @param {number} code
 * @param {string} what
 */
function notStarted(lines, code, what) {
  const said = lines.filter((line) => line.trim() !== "").map(messageOf);
  return new Trouble([`${what} (exit code ${code}).`, ...said].join("\n"), code);
}

/**
 * Returns the text of a line of the server: of an error in JSON its message and its hint.
 * @param {string} line
 */
function messageOf(line) {
  try {
    const { message, hint } = JSON.parse(line).error;
    if (typeof message !== "string") return line;
    return typeof hint === "string" ? `${message}\n${hint}` : message;
  } catch {
    return line;
  }
}

/**
 * @typedef {object} Ready
 * @property {string} url
 * @property {string | null} test_key
 * @property {string | null} live_key
 * @property {string} signing_secret
 * @property {string | null} console_url
 * @property {readonly { password: string | null }[]} users
 * @property {number} pid
 */

/**
 * Masks what must not be read in the log of the job, and takes it out of the log of the server, which may be kept as an
 * artifact.
 * @param {Ready} ready
 * @param {string} log
 */
function hideSecrets({ url, test_key, live_key, signing_secret, console_url, users, pid }, log) {
  const passwords = users.map(({ password }) => password);
  for (const secret of [test_key, live_key, signing_secret, console_url, ...passwords]) {
    if (secret !== null) console.log(`::add-mask::${secret}`);
  }
  // Later steps do not know the server yet, so it writes nothing at this moment.
  const rest = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => !line.startsWith('{"event":"ready"'));
  truncateSync(log);
  appendFileSync(log, [JSON.stringify({ event: "ready", url, pid }), ...rest].join("\n"));
}

/**
 * @param {Ready} ready
 * @param {string} log
 */
function exportVariables({ url, test_key, signing_secret }, log) {
  if (test_key === null) {
    const advice = "Add a line to flags: --test-key and a key of your own, at every start.";
    console.log(`::warning title=qa-pay::The test key of this database is known to its first start alone. ${advice}`);
  }
  const key = test_key === null ? {} : { QA_PAY_API_KEY: test_key };
  const variables = { QA_PAY_BASE_URL: url, ...key, QA_PAY_WEBHOOK_SECRET: signing_secret };
  appendFileSync(readSetting("GITHUB_ENV"), assignments(variables));
  appendFileSync(readSetting("GITHUB_PATH"), `${binFolder()}\n`);
  appendFileSync(readSetting("GITHUB_OUTPUT"), assignments({ url, log }));
}

/** @param {Readonly<Record<string, string>>} values */
function assignments(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

async function stop() {
  if (!existsSync(state)) {
    console.log("There is no server of this action to stop.");
    return;
  }
  const { pid, log } = JSON.parse(readFileSync(state, "utf8"));
  rmSync(state);
  appendFileSync(readSetting("GITHUB_OUTPUT"), assignments({ log }));
  const end = performance.now() + STOP_SECONDS * 1000;
  for (let reported = signal(pid, "SIGTERM"); reported; reported = signal(pid, 0)) {
    if (performance.now() > end) {
      signal(pid, "SIGKILL");
      throw new Trouble(`qa-pay did not stop within ${STOP_SECONDS} seconds and was killed. Its log is ${log}`);
    }
    await sleep(POLL_MS);
  }
  console.log(`qa-pay has stopped. Its log is ${log}`);
}

/**
 * Returns whether the process was there.
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * A message as a workflow command takes it.
 * @param {string} text
 */
function escapeText(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
