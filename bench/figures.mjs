/**
 * Reads lists, totals, statistics, searches and the check of the ledger in a book of 10,000 payments and in one of 200,000, the
 * size that qa-pay is built for. Both servers get the same requests in turn.
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { binary, folder, run, seed, serve, spentBy, stop } from "./processes.mjs";
import { KEY, LIST, senderTo } from "./requests.mjs";
import { formatValues, median } from "./rows.mjs";

const FEW = 10_000;
const PAGE = 20;
const DATES = "startDate=2026-03-03T10:20:30Z&endDate=2026-05-05T05:40:30Z";
/** No answer may take longer, in milliseconds of a processor. */
const LONGEST_MS = 250;
/** A page by an index may take so many times what it takes in the small book. */
const MOST_TIMES = 3;

const search = (q) => `/_sandbox/search?q=${encodeURIComponent(q)}`;

/** Requests that no list of the contract is, by the number of payments and the id of a paid charge. `isByIndex` is said of pages by an index. */
const callsOf = (count, charge) => [
  { path: "/v1/payments?page=100", isByIndex: true },
  { path: `/v1/payments?page=${(0.8 * count) / PAGE}`, name: "payments at 80 % of the depth" },
  { path: `/v1/payments?status=PAID&${DATES}&page=3`, isByIndex: true },
  {
    path: `/v1/payments?sortBy=customerEmail&page=${(0.5 * count) / PAGE}`,
    name: "payments by e-mail address, in the middle",
  },
  ...["stats?days=7", "stats?days=366", "metrics?days=366"].map((path) => ({ path: `/v1/payments/${path}` })),
  ...["0123456789abcdef0123456789abcdef", "529.982.247-25", "19,90", "nowhere", "nowhere at all", "expired"].map(
    (q) => ({ path: search(q) }),
  ),
  { path: search(charge), name: "search for an id" },
  { path: `/_sandbox/timeline/${charge}`, name: "timeline of a charge" },
  { path: "/v1/webhooks/stats" },
  { path: "/v1/webhooks/deliveries?status=CANCELLED&eventType=charge.paid" },
  { path: "/_sandbox/ledger/check" },
];

/** Values for filters that have no list of values in the contract. A date stands for a period. */
const VALUES = {
  startDate: ["2026-03-03T10:20:30Z"],
  endDate: ["2025-09-03T10:20:30Z"],
  created_after: ["2026-03-03T10:20:30Z"],
  created_before: ["2025-09-03T10:20:30Z"],
  until: ["2026-07-03T10:20:30Z"],
  currency: ["BRL", "EURC"],
  method: ["PIX", "CREDIT_CARD", "BOLETO", "MBWAY", "MULTIBANCO", "CRYPTO"],
  eventType: ["charge.paid", "med.resolved"],
  event_type: ["charge.paid", "med.resolved"],
  type: ["charge.paid", "med.resolved"],
  customer_id: ["52998224725"],
  q: ["nowhere"],
};

/** Every list of the contract: alone, with each value of each filter, and in each order. */
function listsOf({ paths }, charge) {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters?.filter((one) => one.in === "query") ?? [];
    const isList = parameters.some(({ name }) => name === "limit") && !path.includes("{");
    if (!isList || path === "/_sandbox/requests") return [];
    const filtered = parameters.flatMap(({ name, schema }) => {
      const ids = ["charge", "charge_id", "reference", "subject"].includes(name) ? [charge] : [];
      return (schema.enum ?? VALUES[name] ?? ids).map((value) => `${name}=${value}`);
    });
    const whole = { path, name: `${path}, all`, isByIndex: path !== "/v1/webhooks/deliveries" };
    const isNamed = (query) => ({ path: encodeURI(`${path}?${query}`), name: `${path}?${query.replace(charge, "…")}` });
    return [whole, ...filtered.map(isNamed)];
  });
}

/** Opens the file with `count` payments. Makes it when it does not exist. */
async function open(kept, count) {
  const file = join(kept, `figures-${count}.db`);
  if (!existsSync(file)) await seed(file, count);
  const server = await serve("--preview", "charge-list", "--db", file);
  return { server, sender: senderTo(server.url, 1), count };
}

async function close({ server, sender }) {
  sender.close();
  await stop(server);
}

async function sendRequest({ sender }, path, { headers = {}, ...more } = {}) {
  const { status, text } = await sender.send(path, { ...more, headers: { apikey: KEY, ...headers } });
  if (status >= 300) throw new Error(`${path} was answered with ${status}: ${text}`);
  return JSON.parse(text);
}

/** Milliseconds of a processor that the server takes for a request. */
async function spentFor(side, send) {
  const before = spentBy(side.server.child.pid);
  await send(side);
  return spentBy(side.server.child.pid) - before;
}

/** The medians of both sides, in turn. The first round only fills the caches; what takes long is repeated less. */
async function compare(few, many, sendOf, rounds) {
  const pairs = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = [await spentFor(few, sendOf(few)), await spentFor(many, sendOf(many))];
    if (round > 0) pairs.push(pair);
    if (pair[1] > 50 && round >= 5) break;
  }
  const [small, large] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  return { small, large };
}

/** The id of a paid charge from the middle of a file. Throws when the file does not hold what it should. */
async function chargeOf(side) {
  const { total, data } = await sendRequest(side, `/v1/payments?status=PAID&limit=1&page=${Math.ceil(side.count / 4)}`);
  const { total: all } = await sendRequest(side, LIST);
  const { ok } = await sendRequest(side, "/_sandbox/ledger/check");
  if (total === 0 || !ok || all < side.count || all > 1.5 * side.count)
    throw new Error(`the file of ${side.count} holds ${all}, or its ledger is not in order: make it again`);
  return data[0].id.replace(/^tx_/, "ch_");
}

function create(side) {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  return sendRequest(side, "/v1/charges", { method: "POST", headers, body: '{"amount":1990,"payment_method":"pix"}' });
}

/** The requests of a side: the same ones in both, each in its own size. */
async function callsFor(side, contract) {
  const charge = await chargeOf(side);
  return [...callsOf(side.count, charge), ...listsOf(contract, charge)];
}

/** Codes and images have an order for few payments alone. */
const isRefused = (error) => /answered with 400.*sorts 500 payments/s.test(error.message);

/**
 * Measures all requests, in milliseconds of a processor. The two files stay in the folder `keep` for the next run. Every run adds
 * some charges to each.
 */
export async function* figures({ keep = folder, many: count = 200_000 }) {
  const place = resolve(keep);
  mkdirSync(place, { recursive: true });
  const contract = JSON.parse(await run([binary, "openapi", "--sandbox", "--preview", "charge-list"]));
  const [few, many] = [await open(place, FEW), await open(place, Number(count))];
  const row = (name, { small, large }, isByIndex, isReached) => ({
    name: `${count} payments: ${name}`,
    ours: formatValues([large], "ms"),
    floor: formatValues([small], "ms"),
    ratio: (large / small).toFixed(2),
    target: isByIndex ? `≤ ${MOST_TIMES} ×` : `≤ ${LONGEST_MS} ms`,
    isReached,
  });
  try {
    const calls = await callsFor(few, contract);
    for (const [place, { path, name = path, isByIndex }] of (await callsFor(many, contract)).entries()) {
      const pathOf = (side) => (side === many ? path : calls[place].path);
      const times = await compare(few, many, (side) => () => sendRequest(side, pathOf(side)), 11).catch((error) => {
        if (isRefused(error)) return null;
        throw error;
      });
      if (times === null) continue;
      const { small, large } = times;
      yield row(name, times, isByIndex, large <= LONGEST_MS && !(isByIndex && large > MOST_TIMES * small));
    }
    const created = await compare(few, many, () => create, 200);
    yield row("create a charge", created, true, created.large <= MOST_TIMES * created.small);
  } finally {
    await Promise.all([close(few), close(many)]);
  }
}
