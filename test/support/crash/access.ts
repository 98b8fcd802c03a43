import type { Client } from "./clients.js";
import { pickFrom } from "./money.js";
import type { Target } from "./pool.js";
import type { Fact } from "./worlds.js";

/** The actions of clients on logins and API keys. */

export async function login(client: Client): Promise<void> {
  const { chance, pool, notebook } = client;
  const users = [...notebook.passwords].filter(([email]) => !email.startsWith("member"));
  const [email, password] = chance.pick(users);
  const reply = await client.send({ method: "POST", path: "/v1/auth/login", body: { email, password } });
  if (reply.status !== 200 || notebook.isOutdated(reply)) return;
  const { token } = reply.body;
  const { jti } = JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
  pool.add(pool.sessions, { object: `token ${jti}`, id: token, key: email });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function logout(client: Client, session: Target): Promise<void> {
  const { pool, notebook } = client;
  pool.remove(pool.sessions, session);
  notebook.loggedOut.set(session.object, session.id);
  const headers = bearer(session.id);
  const reply = await client.send({ method: "POST", path: "/v1/auth/logout", headers });
  notebook.learn(reply, { is: "at", object: session.object, status: "out" });
}

const there = (object: string, status = "there"): Fact => ({ is: "at", object, status });

async function revoke(client: Client, session: Target, old: Target): Promise<void> {
  client.pool.remove(client.pool.issued, old);
  client.notebook.ask(old.object, "revoke");
  const headers = bearer(session.id);
  const reply = await client.send({ method: "DELETE", path: `/v1/api-keys/${old.id}`, headers });
  const audit = there(`audit api_key.revoked ${old.object.replace("key ", "")}`);
  client.notebook.learn(reply, there(old.object, "revoked"), audit);
}

/** Issues a key, or rotates `old` when it is given. */
async function issue(client: Client, session: Target, old: Target | null): Promise<void> {
  const { chance, pool, notebook } = client;
  const label = client.name();
  const object = `key ${label}`;
  if (old !== null) {
    pool.remove(pool.issued, old);
    notebook.ask(old.object, "revoke");
  }
  const path = old === null ? "/v1/api-keys" : `/v1/api-keys/${old.id}/rotate`;
  const body = { label, ...(old === null ? { test: chance.happens(0.7) } : {}) };
  const reply = await client.send({ method: "POST", path, headers: bearer(session.id), body });
  notebook.learn(reply, there(object, "works"), there(`audit api_key.${old === null ? "issued" : "rotated"} ${label}`));
  if (old !== null) notebook.learn(reply, there(old.object, "revoked"));
  if (reply.status === 401) pool.remove(pool.sessions, session);
  if (reply.status !== 201) return;
  notebook.keys.set(object, reply.body.apiKey);
  pool.add(pool.issued, { object, id: reply.body.id, key: reply.body.apiKey });
}

export async function manageKeys(client: Client): Promise<void> {
  const session = pickFrom(client, client.pool.sessions);
  if (session === null) return login(client);
  const old = pickFrom(client, client.pool.issued);
  const how = client.chance.pick(["issue", "rotate", "rotate", "revoke", "revoke", "logout"]);
  if (how === "logout") return logout(client, session);
  if (how === "revoke" && old !== null) return revoke(client, session, old);
  return issue(client, session, how === "rotate" ? old : null);
}
