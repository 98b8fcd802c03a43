import { existsSync, statSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { inspectDatabase } from "../../src/db/inspect.js";
import { ask, newPlace, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { fresh } from "../support/shared.js";
import { asSaved, contentsOf, snapshotFile } from "../support/snapshots.js";

/** Snapshots with the installed command, and a server that is killed during a restore. */

const KEY = "qa_test_snapshots-run";
const SIZE = 3_000_000;

const place = fresh(newPlace);
let server: Server | null = null;

afterEach(async () => {
  server?.signal("SIGKILL");
  await server?.ended;
});

const start = async () => {
  server = await serve(place, ["--test-key", KEY, "--frozen"]);
  return server;
};

type Saved = "three" | "six";

/** A contested charge with one large file: much to copy for few requests. */
async function contest(at: Server): Promise<void> {
  const { body: charge } = await ask(at, KEY, "POST", "/v1/charges", { amount: 100, payment_method: "pix" });
  await ask(at, KEY, "POST", `/_sandbox/charges/${charge.id}/pay`, {});
  const { body: contested } = await ask(at, KEY, "POST", "/_sandbox/med-cases", { charge_id: charge.id });
  const file = { file_name: "nota.pdf", file_size: SIZE, mime_type: "application/pdf" };
  const { body: ticket } = await ask(at, KEY, "POST", `/v1/med/cases/${contested.id}/evidence`, file);
  const body = new Uint8Array(SIZE).fill(charge.id.charCodeAt(charge.id.length - 1));
  const sent = await fetch(ticket.upload_url, { method: "PUT", headers: ticket.upload_headers, body });
  if (sent.status !== 200) throw new Error(`no upload: ${sent.status}`);
}

/** Values that differ between the two states, and would show a mixture of both. */
function stateOf(file: string): Loose {
  const { schema, rows } = asSaved(contentsOf(file));
  const { med_evidence: evidence = [], ...others } = rows;
  return { schema, ...others, evidence: evidence.map((row) => row.map((cell: unknown) => String(cell).slice(0, 40))) };
}

/** Kills the server when that many bytes more have been written, or it has answered. Answers the status, if it did. */
async function killedAt(running: Server, written: number, answer: Promise<Loose>): Promise<number | null> {
  const log = () => (existsSync(`${place.db}-wal`) ? statSync(`${place.db}-wal`).size : 0);
  const from = log();
  let isOver = false;
  const status = answer.then(
    (answered) => answered.status,
    () => null,
  );
  void status.then(() => {
    isOver = true;
  });
  while (!isOver && log() < from + written) await new Promise((resolve) => setImmediate(resolve));
  running.signal("SIGKILL");
  await running.ended;
  return status;
}

it("kill -9 during a restore leaves the state before it or the one after it", async () => {
  let current = await start();
  for (let n = 0; n < 3; n++) await contest(current);
  await ask(current, KEY, "POST", "/_sandbox/snapshots", { name: "three" });
  for (let n = 0; n < 3; n++) await contest(current);
  await ask(current, KEY, "POST", "/_sandbox/snapshots", { name: "six" });
  const states = { three: stateOf(snapshotFile(place.db, "three")), six: stateOf(snapshotFile(place.db, "six")) };
  let now: Saved = "six";
  for (const written of [0, 1, SIZE / 2, SIZE, 2 * SIZE, 3 * SIZE, 5 * SIZE, 6 * SIZE]) {
    const other: Saved = now === "six" ? "three" : "six";
    // Stopping folds the log of what was written into the file, so that it begins anew.
    await current.stop();
    current = await start();
    const status = await killedAt(current, written, ask(current, KEY, "POST", `/_sandbox/snapshots/${other}/restore`));
    current = await start();
    expect(inspectDatabase(place.db)).toMatchObject({ damage: null, ledger: null });
    const state = stateOf(place.db);
    const isOther = state.transactions.length === states[other].transactions.length;
    expect(state).toEqual(states[isOther ? other : now]);
    if (status === 200) expect(isOther).toBe(true);
    if (isOther) now = other;
  }
});
