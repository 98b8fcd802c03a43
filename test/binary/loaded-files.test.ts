import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newPlace, run } from "../support/binary.js";
import { shared, sharedEmulator } from "../support/shared.js";

/** What a start loads. Times differ between machines; the number and the size of files do not. */

/** Nothing listens there. */
const NOWHERE = ["--base-url", "http://127.0.0.1:9", "--api-key", "qa_test_none"];

const place = shared(newPlace);

interface Report {
  readonly result: readonly { readonly url: string }[];
}

/** The modules of the package that a command line loads, and their size in KB, as the coverage report of V8 names them. */
async function loadedBy(name: string, words: readonly string[], env: Record<string, string> = {}, ending?: number) {
  const folder = join(place.folder, name);
  const { code, err } = await run(place, words, { env: { ...env, NODE_V8_COVERAGE: folder } });
  if (ending !== undefined) expect(code, err).toBe(ending);
  const reports = readdirSync(folder).map((file): Report => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const urls = reports.flatMap(({ result }) => result.map(({ url }) => url)).filter((url) => url.startsWith("file:"));
  const bytes = urls.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
  return { files: urls.length, size: Math.round(bytes / 1_000), names: urls.map((url) => basename(url)) };
}

it.each([
  { name: "--version", words: ["--version"], most: { files: 1, size: 2 } },
  { name: "--help", words: ["--help"], most: { files: 2, size: 21 } },
  { name: "the help of a command", words: ["help", "charges", "create"], most: { files: 2, size: 21 } },
  { name: "a request", words: ["wallets", "list", ...NOWHERE], most: { files: 8, size: 390 } },
  { name: "a request for a charge", words: ["charges", "get", "ch_none", ...NOWHERE], most: { files: 8, size: 390 } },
])("$name loads few and small files", async ({ name, words, most }) => {
  const { files, size } = await loadedBy(name, words);
  expect(files).toBeGreaterThan(0);
  expect(files).toBeLessThanOrEqual(most.files);
  expect(size).toBeLessThanOrEqual(most.size);
});

describe("without the 1.3 MB of the service", () => {
  const emulator = sharedEmulator();

  it.each([
    { words: ["charges", "get", "ID"] },
    { words: ["payments", "list"] },
    { words: ["payments", "find", "1990"] },
    { words: ["webhooks", "sample", "charge.paid"] },
    { words: ["completion", "bash"] },
  ])("a command shows its answer: $words", async ({ words }) => {
    const { id } = await emulator.charge();
    const target = { QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key };
    const line = words.map((word) => (word === "ID" ? id : word));
    const { names } = await loadedBy(words.join("-"), line, target, 0);
    expect(names).toContain("program.cjs");
    expect(names).not.toContain("library.cjs");
  });
});

describe("of the built-in modules of Node", () => {
  const emulator = sharedEmulator();

  it("a command that reads a charge over HTTP loads no TLS", async () => {
    const { id } = await emulator.charge();
    const told = join(place.folder, "built-in.json");
    const teller = join(place.folder, "teller.cjs");
    const write = `require("node:fs").writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.moduleLoadList))`;
    writeFileSync(teller, `process.on("exit", () => ${write});`);
    const env = { NODE_OPTIONS: `--require ${teller}`, QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key };
    const { code, err } = await run(place, ["charges", "get", id, "--json"], { env });
    expect(code, err).toBe(0);
    const modules: string[] = JSON.parse(readFileSync(told, "utf8"));
    expect(modules).toContain("NativeModule http");
    expect(modules.filter((name) => /undici|\b(tls|https|child_process)$/.test(name))).toEqual([]);
  });
});

/**
 * Starts an emulator, makes a charge and reads the wallets. Prints the built-in modules of Node that are loaded, and the formats of
 * dates and numbers that were made before the emulator was asked for.
 */
const USE_IT = `
const formats = [];
for (const name of ["DateTimeFormat", "NumberFormat"]) {
  const Format = Intl[name];
  Intl[name] = function (...asked) { formats.push(asked); return new Format(...asked); };
}
const { createEmulator } = require(process.argv[1]);
const early = [...formats];
const { request } = require("node:http");
const ask = (url, method, headers, body) => new Promise((done) => {
  request(url, { method, headers }, (answer) => answer.on("data", () => {}).on("end", () => done(answer.statusCode))).end(body);
});
void createEmulator().then(async ({ url, testKey, close }) => {
  const headers = { apikey: testKey, "content-type": "application/json", "idempotency-key": "loaded-files" };
  const made = await ask(url + "/v1/charges", "POST", headers, '{"amount":1990,"payment_method":"pix"}');
  const read = await ask(url + "/v1/wallets", "GET", headers);
  await close();
  process.stdout.write(JSON.stringify({ answers: [made, read], early, modules: process.moduleLoadList }));
});`;

it("a server answers its API without what is slow to load: the HTTP client of Node and TLS, and formats at the start", () => {
  const library = fileURLToPath(new URL("../../require/index.cjs", import.meta.url));
  const printed = execFileSync(process.execPath, ["-e", USE_IT, library], { encoding: "utf8" });
  const { answers, early, modules }: { answers: number[]; early: unknown[]; modules: string[] } = JSON.parse(printed);
  expect(answers).toEqual([201, 200]);
  expect(modules.filter((name) => /undici|\b(tls|https)$/.test(name))).toEqual([]);
  expect(early).toEqual([]);
});
