import type { Loose } from "../emulator.js";
import { APPEAL } from "../med.js";
import type { Client } from "./clients.js";
import { noteEvents, pickFrom, rawId, sell } from "./money.js";
import type { Ticket } from "./pool.js";
import type { Fact } from "./worlds.js";

/** The actions of clients on MED cases and their evidence. */

function seenCase(object: string, { id, amount, status }: Loose): Fact {
  return { is: "at", object, status, details: { id: rawId(id), amount } };
}

export async function openCase(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.payments);
  if (target === null) return sell(client);
  const name = client.name();
  const object = `case ${name}`;
  notebook.ask(target.object, "case");
  const amount = chance.pick([undefined, undefined, 1, target.amount + 1]);
  const body = {
    charge_id: target.id,
    reason: name,
    type: chance.pick(["med", "chargeback", "dispute", "fraud"]),
    ...(amount === undefined ? {} : { amount }),
    ...(chance.happens(0.2) ? { response_deadline: null } : {}),
  };
  const reply = await client.send({ method: "POST", path: "/_sandbox/med-cases", key: target.key, body });
  const made = notebook.learnMade(reply, object, "open", (shown) => seenCase(object, shown));
  noteEvents(client, reply, target.key === client.scene.liveKey ? "live" : "test", "med_case.created");
  if (made !== null) pool.add(pool.cases, { object, id: made.id, key: target.key });
}

const ANSWERS: readonly (readonly [path: string, body: object, verb: string])[] = [
  ["/v1/med/cases/{id}/appeal", { reason: APPEAL }, "appeal"],
  ["/v1/med/cases/{id}/appeal", { reason: APPEAL }, "appeal"],
  ["/v1/infractions/{id}/accept", {}, "accept"],
  ["/_sandbox/med-cases/{id}/decide", { outcome: "upheld" }, "decide"],
  ["/_sandbox/med-cases/{id}/decide", { outcome: "refunded_to_merchant" }, "decide"],
  ["/_sandbox/med-cases/{id}/decide", { outcome: "closed_without_refund" }, "decide"],
  ["/_sandbox/med-cases/{id}/withdraw", {}, "withdraw"],
  ["/_sandbox/med-cases/{id}/request-evidence", {}, "request"],
];

export async function answerCase(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.cases);
  if (target === null) return openCase(client);
  const [path, body, verb] = chance.pick(ANSWERS);
  notebook.ask(target.object, verb);
  const reply = await client.send({ method: "POST", path: path.replace("{id}", target.id), key: target.key, body });
  if (reply.status === 200) notebook.learn(reply, seenCase(target.object, reply.body));
}

export async function announceEvidence(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const target = pickFrom(client, pool.cases);
  if (target === null) return openCase(client);
  const name = client.name();
  const object = `evidence ${name}`;
  // Large files take so long that a kill can fall into their upload.
  const size = chance.happens(0.15) ? 500_000 + chance.below(500_000) : 1 + chance.below(5_000);
  const path = `/v1/med/cases/${target.id}/evidence`;
  const body = { file_name: name, file_size: size, mime_type: "image/png" };
  const reply = await client.send({ method: "POST", path, key: target.key, body });
  notebook.learn(reply, { is: "at", object, status: "announced", details: { file_size: size } });
  if (reply.status !== 201 || notebook.isOutdated(reply)) return;
  const { pathname, search } = new URL(reply.body.upload_url);
  const headers = { "content-type": "image/png" };
  const ticket = {
    object,
    id: reply.body.id,
    key: target.key,
    caseId: target.id,
    size,
    path: pathname + search,
    headers,
  };
  pool.add(pool.tickets, ticket);
}

async function confirm(client: Client, ticket: Ticket): Promise<void> {
  client.notebook.ask(ticket.object, "complete");
  const path = `/v1/med/cases/${ticket.caseId}/evidence/${ticket.id}/complete`;
  const reply = await client.send({ method: "POST", path, key: ticket.key });
  if (reply.status === 200) client.notebook.learn(reply, { is: "at", object: ticket.object, status: "confirmed" });
}

/** The address of an upload is signed with a key in the database, so tickets of earlier starts are valid. */
export async function uploadEvidence(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const ticket = pickFrom(client, pool.tickets);
  if (ticket === null) return announceEvidence(client);
  if (chance.happens(0.85)) {
    notebook.ask(ticket.object, "upload");
    const raw = new Uint8Array(ticket.size).fill(65 + (ticket.size % 26));
    const reply = await client.send({ method: "PUT", path: ticket.path, headers: ticket.headers, raw });
    if (reply.status === 200) notebook.learn(reply, { is: "at", object: ticket.object, status: "uploaded" });
  }
  await confirm(client, ticket);
}
