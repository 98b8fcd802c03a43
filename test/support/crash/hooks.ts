import type { Loose } from "../emulator.js";
import type { Client } from "./clients.js";
import { hookUrl, packedEvents } from "./image.js";
import { anyKey, pickFrom, rawId } from "./money.js";
import type { Target } from "./pool.js";
import type { Fact } from "./worlds.js";

/** The actions of clients on webhook endpoints and deliveries. */

const EVENTS = [
  "charge.created",
  "charge.paid",
  "charge.failed",
  "charge.expired",
  "payment.created",
  "payment.refunded",
  "payment.status_changed",
  "payout.created",
  "withdrawal.created",
  "med_case.created",
  "med_case.updated",
  "med.resolved",
];

function someEvents(client: Client): string[] {
  const some = EVENTS.filter(() => client.chance.happens(0.25));
  return some.length === 0 ? ["charge.created"] : some;
}

function settings(object: string, given: Loose): Fact[] {
  return ["url", "events", "status", "secret"]
    .filter((field) => given[field] !== undefined)
    .map((field) => ({
      is: "set",
      name: `${object} ${field}`,
      value: field === "events" ? packedEvents(given.events) : given[field],
    }));
}

const MOST_ENDPOINTS = 4;

export async function createEndpoint(client: Client): Promise<void> {
  const { pool, notebook, scene } = client;
  if (pool.endpoints.length >= MOST_ENDPOINTS) return changeEndpoint(client);
  const name = client.name();
  const object = `endpoint ${name}`;
  const { key, own, mode } = anyKey(client);
  const given = { url: hookUrl(scene.receiver, name), events: someEvents(client) };
  notebook.addTo(notebook.subscriptions, name, given.events);
  notebook.modes.set(name, mode);
  const reply = await client.send({ method: "POST", path: "/v1/webhooks/endpoints", key, body: given });
  const there: Fact = { is: "at", object, status: "there" };
  if (reply.status === 0) {
    const asked = settings(object, { ...given, status: "ACTIVE" });
    return notebook.learn(reply, there, ...asked, { is: "set", name: `${object} secret`, value: null });
  }
  if (reply.status !== 201) return;
  notebook.learn(reply, { ...there, details: { id: rawId(reply.body.id) } }, ...settings(object, reply.body));
  notebook.addTo(notebook.secrets, name, [reply.body.secret]);
  pool.add(pool.endpoints, { object, id: reply.body.id, key: own });
}

async function patchEndpoint(client: Client, target: Target): Promise<void> {
  const { chance, notebook, scene } = client;
  const name = target.object.replace("endpoint ", "");
  const change = chance.pick<Loose>([
    { status: "INACTIVE" },
    { status: "ACTIVE" },
    { status: "ACTIVE" },
    { events: someEvents(client) },
    { url: hookUrl(scene.receiver, name, 1 + chance.below(1_000)) },
    { events: someEvents(client), status: "ACTIVE" },
  ]);
  if (change.events !== undefined) notebook.addTo(notebook.subscriptions, name, change.events);
  const path = `/v1/webhooks/endpoints/${target.id}`;
  const reply = await client.send({ method: "PATCH", path, key: target.key, body: change });
  notebook.learn(reply, ...settings(target.object, change));
}

export async function changeEndpoint(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.endpoints);
  if (target === null) return createEndpoint(client);
  const path = `/v1/webhooks/endpoints/${target.id}`;
  const how = chance.fraction();
  if (how < 0.6) return patchEndpoint(client, target);
  if (how < 0.8) {
    const reply = await client.send({ method: "POST", path: `${path}/rotate-secret`, key: target.key });
    const value = reply.status === 200 ? reply.body.secret : null;
    notebook.learn(reply, { is: "set", name: `${target.object} secret`, value });
    if (value !== null) notebook.addTo(notebook.secrets, target.object.replace("endpoint ", ""), [value]);
    return;
  }
  pool.remove(pool.endpoints, target);
  notebook.ask(target.object, "delete");
  const reply = await client.send({ method: "DELETE", path, key: target.key });
  notebook.learn(reply, { is: "at", object: target.object, status: "deleted" });
}

export async function resend(client: Client): Promise<void> {
  const { chance, pool, notebook, scene } = client;
  const payment = pickFrom(client, pool.payments);
  if (payment !== null && chance.happens(0.4)) {
    notebook.resent.add(rawId(payment.id));
    const path = `/v1/payments/${rawId(payment.id)}/resend-webhook`;
    await client.send({ method: "POST", path, key: payment.key });
    return;
  }
  const query = `limit=3&offset=${chance.below(40)}`;
  const list = await client.send({ method: "GET", path: `/v1/webhooks/deliveries?${query}`, key: scene.testKey });
  const delivery = list.status === 200 ? pickFrom<Loose>(client, list.body.data) : null;
  if (delivery === null) return;
  notebook.resent.add(rawId(delivery.id));
  const path = `/_sandbox/webhooks/deliveries/${delivery.id}/resend`;
  const reply = await client.send({ method: "POST", path, key: scene.testKey });
  if (reply.status === 201) notebook.learn(reply, { is: "row", table: "deliveries", id: rawId(reply.body.id) });
}
