import { beforeEach, describe, expect, it } from "vitest";
import type { LookupAll } from "../../../../src/service/delivery/guarded-lookup.js";
import type { TestEmulator } from "../../../support/emulator.js";
import { payment, postPayment } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, ownFolder, sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { deliveries, settle, subscribe } from "../../../support/webhooks.js";

/** Webhooks over `http://` to hosts of --allow-http, as in the network of a container. */

const METADATA = "169.254.169.254";

/** Where each name leads. A connection that is kept is not resolved again, so a test takes a name of its own. */
const leads = new Map<string, readonly string[]>();
const asked: string[] = [];
const lookup: LookupAll = (name, _options, callback) => {
  asked.push(name);
  callback(
    null,
    (leads.get(name) ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  );
};

const receiver = sharedReceiver();
const port = () => new URL(receiver.url).port;
const of = (host: string) => `http://${host}:${port()}/hooks`;
const allowHttp = ["shop", "*.internal"];
const start = { frozen: true, allowHttp, lookup };
const emulator = sharedEmulator(start);
const closed = sharedEmulator({ frozen: true });

beforeEach(async () => {
  for (const one of [emulator, closed]) await one.sandbox("/reset");
  for (const list of [receiver.received, receiver.replies, asked]) list.length = 0;
  leads.clear();
  for (const name of ["shop", "a.internal"]) leads.set(name, ["127.0.0.1"]);
});

const register = (on: TestEmulator, url: string) =>
  on.call("POST", "/v1/webhooks/endpoints", { body: { url, events: ["charge.created"] } });

/** The last attempt of the newest delivery, after one more charge. */
async function lastAttempt(on: TestEmulator) {
  await on.charge();
  await settle(on);
  const [newest] = (await on.call("GET", "/_sandbox/webhooks/deliveries")).body.data;
  const { lastError, lastErrorCode, status } = newest;
  return { lastError, lastErrorCode, status };
}

describe("a host of --allow-http", () => {
  it("gets the webhooks of an endpoint, by its name and with it in Host", async () => {
    leads.set("first.internal", ["127.0.0.1"]);
    await subscribe(emulator, of("first.internal"), ["charge.created"]);
    expect(await lastAttempt(emulator)).toMatchObject({ status: "DELIVERED", lastError: null });
    expect([asked, receiver.received.map(({ headers }) => headers.host)]).toEqual([
      ["first.internal"],
      [`first.internal:${port()}`],
    ]);
  });

  it("gets the webhooks of a payment, and those that are sent again to another address", async () => {
    await payment(emulator, { webhookUrl: of("a.internal") });
    await settle(emulator);
    const [{ id }] = await deliveries(emulator);
    const resend = (url: string) =>
      emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/resend`, { body: { url } });
    expectRefused(await resend(of("other")), "invalid_request", "url");
    expect((await resend(of("shop"))).status).toBe(201);
    await settle(emulator);
    expect(asked).toEqual(["a.internal", "shop"]);
    expect(receiver.received).toHaveLength(2);
  });

  it("gets what is forwarded", async () => {
    const forwarding = await ownEmulator({ ...start, forwardTo: of("shop"), events: ["charge.created"] });
    expect(await lastAttempt(forwarding)).toMatchObject({ status: "DELIVERED" });
    expect(receiver.received).toHaveLength(1);
  });

  it("is tested as a receiver, and no other one", async () => {
    const test = (url: string) =>
      emulator.call("POST", "/_sandbox/webhooks/test", { body: { url, only: ["charge.paid"] } });
    expectRefused(await test(of("other")), "invalid_request", "url");
    expect(receiver.received).toEqual([]);
    expect((await test(of("shop"))).status).toBe(200);
    expect(receiver.received.length).toBeGreaterThan(0);
  });
});

describe("a host that --allow-http does not name", () => {
  it.each([
    ...[
      "other",
      "shop.test",
      "internal",
      "a.internal.test",
      "localhost.",
      "10.0.0.7",
      METADATA,
      "2852039166",
      "0xa9fea9fe",
    ],
    ...[`${METADATA}.`, "[fe80::1]", "[fd00:ec2::254]", `[::ffff:${METADATA}]`, "0.0.0.0", "１６９.254.169.254"],
  ])("%s is refused for endpoints and payments, and nothing is stored", async (host) => {
    const url = `http://${host}/hooks`;
    const name = new URL(url).hostname;
    const { message } = expectRefused(await register(emulator, url), "invalid_request", "url");
    expect(message).toBe(
      `url must be https:// (http:// only on this machine; to allow ${name}, start the server with --allow-http ${name})`,
    );
    expectRefused(await postPayment(emulator, { webhookUrl: url }), "invalid_request", "webhookUrl");
    expect((await emulator.call("GET", "/v1/webhooks/endpoints")).body.data).toEqual([]);
    expect((await emulator.sandbox("/events")).data).toEqual([]);
  });

  it("is not reached by a user name, a backslash or a redirect of an allowed one", async () => {
    for (const url of [`http://shop@${METADATA}/`, `http://shop:x@${METADATA}/`, `http:\\\\${METADATA}/`]) {
      expectRefused(await register(emulator, url), "invalid_request", "url");
    }
    // To a browser, and to the sender, the backslash begins the path.
    leads.set("turning.internal", ["127.0.0.1"]);
    const given = `http://turning.internal:${port()}\\@${METADATA}/`;
    expect((await subscribe(emulator, given, ["charge.created"])).url).toBe(given);
    receiver.replies.push({ status: 302, headers: { location: `http://${METADATA}/` } });
    expect(await lastAttempt(emulator)).toMatchObject({
      lastErrorCode: "answered",
      lastError: "the endpoint answered 302",
    });
    expect(asked).toEqual(["turning.internal"]);
  });

  it("is written with http:// in the advice only where it may be", async () => {
    const advice = async (url: string) => (await register(emulator, url)).body.error.message;
    expect(await advice("a.internal:3000/x")).toContain("write http://a.internal:3000/x");
    expect(await advice("a.test:3000/x")).toContain("write https://a.test:3000/x");
  });

  it("gets nothing when it was stored by a server that allowed it", async () => {
    const { db } = ownFolder();
    const given = await ownEmulator({ ...start, db });
    await subscribe(given, of("shop"), ["charge.created"]);
    await payment(given, { webhookUrl: of("a.internal") });
    await given.close();
    receiver.received.length = 0;
    const bare = await ownEmulator({ frozen: true, db, lookup, testKey: "qa_test_of_the_second_start" });
    expect(await lastAttempt(bare)).toEqual({
      status: "PENDING",
      lastErrorCode: "not_plain",
      lastError: "http:// is not allowed to shop: start the server with --allow-http shop",
    });
    const endpoint = (await bare.call("GET", "/v1/webhooks/endpoints")).body.data[0].id;
    const body = { endpoint, only: ["charge.paid"] };
    const tested = await bare.call("POST", "/_sandbox/webhooks/test", { body });
    expect(tested.body.reason).toBe("http:// is not allowed to shop: start the server with --allow-http shop");
    expect(receiver.received).toEqual([]);
  });
});

describe("an allowed name", () => {
  it.each([[METADATA], ["fe80::1"], ["fd00:ec2::254"], [`::ffff:${METADATA}`]])(
    "that leads to %s gets nothing",
    async (address) => {
      leads.set("bad.internal", [address]);
      await subscribe(emulator, of("bad.internal"), ["charge.created"]);
      expect(await lastAttempt(emulator)).toEqual({
        status: "PENDING",
        lastErrorCode: "never_by_name",
        lastError: `bad.internal leads to ${address}, a link-local or metadata address, to which no name may lead`,
      });
      expect(receiver.received).toEqual([]);
    },
  );

  it("that leads elsewhere the next time is judged by where it leads then", async () => {
    leads.set("moving.internal", ["127.0.0.1"]);
    await subscribe(emulator, of("moving.internal"), ["charge.created"]);
    receiver.replies.push({ status: 204, headers: { connection: "close" } });
    expect(await lastAttempt(emulator)).toMatchObject({ status: "DELIVERED" });
    leads.set("moving.internal", [METADATA]);
    expect(await lastAttempt(emulator)).toMatchObject({ lastErrorCode: "never_by_name" });
    leads.set("moving.internal", [METADATA, "127.0.0.1"]);
    expect(await lastAttempt(emulator)).toMatchObject({ status: "DELIVERED" });
    expect(asked).toEqual(Array(3).fill("moving.internal"));
    expect(receiver.received).toHaveLength(2);
  });

  it("that is localhost is judged like others", async () => {
    leads.set("localhost", [METADATA]);
    await subscribe(emulator, of("localhost"), ["charge.created"]);
    expect(await lastAttempt(emulator)).toMatchObject({ lastErrorCode: "never_by_name" });
    expect(receiver.received).toEqual([]);
  });
});

describe("a receiver on this machine that does not answer", () => {
  const nobody = "http://127.0.0.1:9/hooks";

  it("is explained as this container, by a server that listens on every address", async () => {
    const open = await ownEmulator({ frozen: true, host: "0.0.0.0" });
    await subscribe(open, nobody, ["charge.created"]);
    const { lastError, lastErrorCode } = await lastAttempt(open);
    expect(lastErrorCode).toBe("refused_here");
    expect(lastError).toBe(
      "connection refused (ECONNREFUSED). In a container, 127.0.0.1 is the container itself: name the other one, and start the server with --allow-http and that name",
    );
  });

  it("is explained without a container by a server for this machine alone", async () => {
    await subscribe(closed, nobody, ["charge.created"]);
    expect(await lastAttempt(closed)).toMatchObject({
      lastError: "connection refused (ECONNREFUSED)",
      lastErrorCode: null,
    });
  });
});

it("without allowed hosts, http:// goes to this machine alone", async () => {
  expectRefused(await register(closed, of("shop")), "invalid_request", "url");
  expect((await register(closed, of("localhost"))).status).toBe(201);
});
