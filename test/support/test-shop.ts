import { text } from "node:stream/consumers";
import { createClient } from "../../src/index.js";
import type {
  ShopEnvironment,
  SurviveOptions,
  SurviveOrder,
  SurvivePurchase,
} from "../../src/programs/library/survive-kit.js";
import { verifyWebhook } from "../../src/service/webhooks/index.js";
import { type Host, startHost } from "./running.js";

/** A shop that knows nothing but paid and open. A careless one sends the goods with every webhook, and checks no signature. */
export function testShop(isCareless = false) {
  const orders = new Map<string, { id: string; amount: number; fulfilled: number }>();
  let env: ShopEnvironment;
  let host: Host;
  const seen: string[] = [];

  async function hear(body: string, headers: Readonly<Record<string, unknown>>): Promise<number> {
    try {
      const { type, data } = isCareless
        ? JSON.parse(body)
        : verifyWebhook({ body, headers: headers as Record<string, string>, secret: env.QA_PAY_WEBHOOK_SECRET });
      const order = [...orders.values()].find(({ id }) => id === data.object?.id);
      if (type === "charge.paid" && order !== undefined) order.fulfilled = isCareless ? order.fulfilled + 1 : 1;
      return 204;
    } catch {
      return 400;
    }
  }

  const options = {
    async shop(given: ShopEnvironment) {
      env = given;
      seen.push("started");
      host = await startHost(async (request, response) => {
        response.writeHead(await hear(await text(request), request.headers)).end();
      });
      return () => {
        seen.push("stopped");
        return host.close();
      };
    },
    webhooks: () => `${host.url}/webhooks`,
    async buy({ order, amount }: SurvivePurchase) {
      const client = createClient({ baseUrl: env.QA_PAY_BASE_URL, apiKey: env.QA_PAY_API_KEY });
      const body = { amount, payment_method: "pix" as const, metadata: { order } };
      const { id } = await client["charges.create"]({ body, idempotencyKey: `key-of-${order}` });
      orders.set(order, { id, amount, fulfilled: 0 });
      return id;
    },
    orders: (): SurviveOrder[] =>
      [...orders].map(([order, one]) => ({ ...one, order, status: one.fulfilled > 0 ? "paid" : "open" })),
    seed: "kit",
    schedules: 2,
    settle: 20,
    faults: ["duplicate", "lost_until_retry", "forged"],
  } satisfies SurviveOptions;
  return { options, seen };
}
