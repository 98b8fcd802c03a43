// @ts-check
// Usage: node scripts/smoke-single-file.mjs
// Makes the executable file for this machine, and uses it in an empty folder without Node: version, help, serve, a charge
// that is paid, its receipt, a file of the console, a body from standard input, stop.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { brotliDecompressSync } from "node:zlib";

const folder = mkdtempSync(join(tmpdir(), "qa-pay-single-file-"));
const file = join(folder, process.platform === "win32" ? "qa-pay.exe" : "qa-pay");
// Nothing of Node or of this project can be found by way of the environment.
const env = { PATH: folder, QA_PAY_CONFIG_DIR: join(folder, "config"), SystemRoot: process.env.SystemRoot };
const watchdog = AbortSignal.timeout(300_000);
try {
  execFileSync(process.execPath, ["scripts/single-file.mjs", "--output", file], { stdio: "inherit" });
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.equal(qaPay("--version"), `${version}\n`);
  assert.match(qaPay("charges", "create", "--help"), /--amount/);
  assert.match(qaPay("doctor"), /^✓ sqlite +node:sqlite$/m);
  await checkMainFlow();
  await checkDocuments();
  console.log(
    "The single file serves, takes a charge, settles it, shows the console and the documents and stops, without any Node.",
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {readonly string[]} words */
function qaPay(...words) {
  return execFileSync(file, words, { cwd: folder, env, encoding: "utf8", input: "" });
}

async function checkMainFlow() {
  const args = ["serve", "--port", "0", "--json"];
  const server = spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"], signal: watchdog });
  const ended = once(server, "exit");
  try {
    const [line] = await Promise.race([once(createInterface({ input: server.stdout }), "line"), ended]);
    const ready = JSON.parse(line);
    assert.equal(ready.event, "ready");
    checkCommands();
    await checkPages(ready.url);
  } finally {
    server.kill("SIGTERM");
  }
  const [code] = await ended;
  assert.equal(code, 0, "exit code after SIGTERM");
}

/** The commands find the server by the file that it wrote into the folder. */
function checkCommands() {
  const { id } = JSON.parse(qaPay("charges", "create", "--amount", "1234", "--json"));
  const { outcome, charge } = JSON.parse(qaPay("sandbox", "pay", id, "--json"));
  assert.deepEqual([outcome, charge.status, charge.amount], ["paid", "paid", 1234]);
  qaPay("payments", "receipt", id.replace("ch_", "tx_"), "--output", "receipt.pdf");
  assert.equal(readFileSync(join(folder, "receipt.pdf")).subarray(0, 5).toString(), "%PDF-");
  const body = '{"amount":4321,"payment_method":"pix"}';
  const words = ["api", "POST", "/v1/charges", "--data", "-"];
  const sent = execFileSync(file, words, { cwd: folder, env, encoding: "utf8", input: body });
  assert.match(sent, /4321/);
}

/** @param {string} url */
async function checkPages(url) {
  const script = await fetch(`${url}/console/assets/main.js`);
  assert.equal(script.status, 200, "the script of the console");
  assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.deepEqual(Buffer.from(await script.arrayBuffer()), readFileSync("dist/console/main.js"));
  const reference = await fetch(`${url}/docs`, { headers: { accept: "text/html" } });
  assert.equal(reference.status, 200, "the reference");
}

async function checkDocuments() {
  const words = ["docs", "--no-open"];
  const site = spawn(file, words, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"], signal: watchdog });
  const ended = once(site, "exit");
  try {
    const [address] = await Promise.race([once(createInterface({ input: site.stdout }), "line"), ended]);
    const page = await fetch(new URL("/pt-br/guides/quick-start.html", address));
    assert.equal(page.status, 200, "a page of the documents");
    const built = brotliDecompressSync(readFileSync("dist/docs/pt-br/guides/quick-start.html.br"));
    assert.equal(await page.text(), built.toString("utf8"));
  } finally {
    site.kill("SIGTERM");
  }
  await ended;
}
