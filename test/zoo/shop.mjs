// A shop with nothing but Node, which is right; with `--wrong NAME` it is wrong in one way of shops.mjs.
//   QA_PAY_BASE_URL=… QA_PAY_API_KEY=… QA_PAY_WEBHOOK_SECRET=… PORT=3000 node shop.mjs --data shop.jsonl [--wrong NAME]
//
// It believes webhooks alone. Each one is a fact about a charge, and facts are only ever added, so their order does not matter.
// A fact is in the file before its webhook is answered: a process that is killed has lost nothing that it acknowledged.
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { WRONG } from "./shops.mjs";

const { data, wrong } = parseArgs({
  options: { data: { type: "string", default: "shop.jsonl" }, wrong: { type: "string" } },
}).values;
if (wrong !== undefined && !Object.hasOwn(WRONG, wrong)) throw new Error(`There is no wrong shop ${wrong}.`);
const is = (/** @type {string} */ name) => wrong === name;
const { QA_PAY_BASE_URL, QA_PAY_API_KEY, QA_PAY_WEBHOOK_SECRET = "", PORT = "3000" } = process.env;

const TRIES = 6;
const LONGEST_PAUSE_MS = 1_000;
const TOLERANCE_SECONDS = 300;
/** Words of the service that an export of orders has otherwise. */
const OWN_WORDS = {
  pending: "open",
  waiting_payment: "open",
  processing: "open",
  refused: "failed",
  dispute: "disputed",
};

// The values of the file's lines.

const orders = new Map(); // by name: { order, amount, document, charges, fulfilled, failed }
const charges = new Map(); // by bare id: { paid, refunded, ended, cases: { id: open | won | lost }, last }
const seen = new Set(); // the events that were heard, by name
const shipped = new Set(); // for the shop that knows it in memory alone

const bare = (/** @type {string} */ id) => id.replace(/^(ch|tx)_/, "");
const chargeOf = (id) => charges.get(bare(id)) ?? { cases: {} };

function apply(line) {
  if (line.order) {
    const { order, amount, document, charge, failed } = line;
    const known = orders.get(order) ?? { order, charges: [], fulfilled: 0 };
    if (charge && !known.charges.includes(charge)) known.charges.push(charge);
    orders.set(order, { ...known, amount, document, failed: known.failed || failed });
  }
  if (line.event) {
    seen.add(line.event);
    const { cases, ...rest } = line.fact;
    const known = chargeOf(line.charge);
    // A case that was decided stays so, when the news that it was opened comes late.
    const before = Object.fromEntries(Object.entries(known.cases).filter(([, state]) => state !== "open"));
    charges.set(bare(line.charge), { ...known, ...rest, cases: { ...known.cases, ...cases, ...before } });
  }
  if (line.ship) orders.get(line.ship).fulfilled += 1;
}

function commit(line) {
  if (!is("orders-in-memory")) appendFileSync(data, `${JSON.stringify(line)}\n`, { flush: !is("no-flush") });
  apply(line);
}

function load() {
  if (!existsSync(data)) return;
  // A line that a kill has cut off was not acknowledged.
  for (const line of readFileSync(data, "utf8").split("\n").slice(0, -1)) apply(JSON.parse(line));
  for (const { order } of orders.values()) ship(order);
}

function stateOf(id) {
  const { paid, refunded, ended, cases, last } = chargeOf(id);
  if (is("last-word-wins") && last) return last;
  if (refunded) return "refunded";
  if (Object.values(cases).some((state) => state !== "won")) return "disputed";
  if (paid) return "paid";
  return ended ? "cancelled" : "open";
}

/** An order is what its paid attempt is, else what its last one is: the end of an attempt says nothing of a later one. */
function orderState({ charges: attempts, failed }) {
  const states = attempts.map((id) => ({ id, state: stateOf(id) }));
  const last = states.at(-1) ?? { id: null, state: "open" };
  if (is("no-second-try") && failed) return { ...last, state: "cancelled" };
  if (is("old-expiry-cancels")) return states.find(({ state }) => state === "cancelled") ?? last;
  return states.find(({ state }) => state === "paid" || state === "disputed") ?? last;
}

/** Sends the goods out when the order is paid, once. */
function ship(name) {
  const order = orders.get(name);
  const wasShipped = is("remembers-in-memory") ? shipped.has(name) : order.fulfilled > 0;
  if (wasShipped || orderState(order).state !== "paid") return;
  shipped.add(name);
  commit({ ship: name });
}

// Buying.

async function ask(method, path, body, key, tries = TRIES) {
  for (let attempt = 1; ; attempt += 1) {
    const isNew = is("new-key-each-try") || is("impatient");
    const answer = await fetch(QA_PAY_BASE_URL + path, {
      method,
      headers: {
        apikey: QA_PAY_API_KEY,
        "Content-Type": "application/json",
        ...(key && { "Idempotency-Key": isNew ? randomUUID() : key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(is("impatient") ? 150 : 10_000),
    }).catch((error) => {
      if (is("dies-without-answer")) setImmediate(() => Promise.reject(error));
      return { status: 503, ok: false, headers: new Headers(), json: async () => ({}) };
    });
    const isRefused = answer.status === 429 || answer.status >= 500;
    if (!isRefused || attempt === tries || is("no-second-try") || is("tries-once")) return answer;
    const seconds = Number(answer.headers.get("retry-after") ?? 0.05 * attempt);
    await pause(Math.min(seconds * 1_000, LONGEST_PAUSE_MS));
  }
}

/** The charge to pay for an order. The key names the attempt: however often it is sent, an attempt makes one charge. */
async function buy({ order, amount, document: given }) {
  const document = is("letters-stripped") ? given.replace(/\D/g, "") : given;
  for (let attempt = Math.max(1, orders.get(order)?.charges.length ?? 0); ; attempt += 1) {
    const body = {
      ...{ amount, payment_method: "pix", metadata: { order } },
      customer: { name: "Maria Silva", document },
      expected_payer_tax_id: document,
    };
    const made = await ask("POST", "/v1/charges", body, `${order}-attempt-${attempt}`);
    if (!made.ok) {
      if (is("no-second-try")) commit({ order, amount, document, failed: true });
      return null;
    }
    const { id } = await made.json();
    commit({ order, amount, document, charge: id });
    ship(order);
    // The answer to a repetition is that of then. An attempt that is over leads to the next one.
    if (!made.headers.has("idempotent-replayed")) return id;
    const read = await ask("GET", `/v1/charges/${id}`);
    if (!read.ok) return null;
    const { status } = await read.json();
    // Money of the wrong payer went back before anything was sent: the customer needs another charge.
    const wasRefused = status === "refunded" && orders.get(order).fulfilled === 0;
    if (!wasRefused && !["expired", "failed", "cancelled"].includes(status)) return id;
  }
}

// Webhooks.

function isSigned(body, signature, ...parts) {
  const digest = createHmac("sha256", QA_PAY_WEBHOOK_SECRET);
  for (const part of [...parts, body]) digest.update(part);
  const given = Buffer.from(signature, "hex");
  const expected = digest.digest();
  if (is("compares-plainly")) return expected.toString("hex") === signature;
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isGenuine(body, signature = "") {
  if (is("trusts-anybody")) return true;
  const legacy = /^sha256=([0-9a-f]{64})$/.exec(signature);
  if (legacy) return isSigned(body, legacy[1]);
  const canonical = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(signature);
  if (!canonical || !isSigned(body, canonical[2], `${canonical[1]}.`)) return false;
  return is("trusts-the-past") || Math.abs(Date.now() / 1_000 - Number(canonical[1])) <= TOLERANCE_SECONDS;
}

/** Which charge an event is about, and the fact that it adds. Null for an event that says nothing to a shop. */
function newsOf(event) {
  const { type = event.event, data } = event;
  const about = data?.object ?? data ?? {};
  if (type?.startsWith("med")) {
    if (is("ignores-disputes")) return null;
    const { id, charge_id: charge, status, money_outcome: outcome } = about;
    const decided = outcome === "refunded_to_merchant" ? "won" : "lost";
    return { charge, fact: { cases: { [id]: ["open", "appealed"].includes(status) ? "open" : decided } } };
  }
  const charge = about.id ?? about.transactionId;
  if (!/^(charge|payment)\./.test(type ?? "")) return null;
  // The status is that of the charge, in either family: a refund of a part leaves it paid.
  const status = String(about.status).toLowerCase();
  const fact = { last: OWN_WORDS[status] ?? status };
  if (is("any-end-is-paid") && fact.last !== "open") return { charge, fact: { paid: true } };
  if (is("ignores-refunds") && status === "refunded") return null;
  if (is("part-is-all") && type === "payment.refunded") return { charge, fact: { refunded: true } };
  if (["paid", "approved"].includes(status)) return { charge, fact: { ...fact, paid: true } };
  if (status === "refunded") return { charge, fact: { ...fact, refunded: true } };
  if (["expired", "failed", "cancelled", "refused"].includes(status)) return { charge, fact: { ...fact, ended: true } };
  return { charge, fact };
}

const FIELDS =
  "id object amount currency status payment_method customer pix checkout_url settlement metadata created_at";
const KNOWN_FIELDS = new Set([...FIELDS.split(" "), "expected_payer_tax_id"]);

/** The status to answer. Anything but 2xx makes the service send the event again. */
async function hear(body, headers) {
  if (!isGenuine(body, headers["x-qa-signature"])) return 400;
  const event = JSON.parse(body.toString());
  const about = event.data?.object ?? {};
  if (
    is("refuses-new-fields") &&
    about.object === "charge" &&
    Object.keys(about).some((name) => !KNOWN_FIELDS.has(name))
  )
    return 422;
  if (is("dies-of-new-values") && about.object === "charge" && about.payment_method !== "pix")
    setImmediate(() => Promise.reject(new Error(`There is no method ${about.payment_method}.`)));
  // A legacy event has no id, and its bytes never change.
  const name = event.id ?? createHash("sha256").update(body).digest("hex");
  if (seen.has(name) && !is("ships-each-time")) return is("refuses-known-events") ? 409 : 204;
  const news = newsOf(event);
  if (news === null) return 204;
  if (is("takes-503-for-no") && !(await ask("GET", `/v1/payments/${bare(news.charge)}`, null, null, 1)).ok) return 204;
  if (is("answers-first")) pause(300).then(() => book(name, news));
  else await book(name, news, event.type ?? event.event);
  return 204;
}

async function book(name, { charge, fact }, type) {
  commit({ event: name, charge, fact });
  const order = [...orders.values()].find((one) => one.charges.some((id) => bare(id) === bare(charge)));
  if (order === undefined) return; // its purchase is not done yet, and looks at the facts when it is
  const isPayment = type === "charge.paid" || (is("ships-for-each-family") && type === "payment.completed");
  if (is("ships-each-time") || is("ships-for-each-family")) {
    if (isPayment) commit({ ship: order.order });
  } else if (is("refund-means-paid") && fact.refunded && order.fulfilled === 0) {
    commit({ ship: order.order });
  } else if (is("no-lock") && order.fulfilled === 0 && orderState(order).state === "paid") {
    await pause(20);
    commit({ ship: order.order });
  } else {
    ship(order.order);
  }
}

const rows = () =>
  [...orders.values()].map((order) => {
    const { id, state } = orderState(order);
    return { id, order: order.order, status: state, amount: order.amount, fulfilled: order.fulfilled };
  });

async function answerTo({ method, url, headers }, body) {
  switch (`${method} ${url}`) {
    case "GET /":
      return [200, { shop: wrong ?? "right" }];
    case "GET /orders":
      return [200, rows()];
    case "POST /buy": {
      const charge = await buy(JSON.parse(body.toString()));
      return charge === null
        ? [502, { error: "The payment could not be started. Please try again." }]
        : [200, { charge }];
    }
    case "POST /webhooks":
      return [await hear(body, headers)];
    default:
      return [404, { error: "Not found" }];
  }
}

load();
createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, content] = await answerTo(request, Buffer.concat(chunks));
    response
      .writeHead(status, content && { "content-type": "application/json" })
      .end(content && JSON.stringify(content));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(PORT), "127.0.0.1", () => console.log(`The shop is open at http://127.0.0.1:${PORT}`));
