import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Operation } from "../../../src/service/features/operation.js";
import { bearer, issue, tokenOf, works } from "../../support/access.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { type Halfway, sendHalf } from "../../support/raw-http.js";
import { paidPayment, postRefund } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { shared, sharedEmulator } from "../../support/shared.js";
import { contentsOf } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";
import { settle, subscribe } from "../../support/webhooks.js";

/**
 * Credentials are checked again when the body has arrived: a key that was rotated or revoked meanwhile, or a login that
 * has ended meanwhile, no longer works.
 */

const folder = shared(newFolder);
const emulator = sharedEmulator(() => ({ db: folder.db, frozen: true }));
/** The token of the owner, who manages keys while other requests are being sent. */
let owner: string;

beforeAll(async () => {
  owner = await tokenOf(emulator);
});

/** Every row of the database except those of keys, logins and the clock. */
async function rows(): Promise<Loose> {
  await settle(emulator);
  const {
    api_keys: _keys,
    revoked_tokens: _tokens,
    audit: _audit,
    settings: _clock,
    ...others
  } = contentsOf(folder.db).rows;
  return others;
}

/** A test key with its id, and how to end it. */
async function newKey(): Promise<{ readonly apiKey: string; end(how: "rotate" | "revoke"): Promise<void> }> {
  const { id, apiKey } = await issue(emulator, owner, { test: true });
  return {
    apiKey,
    async end(how) {
      const [method, path] = how === "rotate" ? ["POST", `${id}/rotate`] : ["DELETE", id];
      const { status } = await emulator.call(method, `/v1/api-keys/${path}`, bearer(owner));
      expect(status).toBe(how === "rotate" ? 201 : 200);
      expect(await works(emulator, apiKey)).toBe(false);
    },
  };
}

/** Sends the first half of a call of an operation, with `credentials` in place of the call's own. */
function begin(operation: Operation, call: Call, credentials: Record<string, string>): Promise<Halfway> {
  const { method, path } = operation.contract;
  const headers = { ...call.headers, ...credentials };
  const body = JSON.stringify(call.body ?? {}).replace(/[^ -~]/g, "x");
  return sendHalf(emulator.url + addressOf(path, call), { method, headers, body });
}

const operations: readonly Operation[] = registry;
const writes = operations.filter(({ contract: { method } }) => method !== "GET");
const byKey = writes.filter(({ contract: { auth } }) => auth === "key");
const byUser = writes.filter(({ contract: { auth } }) => auth === "jwt");

describe("a key that is rotated while the body is on its way", () => {
  it.each(byKey.map((operation) => ({ id: operation.contract.id, operation })))(
    "does nothing any more: $id",
    async ({ id, operation }) => {
      const call: Call = await prepareCall(id, emulator);
      const key = await newKey();
      const before = await rows();
      const request = await begin(operation, call, { apikey: key.apiKey });
      await key.end("rotate");
      expectRefused(await request.finish(), "unauthorized");
      expect(await rows()).toEqual(before);
      expect((await emulator.sandbox("/clock")).frozen).toBe(true);
    },
  );

  it("leaves the idempotency key unused and creates no charge", async () => {
    const key = await newKey();
    const headers = { apikey: key.apiKey, "idempotency-key": freshKey() };
    const body = { amount: 100, payment_method: "pix" };
    const before = (await emulator.call("GET", "/v1/payments")).body.total;
    const request = await sendHalf(`${emulator.url}/v1/charges`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await key.end("rotate");
    expectRefused(await request.finish(), "unauthorized");
    expect((await emulator.call("GET", "/v1/payments")).body.total).toBe(before);
    const again = await emulator.call("POST", "/v1/charges", { body, headers: { ...headers, apikey: emulator.key } });
    expect([again.status, again.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });

  it("does not get the stored answer of an earlier request either", async () => {
    const key = await newKey();
    const idempotent = { "idempotency-key": freshKey() };
    const body = { amount: 100, payment_method: "pix" };
    await emulator.charge(body, { headers: idempotent });
    const headers = { apikey: key.apiKey, ...idempotent };
    const replay = await sendHalf(`${emulator.url}/v1/charges`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await key.end("rotate");
    expectRefused(await replay.finish(), "unauthorized");
  });
});

describe("a key that is revoked while the body is on its way", () => {
  it("deletes no endpoint and refunds nothing", async () => {
    const { id: endpoint } = await subscribe(emulator, "http://127.0.0.1:9/", ["charge.paid"]);
    const { id: payment } = await paidPayment(emulator);
    const key = await newKey();
    const headers = { apikey: key.apiKey };
    const deletion = await sendHalf(`${emulator.url}/v1/webhooks/endpoints/${endpoint}`, {
      method: "DELETE",
      headers,
      body: "{}",
    });
    const refund = await sendHalf(`${emulator.url}/v1/payments/${payment}/refund`, {
      method: "POST",
      headers,
      body: JSON.stringify({ idempotencyKey: freshKey() }),
    });
    await key.end("revoke");
    expectRefused(await deletion.finish(), "unauthorized");
    expectRefused(await refund.finish(), "unauthorized");
    const { data } = (await emulator.call("GET", "/v1/webhooks/endpoints")).body;
    expect(data.map(({ id }: Loose) => id)).toContain(endpoint);
    expect((await emulator.call("GET", `/v1/payments/${payment}/refunds`)).body).toEqual([]);
    expect((await postRefund(emulator, payment)).status).toBe(201);
  });

  it("does not affect requests that had arrived before, or that have another key", async () => {
    const key = await newKey();
    const request = await sendHalf(`${emulator.url}/v1/payments`, {
      method: "POST",
      headers: { apikey: emulator.key },
      body: JSON.stringify({ amount: 100, paymentMethods: ["PIX"], idempotencyKey: freshKey() }),
    });
    await key.end("revoke");
    expect((await request.finish()).status).toBe(201);
  });
});

describe("a login that ends while the body is on its way", () => {
  it.each(byUser.map((operation) => ({ id: operation.contract.id, operation })))(
    "does nothing any more: $id",
    async ({ id, operation }) => {
      const call: Call = await prepareCall(id, emulator);
      const token = await tokenOf(emulator, "ADMIN");
      const before = contentsOf(folder.db).rows.api_keys;
      const request = await begin(operation, call, { authorization: `Bearer ${token}` });
      expect((await emulator.call("POST", "/v1/auth/logout", bearer(token))).status).toBe(204);
      const error = expectRefused(await request.finish(), "unauthorized");
      expect(error.message).toContain("Log in");
      expect(contentsOf(folder.db).rows.api_keys).toEqual(before);
    },
  );

  it("because the user has another role now does nothing any more", async () => {
    const token = await tokenOf(emulator, "ADMIN");
    const before = contentsOf(folder.db).rows.api_keys;
    const request = await sendHalf(`${emulator.url}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: '{"label":"lowered"}',
    });
    // A signature is verified beside the event loop. The token of the first request has been read before the answers to two others.
    for (let count = 0; count < 2; count++)
      expect((await emulator.call("GET", "/v1/api-keys", bearer(token))).status).toBe(200);
    const file = openFile(folder.db);
    onTestFinished(() => {
      file.exec("UPDATE users SET role = 'ADMIN' WHERE email = 'admin@qa-pay.test'");
      file.close();
    });
    file.exec("UPDATE users SET role = 'MEMBER' WHERE email = 'admin@qa-pay.test'");
    expectRefused(await request.finish(), "unauthorized");
    expect(contentsOf(folder.db).rows.api_keys).toEqual(before);
  });

  it("because its eight hours are over changes nothing either", async () => {
    const before = contentsOf(folder.db).rows.api_keys;
    const request = await sendHalf(`${emulator.url}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner}` },
      body: '{"label":"late"}',
    });
    await emulator.sandbox("/clock/advance", { seconds: 8 * 3_600 });
    expectRefused(await request.finish(), "unauthorized");
    expect(contentsOf(folder.db).rows.api_keys).toEqual(before);
  });

  it("does not end other logins of the same user", async () => {
    const [one, other] = [await tokenOf(emulator), await tokenOf(emulator)];
    const request = await sendHalf(`${emulator.url}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${one}` },
      body: '{"label":"goes on"}',
    });
    await emulator.call("POST", "/v1/auth/logout", bearer(other));
    const answer = await request.finish();
    expect([answer.status, answer.body.label]).toEqual([201, "goes on"]);
  });
});
