import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { verifyWebhook } from "qa-pay/webhooks";

const { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apikey, QA_PAY_WEBHOOK_SECRET: secret, PORT } = process.env;
const orders = new Map(); // a real shop has a table

/** Sends a request until the service has answered. The idempotency key makes it safe to send it again. */
async function ask(method, path, body, key = "") {
  const headers = { apikey, "Content-Type": "application/json", "Idempotency-Key": key };
  for (let tries = 1; ; tries += 1) {
    const request = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
    const reply = await fetch(baseUrl + path, request).catch(() => null);
    const answer = await reply?.json().catch(() => null);
    if (reply?.ok && answer) return answer;
    if (tries === 6 || (answer && reply.status < 500 && reply.status !== 429)) throw new Error(answer?.error.code);
    await pause(1_000 * Number(reply?.headers.get("retry-after") ?? 0.1 * tries));
  }
}

/** Books what the service says of a charge. An old attempt counts only when money came for it. */
async function book(reference) {
  const { id, status: word, metadata } = await ask("GET", `/v1/charges/${reference}`);
  const status = ["paid", "refunded", "disputed"].includes(word) ? word : "open";
  const order = orders.get(metadata.order);
  if (order === undefined || (order.id !== id && !["paid", "disputed"].includes(status))) return false;
  Object.assign(order, { id, status, fulfilled: status === "paid" ? 1 : order.fulfilled }); // the goods go out once
  return ["expired", "failed", "cancelled"].includes(word) || (word === "refunded" && order.fulfilled === 0);
}

async function buy({ order: name, amount, document }) {
  const order = orders.get(name) ?? { order: name, amount, attempt: 1, status: "open", fulfilled: 0 };
  orders.set(name, order);
  const body = { amount, payment_method: "pix", customer: { document }, metadata: { order: name } };
  for (;;) {
    ({ id: order.id } = await ask("POST", "/v1/charges", body, `order-${name}-${order.attempt}`));
    if (!(await book(order.id))) return { charge: order.id };
    order.attempt += 1; // that charge is over
  }
}

/** An event comes twice and in any order, so it is only the signal to read the charge. */
async function hear(body, headers) {
  const { data } = verifyWebhook({ body, headers, secret });
  const { charge_id, transactionId, id } = data.object ?? data;
  await book((charge_id ?? transactionId ?? id).replace("tx_", ""));
}

let turn = Promise.resolve(); // one request after the other, so that what was read first is booked first
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const work = { "/buy": () => buy(JSON.parse(body)), "/webhooks": () => hear(body, request.headers) }[request.url];
  turn = turn.then(work ?? (() => [...orders.values()])).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error) => response.writeHead(error.name === "WebhookVerificationError" ? 400 : 500).end(error.message),
  );
}).listen(PORT, "127.0.0.1");
