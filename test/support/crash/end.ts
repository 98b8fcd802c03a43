import Database from "better-sqlite3";
import type { Server } from "../binary.js";
import type { Loose } from "../emulator.js";
import { checkFiles, type Files } from "./checks.js";
import type { Client } from "./clients.js";
import type { Inbox } from "./webhooks.js";

/** The end of a run: the receiver accepts everything, and every delivery must arrive. */

/** Longer than the longest delay before another attempt, so that every attempt is made. */
const SECONDS = 5 * 86_400;

async function wakeEndpoints(client: Client, key: string): Promise<void> {
  const { body } = await client.send({ method: "GET", path: "/v1/webhooks/endpoints", key });
  for (const { id, status, url } of body.data as Loose[]) {
    if (status === "ACTIVE") continue;
    const path = `/v1/webhooks/endpoints/${id}`;
    const reply = await client.send({ method: "PATCH", path, key, body: { status: "ACTIVE" } });
    const name = /\/webhooks\/([^?]+)/.exec(url)?.[1];
    client.notebook.learn(reply, { is: "set", name: `endpoint ${name} status`, value: "ACTIVE" });
  }
}

/** The deliveries that still wait in either book. There must be none. */
async function waiting(client: Client, key: string): Promise<string[]> {
  const { body } = await client.send({ method: "GET", path: "/v1/webhooks/stats", key });
  return ["PENDING", "PROCESSING"]
    .filter((status) => body[status] !== 0)
    .map((status) => `${body[status]} deliveries are ${status} when everything has been sent`);
}

/** The events that an endpoint should have received and did not. */
function untold(file: string, { taken }: Inbox): string[] {
  const db = new Database(file, { readonly: true });
  try {
    const rows = db
      .prepare(
        `SELECT e.id, e.type, GROUP_CONCAT(d.id) AS deliveries FROM events e JOIN deliveries d ON d.event_seq = e.seq
           JOIN endpoints p ON p.seq = d.endpoint_seq WHERE p.deleted_at IS NULL AND d.status <> 'FAILED'
          GROUP BY d.event_seq, d.endpoint_seq`,
      )
      .all() as { id: string; type: string; deliveries: string }[];
    return rows
      .filter(({ deliveries }) => !deliveries.split(",").some((id) => taken.has(id)))
      .map(({ id, type }) => `event ${id}, ${type}, never arrived`);
  } finally {
    db.close();
  }
}

/** Every account has users, even when the server was killed while it created the account. */
function wrongAccounts(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    return db
      .prepare(
        "SELECT 'account ' || name || ' has no users' FROM accounts WHERE id NOT IN (SELECT account_id FROM users)",
      )
      .pluck()
      .all()
      .map(String);
  } finally {
    db.close();
  }
}

export async function finish(files: Files, client: Client, server: Server): Promise<string[]> {
  const { file, notebook, inbox, keys } = files;
  const wrong: string[] = [];
  for (const key of Object.values(keys)) await wakeEndpoints(client, key);
  for (const [email, password] of notebook.passwords) {
    const { status } = await client.send({ method: "POST", path: "/v1/auth/login", body: { email, password } });
    if (status !== 200) wrong.push(`${email} cannot log in any more: ${status}`);
  }
  const control = (path: string, body: object) =>
    client.send({ method: "POST", path: `/_sandbox/clock/${path}`, key: keys.test, body });
  const travelled = await control("advance", { seconds: SECONDS });
  notebook.learn(travelled, { is: "time", now: Date.parse(travelled.body.now) });
  notebook.learn(travelled, { is: "set", name: "clock state", value: null });
  notebook.learn(await control("freeze", {}), { is: "set", name: "clock frozen", value: "true" });
  await control("advance", { seconds: 0 });
  for (const key of Object.values(keys)) wrong.push(...(await waiting(client, key)));
  const { code, err } = await server.stop();
  if (code !== 0 || err.includes("Error:")) wrong.push(`the server ended with ${code}: ${err}`);
  return [...wrong, ...checkFiles(files).wrong, ...untold(file, inbox), ...wrongAccounts(file)];
}
