// Compiled, not run: the types of the package in a strict project, which has none of our dependencies' types.
import {
  type Client,
  createClient,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type ListItem,
  ServiceError,
  ServiceTimeoutError,
  type SurviveResult,
  survive,
} from "qa-pay";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_Check extends true>() => undefined;

export async function uses(options: EmulatorOptions): Promise<string> {
  const emulator: Emulator = await createEmulator({ ...options, frozen: true, retryBase: "2s", maxAttempts: 3 });
  const client: Client = createClient({ baseUrl: emulator.url, apiKey: emulator.testKey, timeout: 500, maxRetries: 0 });
  try {
    const charge = await client["charges.create"]({
      body: { amount: 1990, payment_method: "pix", metadata: { order: "7" } },
      idempotencyKey: "order-12345678",
    });
    same<Equal<typeof charge.object, "charge">>();
    same<Equal<typeof charge.amount, number>>();
    const status: "pending" | "processing" | "paid" | "failed" | "expired" | "cancelled" | "refunded" | "disputed" =
      charge.status;
    for await (const payment of client.pages("payments.list", { query: { limit: 50 } })) {
      same<Equal<typeof payment, ListItem<"payments.list">>>();
      same<Equal<typeof payment.amount, number>>();
    }
    const event = await emulator.waitFor("charge.paid", { subject: charge.id, timeout: "1s" });
    same<Equal<typeof event.data.object.id, string>>();
    const [delivery] = await emulator.deliveries({ subject: charge.id });
    const { now, ran } = await emulator.advance("1d");
    await emulator.settled();
    return `${status} ${delivery?.status} ${now} ${ran.length}`;
  } catch (error) {
    if (error instanceof ServiceTimeoutError) return `${error.timeoutMs}`;
    if (error instanceof ServiceError)
      return `${error.status} ${error.type} ${error.code} ${error.param} ${error.requestId}`;
    throw error;
  } finally {
    await emulator[Symbol.asyncDispose]();
  }
}

export async function surviving(): Promise<SurviveResult["failures"][number]["oracle"][]> {
  const { failures, faults } = await survive({
    shop: ({ QA_PAY_BASE_URL }) => Promise.resolve(() => QA_PAY_BASE_URL.length),
    webhooks: () => "http://127.0.0.1:3000/webhooks",
    buy: ({ order, amount, document }) => `${order} ${amount} ${document}`,
    orders: () => [{ id: null, order: "1", status: "PAGO", amount: 1990, fulfilled: 1 }],
    status: { paid: ["PAGO"] },
    faults: ["duplicate"],
  });
  same<
    Equal<
      typeof faults.duplicate,
      { readonly schedules: number; readonly could_show: number; readonly failed: number } | undefined
    >
  >();
  return failures.map(({ oracle }) => oracle);
}

export const wrong = [
  // @ts-expect-error a shop in this process cannot be killed
  () => survive({ shop: () => () => 0, webhooks: "", buy: () => "", orders: () => [], faults: ["restart"] }),
  // @ts-expect-error there is no such option
  () => createEmulator({ froozen: true }),
  // @ts-expect-error an idempotency key is missing
  (client: Client) => client["charges.create"]({ body: { amount: 1, payment_method: "pix" } }),
  // @ts-expect-error there is no such event
  (emulator: Emulator) => emulator.waitFor("charge.payed"),
  // @ts-expect-error this operation lists nothing
  (client: Client) => client.pages("charges.get"),
];
