// @ts-check
// Usage: node scripts/smoke-single-file.mjs
// Makes the executable file for this machine, and uses it in an empty folder without Node: version, help, serve, a charge
// that is paid, its receipt, a file of the console, a body from standard input, stop.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { inFolder, readyLine, withRunning } from "./smoke.mjs";

await inFolder(async (folder) => {
  const file = join(folder, process.platform === "win32" ? "qa-pay.exe" : "qa-pay");
  // Nothing of Node or of this project can be found by way of the environment.
  const env = { PATH: folder, QA_PAY_CONFIG_DIR: join(folder, "config"), SystemRoot: process.env.SystemRoot };
  execFileSync(process.execPath, ["scripts/single-file.mjs", "--output", file], { stdio: "inherit" });
  /** @type {QaPay} */
  const qaPay = (words, input = "") => execFileSync(file, words, { cwd: folder, env, encoding: "utf8", input });
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.equal(qaPay(["--version"]), `${version}\n`);
  assert.match(qaPay(["charges", "create", "--help"]), /--amount/);
  assert.match(qaPay(["doctor"]), /^✓ sqlite +node:sqlite$/m);
  await withRunning(file, ["serve", "--port", "0", "--json"], { cwd: folder, env }, async (server) => {
    const { url } = await readyLine(server);
    checkCommands(folder, qaPay);
    await checkPages(url);
    await server.stop();
  });
  await withRunning(file, ["docs", "--no-open"], { cwd: folder, env }, async (site) => {
    const page = await fetch(new URL("/pt-br/guides/quick-start.html", await site.line()));
    assert.equal(page.status, 200, "a page of the documents");
    const built = brotliDecompressSync(readFileSync("dist/docs/pt-br/guides/quick-start.html.br"));
    assert.equal(await page.text(), built.toString("utf8"));
  });
  console.log(
    "The single file serves, takes a charge, settles it, shows the console and the documents and stops, without any Node.",
  );
});

/** @typedef {(words: readonly string[], input?: string) => string} QaPay */

/**
 * The commands find the server by the file that it wrote into the folder.
 * @param {string} folder
 * @param {QaPay} qaPay
 */
function checkCommands(folder, qaPay) {
  const { id } = JSON.parse(qaPay(["charges", "create", "--amount", "1234", "--json"]));
  const { outcome, charge } = JSON.parse(qaPay(["sandbox", "pay", id, "--json"]));
  assert.deepEqual([outcome, charge.status, charge.amount], ["paid", "paid", 1234]);
  qaPay(["payments", "receipt", id.replace("ch_", "tx_"), "--output", "receipt.pdf"]);
  assert.equal(readFileSync(join(folder, "receipt.pdf")).subarray(0, 5).toString(), "%PDF-");
  const body = '{"amount":4321,"payment_method":"pix"}';
  assert.match(qaPay(["api", "POST", "/v1/charges", "--data", "-"], body), /4321/);
}

/** @param {string} url */
async function checkPages(url) {
  const script = await fetch(`${url}/console/assets/main.js`);
  assert.equal(script.status, 200, "the script of the console");
  assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.deepEqual(
    Buffer.from(await script.arrayBuffer()),
    brotliDecompressSync(readFileSync("dist/console/main.js.br")),
  );
  const reference = await fetch(`${url}/docs`, { headers: { accept: "text/html" } });
  assert.equal(reference.status, 200, "the reference");
}
