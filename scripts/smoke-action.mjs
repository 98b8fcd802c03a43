// @ts-check
// Usage: node scripts/smoke-action.mjs <qa-pay-x.y.z.tgz>
// Runs the steps of action.yml as the runner of GitHub Actions does: each in bash, with the inputs in the variables that
// action.yml gives them, and with the files for variables and outputs. Then a later step creates a charge and pays it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const [tarball] = process.argv.slice(2);
assert(tarball, "Name the packed package: node scripts/smoke-action.mjs <file.tgz>");
const version = resolve(tarball);
const action = parse(readFileSync("action.yml", "utf8"));
assert.equal(action.runs.using, "composite");

const UPLOAD = /^actions\/upload-artifact@[0-9a-f]{40}$/;
/** The command of a build: it creates a charge, which the receiver does not accept. */
const BUILD = `id=$(qa-pay charges create --amount 1234 --json | node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8")).id')
qa-pay sandbox pay "$id" --json
`;

const root = mkdtempSync(join(tmpdir(), "qa-pay-action-"));
try {
  const started = runAction(job("main"), { version, flags: "--frozen\n--forward-to http://127.0.0.1:9/webhooks" });
  checkMainFlow(started);
  console.log("The action starts a server, later steps use it, its log stays without keys, and it stops.");
  checkCommand(started.place.env.RUNNER_TEMP);
  console.log("The action runs a command, masks its keys, and uploads what the service knew, also after a failure.");
  await checkFailures(started.place.env.RUNNER_TEMP);
  console.log(
    "The action says what is wrong with its inputs and flags, and with a port in use, and passes exit codes on.",
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** @typedef {ReturnType<typeof job>} Job */

/**
 * The folders and variables of one job.
 * @param {string} name
 * @param {string} temp
 */
function job(name, temp = join(root, name, "temp")) {
  const folder = join(root, name);
  const workspace = join(folder, "work");
  for (const path of [workspace, temp]) mkdirSync(path, { recursive: true });
  const file = (/** @type {string} */ known) => {
    writeFileSync(join(folder, known), "");
    return join(folder, known);
  };
  const inherited = Object.entries(process.env).filter(([known]) => !known.startsWith("QA_PAY_"));
  return {
    workspace,
    env: {
      ...Object.fromEntries(inherited),
      QA_PAY_CONFIG_DIR: join(folder, "config"),
      GITHUB_ACTION_PATH: process.cwd(),
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      GITHUB_ENV: file("env"),
      GITHUB_OUTPUT: file("output"),
      GITHUB_PATH: file("path"),
    },
  };
}

/**
 * Runs every step of the action. An input is only ever passed as a variable. The step that uploads is not run: `uploaded` is the folder
 * that it would upload.
 * @param {Job} place
 * @param {Readonly<Record<string, string>>} given
 */
function runAction(place, given) {
  for (const name of Object.keys(given)) assert(name in action.inputs, `action.yml has no input ${name}`);
  writeFileSync(place.env.GITHUB_OUTPUT, "");
  let out = "";
  let code = 0;
  let uploaded = null;
  for (const step of action.runs.steps) {
    if (step.uses !== undefined) {
      assert.match(step.uses, UPLOAD);
      assert.equal(step.if, "always() && steps.server.outputs.artifacts != ''");
      assert.match(step.with.path, /^\$\{\{ steps\.server\.outputs\.artifacts \}\}$/);
      uploaded = readAssignments(place.env.GITHUB_OUTPUT).artifacts ?? null;
      continue;
    }
    assert.equal(code, 0, "a step without always() runs after a failure");
    assert(!step.run.includes("${{"), "an input is a part of the script");
    const own = Object.entries(step.env).map(([name, value]) => [name, inputOf(value, given)]);
    const ended = bash(place, step.run, Object.fromEntries(own));
    out += ended.stdout + ended.stderr;
    code = ended.status ?? 1;
  }
  return { place, code, out, uploaded };
}

/**
 * @param {string} expression
 * @param {Readonly<Record<string, string>>} given
 */
function inputOf(expression, given) {
  const [, name = ""] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
  assert(name in action.inputs, `${expression} is no input`);
  return given[name] ?? action.inputs[name].default;
}

/**
 * @param {Job} place
 * @param {string} script
 * @param {Readonly<Record<string, string>>} env
 */
function bash(place, script, env) {
  const options = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  return spawnSync("bash", options, {
    cwd: place.workspace,
    env: { ...place.env, ...env },
    encoding: "utf8",
    timeout: 300_000,
  });
}

/**
 * Reads the variables that a step wrote into a file of the runner.
 * @param {string} file
 * @returns {Record<string, string>}
 */
function readAssignments(file) {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** @param {ReturnType<typeof runAction>} started */
function checkMainFlow({ place, code, out }) {
  assert.equal(code, 0, out);
  const variables = readAssignments(place.env.GITHUB_ENV);
  assert.deepEqual(Object.keys(variables), ["QA_PAY_BASE_URL", "QA_PAY_API_KEY", "QA_PAY_WEBHOOK_SECRET"]);
  const { url = "", log = "" } = readAssignments(place.env.GITHUB_OUTPUT);
  assert.equal(url, variables.QA_PAY_BASE_URL);
  assert.equal(log, join(place.workspace, "qa-pay.log"));

  checkUse(place, variables);

  assert.equal(runAction(place, { version }).code, 2, "a second server starts beside the first");
  const stopped = runAction(place, { run: "stop" });
  assert.equal(stopped.code, 0, stopped.out);
  assert.equal(bash(place, `curl -s ${url}`, {}).status, 7, "the server still answers after it was stopped");
  const again = runAction(place, { run: "stop" });
  assert.equal(
    again.code,
    0,
    "stopping twice is no failure, because a step with always() stops a server that never started",
  );

  const kept = readFileSync(log, "utf8");
  for (const event of ["ready", "delivery", "stopping"]) assert(kept.includes(`{"event":"${event}"`), kept);
  for (const secret of [
    variables.QA_PAY_API_KEY ?? "",
    variables.QA_PAY_WEBHOOK_SECRET ?? "",
    "qa_live_",
    "password",
  ]) {
    assert(!kept.includes(secret), `the log has a secret: ${kept}`);
    const shown = out.split("\n").filter((line) => line.includes(secret) && !line.startsWith("::add-mask::"));
    assert.deepEqual(shown, [], "the output of the step has a secret that is not masked");
  }
}

/**
 * A later step of the job: it has the variables and the path that the action left.
 * @param {Job} place
 * @param {Readonly<Record<string, string>>} variables
 */
function checkUse(place, variables) {
  const path = `${readFileSync(place.env.GITHUB_PATH, "utf8").trim()}:${process.env.PATH}`;
  const script = [
    'id=$(qa-pay charges create --amount 1234 --json | node -pe \'JSON.parse(require("fs").readFileSync(0, "utf8")).id\')',
    'qa-pay sandbox pay "$id" --json',
  ].join("\n");
  const used = bash(place, script, { ...variables, PATH: path });
  assert.equal(used.status, 0, used.stderr);
  const { outcome, charge } = JSON.parse(used.stdout);
  assert.deepEqual([outcome, charge.amount], ["paid", 1234]);
}

/** @param {string} temp */
function checkCommand(temp) {
  const place = job("command", temp);
  const flags = "--forward-to http://127.0.0.1:9/webhooks\n--assert charge.paid delivered";
  const failed = runAction(place, { version, flags, command: BUILD, artifacts: "payments" });
  assert.equal(failed.code, 1, failed.out);
  assert.match(failed.out, /^✗ charge\.paid delivered: sent 1 time, never delivered$/m);
  assert(failed.uploaded, "nothing is uploaded after a failure");
  const [, file = ""] = /^Open (\S+\.txt): the history of the charge of wd_/m.exec(failed.out) ?? [];
  assert(file.startsWith(failed.uploaded), failed.out);
  assert.match(readFileSync(file, "utf8"), /charge\.paid to http:\S+: PENDING\n.*attempt 1: connection refused/);
  checkMasks(failed.out, failed.uploaded);
  const passed = runAction(place, { version, flags: "--frozen", command: "env | grep -c ^QA_PAY_[ABW]" });
  assert.deepEqual([passed.code, passed.uploaded], [0, null], passed.out);
  assert.match(passed.out, /^3$/m);
  const stopped = runAction(place, { version, command: "false\necho after", artifacts: "payments" });
  assert.equal(stopped.code, 1);
  assert.doesNotMatch(stopped.out, /^after$/m, "the command goes on after a line that failed");
  assert.deepEqual(readAssignments(place.env.GITHUB_ENV), {}, "a later step would use a server that is gone");
}

/**
 * @param {string} out
 * @param {string} folder
 */
function checkMasks(out, folder) {
  const secrets = [...out.matchAll(/^::add-mask::(\S+)$/gm)].map(([, secret = ""]) => secret);
  assert.equal(secrets.length, 3, out);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(files.length, 5, "requests, deliveries, events, the database and one timeline");
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), "latin1");
    for (const secret of secrets) assert(!text.includes(secret), `${name} has a secret`);
  }
  assert(existsSync(join(folder, "emulator.db")));
}

/** @param {string} temp where the package is installed already, because some machines take minutes to compile a part */
async function checkFailures(temp) {
  const failed = job("failures", temp);
  /** @type {(given: Record<string, string>, code: number, message: RegExp) => void} */
  const fails = (given, code, message) => {
    const ended = runAction(failed, { version, ...given });
    assert.match(ended.out, message);
    assert.doesNotMatch(ended.out, /::error.*\{"/, "the message is JSON");
    assert.equal(ended.code, code, ended.out);
    assert.deepEqual(readAssignments(failed.env.GITHUB_ENV), {}, "a later step would use a server that is not there");
  };
  fails({ run: "restart" }, 2, /^::error title=qa-pay::run is start or stop, not restart\.$/m);
  fails({ artifacts: "payments" }, 2, /::artifacts needs command: a server for later steps writes its log alone\./);
  fails({ run: "stop", command: "true" }, 2, /::command has a server of its own: leave run: stop out\./);
  fails({ command: "true", artifacts: "../x" }, 2, /::artifacts is the name of an artifact, not \.\.\/x\./);
  fails({ version: "./none.tgz" }, 2, /::version names a file that does not exist: .*none\.tgz/);
  fails({ version: "1 && curl evil" }, 2, /::version is no version or tag of a package: 1 && curl evil/);
  fails({ timeout: "soon" }, 2, /::timeout is a number of seconds, not soon\./);
  fails({ flags: "4600" }, 2, /::Each line of flags begins with a flag, such as --port 4600: 4600/);
  fails({ flags: "--forward http://127.0.0.1:9" }, 2, /ended before it was ready \(exit code 2\).*--forward/);
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => taken.once("listening", listening));
  const address = taken.address();
  assert(address !== null && typeof address === "object");
  fails({ flags: `--port ${address.port}` }, 1, new RegExp(`exit code 1.*${address.port}`));
  taken.close();
}
