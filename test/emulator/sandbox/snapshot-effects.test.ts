import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { bearer, issue, postLogin, tokenOf, userOf, works } from "../../support/access.js";
import { openConsole } from "../../support/console.js";
import { freshKey, type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { createHeldRuntime, LATENCY } from "../../support/faults.js";
import { newFolder } from "../../support/folder.js";
import { addEvidence, openCase } from "../../support/med.js";
import { sendHalf } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { closeAfterwards, fresh, freshReceiver, ownFolder } from "../../support/shared.js";
import { postRestore, restore, save, snapshotFile } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";
import { openStream } from "../../support/stream.js";
import { chargeAndSettle, hmac, signatureParts, subscribe } from "../../support/webhooks.js";

/** A restore also changes what a server keeps in memory or has passed to others, such as keys. */

const TEST_KEY = "qa_test_promised-at-start";
const LIVE_KEY = "qa_live_promised-at-start";

const folder = fresh(newFolder);
const receiver = freshReceiver();
let emulator: TestEmulator;
const start = closeAfterwards((options: EmulatorOptions = {}) => startEmulator({ frozen: true, ...options }));

describe("API keys", () => {
  it("issued later stop working, and those revoked later work again", async () => {
    emulator = await start();
    const token = await tokenOf(emulator);
    const early = await issue(emulator, token);
    await save(emulator, "keys");
    const late = await issue(emulator, token);
    await emulator.call("DELETE", `/v1/api-keys/${early.id}`, bearer(token));
    expect([await works(emulator, early.apiKey), await works(emulator, late.apiKey)]).toEqual([false, true]);
    // The key that requests the restore may be one of those. It gets this last answer.
    expect((await postRestore(emulator, "keys", late.apiKey)).status).toBe(200);
    expect([await works(emulator, early.apiKey), await works(emulator, late.apiKey)]).toEqual([true, false]);
  });

  it("passed to this start work, whether or not the snapshot contains them", async () => {
    const first = await start({ db: folder.db });
    await save(first, "before");
    await first.close();
    emulator = await start({ db: folder.db, testKey: TEST_KEY, liveKey: LIVE_KEY });
    await save(emulator, "after");
    const { id } = (await emulator.call("GET", "/_sandbox/account")).body;
    for (const name of ["before", "after", "before"]) {
      await restore(emulator, name);
      for (const [key, mode] of [
        [TEST_KEY, "test"],
        [LIVE_KEY, "live"],
        [first.key, "test"],
      ] as const) {
        expect((await emulator.call("GET", "/_sandbox", { key })).body.mode).toBe(mode);
        expect((await emulator.call("GET", "/_sandbox/account", { key })).body.id).toBe(id);
      }
    }
  });

  it("are those of the accounts in the snapshot, which may differ from the accounts before the restore", async () => {
    emulator = await start();
    await save(emulator, "alone");
    const { body: second } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Second" } });
    await emulator.charge({}, { key: second.test_key });
    await restore(emulator, "alone");
    const { body: third } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Third" } });
    expect(await works(emulator, second.test_key)).toBe(false);
    const payments = await emulator.call("GET", "/v1/payments", { key: third.test_key });
    expect(payments.body.total).toBe(0);
    expect((await emulator.call("GET", "/_sandbox/account", { key: third.test_key })).body.name).toBe("Third");
  });
});

describe("a request that was authenticated before the restore", () => {
  it("writes nothing for an account that no longer exists", async () => {
    emulator = await start({ db: folder.db });
    await save(emulator, "alone");
    const { body: second } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Second" } });
    const slow = await sendHalf(`${emulator.url}/v1/charges`, {
      method: "POST",
      headers: { apikey: second.test_key, "idempotency-key": freshKey() },
      body: '{"amount":100,"payment_method":"pix"}',
    });
    await restore(emulator, "alone");
    const { body: third } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Third" } });
    expectRefused(await slow.finish(), "unauthorized");
    expect((await emulator.call("GET", "/v1/payments", { key: third.test_key })).body.total).toBe(0);
  });

  it("stops waiting under a fault rule, and the rule stays", async () => {
    const runtime = createHeldRuntime();
    emulator = await start({ runtime });
    await save(emulator, "empty");
    const rule = { match: { path: "/v1/charges" }, effect: { latency_ms: LATENCY } };
    await emulator.call("POST", "/_sandbox/faults", { body: rule });
    const body = { amount: 100, payment_method: "pix" };
    const slow = emulator.call("POST", "/v1/charges", { body, headers: { "idempotency-key": freshKey() } });
    await runtime.waitForBegin(1);
    await restore(emulator, "empty");
    expect((await slow).status).toBe(503);
    expect((await emulator.call("GET", "/_sandbox/faults")).body.data).toHaveLength(1);
    expect((await emulator.sandbox("/events")).data).toEqual([]);
  });
});

describe("users", () => {
  it("can log in after a restore of a snapshot that was saved right after the first start", async () => {
    emulator = await start();
    await save(emulator, "first");
    await restore(emulator, "first");
    expect((await postLogin(emulator, userOf(emulator, "ADMIN"))).status).toBe(200);
  });

  it("stay logged in when the snapshot has the key that signed their token", async () => {
    emulator = await start();
    const token = await tokenOf(emulator);
    await save(emulator, "logged-in");
    const later = await tokenOf(emulator, "MEMBER");
    await emulator.call("POST", "/v1/auth/logout", bearer(token));
    await restore(emulator, "logged-in");
    for (const one of [token, later]) {
      expect((await emulator.call("GET", "/v1/api-keys", bearer(one))).status).toBe(200);
    }
  });

  it("stay logged in even when nobody was logged in at the time of the snapshot", async () => {
    emulator = await start();
    await save(emulator, "nobody");
    const token = await tokenOf(emulator);
    await restore(emulator, "nobody");
    expect((await emulator.call("GET", "/v1/api-keys", bearer(token))).status).toBe(200);
  });

  it("must log in again when the snapshot does not have that key", async () => {
    emulator = await start({ db: folder.db });
    await save(emulator, "older");
    const older = openFile(snapshotFile(folder.db, "older"));
    older.exec("DELETE FROM settings WHERE name = 'token_key'");
    older.close();
    const token = await tokenOf(emulator);
    await restore(emulator, "older");
    expect((await emulator.call("GET", "/v1/api-keys", bearer(token))).status).toBe(401);
    expect((await emulator.call("GET", "/v1/api-keys", bearer(await tokenOf(emulator)))).status).toBe(200);
  });
});

describe("the forward target", () => {
  it("keeps the secret that its application knows, and receives the next events", async () => {
    const first = await start({ db: folder.db, testKey: TEST_KEY });
    await save(first, "without");
    await first.close();
    const forwarding = { forwardTo: receiver.url, events: ["charge.created" as const] };
    emulator = await start({ db: folder.db, testKey: TEST_KEY, ...forwarding });
    const told = emulator.forward?.secret ?? "";
    await save(emulator, "with");
    for (const name of ["without", "with", "without"]) {
      await restore(emulator, name);
      receiver.received.length = 0;
      await chargeAndSettle(emulator);
      const [sent, ...others] = receiver.received;
      expect(others).toEqual([]);
      const { t, v1 } = signatureParts(sent?.headers["x-qa-signature"]);
      expect(v1).toBe(hmac(told, `${t}.${sent?.raw}`));
      const { data } = (await emulator.call("GET", "/v1/webhooks/endpoints")).body;
      expect(data).toMatchObject([{ url: receiver.url, status: "ACTIVE", events: ["charge.created"] }]);
    }
  });

  it("of an earlier start receives nothing any more", async () => {
    const first = await start({ db: folder.db, testKey: TEST_KEY, forwardTo: receiver.url });
    await save(first, "with");
    await first.close();
    emulator = await start({ db: folder.db, testKey: TEST_KEY });
    await restore(emulator, "with");
    await chargeAndSettle(emulator);
    expect(receiver.received).toEqual([]);
  });
});

it("addresses with a signature in place of an API key are signed with the signing key of the snapshot", async () => {
  emulator = await start();
  const contested = await openCase(emulator);
  await addEvidence(emulator, contested.id);
  const shown = async () => (await emulator.call("GET", `/v1/med/cases/${contested.id}/evidence`)).body;
  const view = (list: Loose) => fetch((Array.isArray(list) ? list : list.data)[0].view_url);
  await save(emulator, "evidence");
  await emulator.sandbox("/reset");
  await restore(emulator, "evidence");
  expect((await view(await shown())).status).toBe(200);
});

it("the rate limit begins anew", async () => {
  emulator = await start({ rateLimit: 2 });
  await save(emulator, "fresh");
  for (const status of [200, 200, 429]) expect((await emulator.call("GET", "/v1/wallets")).status).toBe(status);
  await restore(emulator, "fresh");
  expect((await emulator.call("GET", "/v1/wallets")).status).toBe(200);
});

it("the request log begins anew, as after a reset", async () => {
  emulator = await start();
  await save(emulator, "empty");
  await emulator.charge();
  await restore(emulator, "empty");
  expect((await emulator.sandbox("/requests")).data).toEqual([]);
});

describe("a live stream", () => {
  it("continues with the next events, and does not send events that the restore brought back", async () => {
    emulator = await start();
    await emulator.charge();
    await save(emulator, "one");
    const stream = await openStream(emulator, "/_sandbox/events?type=charge.created");
    await restore(emulator, "one");
    const { id } = await emulator.charge();
    expect((await stream.next())?.data.payload.data.object.id).toBe(id);
    stream.close();
  });

  it("ends when its API key no longer exists", async () => {
    emulator = await start();
    await save(emulator, "keys");
    const { apiKey } = await issue(emulator, await tokenOf(emulator), { test: true });
    const stream = await openStream(emulator, "/_sandbox/events", apiKey);
    await restore(emulator, "keys");
    await emulator.charge();
    expect(await stream.next()).toBeNull();
  });
});

it("a charge that was read before the restore is afterwards read as it is in the snapshot", async () => {
  emulator = await start();
  const { id } = await emulator.charge();
  await save(emulator, "pending");
  const read = async () => (await emulator.call("GET", `/v1/charges/${id}`)).body;
  const before = await read();
  await emulator.sandbox(`/charges/${id}/pay`);
  expect((await read()).status).toBe("paid");
  await restore(emulator, "pending");
  expect(await read()).toEqual(before);
});

it("a snapshot of another database brings its account; keys, secret, console, forward target and reset of this start work with it", async () => {
  const other = ownFolder();
  const theirs = await start({ db: other.db });
  const { id } = await theirs.charge({ description: "theirs" });
  await subscribe(theirs, "https://example.com/", ["charge.paid"]);
  await save(theirs, "shared");
  const { body: account } = await theirs.call("GET", "/_sandbox/account");
  emulator = await start({ db: folder.db, forwardTo: receiver.url });
  await emulator.charge();
  mkdirSync(dirname(snapshotFile(folder.db, "shared")));
  copyFileSync(snapshotFile(other.db, "shared"), snapshotFile(folder.db, "shared"));
  const page = await openConsole(emulator);
  await restore(emulator, "shared");
  for (const key of [emulator.key, theirs.key]) {
    const { body } = await emulator.call("GET", "/_sandbox/account", { key });
    expect(body).toEqual({ ...account, signing_secret: emulator.signingSecret });
    expect((await emulator.call("GET", `/v1/charges/${id}`, { key })).body.metadata).toEqual({
      description: "theirs",
    });
  }
  expect((await page.call("GET", `/v1/charges/${id}`)).status).toBe(200);
  expect((await postLogin(emulator, userOf(theirs))).status).toBe(200);
  expect((await emulator.call("POST", "/_sandbox/reset")).status).toBe(204);
  expect(await works(emulator, emulator.key)).toBe(true);
  await chargeAndSettle(emulator);
  expect(receiver.received.map(({ type }) => type)).toContain("charge.created");
});
