// A receiver of webhooks with qa-pay/webhooks: PORT=3000 QA_PAY_WEBHOOK_SECRET=… node with-package.mjs
// During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";

const secret = (process.env.QA_PAY_WEBHOOK_SECRET ?? "").split(",");
const seen = new Set(); // a real receiver has a table with a unique key

/** What tells repetitions apart. A legacy event has no id, but its bytes are the same whenever it is sent. */
function keyOf(event, body) {
  return event.id ?? createHash("sha256").update(body).digest("hex");
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

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks); // as it came: a parsed body cannot be verified
    const event = verifyWebhook({ body, headers: request.headers, secret });
    const key = keyOf(event, body);
    response.writeHead(204).end(); // at once: the service waits 30 seconds and then sends the event again
    if (seen.has(key)) return;
    seen.add(key);
    setImmediate(work, event);
  } catch (error) {
    const isRefused = error instanceof WebhookVerificationError;
    console.error(isRefused ? `refused: ${error.reason}` : error);
    if (!response.headersSent) response.writeHead(isRefused ? 400 : 500).end();
  }
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`Listening at http://127.0.0.1:${server.address().port}/webhooks`);
});
