import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, tokenOf } from "../../../support/access.js";
import { type Answer, startEmulator, type TestEmulator } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { send } from "../../../support/raw-http.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, shared } from "../../../support/shared.js";
import { openFile } from "../../../support/sqlite.js";

const HOUR = 3_600;

const folder = shared(newFolder);
let db: string;
let emulator: TestEmulator;
let key: Buffer;
beforeAll(async () => {
  db = folder.db;
  emulator = await startEmulator({ db, frozen: true });
  await tokenOf(emulator);
  const file = openFile(db, true);
  const row = file.prepare("SELECT value FROM settings WHERE name = 'token_key'").get() as { value: string };
  file.close();
  key = Buffer.from(row.value, "hex");
});
afterAll(async () => {
  await emulator.close();
});

const list = (token: string): Promise<Answer> => emulator.call("GET", "/v1/api-keys", bearer(token));
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });

/** Makes a token, signed with the service's own key by default, with only the named parts wrong. */
function signed(claims: JWTPayload, { header = { alg: "HS256", typ: "JWT" }, secret = key } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(secret);
}

describe("a token", () => {
  it("names its user, account, role and time of expiry", async () => {
    const token = await tokenOf(emulator, "ADMIN");
    const now = Math.floor(Date.parse((await emulator.sandbox("/clock")).now) / 1_000);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT" });
    expect(decodeJwt(token)).toStrictEqual({
      sub: expect.stringMatching(/^usr_/),
      account: (await emulator.sandbox("/account")).id,
      role: "ADMIN",
      jti: expect.stringMatching(/\S/),
      iss: "qa-pay",
      aud: "qa-pay-dashboard",
      iat: now,
      exp: now + 8 * HOUR,
    });
    expect((await list(token)).status).toBe(200);
  });

  it("is signed with 32 bytes that every database has of its own", async () => {
    expect(key).toHaveLength(32);
    const other = await ownEmulator({ frozen: true });
    expectRefused(await list(await tokenOf(other)), "unauthorized");
  });

  it("ends after eight hours of emulated time", async () => {
    const token = await tokenOf(emulator);
    await advance(8 * HOUR - 1);
    expect((await list(token)).status).toBe(200);
    await advance(1);
    expectRefused(await list(token), "unauthorized");
  });

  it("ends with its own logout, while other tokens continue", async () => {
    const [token, other] = [await tokenOf(emulator), await tokenOf(emulator)];
    const answer = await emulator.call("POST", "/v1/auth/logout", bearer(token));
    expect([answer.status, answer.body]).toEqual([204, null]);
    for (const [method, path] of [
      ["GET", "/v1/api-keys"],
      ["POST", "/v1/api-keys"],
      ["POST", "/v1/auth/logout"],
    ] as const) {
      expectRefused(await emulator.call(method, path, bearer(token)), "unauthorized");
    }
    expect((await list(other)).status).toBe(200);
  });

  it("that was logged out stays invalid after a reset", async () => {
    const token = await tokenOf(emulator);
    await emulator.call("POST", "/v1/auth/logout", bearer(token));
    await emulator.sandbox("/reset");
    expectRefused(await list(token), "unauthorized");
  });

  it("takes its scheme in any case", async () => {
    const token = await tokenOf(emulator);
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${token}` };
      expect((await emulator.call("GET", "/v1/api-keys", { key: null, headers })).status).toBe(200);
    }
  });
});

describe("a token is refused", () => {
  let claims: JWTPayload;
  let token: string;
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
  beforeAll(async () => {
    token = await tokenOf(emulator);
    claims = decodeJwt(token);
  });

  it("only for what is in it: the same claims signed again are accepted", async () => {
    expect((await list(await signed(claims))).status).toBe(200);
  });

  it("when any part of it was changed", async () => {
    const parts = token.split(".");
    const swapped = parts.map((part, index) => {
      const last = part.at(-1) === "A" ? "B" : "A";
      return parts.map((other, at) => (at === index ? part.slice(0, -1) + last : other)).join(".");
    });
    const first = parts.map((part, index) => {
      const other = part.startsWith("e") ? "f" : "e";
      return parts.map((kept, at) => (at === index ? other + part.slice(1) : kept)).join(".");
    });
    for (const text of [...swapped, ...first]) expectRefused(await list(text), "unauthorized");
  });

  it("when its signature is written in another way that decodes to the same bytes", async () => {
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = digits.indexOf(token.at(-1) ?? "");
    for (const bits of [1, 2, 3]) {
      const spelt = token.slice(0, -1) + digits[last ^ bits];
      expectRefused(await list(spelt), "unauthorized");
    }
  });

  it("when the signature is another token's", async () => {
    const member = await tokenOf(emulator, "MEMBER");
    const [header, payload] = token.split(".");
    expectRefused(await list([header, payload, member.split(".")[2]].join(".")), "unauthorized");
    expectRefused(await list([header, member.split(".")[1], token.split(".")[2]].join(".")), "unauthorized");
  });

  it.each<[string, () => string | Promise<string>]>([
    ["is not signed", () => new UnsecuredJWT(claims).encode()],
    ["has its signature cut off", () => token.split(".").slice(0, 2).join(".")],
    ["has an empty signature", () => `${token.split(".").slice(0, 2).join(".")}.`],
    ["is signed with another key", () => signed(claims, { secret: Buffer.alloc(32, 7) })],
    ["is signed with a key of nothing but zeros", () => signed(claims, { secret: Buffer.alloc(32) })],
    ["names another algorithm", () => signed(claims, { header: { alg: "HS512", typ: "JWT" }, secret: key })],
    ["is of another type", () => signed(claims, { header: { alg: "HS256", typ: "at+jwt" } })],
    ["was issued by somebody else", () => signed({ ...claims, iss: "elsewhere" })],
    ["was issued for somebody else", () => signed({ ...claims, aud: "elsewhere" })],
    ["is over", () => signed({ ...claims, exp: Number(claims.iat) })],
    ["is not valid yet", () => signed({ ...claims, nbf: Number(claims.exp) })],
    ["names no end", () => signed(without("exp"))],
    ["has no id", () => signed(without("jti"))],
    ["names a user who is not there", () => signed({ ...claims, sub: "usr_nobody" })],
    ["names no user", () => signed(without("sub"))],
    ["names an account that is not its user's", () => signed({ ...claims, account: "acc_other" })],
    ["is no token at all", () => "nonsense"],
    ["is three dots", () => "..."],
    ["is wrapped in quotes", () => `"${token}"`],
    ["is sent twice", () => `${token}, ${token}`],
    ["is an API key", () => emulator.key],
    ["is the fingerprint of an API key", () => "0123456789abcdef"],
  ])("when it %s", async (_what, make) => {
    expectRefused(await list(await make()), "unauthorized");
  });

  it("when the header names no scheme, another one, or nothing", async () => {
    for (const authorization of [token, `Basic ${token}`, `Bearer${token}`, "Bearer", "Bearer ", ""]) {
      const answer = await emulator.call("GET", "/v1/api-keys", { key: null, headers: { authorization } });
      expectRefused(answer, "unauthorized");
    }
    expectRefused(await emulator.call("GET", "/v1/api-keys", { key: null }), "unauthorized");
  });

  it("when it comes in the query or twice in the headers", async () => {
    expectRefused(await emulator.call("GET", `/v1/api-keys?token=${token}`, { key: null }), "unauthorized");
    const authorization = [`Bearer nonsense`, `Bearer ${token}`];
    const { host } = new URL(emulator.url);
    expectRefused(await send(`${emulator.url}/v1/api-keys`, { headers: { host, authorization } }), "unauthorized");
  });

  it("does not say what is wrong with it", async () => {
    const unlike = ["nonsense", await signed({ ...claims, exp: 1 }), await signed({ ...claims, iss: "elsewhere" })];
    const answers = await Promise.all(unlike.map(list));
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
  });
});

it("the role of a token is the user's own, whatever the token says", async () => {
  const claims = decodeJwt(await tokenOf(emulator, "MEMBER"));
  const raised = await signed({ ...claims, role: "OWNER" });
  expect((await list(raised)).body.access).toEqual({ canManage: false });
  expectRefused(await emulator.call("POST", "/v1/api-keys", bearer(raised)), "API_KEY_ROLE_REQUIRED");
});

describe("keys and tokens", () => {
  const asUser = [
    ["POST", "/v1/api-keys"],
    ["GET", "/v1/api-keys"],
    ["POST", "/v1/api-keys/key_unknown/rotate"],
    ["DELETE", "/v1/api-keys/key_unknown"],
    ["POST", "/v1/auth/logout"],
  ] as const;

  it.each(asUser)("%s %s takes no API key", async (method, path) => {
    for (const given of [emulator.key, emulator.live]) {
      expectRefused(await emulator.call(method, path, { key: given }), "unauthorized");
      const headers = { authorization: `Bearer ${given}` };
      expectRefused(await emulator.call(method, path, { key: given, headers }), "unauthorized");
    }
  });

  it.each([
    ["GET", "/v1/wallets"],
    ["POST", "/v1/charges"],
    ["GET", "/_sandbox/audit"],
  ])("%s %s takes no token", async (method, path) => {
    const token = await tokenOf(emulator);
    expectRefused(await emulator.call(method, path, bearer(token)), "unauthorized");
    expectRefused(await emulator.call(method, path, { key: token }), "unauthorized");
  });

  it.each<[string, string, string, object]>([
    ["before the body is read", "POST", "/v1/api-keys", { raw: "{ not json" }],
    ["before the body is measured", "POST", "/v1/api-keys", { raw: "x".repeat(1_100_000) }],
    ["before validation", "POST", "/v1/api-keys", { body: { label: 5 } }],
    ["before the query is read", "GET", "/v1/api-keys?nonsense=1", {}],
  ])("a token is requested %s", async (_when, method, path, options) => {
    expectRefused(await emulator.call(method, path, { key: null, ...options }), "unauthorized");
  });
});

describe("after a restart", () => {
  it("a token still works, and one that was logged out does not", async () => {
    const file = join(folder.path, "restart.db");
    const first = await startEmulator({ db: file });
    const [token, dead] = [await tokenOf(first), await tokenOf(first)];
    await first.call("POST", "/v1/auth/logout", bearer(dead));
    await first.close();
    const restarted = await ownEmulator({ db: file });
    expect((await restarted.call("GET", "/v1/api-keys", bearer(token))).status).toBe(200);
    expectRefused(await restarted.call("GET", "/v1/api-keys", bearer(dead)), "unauthorized");
  });

  it("a logged out token that expired only on the emulated clock stays invalid when a reset takes the clock back", async () => {
    const file = join(folder.path, "back.db");
    const first = await startEmulator({ db: file, testKey: "qa_test_fixed-for-this-test" });
    const dead = await tokenOf(first);
    await first.call("POST", "/v1/auth/logout", bearer(dead));
    await first.sandbox("/clock/advance", { seconds: 9 * HOUR });
    await first.close();
    const restarted = await ownEmulator({ db: file, testKey: "qa_test_fixed-for-this-test" });
    await restarted.sandbox("/reset");
    expectRefused(await restarted.call("GET", "/v1/api-keys", bearer(dead)), "unauthorized");
  });
});

it("two tokens in two headers are none, whichever comes first", async () => {
  const token = await tokenOf(emulator);
  const host = new URL(emulator.url).host;
  for (const authorization of [
    [`Bearer ${token}`, `Bearer ${token}`],
    [`Bearer ${token}`, "Bearer x"],
  ]) {
    const answer = await send(`${emulator.url}/v1/api-keys`, { headers: { host, authorization } });
    expectRefused(answer, "unauthorized");
  }
  expect((await list(token)).status).toBe(200);
});
