import { createHash } from "node:crypto";
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { freshKey, type Loose } from "../../../support/emulator.js";
import { sendHalf } from "../../../support/raw-http.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

afterEach(async () => {
  await emulator.sandbox("/reset");
});

const log = async (query = "", key = emulator.key) =>
  (await emulator.call("GET", `/_sandbox/requests${query}`, { key })).body;
const events = async (query = "") => (await emulator.call("GET", `/_sandbox/events${query}`)).body;
const fingerprint = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 16);

describe("the request log", () => {
  it("hides what stands under the name of a secret, and keeps the link to the checkout page", async () => {
    const note = JSON.stringify({ nested: { password: "hush-1" } });
    const charge = await emulator.charge({ metadata: { note, senha: "hush-2", back: "https://h.example/?k=hush-3" } });
    const { data } = await log();
    expect(JSON.stringify(data)).not.toContain("hush");
    expect(data[0].request_body.metadata.senha).toBe("[not logged]");
    expect(data[0].response_body.checkout_url).toBe(charge.checkout_url);
  });

  it("keeps each request and its answer under the request id", async () => {
    const idempotency = freshKey();
    const charge = await emulator.charge(
      { amount: 500 },
      { headers: { "idempotency-key": idempotency, "x-request-id": "my-own-id" } },
    );
    const { now } = await emulator.sandbox("/clock");
    expect(await log()).toStrictEqual({
      data: [
        {
          number: expect.any(Number),
          id: "my-own-id",
          at: now,
          method: "POST",
          path: "/v1/charges",
          status: 201,
          duration_ms: expect.any(Number),
          caller: "node",
          caller_kind: "app",
          key_fingerprint: fingerprint(emulator.key),
          subject: charge.id,
          idempotency_key: idempotency,
          idempotency: "new",
          differs: null,
          error: null,
          request_headers: {
            accept: "*/*",
            "accept-language": "*",
            "content-length": "37",
            "content-type": "application/json",
            "idempotency-key": idempotency,
            "user-agent": "node",
            "x-request-id": "my-own-id",
          },
          request_body: { amount: 500, payment_method: "pix" },
          response_headers: { "content-type": "application/json" },
          response_body: charge,
          fault: null,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it("shows refused requests, also those without a valid key and those of unknown paths", async () => {
    await emulator.call("GET", "/v1/wallets", { key: null });
    await emulator.call("GET", "/v1/wallets", { key: "qa_test_nobody-knows-me" });
    await emulator.call("POST", "/v1/charges", { body: { amount: 0 } });
    await emulator.call("POST", "/v1/nothing", { raw: "not json" });
    const { data } = await log();
    expect(data.map(({ status, path }: Loose) => [status, path])).toEqual([
      [404, "/v1/nothing"],
      [400, "/v1/charges"],
      [401, "/v1/wallets"],
      [401, "/v1/wallets"],
    ]);
    expect(data[1].response_body.error.code).toBe("invalid_amount");
  });

  it("shows a request whose target is a full URL, as for a proxy, like any other", async () => {
    const { hostname, port } = new URL(emulator.url);
    const status = await new Promise((done, fail) => {
      const headers = { apikey: emulator.key };
      request({ hostname, port, path: `${emulator.url}/v1/payments?limit=1`, headers })
        .on("response", (response) => done(response.resume().statusCode))
        .on("error", fail)
        .end();
    });
    expect(status).toBe(200);
    const { data } = await emulator.sandbox("/requests?limit=1");
    expect(data[0]).toMatchObject({ method: "GET", path: "/v1/payments?limit=1", status: 200 });
  });

  it("does not show requests of the control interface and of pages", async () => {
    await emulator.sandbox("/clock");
    await emulator.call("GET", "/checkout/nothing", { key: null });
    expect((await log()).data).toEqual([]);
  });

  it("is filtered by method, path and status", async () => {
    await emulator.charge();
    await emulator.call("GET", "/v1/wallets");
    await emulator.call("GET", "/v1/wallets/balance?currency=x");
    const paths = async (query: string) => (await log(query)).data.map(({ path }: Loose) => path);
    expect(await paths("?method=POST")).toEqual(["/v1/charges"]);
    expect(await paths("?path=/v1/wallets")).toEqual(["/v1/wallets/balance?currency=x", "/v1/wallets"]);
    expect(await paths("?status=400")).toEqual(["/v1/wallets/balance?currency=x"]);
    expect(await paths("?path=/v1/wallets&status=200&method=GET")).toEqual(["/v1/wallets"]);
  });

  it("has a slow request at the place of its end, under the number of its arrival", async () => {
    const body = JSON.stringify({ amount: 1990, payment_method: "pix" });
    const headers = { apikey: emulator.key, "idempotency-key": freshKey() };
    const slow = await sendHalf(`${emulator.url}/v1/charges`, { method: "POST", headers, body });
    await emulator.call("GET", "/v1/wallets");
    await slow.finish();
    await emulator.call("GET", "/v1/wallets/balance");
    const seen: [string, number][] = [];
    let after = "";
    for (let pages = 0; pages < 2; pages++) {
      const { data, next_cursor } = await log(`?limit=1${after}`);
      seen.push([data[0].path, Number(next_cursor)]);
      after = `&after=${next_cursor}`;
    }
    const [[last, later], [ended, earlier]] = seen as [[string, number], [string, number]];
    expect([last, ended, later - earlier]).toEqual(["/v1/wallets/balance", "/v1/charges", 2]);
    expect((await log(`?limit=1${after}`)).data).toMatchObject([{ path: "/v1/wallets" }]);
  });
});

describe("the event log", () => {
  it("shows every event, whether or not an endpoint receives it", async () => {
    const charge = await emulator.charge();
    const { now } = await emulator.sandbox("/clock");
    const page = await events();
    expect(page).toMatchObject({ has_more: false, next_cursor: null });
    expect(page.data).toHaveLength(2);
    expect(page.data[1]).toStrictEqual({
      id: expect.stringMatching(/^evt_/),
      type: "charge.created",
      subject: expect.stringContaining(charge.id.slice(3)),
      created_at: now,
      deliveries: { endpoints: 0, arrived: 0, missing: null },
      payload: {
        id: page.data[1].id,
        object: "event",
        api_version: expect.any(String),
        type: "charge.created",
        created_at: now,
        data: { object: charge },
      },
    });
  });

  it("is filtered by type and subject, in every form of the id", async () => {
    const one = await emulator.charge();
    const two = await emulator.charge();
    await emulator.sandbox(`/charges/${two.id}/pay`);
    const types = async (query: string) => (await events(query)).data.map(({ type }: Loose) => type);
    expect(await types("?type=charge.created")).toHaveLength(2);
    const raw = one.id.slice(3);
    for (const id of [one.id, raw, `tx_${raw}`]) {
      expect(await types(`?subject=${id}`)).toEqual(["payment.created", "charge.created"]);
    }
    expect(await types(`?subject=${two.id}&type=charge.paid`)).toEqual(["charge.paid"]);
    expect(await types("?subject=ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa")).toEqual([]);
  });
});
