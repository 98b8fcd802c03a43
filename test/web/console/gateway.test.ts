import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { issue, tokenOf } from "../../support/access.js";
import { balance } from "../../support/charges.js";
import { type ConsoleSession, openConsole } from "../../support/console.js";
import type { Loose } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";
import { type LiveStream, streamOf } from "../../support/stream.js";

/** Operations as the page of the console calls them: below /console/api, with a session in place of an API key. */

const emulator = sharedEmulator({ frozen: true, rateLimit: 5 });
let page: ConsoleSession;
let account: string;
beforeAll(async () => {
  page = await openConsole(emulator);
  account = (await emulator.sandbox("/account")).id;
});
beforeEach(async () => {
  await emulator.sandbox("/clock/advance", { seconds: 120 });
});

async function streamed(path: string, headers: Record<string, string> = {}, book?: string): Promise<LiveStream> {
  const abort = new AbortController();
  const all = { accept: "text/event-stream", ...headers };
  const response = await page.ask("GET", path, { headers: all, signal: abort.signal, ...(book ? { book } : {}) });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return streamOf(response, abort);
}

describe("an operation called by the console", () => {
  it("answers as it answers an API key of the first account's test book", async () => {
    const made = await page.charge();
    expect(made.status).toBe(201);
    const read = await page.call("GET", `/v1/charges/${made.body.id}`);
    expect([read.status, read.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(read.body).toEqual((await emulator.call("GET", `/v1/charges/${made.body.id}`)).body);
  });

  it("acts in the book of x-qa-book, test or live, of any account", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    const books = [
      { book: `${account}:live`, key: emulator.live },
      { book: `${second.id}:test`, key: second.test_key },
      { book: `${second.id}:live`, key: second.live_key },
    ];
    for (const { book, key } of books) {
      const { id } = (await page.charge({ book })).body;
      await page.call("POST", `/_sandbox/charges/${id}/pay`, { book });
      expect((await emulator.call("GET", `/v1/charges/${id}`, { key })).body.status).toBe("paid");
      expectRefused(await page.call("GET", `/v1/charges/${id}`), "not_found");
      expect((await page.call("GET", "/_sandbox", { book })).body.mode).toBe(book.split(":")[1]);
      expect((await page.call("GET", "/v1/wallets", { book })).body).toEqual(
        (await emulator.call("GET", "/v1/wallets", { key })).body,
      );
    }
  });

  it("acts in a book of the first account when x-qa-book names the mode alone", async () => {
    expect((await page.call("GET", "/_sandbox", { book: ":live" })).body.mode).toBe("live");
    const { id } = (await page.charge({ book: ":live" })).body;
    expect((await emulator.call("GET", `/v1/charges/${id}`, { key: emulator.live })).status).toBe(200);
  });

  it("has validation, idempotency and the envelope as always", async () => {
    const bad = await page.charge({ body: { amount: 0, payment_method: "pix" } });
    expectRefused(bad, "invalid_amount", "amount");
    const headers = { "idempotency-key": "console-key-1" };
    const first = await page.charge({ headers });
    const again = await page.charge({ headers });
    expect([again.status, again.headers.get("idempotent-replayed"), again.body]).toEqual([201, "true", first.body]);
    const other = await page.charge({ headers, body: { amount: 5, payment_method: "pix" } });
    expectRefused(other, "idempotency_key_reused");
    expectRefused(await page.call("GET", "/v1/charges/ch_1/"), "not_found");
    expectRefused(await page.call("GET", "/nowhere"), "not_found");
    expect(
      (await page.call("GET", "/v1/wallets", { headers: { "x-request-id": "mine" } })).headers.get("x-request-id"),
    ).toBe("mine");
  });

  it("is also reached by its alias, and not where its preview is off", async () => {
    expect((await page.call("GET", `/v1/infractions`)).status).toBe(
      (await emulator.call("GET", "/v1/infractions")).status,
    );
    expectRefused(await page.call("GET", "/v1/charges"), "not_found");
  });

  it("downloads and takes files", async () => {
    await emulator.sandbox("/snapshots", { name: "kept" });
    const exported = await page.ask("GET", "/_sandbox/snapshots/kept/file");
    expect(exported.headers.get("content-disposition")).toMatch(/^attachment/);
    const raw = new Uint8Array(await exported.arrayBuffer());
    const type = { "content-type": exported.headers.get("content-type") };
    const imported = await page.call("PUT", "/_sandbox/snapshots/copy/file", { raw, headers: type });
    expect(imported.status).toBe(201);
    const names = (await emulator.sandbox("/snapshots")).data.map(({ name }: Loose) => name);
    expect(names).toContain("copy");
    const foreign = { ...type, origin: null };
    expectRefused(
      await page.call("PUT", "/_sandbox/snapshots/third/file", { raw, headers: foreign }),
      "origin_not_allowed",
    );
  });

  it("goes on after a restore of another state, when its account is still there", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Short-lived" });
    const book = `${second.id}:test`;
    expect((await page.call("GET", "/v1/wallets", { book })).status).toBe(200);
    await page.call("POST", "/_sandbox/reset");
    expect((await page.call("GET", "/v1/wallets")).status).toBe(200);
    expectRefused(await page.call("GET", "/v1/wallets", { book }), "invalid_request", "x-qa-book");
  });
});

describe("what is there for the application under test spares the console", () => {
  it("fault rules", async () => {
    const rule = await emulator.sandbox("/faults", { effect: { status: 503 } });
    expect((await page.charge()).status).toBe(201);
    expect((await page.call("GET", "/v1/wallets")).status).toBe(200);
    expect((await emulator.sandbox("/faults")).data[0]).toMatchObject({ id: rule.id, applied: 0 });
    expect((await emulator.call("GET", "/v1/wallets")).status).toBe(503);
    await emulator.call("DELETE", "/_sandbox/faults");
  });

  it("the rate limit, which neither counts nor mentions it", async () => {
    for (let count = 0; count < 8; count++) {
      const answer = await page.call("GET", "/v1/wallets", { headers: { apikey: emulator.key } });
      expect([answer.status, answer.headers.get("x-ratelimit-limit-minute")]).toEqual([200, null]);
    }
    const own = await emulator.call("GET", "/v1/wallets");
    expect([own.status, own.headers.get("x-ratelimit-remaining-minute")]).toEqual([200, "4"]);
  });
});

describe("a change by the console", () => {
  const logged = async () => (await emulator.sandbox("/requests?limit=100")).data as Loose[];

  it("is in the request log when it changed something through /v1, and no read of it is", async () => {
    const before = (await logged()).length;
    const { id } = (await page.charge()).body;
    await page.call("GET", `/v1/charges/${id}`);
    await page.call("GET", "/v1/charges/ch_unknown");
    await page.call("POST", `/_sandbox/charges/${id}/pay`);
    const [latest, ...rest] = await logged();
    expect(rest.length).toBe(before);
    expect(latest).toMatchObject({
      method: "POST",
      path: "/v1/charges",
      status: 201,
      caller: "console",
      key_fingerprint: null,
      subject: id,
    });
  });

  it("is in the log when it was refused, and only in the log of its book", async () => {
    await page.charge({ book: `${account}:live`, body: { amount: 0, payment_method: "pix" } });
    const live = (await emulator.sandbox("/requests?limit=1", undefined, { key: emulator.live })).data[0];
    expect(live).toMatchObject({ status: 400, caller: "console" });
    expect((await logged()).map(({ number }) => number)).not.toContain(live.number);
  });

  it("is shown in timelines as done by the console", async () => {
    const { id } = (await page.charge()).body;
    await page.call("POST", `/_sandbox/charges/${id}/pay`);
    await page.call("POST", "/_sandbox/clock/advance", { body: { seconds: 1 } });
    const { items } = await emulator.sandbox(`/timeline/${id}`);
    const causes = items.filter(({ kind }: Loose) => kind === "request").map(({ cause, text }: Loose) => [cause, text]);
    expect(causes).toEqual([
      ["console", "POST /v1/charges → 201"],
      ["console", "POST /_sandbox/charges/{id}/pay"],
    ]);
    const paid = items.find(({ data }: Loose) => data.move === "settle");
    expect(paid.cause).toMatch(/^console \(request \d+\)$/);
  });

  it("cannot be said by a client that calls itself the console", async () => {
    const headers = { "user-agent": "qa-pay/1.0.0 (console)" };
    const { id } = await emulator.charge({}, { headers });
    const { items } = await emulator.sandbox(`/timeline/${id}`);
    expect(JSON.stringify(items)).not.toContain('"console');
    expect((await logged())[0]?.caller).toBe("qa-pay/1.0.0");
  });
});

describe("an operation for users", () => {
  it("is done as the owner of the chosen account, whom the audit names", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Third Shop" });
    const book = `${second.id}:test`;
    const made = await page.call("POST", "/v1/api-keys", { book, body: { test: true, label: "by hand" } });
    expect(made.status).toBe(201);
    const theirs = { key: second.test_key };
    expect((await emulator.call("GET", "/v1/wallets", { key: made.body.apiKey })).status).toBe(200);
    const owner = (await emulator.sandbox(`/accounts/${second.id}`)).users.find(({ role }: Loose) => role === "OWNER");
    const [entry] = (await emulator.sandbox("/audit", undefined, theirs)).data;
    expect(entry).toMatchObject({ action: "api_key.issued", key_id: made.body.id, user_id: owner.id });
    expect((await emulator.sandbox("/audit")).data).not.toContainEqual(entry);
    const [logged] = (await emulator.sandbox("/requests?limit=1&method=POST", undefined, theirs)).data;
    expect(logged).toMatchObject({ path: "/v1/api-keys", caller: "console" });
    expect(JSON.stringify(logged)).not.toContain(made.body.apiKey);
  });

  it("lists, rotates and revokes keys of the first account", async () => {
    const { id } = await issue(emulator, await tokenOf(emulator));
    const listed = (await page.call("GET", "/v1/api-keys")).body;
    expect(listed.access).toEqual({ canManage: true });
    expect(listed.data.map((key: Loose) => key.id)).toContain(id);
    const rotated = await page.call("POST", `/v1/api-keys/${id}/rotate`, { body: {} });
    expect(rotated.status).toBe(201);
    const revoked = await page.call("DELETE", `/v1/api-keys/${rotated.body.id}`);
    expect([revoked.status, revoked.body]).toEqual([200, { revoked: true }]);
    expectRefused(await emulator.call("GET", "/v1/wallets", { key: rotated.body.apiKey }), "unauthorized");
  });
});

describe("a live stream through the console", () => {
  it("has what happens in its book, and goes on behind Last-Event-ID", async () => {
    const stream = await streamed("/_sandbox/stream");
    const { id } = (await page.charge()).body;
    const first = await stream.next();
    expect(first?.event).toBe("transaction");
    stream.close();
    await page.call("POST", `/_sandbox/charges/${id}/fail`);
    const again = await streamed("/_sandbox/stream", { "last-event-id": first?.id ?? "" });
    const kinds: string[] = [];
    while (!kinds.includes("request")) kinds.push((await again.next())?.event ?? "");
    expect(kinds).not.toContain("resync");
    again.close();
  });

  it("has nothing of another book", async () => {
    const live = await streamed("/_sandbox/stream", {}, `${account}:live`);
    await page.charge();
    await page.charge({ book: `${account}:live`, body: { amount: 77, payment_method: "pix" } });
    const told = await live.next();
    expect(told).toMatchObject({ event: "transaction" });
    const { id } = told?.data ?? {};
    expect((await emulator.call("GET", `/v1/payments/${id}`, { key: emulator.live })).body.amount).toBe(77);
    live.close();
  });

  it("ends when its session ends", async () => {
    const other = await openConsole(emulator);
    const abort = new AbortController();
    const headers = { accept: "text/event-stream" };
    const stream = streamOf(await other.ask("GET", "/_sandbox/events", { headers, signal: abort.signal }), abort);
    await other.call("POST", "/v1/auth/logout");
    await page.charge();
    expect(await stream.next()).toBeNull();
  });
});

it("a charge that the console pays moves the money of its book alone", async () => {
  const before = await balance(emulator);
  const { id } = (await page.charge({ book: `${account}:live` })).body;
  await page.call("POST", `/_sandbox/charges/${id}/pay`, { book: `${account}:live` });
  expect(await balance(emulator)).toEqual(before);
});
