/**
 * Runs `serve` under a mixed load with a receiver that fails, two readers of the stream and a snapshot every ten minutes, and
 * looks every ten seconds at what must not grow: memory, open files, the write-ahead log, the bytes for each charge.
 *
 * Usage: npm run soak [-- --minutes 60] [-- --rate 20] [-- --out FOLDER]   (Linux; FOLDER gets soak.json and soak.svg)
 */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, folder, here, median, residentMb, serve, start, stop } from "../processes.mjs";
import { pause } from "../requests.mjs";
import { startLoad } from "./load.mjs";
import { plot } from "./plot.mjs";

const after = (flag, fallback) => {
  const place = process.argv.indexOf(flag);
  return place === -1 ? fallback : process.argv[place + 1];
};
const minutes = Number(after("--minutes", "60"));
const rate = Number(after("--rate", "20"));
const out = after("--out", undefined);
const EVERY_MS = Math.min(10_000, (minutes * 60_000) / 60);
const SNAPSHOT_EVERY_MS = Math.min(600_000, (minutes * 60_000) / 4);

const PANELS = [
  ["memoryMb", "Resident memory, MB"],
  ["files", "Open files and sockets"],
  ["walMb", "Write-ahead log, MB"],
  ["fileMb", "Database file, MB"],
  ["p99Ms", "99 of 100 requests are answered within, ms"],
];

/** What the last quarter of the run may have more than the second: the first one fills the caches. */
const LIMITS = { memoryMb: 30, files: 10, walMb: 8 };

const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function sample(pid, db, load, began) {
  const times = load.taken().sort((a, b) => a - b);
  return {
    minutes: (performance.now() - began) / 60_000,
    memoryMb: residentMb(pid),
    files: readdirSync(`/proc/${pid}/fd`).length,
    walMb: sizeOf(`${db}-wal`) / 1e6,
    fileMb: sizeOf(db) / 1e6,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    charges: load.counts.create ?? 0,
  };
}

/** Reads the stream of everything to its end. */
async function follow({ url, test_key: apikey }, signal) {
  const answer = await fetch(`${url}/_sandbox/stream`, { signal, headers: { apikey, accept: "text/event-stream" } });
  if (!answer.ok) throw new Error(`The stream answered ${answer.status}`);
  for await (const chunk of answer.body) void chunk;
}

/** The figures that grew more than they may, in words. */
function grown(samples) {
  const part = (from, to) => samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  const middle = (list, figure) => median(list.map((one) => one[figure]));
  const found = Object.entries(LIMITS).flatMap(([figure, limit]) => {
    const [early, late] = [middle(part(0.25, 0.5), figure), middle(part(0.75, 1), figure)];
    return late - early > limit ? [`${figure}: ${early.toFixed(1)}, then ${late.toFixed(1)}`] : [];
  });
  const perCharge = (list) => (list.at(-1).fileMb - list[0].fileMb) / (list.at(-1).charges - list[0].charges);
  const [early, late] = [perCharge(part(0.25, 0.5)), perCharge(part(0.75, 1))];
  if (late > early * 1.25) found.push(`kB of the file for each charge: ${early * 1e3}, then ${late * 1e3}`);
  return found;
}

async function main() {
  const receiver = await start([join(here, "soak/receiver.mjs")]);
  const db = join(folder, "soak.db");
  const server = await serve("--db", db, "--forward-to", receiver.url, "--retry-base", "2s");
  // The line of each delivery is not needed, and a full pipe would stop the server.
  server.child.stdout.resume();
  const readers = new AbortController();
  const following = [1, 2].map(() => follow(server, readers.signal).catch((error) => error));
  const load = startLoad(server, rate);
  const began = performance.now();
  const samples = [];
  const saves = [];
  while (performance.now() - began < minutes * 60_000) {
    await pause(EVERY_MS);
    samples.push(sample(server.pid, db, load, began));
    if (performance.now() - began >= (saves.length + 1) * SNAPSHOT_EVERY_MS) {
      saves.push(load.ask("POST", "/_sandbox/snapshots", [201], { name: "soak" }).catch((error) => error));
    }
  }
  const silent = await load.stop();
  const saved = silent.length > 0 ? [] : await Promise.all(saves);
  const lost = saved.filter((outcome) => outcome instanceof Error);
  const check = await (
    await fetch(`${server.url}/_sandbox/ledger/check`, { headers: { apikey: server.test_key } })
  ).json();
  const heard = await (await fetch(receiver.url)).json();
  readers.abort();
  const cut = (await Promise.all(following)).filter((error) => error?.name !== "AbortError");
  await Promise.all([stop(server), stop(receiver)]);
  const broken = [...silent.map((name) => `no answer to: ${name}`), ...[...lost, ...cut].map(String)];
  const wrong = [...grown(samples), ...broken, ...(check.ok ? [] : [`the ledger: ${JSON.stringify(check.problems)}`])];
  const report = { minutes, rate, requests: load.counts, unexpected: load.unexpected, webhooks: heard, wrong };
  if (out !== undefined) {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, "soak.json"), `${JSON.stringify({ ...report, samples }, null, 2)}\n`);
    writeFileSync(join(out, "soak.svg"), plot(samples, PANELS));
  }
  console.log(JSON.stringify({ ...report, first: samples[0], last: samples.at(-1) }, null, 2));
  if (wrong.length > 0) process.exitCode = 1;
}

try {
  await main();
} finally {
  cleanUp();
}
