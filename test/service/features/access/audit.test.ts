import { decodeJwt } from "jose";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bearer, issue, postLogin, tokenOf, userOf } from "../../../support/access.js";
import type { Loose } from "../../../support/emulator.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });
let owner: string;
let admin: string;
beforeAll(async () => {
  owner = await tokenOf(emulator);
  admin = await tokenOf(emulator, "ADMIN");
});
afterEach(() => emulator.sandbox("/reset"));

const audit = (query = "", key = emulator.key): Promise<Loose> =>
  emulator.sandbox(`/audit${query}`, undefined, { key });
const rotate = async (id: string, token: string): Promise<Loose> =>
  (await emulator.call("POST", `/v1/api-keys/${id}/rotate`, bearer(token))).body;
const revoke = (id: string, token: string) => emulator.call("DELETE", `/v1/api-keys/${id}`, bearer(token));

describe("the audit", () => {
  it("says who issued, rotated and revoked which key, newest first", async () => {
    const issued = await issue(emulator, owner, { label: "shop", test: true });
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const rotated = await rotate(issued.id, admin);
    await revoke(rotated.id, owner);
    const { now } = await emulator.sandbox("/clock");
    const entry = (action: string, token: string, key: Loose, created_at: string) => ({
      id: expect.stringMatching(/^aud_[0-9a-f-]{36}$/),
      action: `api_key.${action}`,
      user_id: decodeJwt(token).sub,
      key_id: key.id,
      fingerprint: key.fingerprint,
      created_at,
    });
    expect(await audit()).toStrictEqual({
      data: [
        entry("revoked", owner, rotated, now),
        entry("rotated", admin, rotated, now),
        entry("issued", owner, issued, issued.createdAt),
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it("contains neither refused changes nor the keys that a start creates", async () => {
    const member = await tokenOf(emulator, "MEMBER");
    await emulator.call("POST", "/v1/api-keys", { ...bearer(member), body: {} });
    await emulator.call("POST", "/v1/api-keys", { ...bearer(owner), body: { label: 5 } });
    await revoke("key_unknown", owner);
    expect((await audit()).data).toEqual([]);
  });

  it("comes in pages and by action", async () => {
    const keys: Loose[] = [];
    for (let n = 0; n < 5; n++) keys.push(await issue(emulator, owner, { label: `key ${n}` }));
    await revoke(keys[0]?.id, owner);
    const whole = (await audit()).data;
    expect((await audit("?action=api_key.issued")).data).toEqual(whole.slice(1));
    expect((await audit("?action=api_key.rotated")).data).toEqual([]);
    expect((await audit(`?action=api_key.issued&limit=1&after=${whole[1].id}`)).data).toEqual([whole[2]]);
  });
});

describe("the request log", () => {
  const logged = async (key = emulator.key): Promise<Loose[]> =>
    (await emulator.sandbox("/requests", undefined, { key })).data;

  it("names the key of each call by the fingerprint that its issue returned", async () => {
    const issued = await issue(emulator, owner, { test: true });
    await emulator.call("GET", "/v1/wallets", { key: issued.apiKey });
    const [wallets, issuing] = await logged();
    expect(wallets).toMatchObject({ path: "/v1/wallets", key_fingerprint: issued.fingerprint });
    expect(issuing).toMatchObject({ path: "/v1/api-keys", key_fingerprint: null });
    const rotated = await rotate(issued.id, owner);
    await emulator.call("GET", "/v1/wallets", { key: rotated.apiKey });
    expect((await logged())[0]?.key_fingerprint).toBe(rotated.fingerprint);
  });

  it("shows a login and what it led to without password, token and key", async () => {
    await postLogin(emulator, userOf(emulator));
    await issue(emulator, owner, { label: "shop" });
    const [issuing, login] = await logged();
    expect(login).toMatchObject({
      path: "/v1/auth/login",
      request_body: { email: "owner@qa-pay.test", password: "[not logged]" },
      response_body: { token: "[not logged]", token_type: "Bearer" },
    });
    expect(issuing).toMatchObject({ request_body: { label: "shop" }, response_body: { apiKey: "[not logged]" } });
  });

  it.each<[string, string, object]>([
    ["in the query", "?password=hunter-two", { body: {} }],
    ["in what is no JSON", "", { raw: '{"password": hunter-two' }],
    ["in what is no object", "", { raw: '["hunter-two"]' }],
    ["deep inside", "", { body: { user: [{ password: "hunter-two" }] } }],
    ["beside a wrong type", "", { body: { email: 5, password: "hunter-two" } }],
  ])("keeps no password that was sent %s", async (_where, query, options) => {
    await emulator.call("POST", `/v1/auth/login${query}`, { key: null, ...options });
    const [entry] = await logged();
    expect(entry?.path).toMatch(/^\/v1\/auth\/login/);
    expect(JSON.stringify(entry)).not.toContain("hunter");
  });

  it("keeps no key and no token, in whichever part of the request one was sent", async () => {
    const { apiKey } = await issue(emulator, owner, { test: true });
    await emulator.call("GET", `/v1/wallets?apikey=${apiKey}&token=${owner}`);
    await emulator.charge({ metadata: { key: apiKey, note: `${owner} ${apiKey}` } });
    await issue(emulator, owner, { label: apiKey });
    await emulator.call("POST", "/v1/charges", { raw: `${apiKey} ${owner}` });
    const text = JSON.stringify(await logged());
    expect(text).toContain('"note":"[not logged] [not logged]"');
    for (const secret of [apiKey, owner]) expect(text).not.toContain(secret);
  });

  it("shows what users do to their own account alone", async () => {
    const { body: other } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
    await issue(emulator, owner);
    const paths = (entries: Loose[]) => entries.map(({ path }) => path);
    expect(paths(await logged())).toContain("/v1/api-keys");
    expect(paths(await logged(other.test_key))).not.toContain("/v1/api-keys");
  });
});
