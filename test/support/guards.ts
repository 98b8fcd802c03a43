import { type Answer, freshKey, startEmulator, type TestEmulator } from "./emulator.js";

/** Every route that creates a charge or payment. */
export const CREATION_ROUTES = ["/v1/charges", "/v1/pix/charges", "/v1/payments"] as const;
export type CreationRoute = (typeof CREATION_ROUTES)[number];

/** The customer of the charge, with the field names of /v1/charges. */
export interface Who {
  readonly document?: string;
  readonly email?: string;
  readonly phone?: string;
}

export interface Creation {
  readonly route?: CreationRoute;
  readonly who?: Who;
  readonly amount?: number;
  readonly metadata?: object;
  /** The API key; the test key when left out. */
  readonly key?: string;
  readonly idempotencyKey?: string;
}

/** One request to a creation route. A payment has no field for the phone of its customer. */
export function create(on: TestEmulator, creation: Creation = {}): Promise<Answer> {
  const { route = "/v1/charges", who = {}, amount = 100, metadata = {}, key = on.key } = creation;
  const idempotencyKey = creation.idempotencyKey ?? freshKey();
  if (route === "/v1/payments") {
    const names = { customerDocument: who.document, customerEmail: who.email };
    const body = { amount, metadata, paymentMethods: ["PIX"], idempotencyKey, ...names };
    return on.call("POST", route, { key, body });
  }
  const body = { amount, metadata, payment_method: "pix", customer: who };
  return on.call("POST", route, { key, body, headers: { "idempotency-key": idempotencyKey } });
}

/** The refusal of a second charge by a server that lets each customer, or each account, have one. */
export async function overVelocity(code: string, route: CreationRoute): Promise<Answer> {
  const one = { count: 1, windowMs: 60_000 };
  const settings = code.includes("customer") ? { customerVelocity: one } : { accountVelocity: one };
  const own = await startEmulator({ frozen: true, ...settings });
  const creation = { route, who: { email: "maria@example.com" } };
  await create(own, creation);
  const refused = await create(own, creation);
  await own.close();
  return refused;
}

/** The refusal of a second request by a server that lets each key send one a minute. */
export async function overQuota(): Promise<Answer> {
  const own = await startEmulator({ frozen: true, rateLimit: 1 });
  await own.call("GET", "/v1/wallets");
  const refused = await own.call("GET", "/v1/wallets");
  await own.close();
  return refused;
}
