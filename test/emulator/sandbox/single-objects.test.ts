import { describe, expect, it } from "vitest";
import { issue, tokenOf } from "../../support/access.js";
import type { Loose } from "../../support/emulator.js";
import { emails, openCase } from "../../support/med.js";
import { paidPayment } from "../../support/refunds.js";
import { sharedEmulator } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** Single objects that the service itself shows in lists only, or not at all. */

const emulator = sharedEmulator({ frozen: true });

const get = (path: string, key = emulator.key) => emulator.call("GET", `/_sandbox${path}`, { key });

/** The object is shown with and without its prefix, and to no other book; an unknown id is a 404. */
async function expectOne(path: string, prefix: string, id: string, expected: Loose): Promise<void> {
  for (const form of [id, id.slice(prefix.length)]) {
    const { status, body } = await get(`${path}/${form}`);
    expect([status, body]).toEqual([200, expected]);
  }
}

describe("one", () => {
  it("event is shown with its envelope, in the form of its family", async () => {
    await paidPayment(emulator);
    const listed = (await get("/events")).body.data;
    for (const type of ["charge.paid", "payment.completed"]) {
      // The list also counts the deliveries of each event.
      const { deliveries: _counts, ...event } = listed.find((one: Loose) => one.type === type);
      await expectOne("/events", "evt_", event.id, event);
      expect(Object.keys(event.payload)).toContain(type === "charge.paid" ? "type" : "event");
    }
  });

  it("e-mail is shown with its headers, its message and whether it was relayed", async () => {
    await openCase(emulator);
    const [listed] = await emails(emulator, "?mime=true");
    const { body } = await get(`/emails/${listed.id}`);
    expect(body).toMatchObject({ ...listed, relayed_at: null });
    expect(body.headers).toMatchObject({ To: listed.to, "Content-Language": "pt-BR" });
    expect(Object.keys(body.headers)).toEqual(
      expect.arrayContaining(["From", "Subject", "Message-ID", "Content-Type"]),
    );
    await expectOne("/emails", "em_", listed.id, body);
  });
});

describe("an account", () => {
  it("is shown with its users and keys, those that were revoked included, and no key in clear text", async () => {
    const token = await tokenOf(emulator);
    const { id: accountId } = await emulator.sandbox("/account");
    const made = await issue(emulator, token, { label: "ci", test: true });
    await emulator.call("GET", "/v1/wallets", { key: made.apiKey });
    const used = (await get("/requests?limit=1")).body.data[0].at;
    await emulator.call("DELETE", `/v1/api-keys/${made.id}`, {
      key: null,
      headers: { authorization: `Bearer ${token}` },
    });
    const { status, body } = await get(`/accounts/${accountId}`);
    expect(status).toBe(200);
    const summary = (await get("/accounts")).body.data.find(({ id }: Loose) => id === accountId);
    expect(body).toMatchObject(summary);
    expect(body.users.map(({ email, role }: Loose) => [email, role])).toEqual(
      emulator.users.map(({ email, role }) => [email, role]),
    );
    const key = body.keys.find(({ id }: Loose) => id === made.id);
    expect(key).toEqual({
      id: made.id,
      fingerprint: made.fingerprint,
      prefix: made.prefix,
      label: "ci",
      mode: "test",
      created_at: made.createdAt,
      revoked_at: expect.stringMatching(/Z$/),
      last_used_at: used,
    });
    expect(body.keys.find(({ mode }: Loose) => mode === "live")).toMatchObject({
      revoked_at: null,
      last_used_at: null,
    });
    for (const secret of [emulator.key, emulator.live, made.apiKey, emulator.signingSecret, "password"]) {
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it("is shown to any key, and is a 404 when there is none", async () => {
    const { id } = await emulator.sandbox("/accounts", { name: "Second Shop" });
    const { body } = await get(`/accounts/${id}`);
    expect([body.name, body.keys.length, body.users.length]).toEqual(["Second Shop", 2, 3]);
  });
});

it("the secret of an endpoint is shown again, after a rotation with the one before, and by no GET", async () => {
  const made = await subscribe(emulator, "http://127.0.0.1:9/", ["charge.paid"]);
  const path = `/_sandbox/webhooks/endpoints/${made.id}/reveal`;
  const rotate = async () =>
    (await emulator.call("POST", `/v1/webhooks/endpoints/${made.id}/rotate-secret`)).body.secret;
  const shown = { id: made.id, secret: made.secret, previous_secret: null };
  expect((await emulator.call("POST", path)).body).toEqual(shown);
  const second = await rotate();
  expect((await emulator.call("POST", path)).body).toEqual({ ...shown, secret: second, previous_secret: made.secret });
  const third = await rotate();
  expect((await emulator.call("POST", path)).body).toEqual({ ...shown, secret: third, previous_secret: second });
  for (const read of ["/v1/webhooks/endpoints", "/_sandbox/requests", "/_sandbox/account"]) {
    expect(JSON.stringify((await emulator.call("GET", read)).body)).not.toMatch(`${second}|${made.secret}`);
  }
});
