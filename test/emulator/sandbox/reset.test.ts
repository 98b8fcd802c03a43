import { afterEach, describe, expect, it } from "vitest";
import { newFolder } from "../../support/folder.js";
import { fresh, freshEmulator, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { contentsOf, save } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";
import { settle, subscribe } from "../../support/webhooks.js";

const receiver = sharedReceiver();
const emulator = sharedEmulator(() => ({ frozen: true, forwardTo: receiver.url, events: ["charge.created"] }));

afterEach(async () => {
  await settle(emulator);
  await emulator.sandbox("/reset");
  receiver.received.length = 0;
});

const get = async (path: string, key = emulator.key) => (await emulator.call("GET", path, { key })).body;

describe("a reset", () => {
  it("sets the clock to the present, frozen when the server was started so", async () => {
    await emulator.sandbox("/clock/advance", { seconds: 1e9 });
    await emulator.sandbox("/clock/resume");
    await emulator.sandbox("/reset");
    const clock = await get("/_sandbox/clock");
    expect(clock.frozen).toBe(true);
    expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(60_000);
  });

  it("deletes all other accounts with their keys, and can be called with the key of one of them", async () => {
    const { body } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
    await emulator.charge({}, { key: body.test_key });
    await subscribe(emulator, receiver.url, ["charge.paid"], body.live_key);
    expect((await emulator.call("POST", "/_sandbox/reset", { key: body.test_key })).status).toBe(204);
    for (const key of [body.test_key, body.live_key]) {
      expect((await emulator.call("GET", "/v1/wallets", { key })).status).toBe(401);
    }
    expect((await emulator.call("GET", "/v1/wallets")).status).toBe(200);
  });
});

describe("a reset of a database file", () => {
  const folder = fresh(newFolder);
  const ours = freshEmulator(() => ({ frozen: true, db: folder.db, forwardTo: receiver.url }));

  it("empties every table but those that keep keys, users and the forward target", async () => {
    const filled = () =>
      Object.entries(contentsOf(folder.db).rows).flatMap(([table, rows]) => (rows.length === 0 ? [] : [table]));
    // The users of a start are stored shortly after it. A snapshot waits until they are.
    await save(ours, "seed");
    const { id } = await ours.charge();
    await ours.sandbox(`/charges/${id}/pay`);
    await ours.sandbox("/payouts", { amount: 90 });
    await ours.sandbox("/med-cases", { charge_id: id });
    await settle(ours);
    expect(filled().length).toBeGreaterThan(15);
    await ours.sandbox("/reset");
    expect(filled().sort()).toEqual(["accounts", "api_keys", "books", "endpoints", "settings", "users"]);
  });

  it("empties a table that a later version adds, whatever foreign keys it has", async () => {
    const { id } = await ours.charge();
    const db = openFile(folder.db);
    // The rows refer to each other, so the table that no row refers to must be emptied first.
    db.exec(`
      CREATE TABLE a_shop (id INTEGER PRIMARY KEY, transaction_id TEXT NOT NULL REFERENCES transactions (id)) STRICT;
      CREATE TABLE "z order" (shop_id INTEGER NOT NULL REFERENCES a_shop (id)) STRICT;
      CREATE TABLE b_order_line (shop_id INTEGER NOT NULL REFERENCES a_shop (id)) STRICT;
      INSERT INTO a_shop SELECT 1, id FROM transactions;
      INSERT INTO "z order" VALUES (1);
      INSERT INTO b_order_line VALUES (1);`);
    db.close();
    await ours.sandbox("/reset");
    const { rows } = contentsOf(folder.db);
    expect([rows.transactions, rows.a_shop, rows["z order"], rows.b_order_line]).toEqual([[], [], [], []]);
    expect((await ours.call("GET", `/v1/charges/${id}`)).status).toBe(404);
  });
});

it("a second account has its own keys, which are shown once", async () => {
  const answer = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    id: expect.stringMatching(/^acc_/),
    test_key: expect.stringMatching(/^qa_test_[A-Za-z0-9_-]{32}$/),
    live_key: expect.stringMatching(/^qa_live_[A-Za-z0-9_-]{32}$/),
    signing_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const own = await get("/_sandbox/account", answer.body.live_key);
  const { id, signing_secret } = answer.body;
  expect(own).toStrictEqual({ id, name: "Outra Loja", signing_secret });
  expect((await get("/_sandbox/account")).id).not.toBe(id);
});
