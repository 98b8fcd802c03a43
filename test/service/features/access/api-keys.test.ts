import { hash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { bearer, issue, tokenOf, works } from "../../../support/access.js";
import type { Answer, Loose } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, shared, sharedEmulator } from "../../../support/shared.js";
import { openStream } from "../../../support/stream.js";

const emulator = sharedEmulator();
let owner: string;
let member: string;
beforeAll(async () => {
  owner = await tokenOf(emulator);
  member = await tokenOf(emulator, "MEMBER");
});

const list = async (token = owner): Promise<Loose> => (await emulator.call("GET", "/v1/api-keys", bearer(token))).body;
const rotate = (id: string, body?: object, token = owner): Promise<Answer> =>
  emulator.call("POST", `/v1/api-keys/${id}/rotate`, { ...bearer(token), ...(body === undefined ? {} : { body }) });
const revoke = (id: string, token = owner): Promise<Answer> =>
  emulator.call("DELETE", `/v1/api-keys/${id}`, bearer(token));

describe("issuing a key", () => {
  it("answers it in clear text, with its fingerprint and prefix", async () => {
    const answer = await emulator.call("POST", "/v1/api-keys", {
      ...bearer(owner),
      body: { label: "shop", test: true },
    });
    expect(answer.status).toBe(201);
    const { apiKey } = answer.body;
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^key_[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^qa_test_[A-Za-z0-9_-]{32}$/),
      fingerprint: hash("sha256", apiKey).slice(0, 16),
      prefix: apiKey.slice(0, 12),
      label: "shop",
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      mode: "test",
    });
    expect(await works(emulator, apiKey)).toBe(true);
  });

  it.each([
    [{}, "live"],
    [{ test: false }, "live"],
    [{ test: null }, "live"],
    [{ test: true }, "test"],
    [{ unknown: 1, test: true }, "test"],
  ])("%j creates a key of the mode %s, for that book", async (body, mode) => {
    const { apiKey, mode: told } = await issue(emulator, owner, body);
    expect([told, apiKey.slice(0, 8)]).toEqual([mode, `qa_${mode}_`]);
    expect((await emulator.call("GET", "/_sandbox", { key: apiKey })).body.mode).toBe(mode);
    const charge = await emulator.charge({}, { key: apiKey });
    const own = mode === "test" ? emulator.key : emulator.live;
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`, { key: own })).status).toBe(200);
  });

  it.each([[undefined], [{}], [{ label: null }], [{ label: "" }]])("needs no label: %j", async (body) => {
    const options = body === undefined ? {} : { body };
    const answer = await emulator.call("POST", "/v1/api-keys", { ...bearer(owner), ...options });
    expect([answer.status, answer.body.label, answer.body.mode]).toEqual([201, "", "live"]);
  });

  it("takes a label of 64 characters as it is", async () => {
    const label = `Loja "São João" <b>✓</b> ${"x".repeat(64)}`.slice(0, 64);
    expect((await issue(emulator, owner, { label })).label).toBe(label);
    expect((await list()).data[0].label).toBe(label);
  });

  it("has no limit, and all keys work side by side", async () => {
    const keys = await Promise.all(Array.from({ length: 30 }, () => issue(emulator, owner, { test: true })));
    expect(new Set(keys.map(({ apiKey }) => apiKey)).size).toBe(30);
    expect(await Promise.all(keys.map(({ apiKey }) => works(emulator, apiKey)))).not.toContain(false);
  });
});

describe("the list of keys", () => {
  it("shows what works in both modes, newest first, and never the key", async () => {
    const other = await ownEmulator({ frozen: true });
    const token = await tokenOf(other);
    const { apiKey, fingerprint, ...shown } = await issue(other, token, { label: "ci", test: true });
    const { body } = await other.call("GET", "/v1/api-keys", bearer(token));
    expect(body).toStrictEqual({ data: expect.any(Array), access: { canManage: true } });
    expect(body.data[0]).toStrictEqual(shown);
    expect(body.data.map(({ mode }: Loose) => mode)).toEqual(["test", "live", "test"]);
    expect(JSON.stringify(body)).not.toContain(fingerprint);
    for (const key of [apiKey, other.key, other.live]) expect(JSON.stringify(body)).not.toContain(key);
  });

  it.each([
    ["OWNER", true],
    ["ADMIN", true],
    ["MEMBER", false],
  ] as const)("is for every role, and shows %s whether they may manage keys: %s", async (role, canManage) => {
    const { data, access } = await list(await tokenOf(emulator, role));
    expect(access).toEqual({ canManage });
    expect(data.length).toBeGreaterThan(1);
  });
});

describe("a member", () => {
  it("may not issue, rotate or revoke, and nothing changes", async () => {
    const { id, apiKey } = await issue(emulator, owner, { test: true });
    const before = await list();
    const refused = [
      await emulator.call("POST", "/v1/api-keys", { ...bearer(member), body: { test: true } }),
      await rotate(id, {}, member),
      await revoke(id, member),
    ];
    for (const answer of refused) expectRefused(answer, "API_KEY_ROLE_REQUIRED");
    expect(await list()).toEqual(before);
    expect(await works(emulator, apiKey)).toBe(true);
  });

  it("is refused before anything is looked up or checked", async () => {
    expectRefused(await rotate("key_unknown", {}, member), "API_KEY_ROLE_REQUIRED");
    expectRefused(await revoke("key_unknown", member), "API_KEY_ROLE_REQUIRED");
    const answer = await emulator.call("POST", "/v1/api-keys", { ...bearer(member), raw: "{ not json" });
    expectRefused(answer, "API_KEY_ROLE_REQUIRED");
  });

  it("is refused what an admin may do", async () => {
    const admin = await tokenOf(emulator, "ADMIN");
    const { id } = await issue(emulator, admin);
    const next = await rotate(id, {}, admin);
    expect([next.status, (await revoke(next.body.id, admin)).status]).toEqual([201, 200]);
  });
});

describe("rotating a key", () => {
  it("returns a new key of the same mode and label, and the old key is invalid", async () => {
    const old = await issue(emulator, owner, { label: "shop", test: true });
    expect(await works(emulator, old.apiKey)).toBe(true);
    const { status, body } = await rotate(old.id);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(Object.keys(old));
    expect(body).toMatchObject({ label: "shop", mode: "test", prefix: body.apiKey.slice(0, 12) });
    expect(body.id).not.toBe(old.id);
    expect([await works(emulator, old.apiKey), await works(emulator, body.apiKey)]).toEqual([false, true]);
    const ids = (await list()).data.map(({ id }: Loose) => id);
    expect([ids.includes(old.id), ids.includes(body.id)]).toEqual([false, true]);
  });

  it.each([
    [{ label: "new" }, "new"],
    [{ label: null }, "old"],
    [{}, "old"],
    [{ label: "x".repeat(64) }, "x".repeat(64)],
  ])("with %j carries the label on or takes the new one", async (body, label) => {
    const { id } = await issue(emulator, owner, { label: "old" });
    expect((await rotate(id, body)).body).toMatchObject({ label, mode: "live" });
  });
  it("keeps the account's books: the new key sees what the old one created", async () => {
    const old = await issue(emulator, owner, { test: true });
    const charge = await emulator.charge({}, { key: old.apiKey });
    const { apiKey } = (await rotate(old.id)).body;
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`, { key: apiKey })).status).toBe(200);
  });

  it("works for the keys of the first start too", async () => {
    const other = await ownEmulator();
    const token = await tokenOf(other);
    const { data } = (await other.call("GET", "/v1/api-keys", bearer(token))).body;
    for (const { id } of data) await other.call("POST", `/v1/api-keys/${id}/rotate`, bearer(token));
    expect([await works(other, other.key), await works(other, other.live)]).toEqual([false, false]);
  });

  it("ends the live streams that the old key opened, without another event", async () => {
    const old = await issue(emulator, owner, { test: true });
    const [gone, kept] = await Promise.all(
      [old.apiKey, emulator.key].map((key) => openStream(emulator, "/_sandbox/events", key)),
    );
    await rotate(old.id);
    await emulator.charge();
    expect(await gone?.next()).toBeNull();
    expect((await kept?.next())?.data.type).toBe("charge.created");
    kept?.close();
  });

  it("happens once, however many requests come at the same time", async () => {
    const { id, apiKey } = await issue(emulator, owner, { label: "raced", test: true });
    const answers = await Promise.all(Array.from({ length: 12 }, () => rotate(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(404)]);
    const left = (await list()).data.filter(({ label }: Loose) => label === "raced");
    expect(left).toHaveLength(1);
    expect(await works(emulator, apiKey)).toBe(false);
  });

  it("leaves no moment with both keys: once the answer is there the old key is invalid, even while it is in use", async () => {
    let current = await issue(emulator, owner, { test: true });
    let done = false;
    const seen: number[] = [];
    const use = async () => {
      while (!done) seen.push((await emulator.call("GET", "/v1/wallets", { key: current.apiKey })).status);
    };
    const users = [use(), use(), use(), use()];
    for (let round = 0; round < 15; round++) {
      const old = current;
      const answer = await rotate(old.id);
      const [dead, alive] = await Promise.all([works(emulator, old.apiKey), works(emulator, answer.body.apiKey)]);
      expect([answer.status, dead, alive]).toEqual([201, false, true]);
      current = answer.body;
    }
    done = true;
    await Promise.all(users);
    expect(seen).toContain(200);
    expect(seen.filter((status) => status !== 200 && status !== 401)).toEqual([]);
  });
});

describe("revoking a key", () => {
  it("is permanent", async () => {
    const { id, apiKey } = await issue(emulator, owner, { test: true });
    expect(await works(emulator, apiKey)).toBe(true);
    const answer = await revoke(id);
    expect([answer.status, answer.body]).toEqual([200, { revoked: true }]);
    expect(await works(emulator, apiKey)).toBe(false);
    for (const again of [await revoke(id), await rotate(id)]) expectRefused(again, "not_found");
    expect((await list()).data.map((key: Loose) => key.id)).not.toContain(id);
  });

  it("leaves the other keys alone", async () => {
    const [one, two] = [await issue(emulator, owner, { test: true }), await issue(emulator, owner, { test: true })];
    await revoke(one.id);
    expect(await works(emulator, two.apiKey)).toBe(true);
  });

  it("may take the key that is in use, and the last one", async () => {
    const other = await ownEmulator();
    const token = await tokenOf(other);
    const { data } = (await other.call("GET", "/v1/api-keys", bearer(token))).body;
    for (const { id } of data) {
      expect((await other.call("DELETE", `/v1/api-keys/${id}`, bearer(token))).status).toBe(200);
    }
    expectRefused(await other.call("GET", "/v1/wallets"), "unauthorized");
    expect((await other.call("GET", "/v1/api-keys", bearer(token))).body.data).toEqual([]);
  });
});

describe("a key that was rotated or revoked", () => {
  const folder = shared(newFolder);
  const KEY = "qa_test_fixed-for-this-test";

  it("stays invalid after a restart, even after one with this key, which logs a warning", async () => {
    const db = folder.db;
    const warnings: string[] = [];
    const log = { warn: (message: string) => warnings.push(message), error: () => undefined };
    const first = await ownEmulator({ db, testKey: KEY, log });
    const token = await tokenOf(first);
    const { data } = (await first.call("GET", "/v1/api-keys", bearer(token))).body;
    const { id } = data.find(({ mode }: Loose) => mode === "test");
    const next = (await first.call("POST", `/v1/api-keys/${id}/rotate`, bearer(token))).body.apiKey;
    await first.close();
    expect(warnings).toEqual([]);
    const second = await ownEmulator({ db, testKey: KEY, log });
    expect(second.testKey).toBeNull();
    expect(warnings).toEqual([expect.stringContaining("--test-key")]);
    expect([await works(second, KEY), await works(second, next)]).toEqual([false, true]);
  });

  it("stays invalid after a reset, and the other keys still work", async () => {
    const other = await ownEmulator();
    const token = await tokenOf(other);
    const kept = await issue(other, token, { test: true });
    const gone = await issue(other, token, { test: true });
    await other.call("DELETE", `/v1/api-keys/${gone.id}`, bearer(token));
    await other.sandbox("/reset");
    const alive = [other.key, other.live, kept.apiKey, gone.apiKey].map((key) => works(other, key));
    expect(await Promise.all(alive)).toEqual([true, true, true, false]);
  });
});
