// @ts-check
// `npm run pictures`: makes the pictures of docs/CONSOLE.md anew, from an emulator with the same objects each time.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { crc32, deflateSync } from "node:zlib";
import { chromium } from "playwright-core";
import { PNG } from "pngjs";
import { BROWSER_NEEDED, findChromium } from "./chromium.mjs";

const START = "2026-11-25T12:00:00Z";

/** A receiver that fails for one kind of event, as a shop does whose database is locked. */
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const fails = body.includes("charge.expired");
  response.writeHead(fails ? 500 : 200, { "content-type": "application/json" });
  response.end(fails ? '{"error":"database is locked"}' : "{}");
});
await new Promise((resolve) => receiver.listen(4798, "127.0.0.1", () => resolve(undefined)));

const start = ["--frozen", "--start-at", START, "--random-seed", "pictures"];
const place = ["--port", "4698", "--db", ":memory:", "--forward-to", "http://127.0.0.1:4798/webhooks"];
const server = spawn(process.execPath, ["bin/qa-pay.js", "serve", "--json", ...start, ...place], {
  stdio: ["ignore", "pipe", "inherit"],
});
process.on("exit", () => server.kill());

const { value: line } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
if (line === undefined) throw new Error("The server ended before it was ready.");
/** @type {any} The line with the server's address and keys. */
const ready = JSON.parse(line);
let posted = 0;

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
async function post(path, body = {}) {
  const headers = {
    apikey: ready.test_key,
    "content-type": "application/json",
    "idempotency-key": `picture-number-${++posted}`,
  };
  const answer = await fetch(ready.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/**
 * @param {number} amount
 * @param {string} name
 * @param {string} description
 */
const charge = (amount, name, description) =>
  post("/v1/charges", { amount, payment_method: "pix", description, customer: { name } });
const advance = (/** @type {number} */ seconds) => post("/_sandbox/clock/advance", { seconds });

await charge(4_500, "João Pedro Alves", "Pedido 1041");
await advance(7_200);
const paid = await charge(5_645, "Maria Silva", "Pedido 1042");
await advance(40);
await post(`/_sandbox/charges/${paid.id}/pay`);
await advance(20);
const contested = await charge(25_990, "Panificadora Aurora Ltda", "Pedido 1043");
await post(`/_sandbox/charges/${contested.id}/pay`);
await advance(60);
const medCase = await post("/_sandbox/med-cases", { charge_id: contested.id, reason: "Não reconheço esta transação" });
await advance(86_400);
const waiting = await charge(14_990, "Ana Costa", "Pedido 1044");
await advance(10);

const executablePath = findChromium();
if (executablePath === undefined) throw new Error(BROWSER_NEEDED);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/**
 * The same picture with its 256 most frequent colours, a third of the bytes. pngjs writes no palette.
 * @param {Buffer} png
 */
function withPalette(png) {
  const { width, height, data } = PNG.sync.read(png);
  const colours = Array.from({ length: width * height }, (_, at) => data.readUIntBE(at * 4, 3));
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts.keys()]
    .sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
    .slice(0, 256);
  const parts = (/** @type {number} */ colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const known = palette.map(parts);
  /** @param {number} colour */
  const nearest = (colour) => {
    const wanted = parts(colour);
    const far = known.map((one) => one.reduce((sum, part, at) => sum + (part - (wanted[at] ?? 0)) ** 2, 0));
    return far.indexOf(Math.min(...far));
  };
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) lines[at + Math.floor(at / width) + 1] = places.get(colour) ?? 0;
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  /**
   * @param {string} type
   * @param {Buffer} content
   */
  const chunk = (type, content) => {
    const named = Buffer.concat([Buffer.from(type), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const content = deflateSync(lines, { level: 9 });
  const chunks = [chunk("IHDR", head), chunk("PLTE", Buffer.from(known.flat())), chunk("IDAT", content)];
  return Buffer.concat([png.subarray(0, 8), ...chunks, chunk("IEND", Buffer.alloc(0))]);
}

/**
 * @param {string} name
 * @param {string} address
 * @param {{ width?: number, wait: string }} how
 */
async function picture(name, address, { width = 1280, wait }) {
  const viewport = { width, height: 900 };
  const page = await browser.newPage({ viewport, locale: "en", colorScheme: "light", timezoneId: "America/Sao_Paulo" });
  await page.goto(address);
  await page.getByText(wait).first().waitFor();
  // Requests that are sent after the object itself was read. The console is never without a request: it hears what happens.
  await page.waitForTimeout(1_000);
  await writeFile(`docs/images/${name}.png`, withPalette(await page.screenshot()));
  await page.close();
}

/** @param {string} to */
const inConsole = (to) => `${ready.console_url}&to=${encodeURIComponent(to)}`;
const headers = { apikey: ready.test_key };
const found = await fetch(`${ready.url}/_sandbox/webhooks/deliveries?event_type=charge.expired`, { headers });
/** @type {any} */
const deliveries = await found.json();

await picture("console-charge", inConsole(`charges/${paid.id}`), { wait: "Simulate next" });
await picture("console-delivery", inConsole(`deliveries/${deliveries.data[0].id}`), { wait: "database is locked" });
await picture("console-med", inConsole(`med/${medCase.id}`), { wait: "Merchant's side" });
await picture("checkout", waiting.checkout_url, { width: 360, wait: "Ana Costa" });
await browser.close();
receiver.close();
server.kill();
