/**
 * Compares starts, lists, totals, statistics and creates on a database with many transactions and on one with few. The
 * calls alternate between the two servers, over one connection each. This is the part `figures` of bench/run.mjs.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { binary, env, folder, here, median, serve, stop } from "./processes.mjs";
import { spentBy } from "./processor-time.mjs";
import { pause, senderTo } from "./requests.mjs";

const FEW = 10_000;
const KEY = "qa_test_benchmark";
const PAGE = 20;
const DATES = "startDate=2026-03-03T10:20:30Z&endDate=2026-05-05T05:40:30Z";

const search = (q) => () => `/_sandbox/search?q=${encodeURIComponent(q)}`;

/**
 * Each call: its name, its query of `/v1/payments` (or a whole path) by the number of transactions and the id of a paid
 * charge, and the limit of the ratio (null for no limit).
 */
const CALLS = [
  ["first page", () => "", 3],
  ["page 100", () => "?page=100", 3],
  ["page of a status", () => "?status=PAID&page=3", 3],
  ["page of dates", () => `?${DATES}&page=3`, 3],
  ["page of a status and dates", () => `?status=EXPIRED&${DATES}&page=3`, 3],
  ["total", () => "?limit=1", 3],
  ["total of a status and dates", () => `?limit=1&status=PAID&${DATES}`, 3],
  ["stats, 7 days", () => "/stats?days=7", 3],
  ["stats, 366 days", () => "/stats?days=366", 3],
  ["metrics, 7 days", () => "/metrics?days=7", 3],
  ["metrics, 366 days", () => "/metrics?days=366", 3],
  ["metrics, 366 days of one currency", () => "/metrics?days=366&currency=BRL", 3],
  ["page at 80 % depth", (count) => `?page=${(0.8 * count) / PAGE}`, 3],
  ["oldest first at 80 % depth", (count) => `?sortOrder=asc&page=${(0.8 * count) / PAGE}`, 3],
  ["first page by amount", () => "?sortBy=amount", 3],
  ["first page by amount, of a status and dates", () => `?sortBy=amount&status=PAID&${DATES}`, null],
  ["first page by customer", () => "?sortBy=customerName", 3],
  ["first page by e-mail address", () => "?sortBy=customerEmail", null],
  ["search for a txid", search("0123456789abcdef0123456789abcdef"), 3],
  ["search for a document", search("529.982.247-25"), 3],
  ["search for an amount", search("19,90"), 3],
  ["search for a part of an e-mail address", search("cliente77"), 3],
  ["search for a text that is nowhere", search("nowhere"), 3],
  ["search for a status", search("expired"), 3],
  ["search for an id", (_count, charge) => search(charge)(), 3],
  ["timeline of a charge", (_count, charge) => `/_sandbox/timeline/${charge}`, 3],
  ["ledger, first page", () => "/_sandbox/ledger/journals", 3],
  ["ledger of a charge", (_count, charge) => `/_sandbox/ledger/journals?reference=${charge}`, 3],
  ["ledger, first page of a currency", () => "/_sandbox/ledger/journals?currency=BTC", 3],
  ["ledger, first page of a currency that nobody has", () => "/_sandbox/ledger/journals?currency=EURC", 3],
  ["payments by a method, first page", () => "/_sandbox/payments?method=CRYPTO", 3],
  ["due work, first page", () => "/_sandbox/clock/due", 3],
  ["page at 1 % depth by e-mail address", (count) => `?sortBy=customerEmail&page=${(0.01 * count) / PAGE}`, null],
];

/** The orders of payments that have an index. In any other, a server reads all payments. */
const INDEXED = ["createdAt", "amount", "customerName"];

/** Values for filters that have no list of values in the contract. A date stands for a period. */
const VALUES = {
  startDate: ["2026-03-03T10:20:30Z"],
  endDate: ["2025-09-03T10:20:30Z"],
  created_after: ["2026-03-03T10:20:30Z"],
  created_before: ["2025-09-03T10:20:30Z"],
  until: ["2026-07-03T10:20:30Z"],
  currency: ["BRL", "BTC", "EURC"],
  method: ["PIX", "CREDIT_CARD", "BOLETO", "MBWAY", "MULTIBANCO", "CRYPTO", "MBWAY&status=REFUNDED"],
  customer_id: ["52998224725"],
  eventType: ["charge.paid", "charge.expired"],
  event_type: ["charge.paid", "charge.expired"],
  type: ["charge.paid", "charge.expired"],
  q: ["nowhere", "cliente77", "19,90", "expired"],
};

/** Stands for the id of a paid charge of a file. */
const CHARGE_ID = "{charge}";

/** Every list of the contract whose rows come from payments: alone, with each value of each filter, and in each order. */
function listCalls({ paths }) {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters?.filter((one) => one.in === "query") ?? [];
    const isList = parameters.some(({ name }) => name === "limit") && !path.includes("{");
    if (!isList || path === "/_sandbox/requests") return [];
    const filtered = parameters.flatMap(({ name, schema }) => {
      const ids = ["charge", "charge_id", "reference", "subject"].includes(name) ? [CHARGE_ID] : [];
      const values = schema.enum ?? VALUES[name] ?? ids;
      return values.map((value) => `${name}=${value}`);
    });
    return ["", ...filtered].map((query) => {
      const isIndexed = !query.startsWith("sortBy=") || INDEXED.some((field) => query === `sortBy=${field}`);
      return { path: query === "" ? path : `${path}?${query}`, limit: isIndexed ? 3 : null };
    });
  });
}

function seed(file, count) {
  const args = [join(here, "seed.mjs"), "--db", file, "--count", String(count), "--test-key", KEY];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`seeding ${file} ended with ${code}`))));
  });
}

/** The file with `count` transactions. Makes it when it does not exist. */
async function fileOf(kept, count) {
  const file = join(kept, `figures-${count}.db`);
  if (!existsSync(file)) await seed(file, count);
  return file;
}

const startOn = (file) => serve("--preview", "charge-list", "--db", file);

/** The OpenAPI document, with the lists of the sandbox. */
function contract() {
  const args = [binary, "openapi", "--sandbox", "--preview", "charge-list"];
  return JSON.parse(execFileSync(process.execPath, args, { env, maxBuffer: 1 << 26 }));
}

async function open(file, count) {
  const server = await startOn(file);
  return { server, sender: senderTo(server.url, 1), count };
}

async function close({ server, sender }) {
  sender.close();
  await stop(server);
}

/** Sends one request. Resolves to the milliseconds until its complete answer, and the answer. */
async function ask({ sender }, path, { headers = {}, ...more } = {}) {
  const { status, text, took } = await sender.send(path, { ...more, headers: { apikey: KEY, ...headers } });
  if (status >= 300) throw new Error(`${path} was answered with ${status}: ${text}`);
  return { took, answer: JSON.parse(text) };
}

function call(side, query) {
  return ask(side, query.startsWith("/_sandbox/") ? query : `/v1/payments${query}`);
}

/** Milliseconds of the slowest total that is asked for over another connection until `work` is over. */
async function slowestDuring(side, work) {
  const other = { ...side, sender: senderTo(side.server.url, 1) };
  await call(other, "?limit=1");
  let isOver = false;
  let slowest = 0;
  const end = () => {
    isOver = true;
  };
  const result = work();
  result.then(end, end);
  while (!isOver) {
    slowest = Math.max(slowest, (await call(other, "?limit=1")).took);
    await pause(20);
  }
  other.sender.close();
  return { slowest, result: await result };
}

/** A list that takes longer is read once, because of the many lists. */
const LONG_MS = 150;

/** Milliseconds of a processor that the server takes for a request. */
async function spentFor(side, path) {
  const before = spentBy(side.server.child.pid);
  await ask(side, path.replace(CHARGE_ID, side.charge));
  return spentBy(side.server.child.pid) - before;
}

async function medianSpent(side, path) {
  const spent = [];
  for (let round = 0; round < 7; round += 1) spent.push(await spentFor(side, path));
  return median(spent);
}

/** The processor time of a list on both sides, and the slowest other request on the large one; null for an order that is refused. */
async function compareList(few, many, { path, limit }) {
  try {
    const { slowest, result } = await slowestDuring(many, () => spentFor(many, path));
    const ours = result > LONG_MS ? result : await medianSpent(many, path);
    const floor = await medianSpent(few, path);
    return { name: path, ours, floor, ratio: ours / floor, limit, slowest };
  } catch (error) {
    if (/answered with 400.*sorts 500 payments/s.test(error.message)) return null;
    throw error;
  }
}

function create(side) {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  return ask(side, "/v1/charges", { method: "POST", headers, body: '{"amount":1990,"payment_method":"pix"}' });
}

/** After so many milliseconds no other round begins. */
const LONGEST_MS = 5_000;

/** Takes the times of both sides in turn, and compares the medians. The first rounds only fill the caches. */
async function compareTimes(few, many, time, rounds) {
  const began = performance.now();
  const isLate = () => performance.now() - began > LONGEST_MS;
  const pairOf = async () => {
    const small = await time(few);
    return [await time(many), small];
  };
  for (let round = 0; round < 3 && !isLate(); round++) await pairOf();
  const pairs = [];
  do pairs.push(await pairOf());
  while (pairs.length < rounds && !isLate());
  const [ours, floor] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  return { ours, floor, ratio: ours / floor };
}

async function compare(few, many, [name, query, limit], rounds) {
  const time = async (side) => (await call(side, query(side.count, side.charge))).took;
  return { name, limit, ...(await compareTimes(few, many, time, rounds)) };
}

/** Milliseconds from the start of a process to its ready line. */
async function startTime(file) {
  const server = await startOn(file);
  await stop(server);
  return server.took;
}

/** The id of a paid charge from the middle of a file. */
async function chargeOf(side) {
  const { answer } = await call(side, `?status=PAID&limit=1&page=${Math.ceil(side.count / 4)}`);
  return answer.data[0].id.replace(/^tx_/, "ch_");
}

/** Milliseconds of a check of the ledger, by the clock and of a processor, and of the slowest total that is asked for meanwhile. */
async function checkTimes(side) {
  const before = spentBy(side.server.child.pid);
  const { slowest, result } = await slowestDuring(side, () => call(side, "/_sandbox/ledger/check"));
  if (!result.answer.ok) throw new Error(`the ledger of ${side.count} transactions does not add up`);
  return { took: result.took, spent: spentBy(side.server.child.pid) - before, slowest };
}

/** The check reads everything, so its time has no limit; the times of other requests beside it do not grow. */
async function compareChecks(few, many) {
  const [small, large] = [await checkTimes(few), await checkTimes(many)];
  const names = {
    took: "ledger check",
    spent: "ledger check, processor time",
    slowest: "slowest total during a ledger check",
  };
  return Object.entries(names).map(([key, name]) => {
    return { name, ours: large[key], floor: small[key], ratio: large[key] / small[key], limit: null };
  });
}

/**
 * Throws when a file does not contain the expected number of transactions: the ratio would be useless. Every run adds the
 * charges that it creates.
 */
async function check(side) {
  const { total } = (await call(side, "?limit=1")).answer;
  if (total < side.count || total > 1.5 * side.count)
    throw new Error(`the file of ${side.count} holds ${total}: seed it again`);
}

async function* compareAll(few, many, rounds) {
  await Promise.all([check(few), check(many)]);
  for (const side of [few, many]) side.charge = await chargeOf(side);
  for (const one of CALLS) yield await compare(few, many, one, one[2] === null ? 7 : rounds);
  for (const one of listCalls(contract())) {
    const result = await compareList(few, many, one);
    if (result !== null) yield result;
  }
  yield* await compareChecks(few, many);
  const created = await compareTimes(few, many, async (side) => (await create(side)).took, 200);
  yield { name: "create a charge", limit: 3, ...created };
}

/**
 * Measures all calls on a file with 10,000 transactions and on one with `count`. Yields `{name, ours, floor, ratio,
 * limit}` for each, with times in milliseconds. Lists have their processor time, and `slowest` is the slowest other request meanwhile. The two files stay in the folder `keep` for the next run.
 */
export async function* figures({ keep = folder, count = 1_000_000, rounds = 31 } = {}) {
  mkdirSync(keep, { recursive: true });
  const files = [await fileOf(keep, FEW), await fileOf(keep, count)];
  const started = await compareTimes(files[0], files[1], startTime, 5);
  const few = await open(files[0], FEW);
  const many = await open(files[1], count);
  try {
    yield { name: "start to the ready line", limit: 3, ...started };
    yield* compareAll(few, many, rounds);
  } finally {
    // A server that is killed leaves a file of which its next start reads every row.
    await Promise.all([close(few), close(many)]);
  }
}
