import { createServer, type IncomingMessage } from "node:http";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import type { Purchase, PurchaseResult, Shop, ShopOrder } from "../../../src/checks/shop/shop.js";
import { verifyWebhook } from "../../../src/service/webhooks/verify.js";
import { exchange } from "../../support/exchange.js";

/** A small shop for tests, right unless one fault is switched on. */

export type Mistake =
  | "none"
  | "ships on each webhook"
  | "never ships"
  | "takes every signature"
  | "new key on each try"
  | "refuses expiry"
  | "takes canonical events alone";

interface Kept {
  readonly order: string;
  readonly amount: number;
  charge: string | null;
  attempt: number;
  status: ShopOrder["status"];
  fulfilled: number;
}

interface Service {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

const STATUS: Readonly<Record<string, ShopOrder["status"]>> = {
  pending: "open",
  processing: "open",
  paid: "paid",
  expired: "cancelled",
  failed: "cancelled",
  cancelled: "cancelled",
  refunded: "refunded",
  disputed: "disputed",
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

export async function startShop({ url, key, secret }: Service, mistake: Mistake = "none") {
  const is = (one: Mistake) => mistake === one;
  const orders = new Map<string, Kept>();
  const charges = new Map<string, Kept>();
  const seen = new Set<string>();
  /** The names of the webhooks whose signature was right, in the order in which they came. */
  const heard: string[] = [];
  const ask = async (method: string, path: string, body?: unknown, idempotency?: string) => {
    for (let tries = 1; ; tries++) {
      try {
        const { status, text } = await exchange(url + path, {
          method,
          headers: {
            apikey: key,
            "content-type": "application/json",
            ...(idempotency === undefined
              ? {}
              : { "idempotency-key": is("new key on each try") ? `${idempotency}-${tries}` : idempotency }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const answer: Record<string, string> = JSON.parse(text);
        if (status < 300) return answer;
        const isFinal = status < 500 && status !== 429;
        if (isFinal || tries === 3) throw new RangeError(JSON.stringify(answer));
      } catch (error) {
        if (tries === 3 || error instanceof RangeError) throw error;
      }
    }
  };
  const charged = async (kept: Kept, document: string) => {
    const body = {
      amount: kept.amount,
      payment_method: "pix",
      customer: { name: "Maria", document },
      metadata: { order: kept.order },
    };
    const { id = "" } = await ask("POST", "/v1/charges", body, `${kept.order}-${kept.attempt}`);
    kept.charge = id;
    charges.set(id, kept);
    return id;
  };
  const buy = async ({ order, amount, document }: Purchase): Promise<PurchaseResult> => {
    const kept = orders.get(order) ?? { order, amount, charge: null, attempt: 1, status: "open", fulfilled: 0 };
    orders.set(order, kept);
    try {
      if (kept.charge === null) return { kind: "bought", charge: await charged(kept, document) };
      if (kept.status !== "cancelled") return { kind: "bought", charge: kept.charge };
      kept.attempt++;
      kept.status = "open";
      return { kind: "bought", charge: await charged(kept, document) };
    } catch (error) {
      return { kind: "refused", text: String(error) };
    }
  };
  const hear = async (body: string, signature: string): Promise<number> => {
    if (!is("takes every signature")) {
      try {
        verifyWebhook({ body, headers: { "x-qa-signature": signature }, secret });
      } catch {
        return 401;
      }
    }
    const event = JSON.parse(body);
    const name: string = event.type ?? event.event;
    heard.push(name);
    if (is("takes canonical events alone") && event.type === undefined) return 400;
    if (is("refuses expiry") && name === "charge.expired") return 500;
    const eventId: string = event.id ?? body;
    if (seen.has(eventId) && !is("ships on each webhook")) return 200;
    const object = event.data.object ?? event.data;
    const charge = String(object.charge_id ?? object.transactionId ?? object.id).replace(/^tx_/, "ch_");
    const kept = charges.get(charge);
    if (kept === undefined) return 200;
    const status =
      is("takes every signature") && name === "charge.paid"
        ? "paid"
        : (await ask("GET", `/v1/charges/${charge}`)).status;
    const next = STATUS[status ?? ""] ?? "open";
    if (kept.charge === charge) kept.status = next;
    if (next === "paid" && name === "charge.paid" && !is("never ships")) {
      kept.fulfilled = is("ships on each webhook") ? kept.fulfilled + 1 : 1;
    }
    seen.add(eventId);
    return 200;
  };
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then((body) => hear(body, String(request.headers["x-qa-signature"] ?? "")))
      .catch(() => 500)
      .then((status) => response.writeHead(status).end());
  });
  const port = await listenOnLoopback(server);
  const shop: Shop = {
    webhooks: `http://127.0.0.1:${port}/webhooks`,
    buy,
    orders: async () =>
      [...orders.values()].map(({ order, amount, charge, status, fulfilled }, index) => ({
        ...{ line: index + 1, id: charge, order, status, amount, fulfilled },
      })),
  };
  return { shop, heard, close: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}
