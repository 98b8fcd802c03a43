/**
 * Compares qa-pay with a floor: the smallest cost of the same work on the same machine. Both are measured in
 * alternating rounds of one run, so that other load on the machine slows both. Only the ratios count; absolute rates
 * are information.
 */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { findChromium } from "../scripts/chromium.mjs";
import { consolePages } from "./console.mjs";
import { figures } from "./figures.mjs";
import { flood } from "./flood.mjs";
import { kit } from "./measuring.mjs";
import { memory } from "./memory.mjs";
import { peerStarts, peers } from "./peers.mjs";
import {
  binary,
  cleanUp,
  env,
  folder,
  here,
  median,
  millisecondsOf,
  range,
  serve,
  start,
  stop,
  worker,
} from "./processes.mjs";
import { spentBy, spentByChildren } from "./processor-time.mjs";
import { createCharge, pause, readCharge, registerEndpoints } from "./requests.mjs";
import { singleFile } from "./single-file.mjs";
import { starts } from "./starts.mjs";

const run = promisify(execFile);
const quick = process.argv.includes("--quick");
const after = (flag) => (process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined);
const only = after("--only")?.split(",");
const wanted = (name) => only?.includes(name) ?? true;
const ROUNDS = quick ? 3 : 5;
const SECONDS = quick ? 1 : 2.5;

const startFloor = (name) => start([join(here, "floor-server.mjs"), join(folder, `${name}.db`)]);
const startOurs = (name) => serve("--db", join(folder, `${name}.db`));

const rows = [];

/** Adds a row to the table and tells it. `isReached` is left out where there is no target. Returns whether it was missed. */
function record(facts, told, isReached) {
  rows.push({ ...facts, ...(isReached === undefined ? {} : { "": isReached ? "ok" : "MISSED" }) });
  console.error(`${facts.name}: ${told}`);
  return isReached === false;
}

/** One time, or a median with the least and the most. */
function milliseconds([first, ...range]) {
  const shown = [first, ...range].map((value) => value.toFixed(value < 100 ? 1 : 0));
  return shown.length === 1 ? `${shown[0]} ms` : `${shown[0]} ms (${shown.slice(1).join(" to ")})`;
}

/** The least and the most of the rounds. */
const spread = (values, digits = 2) =>
  values.length === 0 ? "" : `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;

function row(name, unit, [ours, floor], ratio, sign, target, ratios = [], processor = "") {
  const judged = processor === "" ? ratio : Number(processor);
  const facts = {
    name,
    ours: `${Math.round(ours)} ${unit}`,
    floor: `${Math.round(floor)} ${unit}`,
    ratio: ratio.toFixed(2),
    rounds: spread(ratios),
    processor,
    target: `${sign} ${target}`,
  };
  const time = processor === "" ? "" : `${processor} by processor time, `;
  const shown = (ratios.length === 0 ? "" : `${spread(ratios)} in the rounds, `) + time;
  const told = `${ratio.toFixed(2)} (${shown}target ${sign} ${target})`;
  record(facts, told, sign === "≥" ? judged >= target : judged <= target);
}

/**
 * A rate: the median of the rounds. `costs` are the processor times of a request of both sides: their ratio, the floor's to ours,
 * hardly depends on what else the machine does.
 */
function report(name, pairs, target, costs = []) {
  const ratios = pairs.map(([ours, floor]) => ours / floor);
  const middle = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  const [ourCost, floorCost] = [0, 1].map((side) => median(costs.map((pair) => pair[side])));
  const processor = ourCost > 0 ? (floorCost / ourCost).toFixed(2) : "";
  row(name, "/s", middle, median(ratios), "≥", target, ratios, processor);
}

/** A start: the fastest of the rounds. Other load only ever makes a start slower, and one with many threads the most. */
function reportStart(name, pairs, limit, costs = []) {
  const fastest = [0, 1].map((side) => Math.min(...pairs.map((pair) => pair[side])));
  const ratios = pairs.map(([ours, floor]) => ours / floor);
  const [ourCost, floorCost] = [0, 1].map((side) => costs.reduce((sum, pair) => sum + pair[side], 0));
  const processor = floorCost > 0 ? (ourCost / floorCost).toFixed(2) : "";
  row(name, "ms", fastest, fastest[0] / fastest[1], "≤", limit, ratios, processor);
}

async function createAndRead() {
  const sides = { floor: await startFloor("floor"), ours: await startOurs("ours") };
  const ids = {};
  let series = 0;
  const load = async (side, connections, isRead, until = { seconds: SECONDS }) => {
    const { url, test_key: key = "", child } = sides[side];
    series += 1;
    const job = { url, connections, ...until, run: `bench-${series}`, ids: ids[side] };
    const before = spentBy(child.pid);
    const sent = isRead ? { ask: readCharge(key) } : { ask: createCharge(key), idOf: "id" };
    const made = await worker("load.mjs", { ...job, ...sent });
    return { ...made, cost: (spentBy(child.pid) - before) / made.count };
  };
  // Both are compiled by the same number of requests, however slow the machine is.
  const warm = (side, isRead) => load(side, 16, isRead, { seconds: 60, count: 4_000 });
  for (const side of ["floor", "ours"]) ids[side] = (await warm(side, false)).ids;
  for (const side of ["floor", "ours"]) await warm(side, true);
  const measure = async (name, connections, target, isRead) => {
    const pairs = [];
    const costs = [];
    for (let round = 0; round < ROUNDS; round++) {
      const floor = await load("floor", connections, isRead);
      const ours = await load("ours", connections, isRead);
      pairs.push([ours.rate, floor.rate]);
      costs.push([ours.cost, floor.cost]);
    }
    report(`${name}, ${connections} connection${connections === 1 ? "" : "s"}`, pairs, target, costs);
  };
  const CREATE_TARGETS = { 1: 0.6, 16: 1.25, 64: 1.4 };
  for (const [connections, target] of Object.entries(wanted("create") ? CREATE_TARGETS : {}))
    await measure("create charge", Number(connections), target, false);
  for (const connections of wanted("read") ? [1, 16, 64] : []) await measure("read charge", connections, 0.5, true);
  await Promise.all([stop(sides.floor), stop(sides.ours)]);
}

const ENDPOINTS = 10;

async function deliveries() {
  const pairs = [];
  const charges = quick ? 300 : 800;
  for (let round = 0; round < ROUNDS; round++) {
    const receiver = await start([join(here, "receiver.mjs")]);
    const floor = await worker("floor-sender.mjs", { url: receiver.url, count: charges * ENDPOINTS, connections: 16 });
    await stop(receiver);
    const target = await start([join(here, "receiver.mjs")]);
    const ours = await startOurs(`deliveries-${round}`);
    const headers = { apikey: ours.test_key };
    await registerEndpoints(ours, target.url, ENDPOINTS);
    const began = performance.now();
    const job = { url: ours.url, connections: 16, seconds: 60, count: charges, run: `delivery-${round}` };
    await worker("load.mjs", { ...job, ask: createCharge(ours.test_key) });
    let stats;
    do {
      await pause(20);
      stats = await (await fetch(`${ours.url}/v1/webhooks/stats`, { headers })).json();
    } while (stats.DELIVERED < stats.total);
    const took = (performance.now() - began) / 1_000;
    const seen = await (await fetch(target.url)).json();
    if (seen.distinct !== charges * ENDPOINTS)
      throw new Error(`${seen.distinct} of ${charges * ENDPOINTS} deliveries arrived`);
    pairs.push([(charges * ENDPOINTS) / took, floor.count / floor.seconds]);
    await Promise.all([stop(target), stop(ours)]);
  }
  report("deliveries, sent, answered and recorded", pairs, 0.35);
}

/** Webhooks that a killed server left waiting. */
async function waitingWebhooks() {
  const { ours, floor, peak } = await flood(quick ? 10_000 : 100_000);
  row("webhooks that waited over a restart", "/s", [ours, floor], ours / floor, "≥", 0.4);
  const megabytes = `${Math.round(peak)} MB`;
  const facts = { name: "resident memory while they leave", ours: megabytes, target: "≤ 220 MB" };
  record(facts, megabytes, peak <= 220);
}

/** How long a program of Node takes, on the clock and of a processor. */
async function timed(args) {
  const before = spentByChildren();
  const took = await millisecondsOf(() => run(process.execPath, args, { env }));
  return { took, cost: spentByChildren() - before };
}

async function startup() {
  const ready = [];
  const spent = [];
  const rounds = quick ? 5 : 11;
  for (let round = 0; round < rounds; round++) {
    const floor = await startFloor(`start-floor-${round}`);
    const ours = await startOurs(`start-ours-${round}`);
    ready.push([ours.took, floor.took]);
    spent.push([spentBy(ours.child.pid), spentBy(floor.child.pid)]);
    await Promise.all([stop(floor), stop(ours)]);
  }
  // h3 and srvx load the HTTP client of Node (docs/PERFORMANCE.md#starts).
  reportStart("serve to its ready line", ready, 3.2, spent);
  const ours = await startOurs("start-client");
  const target = ["--base-url", ours.url, "--api-key", ours.test_key];
  const created = await run(process.execPath, [binary, "charges", "create", "--amount", "1990", "--json", ...target], {
    env,
  });
  const { id } = JSON.parse(created.stdout);
  const commands = [
    ["--version", ["--version"], 1.25],
    ["--help", ["--help"], 1.35],
    // A script that sends this one request with node:http takes 1.5 times.
    ["charges get --json", ["charges", "get", id, "--json", ...target], 2.6],
  ];
  for (const [name, words, limit] of commands) {
    const pairs = [];
    const costs = [];
    await timed([binary, ...words]);
    for (let round = 0; round < rounds * 2; round++) {
      const floor = await timed(["-e", "0"]);
      const ours = await timed([binary, ...words]);
      pairs.push([ours.took, floor.took]);
      costs.push([ours.cost, floor.cost]);
    }
    reportStart(`qa-pay ${name} against node -e 0`, pairs, limit, costs);
  }
  await stop(ours);
}

/** The library in a warm process. The targets are times, because there is no floor for a whole service. */
async function library() {
  for (const { name, limit, pairs } of await kit(quick ? 10 : 30)) {
    const [ours, floor] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
    const facts = { name, ours: milliseconds([ours]), floor: milliseconds([floor]), ratio: (ours / floor).toFixed(2) };
    record({ ...facts, target: `≤ ${limit} ms` }, `${facts.ours} (target ${limit} ms)`, ours <= limit);
  }
}

/** Not part of a quick run unless --only names it, because it has to make a large database first. */
async function largeFiles() {
  const kept = after("--keep");
  const count = Number(after("--many") ?? 200_000);
  if (!Number.isSafeInteger(count) || count < 20_000) throw new Error("--many takes a whole number of 20000 or more.");
  for await (const { name, small, large, ratio, limit, isWithin } of figures({
    keep: kept === undefined ? undefined : resolve(kept),
    count,
  })) {
    const times = { ours: milliseconds([large]), floor: milliseconds([small]), ratio: ratio.toFixed(2) };
    const facts = { name: `${count.toLocaleString("en")} payments: ${name}`, ...times, target: limit };
    if (record(facts, `${facts.ours}, ${facts.ratio} (limit ${limit})`, isWithin)) process.exitCode = 1;
  }
}

async function floods() {
  const megabytes = (value) => `${Math.round(value)} MB`;
  for (const { name, before, peak, after, limit } of await memory()) {
    const facts = {
      name: `memory after ${name}, before it, difference`,
      ours: megabytes(after),
      floor: megabytes(before),
      ratio: megabytes(after - before),
      target: `≤ ${megabytes(limit)}`,
    };
    const told = `${facts.ratio} more, ${megabytes(peak)} at the peak (limit ${limit} MB)`;
    if (record(facts, told, after - before <= limit)) process.exitCode = 1;
  }
}

/** Commands and emulators for the workers of a suite. There is no floor, so this has a table of its own. */
async function workers() {
  const { rows, memory } = await starts(quick ? 10 : 40);
  const shown = ({ what, times, processor }) => ({
    what,
    time: milliseconds(times.length === 1 ? times : range(times)),
    processor: Number.isNaN(processor) ? "" : milliseconds([processor]),
  });
  console.table(rows.map(shown));
  console.error(`memory of each of those at once: ${Math.round(memory)} MB`);
}

/** A page of the console has no floor either. A person takes less than a tenth of a second for at once. */
async function pages() {
  for (const { name, first, times } of await consolePages(quick ? 5 : 50)) {
    const middle = median(times);
    const facts = { name: `console, click to drawn: ${name}`, ours: milliseconds([middle]), rounds: spread(times, 1) };
    const told = `${facts.ours}, ${milliseconds([first])} at its first visit`;
    record({ ...facts, target: "≤ 100 ms" }, told, middle <= 100);
  }
}

/** Part of a run only when --only names it, because it downloads the other emulators. */
async function others() {
  const found = quick ? await peers(3, 1) : await peers(10, 3);
  const shown = (range) =>
    range === null ? "" : `${Math.round(range[0])}/s (${Math.round(range[1])} to ${Math.round(range[2])})`;
  console.table(
    found.map(({ name, create, read, list, stored, memoryMb }) => ({
      name,
      create: shown(create),
      read: shown(read),
      list: shown(list),
      "stored at the end": stored ?? "",
      memory: `${Math.round(memoryMb)} MB`,
    })),
  );
  const rates = [found[0], found.at(-1)].map(({ list: [middle] }) => middle);
  row("list of 20, against a server that sends its bytes", "/s", rates, rates[0] / rates[1], "≥", 0.4);
}

/** Part of a run only when --only names it, for the same reason. */
async function otherStarts() {
  const count = quick ? 10 : 40;
  console.table(
    (await peerStarts(quick ? 20 : 500, count)).map(({ name, ready, whole, seconds, memory }) => ({
      name,
      "until it answers": milliseconds(ready),
      "a whole test": milliseconds(whole),
      [`${count} at once`]: `${seconds.toFixed(1)} s`,
      "memory of each": `${Math.round(memory)} MB`,
    })),
  );
}

/** Not part of a quick run unless --only names it, because it downloads a Node. */
async function executable() {
  const { bytes, version, ready } = await singleFile(quick ? 5 : 11);
  reportStart("single file: --version, against the package", version, 2);
  reportStart("single file: serve to its ready line, against the package", ready, 2);
  const size = Math.round(bytes / 1_000_000);
  record({ name: "single file: size", ours: `${size} MB`, target: "≤ 180" }, `${size} MB`, size <= 180);
}

/** When a part runs that `--only` does not name: always, in runs that are not quick, or never. */
const whole = () => only === undefined && !quick;
const never = () => false;
const always = () => only === undefined;
const withBrowser = () => only === undefined && findChromium() !== undefined;

const PARTS = [
  ["create,read", createAndRead, always],
  ["deliveries", deliveries, always],
  ["flood", waitingWebhooks, whole],
  ["startup", startup, always],
  ["kit", library, always],
  ["starts", workers, always],
  ["console", pages, withBrowser],
  ["memory", floods, whole],
  ["figures", largeFiles, whole],
  ["peers", others, never],
  ["peer-starts", otherStarts, never],
  ["single-file", executable, whole],
];
const NAMES = PARTS.map(([names]) => names).join();
const USAGE = `npm run bench [-- --quick] [-- --only ${NAMES}] [-- --keep DIR] [-- --many N]`;

try {
  if (process.argv.includes("--help")) {
    console.log(USAGE);
  } else {
    for (const [names, measure, isUsual] of PARTS)
      if (isUsual() || names.split(",").some((name) => only?.includes(name))) await measure();
    if (rows.length > 0) console.table(rows);
  }
} finally {
  cleanUp();
}
