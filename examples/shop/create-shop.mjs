import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { errorPage, frontPage, orderPage } from "./pages.mjs";
import { readWebhook } from "./webhook.mjs";

const PRICE = 1990; // centavos, as all amounts are integers of the smallest unit
const TRIES = 6;

/** What a charge means for its order. Any other status, a new one too, leaves the order open. */
const MEANING = { paid: "paid", refunded: "refunded", disputed: "disputed" };

/** Whether the customer needs another charge. Money of the wrong payer went back before anything was sent. */
const isOver = ({ status }, { fulfilled }) =>
  ["expired", "failed", "cancelled"].includes(status) || (status === "refunded" && fulfilled === 0);

const randomId = () => randomUUID().slice(0, 8);

/**
 * A shop that sells one thing, as a listener for `node:http`. Orders are in memory, and in `file` when it is given: a real
 * shop has a database.
 *
 * GET / offers it, POST /orders makes an order and its charge, GET /orders/<id> shows the Pix code and whether it is paid,
 * POST /webhooks hears from the payment service. POST /buy and GET /orders are the same for programs, such as
 * `qa-pay survive`. A test may give the ids of orders, and the time.
 */
export function createShop({ baseUrl, apiKey, webhookSecret, file = "", newId = randomId, now = Date.now }) {
  const orders = new Map(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);

  /** Keeps the orders before anybody is answered. A file that takes another's place is never half written. */
  function save() {
    if (file === "") return;
    writeFileSync(`${file}.new`, JSON.stringify([...orders]));
    renameSync(`${file}.new`, file);
  }

  /** Works one after the other, so that what was read first is booked first. A real shop locks the row of the order. */
  let last = Promise.resolve();
  const inTurn = (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  /** Asks the payment service until it answers. After an error or no answer the same request may be sent again. */
  async function ask(method, path, body, key) {
    const headers = { apikey: apiKey, "Content-Type": "application/json", ...(key && { "Idempotency-Key": key }) };
    for (let tries = 1; ; tries += 1) {
      const request = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
      const answered = await fetch(baseUrl + path, request)
        .then(async (response) => ({ response, answer: await response.json() }))
        .catch((error) => ({ error }));
      const { response, answer, error } = answered;
      if (response?.ok) return answer;
      const isFinal = response && response.status < 500 && response.status !== 429;
      if (isFinal || tries === TRIES)
        throw error ?? new Error(`${answer.error.code}: ${answer.error.message} (${answer.request_id})`);
      await pause(1_000 * Number(response?.headers.get("retry-after") ?? 0.1 * tries));
    }
  }

  /** Gives an order a charge that can be paid: the one that it has, or the next one when that is over. */
  async function charge(order) {
    for (;;) {
      const { id, document, amount, attempt } = order;
      // The same key for every try of this attempt: a repeated request never makes a second charge.
      const body = {
        amount,
        payment_method: "pix",
        metadata: { order: id },
        ...(document && { customer: { document } }),
      };
      const made = await ask("POST", "/v1/charges", body, `order-${id}-${attempt}`);
      // A repetition is answered as the first request was, so the charge may look otherwise by now.
      order.charge = await ask("GET", `/v1/charges/${made.id}`);
      book(order, order.charge);
      if (!isOver(order.charge, order)) return order;
      order.attempt += 1;
    }
  }

  function createOrder(id, amount, document) {
    const order = orders.get(id) ?? { id, amount, document, attempt: 1, charge: null, status: "open", fulfilled: 0 };
    orders.set(id, order);
    save();
    return inTurn(() => charge(order));
  }

  /** Takes what the service says. The goods go out once, however often it says so. */
  function book(order, charge) {
    const status = MEANING[charge.status] ?? "open";
    // An old attempt matters only when money came for it.
    if (charge.id !== order.charge?.id && status !== "paid" && status !== "disputed") return;
    Object.assign(order, { charge, status });
    if (status === "paid" && order.fulfilled === 0) order.fulfilled = 1;
    save();
  }

  /** The status to answer. Anything but 2xx makes the service send the event again later. */
  async function hear(body, signature) {
    const event = readWebhook(body, signature, webhookSecret, now());
    if (event === null) return 400;
    // Events come twice and in any order. So an event is only the signal to read the charge, and what stands there counts.
    const { charge_id, transactionId, id } = event.data.object ?? event.data;
    const charge = await ask("GET", `/v1/charges/${(charge_id ?? transactionId ?? id).replace("tx_", "")}`);
    const order = orders.get(charge.metadata.order);
    if (order !== undefined) book(order, charge);
    return 204;
  }

  const rows = () =>
    [...orders.values()].map(({ id, charge, status, amount, fulfilled }) => {
      return { id: charge?.id ?? null, order: id, status, amount, fulfilled };
    });

  return async (request, response) => {
    const [, folder, id] = request.url.split("/");
    const route = `${request.method} /${folder}`;
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      if (route === "GET /") return page(response, 200, frontPage(PRICE));
      if (route === "POST /orders") {
        const order = await createOrder(newId(), PRICE);
        return response.writeHead(303, { location: `/orders/${order.id}` }).end();
      }
      if (route === "GET /orders" && orders.get(id)?.charge) return page(response, 200, orderPage(orders.get(id)));
      if (route === "GET /orders" && id === undefined) return json(response, rows());
      if (route === "POST /buy") {
        const { order, amount, document } = JSON.parse(body);
        return json(response, { charge: (await createOrder(order, amount, document)).charge.id });
      }
      if (route === "POST /webhooks") {
        const status = await inTurn(() => hear(body, request.headers["x-qa-signature"]));
        return response.writeHead(status).end();
      }
      page(response, 404, errorPage("There is nothing here."));
    } catch (error) {
      console.error(error);
      page(response, 502, errorPage("The payment could not be started. Please try again."));
    }
  };
}

function page(response, status, content) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(content);
}

function json(response, content) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(content));
}
