import Database from "better-sqlite3";
import type { Loose } from "../emulator.js";
import type { Checked, Memory } from "./checks.js";
import type { Client, Create } from "./clients.js";

/** Checks of a server that was started again on the files of a killed server. */

interface Aftermath {
  readonly client: Client;
  readonly file: string;
  readonly checked: Checked;
  readonly memory: Memory;
}

/** Addresses contain the port of the server, which changes with every start. */
const withoutOrigin = (value: unknown) => JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");

/** Repeats a create. It must return the object of the first request, or create the object now. */
async function repeat({ client, checked }: Aftermath, { object, request, answer }: Create): Promise<string[]> {
  const there = checked.image.objects.get(object);
  if (there === undefined && answer !== null) return [];
  const reply = await client.send(request);
  const isReplayed = reply.headers.get("idempotent-replayed") === "true";
  if (there === undefined) {
    if (isReplayed) return [`${object} is not there, and its key stands for something`];
    const status = object.startsWith("refund ") ? "PENDING" : "pending";
    client.notebook.learn(reply, { is: "at", object, status });
    return [];
  }
  if (reply.status !== 201 || !isReplayed) return [`${object} was asked for again and answered ${reply.status} as new`];
  if (String(reply.body.id).slice(-36) !== there.details.id)
    return [`${object} was asked for again and is another one`];
  const isSame = answer === null || withoutOrigin(reply.body) === withoutOrigin(answer);
  return isSame ? [] : [`${object} was asked for again and answered otherwise than before`];
}

/** Objects that have not changed must be answered as before. */
async function reread({ client, checked }: Aftermath, { object, request, answer }: Create): Promise<string[]> {
  const isCharge = answer?.object === "charge" && answer.status === "pending";
  if (!isCharge || checked.image.objects.get(object)?.status !== "pending") return [];
  const reply = await client.send({ method: "GET", path: `/v1/charges/${answer.id}`, key: request.key ?? "" });
  if (reply.body?.status !== "pending") return [];
  const isSame = withoutOrigin(reply.body) === withoutOrigin(answer);
  return isSame ? [] : [`${object} has not changed, and reads otherwise than before`];
}

/** Revoked keys and logged-out tokens stay invalid; the others work. */
async function checkAccess({ client, checked }: Aftermath): Promise<string[]> {
  const { notebook, pool } = client;
  const { objects, now } = checked.image;
  const wrong: string[] = [];
  for (const [object, key] of [...notebook.keys].slice(-6)) {
    const wanted = objects.get(object)?.status === "works" ? 200 : 401;
    const { status } = await client.send({ method: "GET", path: "/v1/wallets", key });
    if (status !== wanted)
      wrong.push(`${object} is ${objects.get(object)?.status ?? "not there"} and answers ${status}`);
  }
  const list = (token: string) =>
    client.send({ method: "GET", path: "/v1/api-keys", headers: { authorization: `Bearer ${token}` } });
  for (const [object, token] of [...notebook.loggedOut].slice(-3)) {
    if (objects.has(object) && (await list(token)).status !== 401) wrong.push(`${object} was logged out and works`);
  }
  const session = pool.sessions.at(-1);
  if (session !== undefined) {
    const { exp } = JSON.parse(Buffer.from(session.id.split(".")[1] ?? "", "base64url").toString());
    const isGood = exp * 1_000 > now + 60_000;
    const { status } = await list(session.id);
    if (isGood && status !== 200) wrong.push(`${session.object} is good and answers ${status}`);
  }
  return wrong;
}

/** Work that was due when the server was killed is done, and no row waits for the killed process. */
async function checkNothingIsStuck({ client, file, memory }: Aftermath): Promise<string[]> {
  const { testKey } = client.scene;
  const clock = await client.send({ method: "GET", path: "/_sandbox/clock", key: testKey });
  const body = { seconds: 0 };
  const advanced = await client.send({ method: "POST", path: "/_sandbox/clock/advance", key: testKey, body });
  client.notebook.learn(advanced, { is: "set", name: "clock state", value: null });
  const due = Date.parse(clock.body.now);
  const db = new Database(file, { readonly: true });
  try {
    const find = db.prepare("SELECT 1 FROM deliveries WHERE id = ? AND status = 'PROCESSING' AND attempts = ?");
    const stuck = [...memory.underWay].filter(([id, attempts]) => find.get(id, attempts) !== undefined);
    const jobs = db.prepare("SELECT kind || ' of ' || subject FROM jobs WHERE due_at <= ? LIMIT 5").pluck().all(due);
    const late = db
      .prepare("SELECT id FROM deliveries WHERE status = 'PENDING' AND parked = 0 AND next_attempt_at <= ? LIMIT 5")
      .pluck()
      .all(due);
    return [
      ...stuck.map(([id]) => `delivery ${id} was under way at the kill and nobody has taken it up`),
      ...jobs.map((job) => `${job} was due before the start and is not done`),
      ...late.map((id) => `delivery ${id} was due before the start and was not sent`),
    ];
  } finally {
    db.close();
  }
}

/** The wallet of the API equals the ledger. Both keep changing, so the check repeats until they agree at one moment. */
async function checkWallets({ client, file }: Aftermath): Promise<string[]> {
  const db = new Database(file, { readonly: true });
  const ledger = db.prepare(
    `SELECT currency, bucket, balance FROM ledger_balances l JOIN books b ON b.id = l.book_id JOIN accounts a ON a.id = b.account_id
      WHERE b.mode = ? AND a.name NOT LIKE 'crash-%' ORDER BY 1, 2`,
  );
  const wrongOf = async (mode: "test" | "live", key: string): Promise<string[]> => {
    const rows = ledger.all(mode) as Loose[];
    const { body } = await client.send({ method: "GET", path: "/v1/wallets/balance", key });
    const held = (currency: string, bucket: string) =>
      rows.find((row) => row.currency === currency && row.bucket === bucket)?.balance ?? 0;
    const wrong = body.balances.filter(
      ({ currency, available, pending }: Loose) =>
        available !== held(currency, "available") || pending !== held(currency, "pending"),
    );
    const isRetained = body.retained === held(body.currency, "retained");
    return wrong.length === 0 && isRetained ? [] : [`the ${mode} wallet shows ${JSON.stringify(body)}`];
  };
  try {
    const { testKey, liveKey } = client.scene;
    for (const [mode, key] of [
      ["test", testKey],
      ["live", liveKey],
    ] as const) {
      let wrong = await wrongOf(mode, key);
      for (let tries = 0; wrong.length > 0 && tries < 5; tries++) wrong = await wrongOf(mode, key);
      if (wrong.length > 0) return wrong;
    }
    return [];
  } finally {
    db.close();
  }
}

async function checkSnapshotList({ client, memory }: Aftermath): Promise<string[]> {
  const { body } = await client.send({ method: "GET", path: "/_sandbox/snapshots", key: client.scene.testKey });
  const listed = body.data.map(({ name }: Loose) => name).sort();
  const wanted = [...memory.world.snapshots.keys()].sort();
  return String(listed) === String(wanted) ? [] : [`the list of snapshots is ${listed}, not ${wanted}`];
}

/** An upload address is signed with a key of the database, so it works after a new start. */
async function checkTicket({ client, checked }: Aftermath): Promise<string[]> {
  const { pool, notebook } = client;
  const { objects, now } = checked.image;
  const ticket = pool.tickets.find(({ object }) => objects.get(object)?.status === "announced");
  if (ticket === undefined) return [];
  const isOver = Number(new URLSearchParams(ticket.path.split("?")[1]).get("expires")) < now + 60_000;
  notebook.ask(ticket.object, "upload");
  const raw = new Uint8Array(ticket.size);
  const reply = await client.send({ method: "PUT", path: ticket.path, headers: ticket.headers, raw });
  notebook.learn(reply, { is: "at", object: ticket.object, status: "uploaded" });
  if (reply.status === 200 || isOver) return [];
  return [`${ticket.object} cannot be uploaded any more: ${reply.status}`];
}

/** How many answered creates are repeated. Creates whose answer was lost are all repeated. */
const SAMPLE = 5;

export async function checkServer(aftermath: Aftermath): Promise<string[]> {
  const { notebook } = aftermath.client;
  // A create that was sent twice at once counts as one. It was answered if one of the two requests was.
  const inOrder = [...notebook.creates].sort(
    (one, other) => Number(one.answer !== null) - Number(other.answer !== null),
  );
  const creates = [...new Map(inOrder.map((create) => [create.object, create])).values()];
  notebook.creates = [];
  const answered = creates.filter(({ answer }) => answer !== null).slice(-SAMPLE);
  const wrong: string[] = [];
  // This check comes first, before other requests change the objects.
  for (const create of answered) wrong.push(...(await reread(aftermath, create)));
  for (const create of [...creates.filter(({ answer }) => answer === null), ...answered]) {
    wrong.push(...(await repeat(aftermath, create)));
  }
  wrong.push(...(await checkSnapshotList(aftermath)));
  wrong.push(...(await checkAccess(aftermath)));
  wrong.push(...(await checkTicket(aftermath)));
  wrong.push(...(await checkNothingIsStuck(aftermath)));
  wrong.push(...(await checkWallets(aftermath)));
  return wrong;
}
