import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PASSWORD_COST } from "../../../../src/service/features/access/passwords.js";
import { bearer, postLogin, tokenOf, userOf } from "../../../support/access.js";
import type { Loose } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { openCase } from "../../../support/med.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, shared, sharedEmulator } from "../../../support/shared.js";
import { openFile } from "../../../support/sqlite.js";

const emulator = sharedEmulator({ frozen: true });
const folder = shared(newFolder);

describe("a login", () => {
  it("returns a bearer token for eight hours, the user and the account", async () => {
    const { email, password } = userOf(emulator);
    const account = await emulator.sandbox("/account");
    const { status, body } = await postLogin(emulator, { email, password });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 28_800,
      user: { id: expect.stringMatching(/^usr_/), email, name: expect.stringMatching(/\S/), role: "OWNER" },
      account: { id: account.id, name: account.name },
    });
  });

  it("is open to every role, each with a token of its own at every login", async () => {
    const roles = ["OWNER", "ADMIN", "MEMBER"] as const;
    const answers = await Promise.all(roles.map((role) => postLogin(emulator, userOf(emulator, role))));
    expect(answers.map(({ body }) => body.user.role)).toEqual(roles);
    expect(await tokenOf(emulator)).not.toBe(await tokenOf(emulator));
  });

  it("takes the e-mail address in any case and the password as it is", async () => {
    const { email, password } = userOf(emulator);
    expect((await postLogin(emulator, { email: email.toUpperCase(), password })).status).toBe(200);
    for (const wrong of [password.toUpperCase(), ` ${password}`, `${password}\n`, password.slice(0, -1), ""]) {
      expectRefused(await postLogin(emulator, { email, password: wrong }), "unauthorized");
    }
  });

  it("answers the same for an unknown e-mail address and a wrong password", async () => {
    const { email, password } = userOf(emulator);
    const wrong = expectRefused(await postLogin(emulator, { email, password: "guessed" }), "unauthorized");
    for (const unknown of ["nobody@qa-pay.test", "", "' OR 1=1 --", `${email} `]) {
      expect(expectRefused(await postLogin(emulator, { email: unknown, password }), "unauthorized")).toEqual(wrong);
    }
    const other = userOf(emulator, "ADMIN");
    expectRefused(await postLogin(emulator, { email, password: other.password }), "unauthorized");
  });

  it("refuses a long password for an unknown address in the same words", async () => {
    const password = "x".repeat(900_000);
    const [known, unknown] = await Promise.all(
      ["owner@qa-pay.test", "nobody@qa-pay.test"].map((email) => postLogin(emulator, { email, password })),
    );
    expect(known?.body.error).toEqual(unknown?.body.error);
  });

  it("of which 200 are sent at once is checked two at a time, and those above 202 must be sent again", async () => {
    const { email, password } = userOf(emulator);
    const all = await Promise.all(Array.from({ length: 260 }, () => postLogin(emulator, { email, password })));
    const statuses = new Set(all.map(({ status }) => status));
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect((await postLogin(emulator, { email, password })).status).toBe(200);
  });

  it("does not repeat a body that it cannot read", async () => {
    const raw = '{"email":"owner@qa-pay.test","password":hunter-two-secret}';
    const answer = await emulator.call("POST", "/v1/auth/login", { key: null, raw });
    expectRefused(answer, "invalid_request");
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter|secret/);
  });
});

describe("users", () => {
  it("are one of each role, with passwords that can be read aloud and are all different", () => {
    expect(emulator.users.map(({ email, role }) => [email, role])).toEqual([
      ["owner@qa-pay.test", "OWNER"],
      ["admin@qa-pay.test", "ADMIN"],
      ["member@qa-pay.test", "MEMBER"],
    ]);
    const passwords = emulator.users.map(({ password }) => password);
    for (const password of passwords) expect(password).toMatch(/^(?:[a-z]{6}-){3}[a-z]{6}$/);
    expect(new Set(passwords).size).toBe(3);
  });

  it("of another account are created with it, at a domain of its own, and reach that account only", async () => {
    const open = (name: string) => emulator.call("POST", "/_sandbox/accounts", { body: { name } });
    const { body } = await open("Açaí & Cia.");
    expect(body.users.map(({ role }: Loose) => role)).toEqual(["OWNER", "ADMIN", "MEMBER"]);
    expect(body.users[0].email).toMatch(/^owner@acai-cia-[0-9a-f]{8}\.test$/);
    const { body: same } = await open("Açaí & Cia.");
    expect(same.users[0].email).not.toBe(body.users[0].email);
    expect((await open("日本語")).body.users[2].email).toMatch(/^member@[0-9a-f]{8}\.test$/);
    for (const credentials of body.users) {
      const login = await postLogin(emulator, credentials);
      expect([login.status, login.body.account]).toEqual([200, { id: body.id, name: "Açaí & Cia." }]);
    }
    const token = await tokenOf(emulator, body.users[0]);
    const { data } = (await emulator.call("GET", "/v1/api-keys", bearer(token))).body;
    expect(data.map(({ prefix }: Loose) => prefix).sort()).toEqual(
      [body.test_key, body.live_key].map((key: string) => key.slice(0, 12)).sort(),
    );
  });

  it("get the notices of their account", async () => {
    const { body } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
    const charge = await emulator.charge({}, { key: body.test_key });
    await emulator.sandbox(`/charges/${charge.id}/pay`, {}, { key: body.test_key });
    await emulator.sandbox("/med-cases", { charge_id: charge.id }, { key: body.test_key });
    await openCase(emulator);
    const recipients = async (key: string) =>
      (await emulator.sandbox("/emails", undefined, { key })).data.map(({ to }: Loose) => to);
    expect(await recipients(body.test_key)).toEqual([body.users[0].email]);
    expect(await recipients(emulator.key)).toEqual(["owner@qa-pay.test"]);
  });

  it("stay after a reset, except those of other accounts", async () => {
    const other = await ownEmulator();
    const { body } = await other.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
    const token = await tokenOf(other);
    const gone = await tokenOf(other, body.users[0]);
    await other.sandbox("/reset");
    expect((await postLogin(other, userOf(other))).status).toBe(200);
    expect((await other.call("GET", "/v1/api-keys", bearer(token))).status).toBe(200);
    expectRefused(await postLogin(other, body.users[0]), "unauthorized");
    expectRefused(await other.call("GET", "/v1/api-keys", bearer(gone)), "unauthorized");
  });
});

describe("at a later start", () => {
  it("passwords are unknown, and work", async () => {
    const db = join(folder.path, "later.db");
    const first = await ownEmulator({ db });
    const credentials = userOf(first);
    await first.close();
    const second = await ownEmulator({ db });
    const shown = first.users.map(({ email, role }) => ({ email, password: null, role }));
    expect(second.users).toEqual(shown);
    expect((await postLogin(second, credentials)).status).toBe(200);
  });

  it("accounts of a database from before there were users get theirs", async () => {
    const db = join(folder.path, "older.db");
    const first = await ownEmulator({ db });
    const { body: other } = await first.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
    await first.close();
    const file = openFile(db);
    file.exec("DELETE FROM users");
    file.close();
    const second = await ownEmulator({ db });
    const emails = [...first.users, ...other.users].map(({ email }) => email);
    expect(second.users.map(({ email }) => email)).toEqual(emails);
    for (const { email, password } of second.users) {
      expect((await postLogin(second, { email, password })).status).toBe(200);
    }
    expectRefused(await postLogin(second, userOf(first)), "unauthorized");
    await second.close();
    const third = await ownEmulator({ db });
    expect(third.users).toEqual(first.users.map(({ email, role }) => ({ email, password: null, role })));
  });

  it("nothing is lost when the server stops at once", async () => {
    const db = join(folder.path, "at-once.db");
    const first = await ownEmulator({ db });
    await first.close();
    const second = await ownEmulator({ db });
    expect((await postLogin(second, userOf(first, "MEMBER"))).status).toBe(200);
  });

  it("the database holds hashes that are slow to compute, each with a salt of its own", async () => {
    const db = join(folder.path, "hashes.db");
    await (await ownEmulator({ db, passwordCost: PASSWORD_COST })).close();
    const file = openFile(db, true);
    const rows = file.prepare("SELECT password_hash FROM users").all() as { password_hash: string }[];
    file.close();
    const salts = rows.map(
      ({ password_hash }) => /^scrypt\$16384\$8\$1\$([\w-]{22})\$[\w-]{43}$/.exec(password_hash)?.[1],
    );
    expect(new Set(salts).size).toBe(3);
    expect(salts).not.toContain(undefined);
  });
});
