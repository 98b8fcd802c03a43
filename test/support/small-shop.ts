import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The source of a shop of one file, for tests of the commands that start one. `WRONG` in its environment names what it does
 * wrong: `unfulfilled` hears that an order is paid and does nothing, `refusing` sells nothing, `selling out` no more than three times,
 * `silent` tells no orders, `elsewhere` answers with a charge that nobody knows, `deaf` answers webhooks with 500,
 * `dying` ends at the fifth purchase, `twice` fulfils once more at each `charge.paid`, `shipping` at each after the first one.
 */
const SOURCE = `
const { createServer } = require("node:http");
const { createHmac } = require("node:crypto");
const { QA_PAY_BASE_URL: base, QA_PAY_API_KEY: apikey, QA_PAY_WEBHOOK_SECRET: secret, PORT, WRONG } = process.env;
const orders = new Map();

async function buy({ order, amount, document }) {
  if (WRONG === "refusing" || (WRONG === "selling out" && orders.size === 3)) return [503, { error: "sold out" }];
  if (WRONG === "elsewhere") return [201, { charge: "ch_01980000-0000-7000-8000-000000000000" }];
  if (WRONG === "dying" && orders.size === 4) {
    console.error("out of memory");
    process.exit(4);
  }
  const row = { order, amount, document, id: null, status: "open", fulfilled: 0 };
  orders.set(order, row);
  const response = await fetch(base + "/v1/charges", {
    method: "POST",
    headers: { apikey, "content-type": "application/json", "idempotency-key": "order-" + order },
    body: JSON.stringify({ amount, payment_method: "pix", metadata: { order } }),
  });
  const charge = await response.json();
  if (!response.ok) return [502, charge];
  row.id = charge.id;
  return [201, { order, charge: charge.id }];
}

const digest = (text) => createHmac("sha256", secret).update(text).digest("hex");

function hear(body, signature = "") {
  const { t, v1, sha256 = v1 } = Object.fromEntries(signature.split(",").map((part) => part.split("=")));
  if (digest(t === undefined ? body : t + "." + body) !== sha256) return [400, {}];
  if (WRONG === "deaf") return [500, {}];
  const { type, data, event } = JSON.parse(body);
  const row = [...orders.values()].find(({ id }) => id === data.object?.id || id?.slice(3) === data.transactionId?.slice(3));
  if (row === undefined || WRONG === "unfulfilled") return [200, {}];
  if (type === "charge.paid" && WRONG === "shipping" && row.status === "paid") row.fulfilled++;
  if (type === "charge.paid" && row.status === "open") Object.assign(row, { status: "paid", fulfilled: row.fulfilled + 1 });
  if (type === "charge.paid" && WRONG === "twice") row.fulfilled++;
  if (type === "charge.expired" && row.status === "open") row.status = "expired";
  if (type === undefined && data.refund?.status === "REFUNDED") row.status = "refunded";
  return [200, {}];
}

createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const answers = {
    "GET /": () => [200, {}],
    "POST /buy": () => buy(JSON.parse(body)),
    "POST /webhooks": () => hear(body, request.headers["x-qa-signature"]),
    "GET /orders": () => [200, WRONG === "silent" ? [] : [...orders.values()]],
  };
  const [status, answer] = await (answers[request.method + " " + request.url] ?? (() => [404, {}]))();
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
}).listen(Number(PORT), "127.0.0.1", () => console.log("the shop is open", apikey, secret));
`;

/** Writes the shop into a folder. Returns the words that start it there. */
export function writeSmallShop(folder: string): readonly [string, string] {
  const file = join(folder, "shop.cjs");
  writeFileSync(file, SOURCE);
  return [process.execPath, file];
}
