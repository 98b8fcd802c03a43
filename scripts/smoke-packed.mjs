// @ts-check
// Usage: node scripts/smoke-packed.mjs <folder where the packed package is installed>
// Runs the main flow with the package as a user has it: serve, create a charge, pay it, stop. Then it reads the documents, and the
// README's example runs there. It finds an error that tests of the source cannot find: a file or a dependency that is not in
// the package, and types without their words.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkPackedWebhooks } from "./packed-webhooks.mjs";
import { hasOwnSqlite, shell } from "./platform.mjs";
import { readyLine, withRunning } from "./smoke.mjs";

const [folder] = process.argv.slice(2);
assert(folder, "Name the folder where the packed package is installed");

await checkMainFlow(folder);
console.log("The packed package serves, takes a charge, settles it and stops cleanly.");
await checkDocuments(folder);
console.log("qa-pay docs answers its first page, and the files that the README links to are in the package.");
checkReadmeExample(folder);
console.log("The README's test example runs, and compiles with strict types and both ways of module resolution.");
checkWordsOfTypes(folder);
console.log("An editor shows the words of the contract beside the types.");
checkPackedWebhooks(folder);
console.log("qa-pay/webhooks has types for import and for require, and both run.");

/** @param {string} folder */
async function checkMainFlow(folder) {
  const args = ["--no", "qa-pay", "serve", "--port", "0", "--json", "--db", ":memory:"];
  const env = { ...process.env, QA_PAY_CONFIG_DIR: join(folder, "config") };
  await withRunning("npx", args, { cwd: folder, env, shell }, async (server) => {
    const ready = await readyLine(server);
    const settings = await fetch(`${ready.url}/_sandbox/settings`, { headers: { apikey: ready.test_key } });
    const { database } = JSON.parse(await settings.text());
    // Nothing of this project is below the folder, so there is no better-sqlite3.
    assert.equal(database.driver, hasOwnSqlite ? "node:sqlite" : "@photostructure/sqlite");
    await createAndPay(ready);
    const exited = once(server.child, "exit");
    process.kill(ready.pid, "SIGTERM"); // pid is the server's process, not npx
    const [code] = await exited;
    assert.equal(code, 0, "exit code after SIGTERM");
  });
}

/**
 * Reads the first page of `qa-pay docs`, and looks for every file that the README names.
 * @param {string} folder
 */
async function checkDocuments(folder) {
  const root = join(folder, "node_modules", "qa-pay");
  const words = [join(root, "bin", "qa-pay.js"), "docs", "--no-open"];
  await withRunning(process.execPath, words, { cwd: folder }, async (docs) => {
    const headers = { "accept-language": "en" };
    const page = await fetch(await docs.line(), { headers, signal: AbortSignal.timeout(10_000) });
    assert.equal(page.status, 200, "the first page");
    assert.match(await page.text(), /<html lang="en">[\s\S]*<h1/);
  });
  for (const name of ["README.md", "README.pt-BR.md", "docs/CONSOLE.md"]) {
    const links = [...readFileSync(join(root, name), "utf8").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
    const missing = links.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, name, "..", path)));
    assert.deepEqual(missing, [], `${name} links to files that are not packed`);
  }
}

/**
 * Runs the README's test example as JavaScript, and compiles it as TypeScript.
 * @param {string} folder
 */
function checkReadmeExample(folder) {
  const readme = readFileSync(join(folder, "node_modules", "qa-pay", "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```js[^\n]*\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const example = blocks.find((code) => code.includes("createEmulator"));
  assert(example, "The README has no example with createEmulator");
  writeFileSync(join(folder, "example.mjs"), example);
  writeFileSync(join(folder, "example.mts"), example);
  const run = { cwd: folder, encoding: /** @type {const} */ ("utf8"), shell };
  assert.equal(execFileSync("node", ["example.mjs"], run), "paid\n");
  const tsc = resolve("node_modules", "typescript", "bin", "tsc");
  for (const resolution of ["node16", "bundler"]) {
    const module = resolution === "bundler" ? "esnext" : resolution;
    const args = ["--strict", "--noEmit", "--target", "es2022", "--module", module, "--moduleResolution", resolution];
    execFileSync(process.execPath, [tsc, ...args, "example.mts"], { cwd: folder, stdio: "inherit" });
  }
}

/**
 * A comment belongs to what follows it only when it stands on a line of its own.
 * @param {string} folder
 */
function checkWordsOfTypes(folder) {
  const types = join(folder, "node_modules", "qa-pay", "dist", "types", "esm");
  const texts = readdirSync(types, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
  const all = texts.map((name) => readFileSync(join(types, name), "utf8")).join("");
  for (const words of [/^\/\*\* Centavos.* \*\/ amount: number/m, /^\/\*\* CPF or CNPJ.* \*\/ document\??: string/m])
    assert(words.test(all), `The types have no ${words}`);
  assert(
    all.includes("/** Create a Pix charge. Creates a Pix charge in BRL"),
    "The types have no words of an operation",
  );
}

/** @param {{ url: string, test_key: string }} ready */
async function createAndPay({ url, test_key }) {
  const headers = { apikey: test_key, "Content-Type": "application/json", "Idempotency-Key": "smoke-test-charge-1" };
  const body = JSON.stringify({ amount: 1234, payment_method: "pix", description: "Smoke test" });
  const created = await send(`${url}/v1/charges`, { headers, body });
  assert.equal(created.status, "pending");
  const { outcome, charge } = await send(`${url}/_sandbox/charges/${created.id}/pay`, { headers, body: "{}" });
  assert.deepEqual([outcome, charge.status, charge.amount], ["paid", "paid", 1234]);
  await readOnDemandParts(url, headers, created);
}

/**
 * Asks for what the service loads at its first use: documents, pictures, the signed payload, e-mails.
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {{ id: string }} charge
 */
async function readOnDemandParts(url, headers, charge) {
  const order = { amount: 1234, currency: "BRL", paymentMethods: ["BOLETO"], idempotencyKey: "smoke-test-boleto-1" };
  const made = await send(`${url}/v1/payments`, { headers, body: JSON.stringify(order) });
  const read = await fetch(`${url}/v1/payments/${made.id}`, { headers });
  const { boletoPdfUrl } = JSON.parse(await read.text());
  const raw = charge.id.replace("ch_", "");
  const opened = JSON.stringify({ charge_id: charge.id, method: "scam" });
  await send(`${url}/_sandbox/med-cases`, { headers, body: opened });
  await startsWith(boletoPdfUrl, {}, "%PDF-");
  await startsWith(`${url}/v1/payments/${raw}/receipt`, headers, '{"contentType":"application/pdf","base64":"JVBERi0');
  await startsWith(`${url}/qr/${raw}.svg`, {}, "<svg");
  await startsWith(`${url}/qr/${raw}.png`, {}, "\ufffdPNG");
  await startsWith(`${url}/qr/jwks`, {}, '{"keys":[{');
  await startsWith(`${url}/_sandbox/emails?mime=true`, headers, '{"data":[{');
}
/**
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {string} begin
 */
async function startsWith(url, headers, begin) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  assert(response.ok && text.startsWith(begin), `GET ${url} answered ${response.status}: ${text.slice(0, 200)}`);
}

/**
 * @param {string} url
 * @param {{ headers: Record<string, string>, body: string }} request
 */
async function send(url, request) {
  const response = await fetch(url, { ...request, method: "POST", signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  assert(response.ok, `POST ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
