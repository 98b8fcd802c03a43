import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { readWebhook } from "./webhook.mjs";

const PRICE = 1990; // centavos, as all amounts are integers of the smallest unit

/**
 * A shop that sells one thing, as a listener for `node:http`. Orders are in memory: a real shop has a database.
 *
 * GET / offers it, POST /orders makes an order and its charge, GET /orders/<id> shows the Pix code and whether it is paid,
 * POST /webhooks hears from the payment service. A test may give the ids of orders, and the time.
 */
export function createShop({ baseUrl, apiKey, webhookSecret, newId = randomUUID, now = Date.now }) {
  const orders = new Map();
  const seen = new Set();

  async function createOrder() {
    const id = newId();
    const response = await fetch(`${baseUrl}/v1/charges`, {
      method: "POST",
      // The same key for every attempt of this order: a repeated request never makes a second charge.
      headers: { apikey: apiKey, "Content-Type": "application/json", "Idempotency-Key": `order-${id}` },
      body: JSON.stringify({ amount: PRICE, payment_method: "pix", metadata: { order: id } }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message} (${answer.request_id})`);
    orders.set(id, { id, isPaid: false, charge: answer });
    return id;
  }

  /** The status to answer. Anything but 2xx makes the service send the event again later. */
  function hear(body, signature) {
    const event = readWebhook(body, signature, webhookSecret, now());
    if (event === null) return 400;
    // The service delivers at least once, so the same event may come twice.
    if (seen.has(event.id)) return 204;
    const charge = event.data.object;
    const order = orders.get(charge.metadata?.order);
    if (event.type === "charge.paid" && order?.charge.id === charge.id) order.isPaid = true;
    seen.add(event.id);
    return 204;
  }

  return async (request, response) => {
    const [, folder, id] = request.url.split("/");
    const route = `${request.method} /${folder}`;
    try {
      if (route === "GET /")
        return page(response, 200, `<form method="post" action="/orders"><button>Buy</button></form>`);
      if (route === "POST /orders") {
        return response.writeHead(303, { location: `/orders/${await createOrder()}` }).end();
      }
      if (route === "GET /orders" && orders.has(id)) return page(response, 200, orderText(orders.get(id)));
      if (route === "POST /webhooks") {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const status = hear(Buffer.concat(chunks).toString(), request.headers["x-qa-signature"]);
        return response.writeHead(status).end();
      }
      page(response, 404, "Not found");
    } catch (error) {
      console.error(error);
      page(response, 502, "The payment could not be started. Please try again.");
    }
  };
}

function orderText({ isPaid, charge }) {
  if (isPaid) return "<p>Paid. Thank you!</p>";
  return `<p>Pay with Pix:</p><img src="${charge.pix.qr_code_url}" alt=""><p><code>${charge.pix.br_code}</code></p>
<p>Charge ${charge.id}. Reload this page when you have paid.</p>`;
}

function page(response, status, content) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${content}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apiKey, QA_PAY_WEBHOOK_SECRET: webhookSecret } = process.env;
  const server = createServer(createShop({ baseUrl, apiKey, webhookSecret }));
  server.listen(3000, "127.0.0.1", () => console.log("The shop is open at http://127.0.0.1:3000"));
}
