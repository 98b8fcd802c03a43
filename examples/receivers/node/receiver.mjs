// A receiver of webhooks with nothing but Node: PORT=3000 QA_PAY_WEBHOOK_SECRET=… node receiver.mjs
// During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRETS = (process.env.QA_PAY_WEBHOOK_SECRET ?? "").split(",").filter(Boolean);
const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

if (SECRETS.length === 0) throw new Error("Set QA_PAY_WEBHOOK_SECRET.");

/** Whether one of the secrets has signed the text. The digest is compared in constant time. */
function isSigned(digest, ...parts) {
  return SECRETS.some((secret) => {
    const hmac = createHmac("sha256", secret); // the secret as text, not decoded from hex
    for (const part of parts) hmac.update(part);
    return timingSafeEqual(hmac.digest(), Buffer.from(digest, "hex"));
  });
}

/** The event of a genuine webhook of either family, else null. `body` is the bytes as they came. */
function verified(body, signature = "") {
  const legacy = /^sha256=([0-9a-f]{64})$/.exec(signature);
  if (legacy) {
    if (!isSigned(legacy[1], body)) return null;
    const event = parsed(body);
    return typeof event?.event === "string" && event.type === undefined ? event : null;
  }
  const canonical = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(signature);
  if (!canonical) return null;
  const [, t, digest] = canonical;
  if (!isSigned(digest, `${t}.`, body)) return null;
  if (Math.abs(Date.now() / 1000 - Number(t)) > TOLERANCE_SECONDS) return null; // recorded, and sent again
  const event = parsed(body);
  return typeof event?.type === "string" && typeof event.id === "string" ? event : null;
}

function parsed(body) {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

/**
 * Keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the same in all
 * retries, and its bytes are the same when somebody sends it anew.
 */
function keysOf(event, body, deliveryId) {
  if (event.id !== undefined) return [event.id];
  return [deliveryId, createHash("sha256").update(body).digest("hex")].filter(Boolean);
}

// In memory, so that the example stays short. A real receiver has a table with a unique key, and writes key and event in
// one transaction before it answers: then no event is lost or handled twice when the process ends.
const seen = new Set();
const queue = [];

function accept(event, keys) {
  const isKnown = keys.some((key) => seen.has(key));
  for (const key of keys) seen.add(key);
  if (isKnown) return;
  queue.push(event);
  if (queue.length === 1) setImmediate(workThrough);
}

async function workThrough() {
  while (queue.length > 0) {
    await work(queue[0]).catch((error) => console.error(error));
    queue.shift();
  }
}

/** What your shop does. Events come in any order, and new ones are added without notice: ignore the others. */
async function work(event) {
  const name = event.type ?? event.event;
  switch (name) {
    case "charge.paid":
      console.log("work", name, event.id, `${event.data.object.id} is paid: ${event.data.object.amount} centavos`);
      break;
    default:
      console.log("work", name, event.id ?? event.data.transactionId);
  }
}

const server = createServer(async (request, response) => {
  const answer = (status) => response.writeHead(status).end();
  try {
    if (request.method !== "POST" || request.url !== "/webhooks") return answer(404);
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return answer(413);
    }
    const body = Buffer.concat(chunks);
    const event = verified(body, request.headers["x-qa-signature"]);
    if (event === null) return answer(400);
    accept(event, keysOf(event, body, request.headers["x-qa-delivery-id"]));
    answer(204); // at once: the service waits 30 seconds and then sends the event again
  } catch (error) {
    console.error(error);
    if (!response.headersSent) answer(500);
  }
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`Listening at http://127.0.0.1:${server.address().port}/webhooks`);
});
