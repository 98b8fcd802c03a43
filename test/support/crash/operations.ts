import * as access from "./access.js";
import * as cases from "./cases.js";
import { type Client, Misbehaviour, type Reply } from "./clients.js";
import * as hooks from "./hooks.js";
import * as money from "./money.js";
import type { Turn } from "./worlds.js";

/** All actions of clients with their weights, and the actions on the emulator itself. */

export interface Operation {
  readonly name: string;
  readonly weight: number;
  readonly run: (client: Client) => Promise<void>;
}

async function tellTime(client: Client, path: string, body?: object): Promise<Reply> {
  const reply = await client.travel({ method: "POST", path, key: client.scene.testKey, ...(body ? { body } : {}) });
  // A journey that a reset or a restore has ended has gone a part of its way.
  const isEnded = reply.status === 503;
  client.notebook.learn(
    { ...reply, status: isEnded ? 0 : reply.status },
    { is: "set", name: "clock state", value: null },
  );
  if (reply.status === 200) client.notebook.learn(reply, { is: "time", now: Date.parse(reply.body.now) });
  return reply;
}

async function advance(client: Client): Promise<void> {
  const { chance } = client;
  const seconds = chance.happens(0.06) ? 3 * 86_400 : chance.pick([0, 0.5, 1, 2, 3, 10, 30, 60, 120, 3_700]);
  await tellTime(client, "/_sandbox/clock/advance", { seconds });
}

/** An advance of the clock with many stops, at which all delayed work is done. */
async function travel(client: Client): Promise<void> {
  await tellTime(client, "/_sandbox/clock/advance", { seconds: 3_700 });
}

async function setClock(client: Client, how: "freeze" | "resume"): Promise<void> {
  const reply = await tellTime(client, `/_sandbox/clock/${how}`);
  client.notebook.learn(reply, { is: "set", name: "clock frozen", value: String(how === "freeze") });
}

/** Fault rules: lost answers, requests that never arrive, and invented refusals. */
async function addFault(client: Client): Promise<void> {
  const { chance, scene } = client;
  const path = chance.pick(["/v1/charges", "/v1/payments*", "/v1/pix*", "/v1/med/*"]);
  const effect = chance.pick([
    { drop: "after" },
    { drop: "after" },
    { drop: "before" },
    { status: 503 },
    { latency_ms: 4 },
  ]);
  const body = { match: { path }, effect, times: 1 + chance.below(3) };
  await client.send({ method: "POST", path: "/_sandbox/faults", key: scene.testKey, body });
}

async function clearFaults(client: Client): Promise<void> {
  await client.send({ method: "DELETE", path: "/_sandbox/faults", key: client.scene.testKey });
}

async function setChaos(client: Client): Promise<void> {
  const { chance, scene } = client;
  const body = {
    duplicate: chance.pick([0, 0.2]),
    reorder: chance.pick([0, 0.3]),
    delay_ms: chance.pick([0, 0, 1_000]),
  };
  await client.send({ method: "POST", path: "/_sandbox/webhooks/chaos", key: scene.testKey, body });
}

async function openAccount(client: Client): Promise<void> {
  const name = client.name();
  const body = { name };
  const reply = await client.send({ method: "POST", path: "/_sandbox/accounts", key: client.scene.testKey, body });
  client.notebook.learn(reply, { is: "at", object: `account ${name}`, status: "there" });
  if (reply.status !== 201) return;
  const request = { method: "POST", path: "/_sandbox/payouts", key: reply.body.test_key };
  const payout = client.name();
  const made = await client.send({ ...request, body: { amount: 100, pix_key: `${payout}@example.com` } });
  client.notebook.learn(made, { is: "at", object: `payout ${payout}`, status: "pending" });
}

const SNAPSHOTS = ["a", "b", "c"];

/** One at a time, while everything else goes on: what overlaps it may be before it or after it. */
async function turn(client: Client, kind: Turn["kind"], name: string, path: string, body?: object): Promise<void> {
  const { scene, notebook, pool } = client;
  scene.isTurning = true;
  const at = Date.now();
  const reply = await client.travel({ method: "POST", path, key: scene.testKey, ...(body ? { body } : {}) });
  scene.isTurning = false;
  const { from, until, status } = reply;
  if (status >= 300) throw new Misbehaviour(`${path} was refused with ${status}: ${JSON.stringify(reply.body)}`);
  notebook.turns.push({ kind, name, from, until, at, sure: status !== 0 });
  if (kind === "save") notebook.snapshots.add(name);
  else pool.clear();
}

async function save(client: Client): Promise<void> {
  if (client.scene.isTurning) return money.createCharge(client);
  const name = client.chance.pick(SNAPSHOTS);
  await turn(client, "save", name, "/_sandbox/snapshots", { name });
}

async function restore(client: Client): Promise<void> {
  const name = money.pickFrom(client, [...client.notebook.snapshots]);
  if (client.scene.isTurning || name === null) return save(client);
  await turn(client, "restore", name, `/_sandbox/snapshots/${name}/restore`);
}

async function reset(client: Client): Promise<void> {
  if (client.scene.isTurning) return money.createCharge(client);
  await turn(client, "reset", "", "/_sandbox/reset");
}

const operation = (name: string, weight: number, run: Operation["run"]): Operation => ({ name, weight, run });

/** An operation for a kill, with the request during which the kill must happen. */
export interface Aim extends Operation {
  readonly path: RegExp;
}

const aim = (name: string, weight: number, path: RegExp, run: Operation["run"]): Aim => ({ name, weight, path, run });

/** Together, these operations write every table, in commits of every size. */
export const AIMS = {
  save: aim("save", 1.5, /snapshots$/, save),
  restore: aim("restore", 0.4, /restore$/, restore),
  reset: aim("reset", 0.2, /reset$/, reset),
  travel: aim("travel", 1, /advance$/, travel),
  account: aim("account", 0.5, /accounts$/, openAccount),
  evidence: aim("upload evidence", 6, /^\/uploads/, cases.uploadEvidence),
  sell: aim("sell", 16, /charges/, money.sell),
  case: aim("open case", 9, /med-cases$/, cases.openCase),
  keys: aim("keys", 6, /api-keys/, access.manageKeys),
} as const;

export const OPERATIONS: readonly Operation[] = [
  ...Object.values(AIMS),
  operation("charge", 8, money.createCharge),
  operation("payment", 9, money.createPayment),
  operation("the same twice", 2, money.createTwice),
  operation("pay", 14, money.pay),
  operation("end", 8, money.end),
  operation("card page", 5, money.useCard),
  operation("read", 5, money.read),
  operation("refund", 9, money.refund),
  operation("advance refund", 6, money.advanceRefund),
  operation("payout", 3, money.createPayout),
  operation("end payout", 3, money.endPayout),
  operation("answer case", 10, cases.answerCase),
  operation("announce evidence", 3, cases.announceEvidence),
  operation("endpoint", 3, hooks.createEndpoint),
  operation("change endpoint", 5, hooks.changeEndpoint),
  operation("resend", 3, hooks.resend),
  operation("login", 1.5, access.login),
  operation("advance", 5, advance),
  operation("freeze", 1.5, (client) => setClock(client, "freeze")),
  operation("resume", 2, (client) => setClock(client, "resume")),
  operation("fault", 4, addFault),
  operation("clear faults", 1, clearFaults),
  operation("chaos", 1.5, setChaos),
];
