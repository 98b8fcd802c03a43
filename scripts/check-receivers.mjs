// @ts-check
// Usage: npm run receivers [-- file …], after `npm run build`; a file such as python/receiver.py
// Starts each receiver of examples/receivers and sends it what `qa-pay webhooks test` sends: genuine events of both
// families, forged ones, and those of a rotation. Then it sends events again, and looks whether the work was done once.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { checkExamples, chosen } from "./check-examples.mjs";
import { RECEIVERS } from "./receivers.mjs";

/** @typedef {import("./receivers.mjs").Receiver} Receiver */

const SECRET = "0123456789abcdef".repeat(4);
const OLD_SECRET = "fedcba9876543210".repeat(4);
/** Each receiver has a port of its own, below those that systems give to programs that ask for any port. */
const FIRST_PORT = 19_000;
const START_SECONDS = 60;
const WORK_SECONDS = 20;

const run = promisify(execFile);
const receivers = chosen(RECEIVERS, ({ file }) => file).map((receiver) => ({
  ...receiver,
  path: `examples/receivers/${receiver.file}`,
}));

const work = mkdtempSync(join(tmpdir(), "qa-pay-receivers-"));
try {
  await checkExamples(receivers, check);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @param {Receiver} receiver */
async function check(receiver) {
  const port = FIRST_PORT + RECEIVERS.findIndex(({ file }) => file === receiver.file);
  assert(!(await isTaken(port)), `port ${port} is in use: end the program that listens there`);
  const binary = join(work, receiver.language);
  if (receiver.build) {
    const [command, ...args] = receiver.build(binary);
    await run(command, args);
  }
  const [command, ...args] = receiver.start(port, binary);
  const env = {
    ...process.env,
    PORT: String(port),
    QA_PAY_WEBHOOK_SECRET: `${SECRET},${OLD_SECRET}`,
    SEEN_FOLDER: join(work, "seen"),
  };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const output = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    output.out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    output.err += chunk;
  });
  try {
    await Promise.race([
      waitUntilListening(port),
      exited.then(() => assert.fail("the receiver ended before it was ready")),
    ]);
    const url = `http://127.0.0.1:${port}/webhooks`;
    const cases = await testWebhooks(url);
    await testRepetitions(url, () => output.out.split("\n").filter((line) => line.startsWith("work ")));
    return `${cases} cases, and each event was worked on once`;
  } catch (error) {
    const said = output.err.trim().split("\n").slice(-10).join("\n");
    throw new Error(`${error instanceof Error ? error.message : error}\n${said}`);
  } finally {
    child.kill();
    await exited;
  }
}

/**
 * Runs `qa-pay webhooks test`. Returns the number of cases, all of which passed.
 * @param {string} url
 */
async function testWebhooks(url) {
  const args = ["bin/qa-pay.js", "webhooks", "test", url, "--secret", SECRET, "--old-secret", OLD_SECRET, "--json"];
  const env = { ...process.env, QA_PAY_CONFIG_DIR: join(work, "config") };
  // The exit code is 1 when a case fails; the report says which.
  const { stdout, stderr = "" } = await run(process.execPath, args, { env }).catch((error) => error);
  assert(stdout, `webhooks test printed nothing: ${stderr}`);
  /** @type {{ cases: { name: string, verdict: string, advice: string, answers: { status_code: number | null }[] }[] }} */
  const { cases } = JSON.parse(stdout);
  const failed = cases.filter(({ verdict }) => verdict === "failed");
  const reported = failed.map(({ name, answers, advice }) => {
    const got = answers.map(({ status_code }) => status_code ?? "no answer").join(", ");
    return `${name} was answered ${got}. ${advice}`;
  });
  assert(failed.length === 0, reported.join("\n"));
  const rotation = cases.find(({ name }) => name === "old-secret");
  assert.deepEqual(
    rotation?.answers.map((one) => one.status_code),
    [204, 204],
    "answers to the old secret",
  );
  return cases.length;
}

/**
 * @param {string} url
 * @param {() => string[]} worked The lines that the receiver prints, one for each event that it worked on.
 */
async function testRepetitions(url, worked) {
  const [canonical, legacy, atOnce, last] = [charge(), payment(), charge(), charge()];
  for (const one of [canonical, legacy]) {
    const delivery = randomUUID();
    // The first attempt, a retry of it, and the same event in a delivery of its own.
    for (const id of [delivery, delivery, randomUUID()]) await send(url, one, id);
  }
  await Promise.all(Array.from({ length: 8 }, () => send(url, atOnce, randomUUID())));
  await send(url, last, randomUUID());
  const end = performance.now() + WORK_SECONDS * 1000;
  while (!worked().some((line) => line.includes(last.mark))) {
    assert(performance.now() < end, `no work within ${WORK_SECONDS} s; the lines are:\n${worked().join("\n")}`);
    await pause(20);
  }
  const counts = [canonical, legacy, atOnce].map(({ mark }) => worked().filter((line) => line.includes(mark)).length);
  assert.deepEqual(counts, [1, 1, 1], "how often the canonical, the legacy and the concurrent event were worked on");
  const repeated = worked().filter((line, index, lines) => lines.indexOf(line) !== index);
  assert.deepEqual(repeated, [], "events of webhooks test that were worked on twice");
}

/** @returns {{ mark: string, body: string, signature: () => string }} */
function charge() {
  const mark = `evt_${randomUUID()}`;
  const object = { id: `ch_${randomUUID()}`, object: "charge", amount: 1990, status: "paid" };
  const event = { id: mark, object: "event", api_version: "2026-11-01", type: "charge.paid", data: { object } };
  const body = JSON.stringify(event);
  return {
    mark,
    body,
    signature: () => {
      const t = Math.floor(Date.now() / 1000);
      return `t=${t},v1=${createHmac("sha256", SECRET).update(`${t}.${body}`).digest("hex")}`;
    },
  };
}

/** @returns {{ mark: string, body: string, signature: () => string }} */
function payment() {
  const mark = `tx_${randomUUID()}`;
  const body = JSON.stringify({ event: "payment.completed", data: { transactionId: mark, amount: 1990 } });
  return { mark, body, signature: () => `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}` };
}

/**
 * @param {string} url
 * @param {{ body: string, signature: () => string }} event
 * @param {string} deliveryId
 */
async function send(url, { body, signature }, deliveryId) {
  const headers = { "X-QA-Signature": signature(), "X-QA-Delivery-Id": `wd_${deliveryId}` };
  const response = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) });
  assert.equal(response.status, 204, "the answer to an event that was sent again");
}

/** @param {number} port */
async function waitUntilListening(port) {
  const end = performance.now() + START_SECONDS * 1000;
  while (performance.now() < end) {
    if (await isTaken(port)) return;
    await pause(50);
  }
  assert.fail(`nobody listens after ${START_SECONDS} s`);
}

/** @param {number} port */
async function isTaken(port) {
  const socket = connect(port, "127.0.0.1");
  const connected = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return connected;
}
