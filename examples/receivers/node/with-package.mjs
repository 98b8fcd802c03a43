// A receiver of webhooks with qa-pay/webhooks: PORT=3000 QA_PAY_WEBHOOK_SECRET=… node with-package.mjs
// During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";

const secret = (process.env.QA_PAY_WEBHOOK_SECRET ?? "").split(",").filter(Boolean);
if (secret.length === 0) throw new Error("Set QA_PAY_WEBHOOK_SECRET.");
const seen = new Set(); // a real receiver has a table with a unique key

/**
 * Keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the same in all
 * retries, and its bytes are the same when somebody sends it anew.
 */
function keysOf(event, body, deliveryId) {
  if (event.id !== undefined) return [event.id];
  return [deliveryId, createHash("sha256").update(body).digest("hex")].filter(Boolean);
}

/** What your shop does. Events come in any order, and new ones are added without notice: ignore the others. */
function work(event) {
  if (event.type === "charge.paid") {
    const charge = event.data.object;
    console.log("work", event.type, event.id, `${charge.id} is paid: ${charge.amount} centavos`);
  } else {
    console.log("work", event.type ?? event.event, event.id ?? event.data.transactionId);
  }
}

export const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks); // as it came: a parsed body cannot be verified
    const event = verifyWebhook({ body, headers: request.headers, secret });
    const keys = keysOf(event, body, request.headers["x-qa-delivery-id"]);
    const isKnown = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    response.writeHead(204).end(); // at once: the service waits 30 seconds and then sends the event again
    if (!isKnown) setImmediate(work, event);
  } catch (error) {
    const isRefused = error instanceof WebhookVerificationError;
    console.error(isRefused ? `refused: ${error.reason}` : error);
    if (!response.headersSent) response.writeHead(isRefused ? 400 : 500).end();
  }
});

// A test imports this file and listens elsewhere.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
    console.log(`Listening at http://127.0.0.1:${server.address().port}/webhooks`);
  });
}
