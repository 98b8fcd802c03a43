import { describe, expect, it } from "vitest";
import type { Answer } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, ownFolder, sharedEmulator } from "../../../support/shared.js";
import { firstOf, openFile } from "../../../support/sqlite.js";
import { HIDDEN } from "../../../support/urls.js";
import { subscribe } from "../../../support/webhooks.js";

const URL = "https://example.com/webhooks";
const ID = /^we_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const emulator = sharedEmulator({ frozen: true });
const strict = sharedEmulator({ frozen: true, strictHttps: true });

const register = (body: unknown, on = emulator) => on.call("POST", "/v1/webhooks/endpoints", { body });

const expectRefusal = (answer: Answer, param: string) => expectRefused(answer, "invalid_request", param);

describe("registering", () => {
  it("answers 201 with the endpoint and its secret", async () => {
    const answer = await register({ url: URL, events: ["charge.paid", "payment.completed"], other: 1 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(ID),
      url: URL,
      events: ["charge.paid", "payment.completed"],
      status: "ACTIVE",
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("creates a new secret for each endpoint, the same URL included", async () => {
    const [one, two] = [
      await subscribe(emulator, URL, ["charge.paid"]),
      await subscribe(emulator, URL, ["charge.paid"]),
    ];
    expect(one.secret).not.toBe(two.secret);
    expect(one.id).not.toBe(two.id);
  });

  it("lists an event once that was named twice", async () => {
    const answer = await register({ url: URL, events: ["charge.paid", "charge.paid"] });
    expect(answer.body.events).toEqual(["charge.paid"]);
  });

  it.each([
    "http://localhost:3000/hooks",
    "http://127.0.0.1:3000/",
    "http://127.8.9.1/hooks",
    "http://[::1]:3000/hooks",
    "https://example.com:8443/hooks?x=1",
    "https://10.0.0.1/hooks",
  ])("takes %s", async (url) => {
    const answer = await register({ url, events: ["charge.paid"] });
    expect([answer.status, answer.body.url]).toEqual([201, url]);
  });

  it.each([
    ["a plain host", "http://example.com/hooks"],
    ["a private address", "http://10.0.0.1/hooks"],
    ["a name that only starts like loopback", "http://localhost.example.com/"],
    ["an address that only starts like loopback", "http://127.0.0.1.example.com/"],
    ["another scheme", "ftp://example.com/"],
    ["a script", "javascript:alert(1)"],
    ["a file", "file:///etc/hosts"],
    ["no scheme", "example.com/hooks"],
    ["a path", "/hooks"],
    ["nothing", ""],
    ["a user and password", "https://user:secret@example.com/hooks"],
    ["a user", "http://user@localhost:3000/hooks"],
    ["a password alone", "https://:secret@example.com/hooks"],
    ["no slashes", "https:example.com/hooks"],
    ["one slash", "https:/example.com/hooks"],
    ["slashes the other way round", "https:\\\\example.com/hooks"],
  ])("refuses %s as url", async (_what, url) => {
    expectRefusal(await register({ url, events: ["charge.paid"] }), "url");
  });

  it.each([
    ["an unknown event", { url: URL, events: ["charge.paid", "charge.refunded"] }, "events.1"],
    ["a pattern instead of a name", { url: URL, events: ["withdrawal.*"] }, "events.0"],
    ["everything as a pattern", { url: URL, events: ["*"] }, "events.0"],
    ["a name in capitals", { url: URL, events: ["CHARGE.PAID"] }, "events.0"],
    ["a number as event", { url: URL, events: [1] }, "events.0"],
  ])("refuses %s", async (_what, body, param) => {
    expectRefusal(await register(body), param);
  });

  it.each(HIDDEN)("refuses a url with %j in front, behind or inside, and never trims it", async (sign) => {
    const count = async () => (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data.length;
    const before = await count();
    for (const url of [`${sign}${URL}`, `${URL}${sign}`, `https://exam${sign}ple.com/`, `${URL}?a=${sign}b`]) {
      const answer = await register({ url, events: ["charge.paid"] });
      expectRefusal(answer, "url");
      expect(answer.body.error.message).toContain("white space or control characters");
    }
    expect(await count()).toBe(before);
  });

  it.each([
    ["localhost:3000/x", "http://localhost:3000/x"],
    ["localhost", "http://localhost/"],
    ["127.0.0.1:3000", "http://127.0.0.1:3000/"],
    ["[::1]:3000/x?y=1", "http://[::1]:3000/x?y=1"],
    ["example.com/hooks", "https://example.com/hooks"],
    ["example.com:8443", "https://example.com:8443/"],
  ])("says that %s has no scheme, and shows the address with it", async (url, whole) => {
    const answer = await register({ url, events: ["charge.paid"] });
    expectRefusal(answer, "url");
    expect(answer.body.error.message).toBe(`url has no scheme (http:// or https://): write ${whole}`);
    expect((await register({ url: whole, events: ["charge.paid"] })).status).toBe(201);
  });

  it("shows an https:// address for one without a scheme with --strict-https", async () => {
    const answer = await register({ url: "localhost:3000/x", events: ["charge.paid"] }, strict);
    expectRefusal(answer, "url");
    expect(answer.body.error.message).toContain("write https://localhost:3000/x");
  });

  it.each(["ftp://example.com/", "javascript:alert(1)", "mailto:a@example.com", "/hooks", "user@localhost:3000/"])(
    "does not say of %s that its scheme is missing",
    async (url) => {
      const answer = await register({ url, events: ["charge.paid"] });
      expectRefusal(answer, "url");
      expect(answer.body.error.message).not.toContain("no scheme");
    },
  );

  it("refuses http on loopback with --strict-https, on change too", async () => {
    expectRefusal(await register({ url: "http://localhost:3000/", events: ["charge.paid"] }, strict), "url");
    const { id } = (await register({ url: URL, events: ["charge.paid"] }, strict)).body;
    const change = { body: { url: "http://127.0.0.1:1/" } };
    expectRefusal(await strict.call("PATCH", `/v1/webhooks/endpoints/${id}`, change), "url");
  });
});

it("listing shows newest first, with times and without a secret", async () => {
  const older = await subscribe(emulator, URL, ["charge.paid"]);
  const newer = await subscribe(emulator, URL, ["charge.failed", "charge.expired"]);
  const answer = await emulator.call("GET", "/v1/webhooks/endpoints");
  const { now } = await emulator.sandbox("/clock");
  expect(Object.keys(answer.body)).toEqual(["data"]);
  expect(answer.body.data.slice(0, 2)).toEqual([
    { id: newer.id, url: URL, events: newer.events, status: "ACTIVE", createdAt: now, updatedAt: now },
    { id: older.id, url: URL, events: older.events, status: "ACTIVE", createdAt: now, updatedAt: now },
  ]);
  expect(JSON.stringify(answer.body)).not.toContain(newer.secret);
});

describe("changing", () => {
  it("changes only what is sent and answers without a secret", async () => {
    const { id } = await subscribe(emulator, URL, ["charge.paid"]);
    const patch = async (body: unknown) =>
      (await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body })).body;
    expect(await patch({ status: "INACTIVE" })).toEqual({ id, url: URL, events: ["charge.paid"], status: "INACTIVE" });
    expect(await patch({ url: "https://example.com/2", events: null })).toMatchObject({
      url: "https://example.com/2",
      events: ["charge.paid"],
      status: "INACTIVE",
    });
    expect(await patch({ events: ["charge.failed"], status: "ACTIVE" })).toEqual({
      id,
      url: "https://example.com/2",
      events: ["charge.failed"],
      status: "ACTIVE",
    });
    expect((await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`)).status).toBe(200);
  });

  it("moves updatedAt and leaves createdAt", async () => {
    const { id } = await subscribe(emulator, URL, ["charge.paid"]);
    const before = (await emulator.sandbox("/clock")).now;
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 5 });
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { status: "INACTIVE" } });
    const [endpoint] = (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data;
    expect(endpoint).toMatchObject({ id, createdAt: before, updatedAt: now });
  });

  it.each([{}, { raw: "" }, { body: {} }, { body: { url: null } }, { body: { nobody_reads: 1 } }])(
    "that changes nothing leaves the endpoint as it was, its updatedAt included: %j",
    async (given) => {
      const { id } = await subscribe(emulator, URL, ["charge.paid"]);
      const [before] = (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data;
      await emulator.sandbox("/clock/advance", { seconds: 5 });
      expect((await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, given)).body).toEqual({
        id,
        url: URL,
        events: ["charge.paid"],
        status: "ACTIVE",
      });
      const [after] = (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data;
      expect(after).toEqual(before);
    },
  );

  it.each([
    ["a url with a line break", { url: `${URL}\n` }, "url"],
    ["an unknown event", { events: ["nothing"] }, "events.0"],
    ["a plain host", { url: "http://example.com" }, "url"],
    ["credentials", { url: "https://a:b@example.com" }, "url"],
  ])("refuses %s and changes nothing", async (_what, body, param) => {
    const { id, events } = await subscribe(emulator, URL, ["charge.paid"]);
    expectRefusal(await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { url: URL, ...body } }), param);
    const [endpoint] = (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data;
    expect(endpoint).toMatchObject({ id, url: URL, events, status: "ACTIVE" });
  });
});

it("rotating answers the new secret once", async () => {
  const { id, secret } = await subscribe(emulator, URL, ["charge.paid"]);
  const answer = await emulator.call("POST", `/v1/webhooks/endpoints/${id}/rotate-secret`);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ id, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(answer.body.secret).not.toBe(secret);
});

it("deleting answers that it is deleted, and then it is unknown", async () => {
  const { id } = await subscribe(emulator, URL, ["charge.paid"]);
  const answer = await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
  expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
  expect(JSON.stringify((await emulator.call("GET", "/v1/webhooks/endpoints")).body)).not.toContain(id);
});

it("the secret before a rotation is kept until the endpoint is deleted", async () => {
  const { db } = ownFolder();
  const filed = await ownEmulator({ db, frozen: true });
  const { id, secret } = await subscribe(filed, URL, ["charge.paid"]);
  const file = openFile(db, true);
  const kept = () => firstOf(file, "SELECT previous_secret FROM endpoints");
  expect(kept()).toBeNull();
  await filed.call("POST", `/v1/webhooks/endpoints/${id}/rotate-secret`);
  expect(kept()).toBe(secret);
  await filed.call("DELETE", `/v1/webhooks/endpoints/${id}`);
  expect(kept()).toBeNull();
  file.close();
});
