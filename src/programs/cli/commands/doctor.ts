import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import type { FlagsOf, GlobalFlags } from "../../../api/client/flags.js";
import { Unreachable } from "../../../api/client/send.js";
import { parseObject } from "../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { reasonOf } from "../../../base/kernel/reason.js";
import { readDotEnv } from "../files/env-file.js";
import { findConnection } from "../host/connect.js";
import { type Connection, projectOf } from "../host/connection.js";
import { printMode } from "../host/print.js";
import { saysEmulator } from "../host/read.js";
import { sendThrough } from "../host/send.js";
import { listProfiles, profilesPath } from "../profiles/profiles.js";
import { findProject } from "../project/project-file.js";
import { EXIT, type ExitCode, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { palette } from "../terminal/output.js";
import { asStarted } from "../terminal/program-command.js";
import { jsonText, say } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `doctor`: checks everything that must be right before the service can be used. */

const FLAGS = { "--db <file>": "database to check (default: that of the project)" } as const;

type DoctorFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

interface Check {
  readonly name: string;
  /** `fail` means that the service cannot be used; `warn` is only information. */
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
}

const ok = (name: string, detail: string): Check => ({ name, status: "ok", detail });
const warn = (name: string, detail: string): Check => ({ name, status: "warn", detail });
const fail = (name: string, detail: string): Check => ({ name, status: "fail", detail });

const IN_MEMORY = ":memory:";
const ANSWER_MS = 5_000;
/** When the two clocks differ by more milliseconds than this, the emulated clock was moved. */
const DRIFT_MS = 5_000;

/** The message of an error, on one line. */
function wholeReasonOf(error: unknown): string {
  const hint = error instanceof Failure && error.hint !== undefined ? ` ${error.hint}` : "";
  return `${reasonOf(error)}${hint}`.replace(/\s*\n\s*/g, " ");
}

function checkNode(io: Io): Check {
  const [major = 0, minor = 0] = io.nodeVersion.split(".").map(Number);
  const good = major > 20 || (major === 20 && minor >= 19);
  const detail = good ? io.nodeVersion : `${io.nodeVersion} is too old: install 20.19 or newer (https://nodejs.org)`;
  return (good ? ok : fail)("node", detail);
}

async function checkDriver(): Promise<Check> {
  try {
    const { driverName } = await import("../../../base/db/open.js");
    return ok("sqlite", driverName());
  } catch (error) {
    return fail("sqlite", wholeReasonOf(error));
  }
}

/** Compares the schema version of a database with the newest version of this program, as text for a person. */
export function schemaText(version: number, newest: number): string {
  if (version === 0) return "empty; `qa-pay serve` fills it";
  return version === newest
    ? `schema ${version}`
    : `schema ${version}; the next \`qa-pay serve\` updates it to ${newest}`;
}

/** The database of the project's server, as its file names it; where there is none, the one that `serve` would make. */
function usualDatabase(io: Io): string {
  const usual = join(".qa-pay", "qa-pay.db");
  try {
    const project = findProject(io);
    if (project === null) return usual;
    const { file, database = usual } = project;
    if (database === IN_MEMORY) return database;
    const path = resolve(dirname(dirname(file)), database);
    return path === resolve(io.cwd, database) ? database : path;
  } catch {
    // The check of the server says what is wrong with the file of the project.
    return usual;
  }
}

async function checkDatabase(io: Io, file: string, hasDriver: boolean): Promise<Check[]> {
  if (file === IN_MEMORY) return [ok("database", "in memory (:memory:), so there is no file to check")];
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) return [ok("database", `${file} does not exist yet; \`qa-pay serve\` creates it`)];
  if (!hasDriver) return [warn("database", `${file} cannot be checked without a driver`)];
  try {
    const { inspectDatabase } = await import("../../../base/db/inspect.js");
    const { version, newest, damage, ledger } = inspectDatabase(path);
    if (damage !== null) {
      return [fail("database", `${file} is damaged (${damage}): move it away, or choose another with --db`)];
    }
    const detail = `${file}, ${Math.round(statSync(path).size / 1_024)} KiB, ${schemaText(version, newest)}`;
    const database = ok("database", detail);
    if (version === 0) return [database];
    if (ledger === null) return [database, ok("ledger", "every journal and balance adds up")];
    const way = "another program has written to the file. Restore a copy, or start again with another --db";
    return [database, fail("ledger", `${ledger}: ${way}`)];
  } catch (error) {
    return [fail("database", wholeReasonOf(error))];
  }
}

function checkProfile(io: Io): Check {
  let path: string;
  try {
    path = profilesPath(io);
    if (!existsSync(path)) return ok("profile", "none; `qa-pay profiles add` creates one");
    listProfiles(io);
  } catch (error) {
    return fail("profile", wholeReasonOf(error));
  }
  const mode = statSync(path).mode & 0o777;
  const open = io.platform !== "win32" && (mode & 0o077) !== 0;
  const detail = open ? `${path} can be read by others (mode ${mode.toString(8)}): chmod 600 it` : path;
  return (open ? fail : ok)("profile", detail);
}

/** Null when `serve` could listen on this port, else the reason why it could not. */
function portTrouble(port: number): Promise<string | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.on("error", (error: NodeJS.ErrnoException) => {
      done(error.code === "EADDRINUSE" ? "is taken by another program" : `cannot be used (${error.code})`);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(null)));
  });
}

const ANOTHER_PORT = "stop that one, or choose another port with `qa-pay serve --port`";

async function checkPort(baseUrl: string): Promise<Check> {
  const nobody = `nobody answers at ${baseUrl}`;
  if (!isLoopbackUrl(baseUrl)) return warn("server", `${nobody}: is the address right, and is the network available?`);
  const { port, protocol } = new URL(baseUrl);
  const number = Number(port) || (protocol === "https:" ? 443 : 80);
  const trouble = await portTrouble(number);
  const state =
    trouble === null
      ? `port ${number} is free: \`qa-pay serve --port ${number}\` starts one there`
      : `port ${number} ${trouble}: ${ANOTHER_PORT}`;
  return warn("server", `${nobody}; ${state}`);
}

function refusalCheck({ host, credential }: Connection, status: number): Check {
  const { url, from } = host;
  const { apiKey, whyWithheld } = credential;
  if (status === 401) {
    const wish = apiKey === null ? "needs a key; pass one" : "does not know the key; pass another one";
    const why = whyWithheld === undefined ? "" : ` (${whyWithheld})`;
    return fail("server", `${url} (from ${from}) ${wish} with --api-key or QA_PAY_API_KEY${why}`);
  }
  const next = isLoopbackUrl(url) ? ANOTHER_PORT : "commands that need an emulator do not work there";
  return warn("server", `${url} answers and is no emulator: ${next}`);
}

function checkClock(io: Io, now: string, frozen: boolean): Check {
  const seconds = Math.round((Date.parse(now) - io.now()) / 1_000);
  const moved = Math.abs(seconds) * 1_000 > DRIFT_MS;
  if (frozen) return warn("clock", `stands still at ${now}; \`qa-pay sandbox clock resume\` starts it again`);
  if (!moved) return ok("clock", now);
  const detail = `${now}, ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine`;
  const way = "`qa-pay sandbox snapshots restore` or `sandbox reset`, which deletes everything, sets it back";
  return warn("clock", `${detail}; ${way}`);
}

/** Null where the `.env` of the folder is as it should be. A command whose flags name everything does without it. */
function checkDotEnv(io: Io): Check | null {
  try {
    readDotEnv(io);
    return null;
  } catch (error) {
    return fail("env", wholeReasonOf(error));
  }
}

/** Null where no variable names a proxy. */
function checkProxy(io: Io, { host, policy }: Connection): Check | null {
  const set = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].filter((name) => io.env[name]);
  if (set.length === 0) return null;
  try {
    const proxy = policy.proxy?.() ?? null;
    if (proxy !== null) return ok("proxy", `${proxy.name}, on the way to ${host.url}`);
    return ok("proxy", `none on the way to ${host.url}; ${set.join(", ")} ${set.length === 1 ? "is" : "are"} set`);
  } catch (error) {
    return fail("proxy", wholeReasonOf(error));
  }
}

async function askServer(io: Io, connection: Connection): Promise<Check[]> {
  const { url, from } = connection.host;
  const { apiKey, from: keyFrom } = connection.credential;
  const headers = { accept: "application/json", ...(apiKey === null ? {} : { apikey: apiKey }) };
  const request = { method: "GET", headers, body: undefined, timeoutMs: ANSWER_MS };
  const ask = (path: string) => sendThrough(connection.policy, { ...request, url: `${url}/_sandbox${path}` });
  try {
    const answer = await ask("");
    if (!saysEmulator(answer)) return [refusalCheck(connection, answer.status)];
    const key = keyFrom === from || keyFrom === null ? "" : ` (from ${keyFrom})`;
    const { version, mode } = parseObject(answer.text);
    const { now, frozen } = parseObject((await ask("/clock")).text);
    return [
      ok("server", `qa-pay ${version} at ${url} (from ${from}), ${mode} key${key}`),
      checkClock(io, String(now), frozen === true),
    ];
  } catch (error) {
    if (!(error instanceof Unreachable)) return [refusalCheck(connection, 200)];
    return [error.proxy === undefined ? await checkPort(url) : warn("server", error.message)];
  }
}

async function checkServer(io: Io, flags: DoctorFlags): Promise<Check[]> {
  let connection: Connection;
  try {
    connection = await findConnection(io, flags, { mayBeStopped: true });
  } catch (error) {
    if (error instanceof Failure) return [(error.code === "no_server" ? warn : fail)("server", wholeReasonOf(error))];
    throw error;
  }
  printMode(io, connection, flags);
  const project = projectOf(connection.host);
  if (project?.isRunning === false) {
    const detail = `the server of this project is not running (${project.file}); \`qa-pay serve\` starts it`;
    return [warn("server", detail)];
  }
  const proxy = checkProxy(io, connection);
  if (proxy?.status === "fail") return [proxy];
  return [...(proxy === null ? [] : [proxy]), ...(await askServer(io, connection))];
}

/** Runs all checks and prints them. Returns 1 when one of them failed, and 0 otherwise: a warning is no failure. */
export async function doctor(io: Io, flags: DoctorFlags): Promise<ExitCode> {
  const driver = await checkDriver();
  const checks = [
    checkNode(io),
    driver,
    ...(await checkDatabase(io, flags.db ?? usualDatabase(io), driver.status === "ok")),
    checkProfile(io),
    ...(await checkServer(io, flags)),
  ];
  const dotEnv = checkDotEnv(io);
  if (dotEnv !== null && !checks.some(({ detail }) => detail === dotEnv.detail)) checks.push(dotEnv);
  const failed = checks.some(({ status }) => status === "fail");
  if (flags.json) {
    io.out(jsonText({ healthy: !failed, checks }));
    return failed ? EXIT.unexpected : EXIT.done;
  }
  const paint = await palette(io, flags.color !== false);
  const marks = { ok: paint.good("✓"), warn: paint.wait("!"), fail: paint.bad("✗") };
  for (const { name, status, detail } of checks) {
    io.out(say`${marks[status]} ${name.padEnd(9)} ${asStarted(detail, io.program)}\n`);
  }
  return failed ? EXIT.unexpected : EXIT.done;
}

export const command = defineCommand({
  command: "doctor",
  summary: "Check this machine, the profile, the server and its ledger",
  flags: FLAGS,
  examples: ["qa-pay doctor", "qa-pay doctor --json"],
  sends: true,
  // It only reads, with several requests, so there is no request that a user would want to check first.
  globals: { dryRun: false },
}).run(({ io, flags }) => doctor(io, flags));
