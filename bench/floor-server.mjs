/**
 * The floor: the smallest cost of a durable create on this machine. It uses only node:http and better-sqlite3. A create
 * writes the same rows as qa-pay in one transaction; a read is one lookup by id, a list one query. No validation, no framework, no shared
 * commits.
 * Usage: node bench/floor-server.mjs <database file>.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import Database from "better-sqlite3";
import { LIST } from "./requests.mjs";
import { startServing } from "./serving.mjs";

const schema = readFileSync(new URL("../src/base/db/migrations/0001-schema.sql", import.meta.url), "utf8");
const db = new Database(process.argv[2] ?? ":memory:");
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
db.exec(schema);
db.exec(`
  INSERT INTO accounts VALUES ('acc', 'Floor', 'SAO PAULO', 'key', 'secret', 0);
  INSERT INTO books VALUES (1, 'acc', 'test');
`);

const insertTransaction = db.prepare(`INSERT INTO transactions (id, book_id, status, amount, currency, payment_methods,
  metadata, expires_in, expires_at, txid, checkout_token, provider_reference, created_at, updated_at, day)
  VALUES (?, 1, 'WAITING_PAYMENT', ?, 'BRL', ',PIX,', '{}', 3600, ?, ?, ?, ?, ?, ?, ?)`);
const insertHistory = db.prepare(`INSERT INTO history (book_id, noun, subject, move, to_status, cause, request, at)
  VALUES (1, 'transaction', ?, 'create', 'WAITING_PAYMENT', 'request POST /v1/charges', ?, ?)`);
const insertEvent = db.prepare(
  "INSERT INTO events (id, book_id, type, subject, data, history_seq, created_at) VALUES (?, 1, ?, ?, ?, ?, ?)",
);
const insertJob = db.prepare("INSERT INTO jobs VALUES (?, ?, 'transaction.expire', '{}', 0, 1, ?)");
const insertKey = db.prepare("INSERT INTO idempotency_keys VALUES (1, 'charge', ?, ?, 201, NULL, ?, ?)");
const readCharge = db.prepare("SELECT data FROM events WHERE seq = ?").pluck();
const readNewest = db
  .prepare("SELECT data FROM events WHERE type = 'charge.created' ORDER BY seq DESC LIMIT 20")
  .pluck();
const charges = new Map();
let counter = 0;
let requests = 0;

const saoPauloDay = (at) => Math.floor((at - 3 * 3_600_000) / 86_400_000);

function nextId(now) {
  counter = (counter + 1) & 0xfff;
  const time = now.toString(16).padStart(12, "0");
  const tail = randomBytes(8).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

const create = db.transaction((body, key, raw) => {
  const now = Date.now();
  const id = nextId(now);
  const txid = randomBytes(16).toString("hex");
  const charge = JSON.stringify({
    id: `ch_${id}`,
    object: "charge",
    amount: body.amount,
    currency: "BRL",
    status: "pending",
    payment_method: "pix",
    customer: {},
    pix: {
      br_code: "0".repeat(170),
      qr_code_url: `http://127.0.0.1:4600/qr/${id}.png`,
      expires_at: new Date(now + 3_600_000),
      txid,
    },
    checkout_url: `http://127.0.0.1:4600/checkout/${id}?k=${txid.slice(0, 24)}`,
    settlement: {},
    metadata: {},
    created_at: new Date(now),
  });
  insertTransaction.run(
    id,
    body.amount,
    now + 3_600_000,
    txid,
    txid.slice(0, 24),
    `prv_${id}`,
    now,
    now,
    saoPauloDay(now),
  );
  requests += 1;
  const { lastInsertRowid: history } = insertHistory.run(id, requests, now);
  const { lastInsertRowid } = insertEvent.run(nextId(now), "charge.created", id, charge, history, now);
  const legacy = JSON.stringify({
    transactionId: `tx_${id}`,
    amount: body.amount,
    status: "WAITING_PAYMENT",
    previousStatus: null,
    occurredAt: new Date(now),
  });
  insertEvent.run(nextId(now), "payment.created", id, legacy, history, now);
  insertJob.run(now + 3_600_000, id, history);
  insertKey.run(key, createHash("sha256").update(raw).digest("base64url"), lastInsertRowid, now);
  charges.set(`/v1/charges/ch_${id}`, lastInsertRowid);
  return charge;
});

const server = createServer((request, response) => {
  if (request.method === "GET") {
    const body = request.url === LIST ? `{"data":[${readNewest.all()}]}` : readCharge.get(charges.get(request.url));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
    return;
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const raw = Buffer.concat(chunks).toString();
    const answer = create(JSON.parse(raw), request.headers["idempotency-key"], raw);
    response.writeHead(201, { "content-type": "application/json" }).end(answer);
  });
});
await startServing(server);
