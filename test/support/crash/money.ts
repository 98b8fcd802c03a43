import { DOCUMENTS } from "../charges.js";
import type { Loose } from "../emulator.js";
import { REQUESTS } from "../payments.js";
import type { Client, Mode, Reply } from "./clients.js";
import type { Target } from "./pool.js";
import { type Fact, PUBLIC_STATUS } from "./worlds.js";

/** The actions of clients on charges, payments, refunds and payouts. */

/** The UUID at the end of an id. */
export const rawId = (id: string) => id.slice(-36);

/** A charge or payment as it was shown, in either vocabulary. */
function seen(object: string, shown: Loose): Fact {
  const details = {
    id: rawId(shown.id),
    amount: shown.amount,
    end_to_end_id: shown.settlement?.end_to_end_id ?? null,
  };
  return { is: "at", object, status: PUBLIC_STATUS[shown.status] ?? shown.status, details };
}

/** Mostly the key of the test book; sometimes a new key, which may be revoked at any moment. */
export function anyKey(client: Client): { readonly key: string; readonly own: string; readonly mode: Mode } {
  const { chance, pool, scene } = client;
  const issued = pool.issued.filter(({ key }) => key.startsWith("qa_test_"));
  if (issued.length > 0 && chance.happens(0.1))
    return { key: chance.pick(issued).key, own: scene.testKey, mode: "test" };
  if (chance.happens(0.15)) return { key: scene.liveKey, own: scene.liveKey, mode: "live" };
  return { key: scene.testKey, own: scene.testKey, mode: "test" };
}

export function pickFrom<Item>(client: Client, list: readonly Item[]): Item | null {
  return list.length === 0 ? null : client.chance.pick(list);
}

const amountOf = (client: Client) => 1 + client.chance.below(20_000);

/** The scripts of charges, with the actions that each may lead to. */
const SCRIPTS: readonly [script: { readonly [directive: string]: unknown }, verbs: readonly string[]][] = [
  [{ pay_after: 0 }, ["pay"]],
  [{ pay_after: 5 }, ["pay"]],
  [{ pay_after: 50 }, ["pay"]],
  [{ pay_after: 1, amount: 1 }, ["pay"]],
  [{ pay_after: 2, payer_document: DOCUMENTS.otherCpf }, ["pay"]],
  [{ pay_after: 1, med_after: 0 }, ["pay", "case"]],
  [{ med_after: 40 }, ["case"]],
  [{ fail: "AC06" }, ["fail"]],
];

/** A transaction that was asked for with the key of a book. */
interface Ordered {
  readonly object: string;
  /** A key of its book that is not revoked. */
  readonly key: string;
  readonly methods: readonly string[];
}

function noteCreated({ notebook, pool }: Client, { object, key, methods }: Ordered, reply: Reply): void {
  const made = notebook.learnMade(reply, object, "pending", (shown) => seen(object, shown));
  if (made !== null) pool.add(pool.payments, { object, id: made.id, key, amount: made.amount, methods });
}

/** Records a created object with the events that its endpoints must get at once. */
export function noteEvents(client: Client, reply: Reply, mode: Mode, ...types: readonly string[]): void {
  const { from, until, status, body } = reply;
  const isMade = status !== 0 && status < 300;
  if (isMade) client.notebook.creations.push({ from, until, mode, subject: rawId(body.id), types });
}

export async function createCharge(client: Client): Promise<void> {
  const { chance, notebook } = client;
  const name = client.name();
  const object = `transaction ${name}`;
  const { key, own, mode } = anyKey(client);
  const script = chance.happens(0.35) ? chance.pick(SCRIPTS) : null;
  if (script !== null) notebook.ask(object, ...script[1]);
  const payer = { customer: { name: "Maria Silva" }, expected_payer_tax_id: DOCUMENTS.cpf };
  const body = {
    amount: amountOf(client),
    payment_method: "pix",
    ...(chance.happens(0.4) ? payer : {}),
    ...(chance.happens(0.5) ? { expires_in: 60 + chance.below(3_000) } : {}),
    // The script itself is not echoed: whoever looks at what is left is told otherwise when it is to be paid.
    metadata: {
      key: name,
      ...(script === null ? {} : { _sandbox: script[0], pay_after: script[0].pay_after ?? null }),
    },
  };
  const path = chance.happens(0.2) ? "/v1/pix/charges" : "/v1/charges";
  const headers = { "idempotency-key": name };
  const reply = await client.create(object, { method: "POST", path, key, headers, body }, own);
  noteCreated(client, { object, key: own, methods: ["PIX"] }, reply);
  noteEvents(client, reply, mode, "charge.created", "payment.created");
}

const KINDS: readonly { currency: string; paymentMethods: readonly string[]; metadata?: object }[] = [
  REQUESTS.PIX,
  REQUESTS.CREDIT_CARD,
  REQUESTS.CREDIT_CARD,
  REQUESTS.BOLETO,
  REQUESTS.MBWAY,
  REQUESTS.MULTIBANCO,
  REQUESTS.CRYPTO,
  { currency: "BRL", paymentMethods: ["PIX", "BOLETO", "CREDIT_CARD"] },
];

export async function createPayment(client: Client): Promise<void> {
  const { chance, scene } = client;
  const name = client.name();
  const object = `transaction ${name}`;
  const { key, own, mode } = anyKey(client);
  const kind = chance.pick(KINDS);
  const hasHook = chance.happens(0.2);
  const body = {
    ...kind,
    amount: 1_000 + amountOf(client),
    idempotencyKey: name,
    metadata: { ...kind.metadata, key: name },
    ...(hasHook ? { webhookUrl: `${scene.receiver}/private` } : {}),
  };
  const reply = await client.create(object, { method: "POST", path: "/v1/payments", key, body }, own);
  noteCreated(client, { object, key: own, methods: kind.paymentMethods }, reply);
  if (!hasHook) noteEvents(client, reply, mode, "charge.created", "payment.created");
}

const PAYERS: readonly object[] = [
  {},
  {},
  {},
  {},
  { payer_document: null },
  { payer_document: null },
  { payer_document: DOCUMENTS.otherCpf },
  { payer_document: DOCUMENTS.cpf, payer_name: "Maria Silva" },
];

async function simulate(client: Client, target: Target, step: string, body: object): Promise<Loose> {
  const path = `/_sandbox/charges/${target.id}/${step}`;
  const reply = await client.send({ method: "POST", path, key: target.key, body });
  if (reply.status === 200) client.notebook.learn(reply, seen(target.object, reply.body.charge));
  return reply.body;
}

export async function pay(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.payments);
  if (target === null) return createCharge(client);
  notebook.ask(target.object, "pay");
  const off = chance.happens(0.1) ? { amount: target.amount + chance.pick([1, -1]) || 1 } : {};
  await simulate(client, target, "pay", { ...chance.pick(PAYERS), ...off, method: chance.pick(target.methods) });
}

/** Creates and pays: most other things need a payment that was paid. */
export async function sell(client: Client): Promise<void> {
  await createCharge(client);
  const target = client.pool.payments.at(-1);
  if (target === undefined) return;
  client.notebook.ask(target.object, "pay");
  await simulate(client, target, "pay", {});
}

export async function end(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.payments);
  if (target === null) return createCharge(client);
  const how = chance.pick(["fail", "expire", "cancel", "approve", "reject", "approve"]);
  if (how === "cancel") {
    notebook.ask(target.object, "cancel");
    const path = `/v1/payments/${rawId(target.id)}/cancel`;
    const reply = await client.send({ method: "POST", path, key: target.key });
    if (reply.status === 200) notebook.learn(reply, seen(target.object, reply.body));
    return;
  }
  if (how === "fail") notebook.ask(target.object, "fail");
  const isReview = how === "approve" || how === "reject";
  await simulate(client, target, isReview ? "review" : how, isReview ? { decision: how } : {});
}

/** The hosted page of a card payment, step by step as a browser sends them. */
export async function useCard(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const cards = pool.payments.filter(({ methods }) => methods.includes("CREDIT_CARD"));
  const target = pickFrom(client, cards);
  if (target === null) return createPayment(client);
  const read = await client.send({ method: "GET", path: `/v1/payments/${rawId(target.id)}`, key: target.key });
  if (read.status !== 200) return;
  notebook.learn(read, seen(target.object, read.body));
  if (read.body.cardRedirectUrl === null) return;
  const { pathname, search } = new URL(read.body.cardRedirectUrl);
  const steps = chance.pick([
    ["approve"],
    ["refuse"],
    ["challenge"],
    ["challenge", "authenticate"],
    ["challenge", "fail_authentication"],
  ]);
  notebook.ask(target.object, "pay", "card", ...(steps.some((step) => /refuse|fail/.test(step)) ? ["fail"] : []));
  for (const step of steps) {
    const raw = new TextEncoder().encode(`step=${step}`);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await client.send({ method: "POST", path: pathname + search, headers, raw });
  }
}

/** Reads an object. An object that was read is stored, so the answer counts like the answer to a change. */
export async function read(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.payments);
  if (target === null) return createCharge(client);
  const isPix = target.methods.includes("PIX");
  const path = isPix ? `/v1/charges/${rawId(target.id)}` : `/v1/payments/${rawId(target.id)}`;
  const reply = await client.send({ method: "GET", path, key: target.key });
  if (reply.status === 200) notebook.learn(reply, seen(target.object, reply.body));
  // The key set makes the database's signing key when it is asked for first.
  const lists = [
    "/qr/jwks",
    "/v1/payments?limit=5",
    "/v1/payments/stats",
    "/v1/payments/metrics",
    "/v1/wallets",
    "/_sandbox/emails",
  ];
  await client.send({ method: "GET", path: chance.pick(lists), key: target.key });
}

const WAYS: readonly object[] = [
  {},
  { strategy: "devolution" },
  { strategy: "cashout", passFeeToTenant: true },
  { strategy: "cashout", destinationKey: "maria@example.com" },
  { strategy: "cashout", destinationKey: "nobody@shop.invalid" },
];

function seenRefund(object: string, { id, amount, status, endToEndId }: Loose): Fact {
  return { is: "at", object, status, details: { id: rawId(id), amount, end_to_end_id: endToEndId } };
}

export async function refund(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.payments);
  if (target === null) return sell(client);
  const name = client.name();
  const object = `refund ${name}`;
  const part = chance.happens(0.6) ? { amount: 1 + chance.below(Math.min(target.amount, 3_000)) } : {};
  const body = { idempotencyKey: name, reason: name, ...part, ...chance.pick(WAYS) };
  if (JSON.stringify(body).includes(".invalid")) notebook.ask(object, "fail");
  const path = `/v1/payments/${rawId(target.id)}/refund`;
  const reply = await client.create(object, { method: "POST", path, key: target.key, body });
  const made = notebook.learnMade(reply, object, "PENDING", (shown) => seenRefund(object, shown));
  if (made !== null) pool.add(pool.refunds, { object, id: made.id, key: target.key });
}

export async function advanceRefund(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.refunds);
  if (target === null) return refund(client);
  const to = chance.pick(["IN_PROGRESS", "REFUNDED", "REFUNDED", "FAILED"]);
  if (to === "FAILED") notebook.ask(target.object, "fail");
  const path = `/_sandbox/refunds/${target.id}/advance`;
  const reply = await client.send({ method: "POST", path, key: target.key, body: { to } });
  if (reply.status === 200) notebook.learn(reply, seenRefund(target.object, reply.body));
}

function seenPayout(object: string, { id, amount, status, end_to_end_id }: Loose): Fact {
  return { is: "at", object, status, details: { id: rawId(id), amount, end_to_end_id } };
}

export async function createPayout(client: Client): Promise<void> {
  const { pool, notebook } = client;
  const name = client.name();
  const object = `payout ${name}`;
  const { key, own, mode } = anyKey(client);
  const body = { amount: amountOf(client), pix_key: `${name}@example.com` };
  const reply = await client.send({ method: "POST", path: "/_sandbox/payouts", key, body });
  const made = notebook.learnMade(reply, object, "pending", (shown) => seenPayout(object, shown));
  noteEvents(client, reply, mode, "payout.created", "withdrawal.created");
  if (made !== null) pool.add(pool.payouts, { object, id: made.id, key: own });
}

export async function endPayout(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.payouts);
  if (target === null) return createPayout(client);
  const how = chance.pick(["pay", "fail"]);
  notebook.ask(target.object, how);
  const reply = await client.send({ method: "POST", path: `/_sandbox/payouts/${target.id}/${how}`, key: target.key });
  if (reply.status === 200) notebook.learn(reply, seenPayout(target.object, reply.body));
}

/** The same create twice at once: one object. */
export async function createTwice(client: Client): Promise<void> {
  const { testKey: key } = client.scene;
  const name = client.name();
  const object = `transaction ${name}`;
  const body = { amount: amountOf(client), payment_method: "pix", metadata: { key: name } };
  const request = { method: "POST", path: "/v1/charges", key, headers: { "idempotency-key": name }, body };
  const replies = await Promise.all([client.create(object, request), client.create(object, request)]);
  for (const reply of replies) noteCreated(client, { object, key, methods: ["PIX"] }, reply);
}
