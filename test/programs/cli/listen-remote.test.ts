import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { begin, type Host, startHost } from "../../support/running.js";
import { freshCli, freshReceiver } from "../../support/shared.js";
import { hmac } from "../../support/webhooks.js";

/** `listen` with other hosts: a host with only the deliveries of the contract, and hosts that answer strangely. */

const KEY = "qa_test_of-a-remote-host";
const NO_ROUTE = '{"error":{"type":"not_found_error","code":"not_found","message":"No such route."},"request_id":"r"}';

interface Delivery {
  readonly id: string;
  readonly eventType: string;
  readonly payload: object;
}

const cli = freshCli(() => ({ QA_PAY_API_KEY: KEY }));
const receiver = freshReceiver();
const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function host(answers: RequestListener): Promise<Host> {
  const started = await startHost(answers);
  hosts.push(started);
  return started;
}

/** Serves only `deliveries`, newest first, to callers with the key. `answers` may answer a request instead. */
async function remote(deliveries: readonly Delivery[], answers: (response: ServerResponse) => boolean = () => false) {
  const asked: string[] = [];
  const { url } = await host((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://host");
    if (pathname !== "/v1/webhooks/deliveries") return void response.writeHead(404).end(NO_ROUTE);
    asked.push(request.url ?? "");
    if (request.headers.apikey !== KEY) {
      const error = { type: "authentication_error", code: "unauthorized", message: "Unknown key." };
      return void response.writeHead(401).end(JSON.stringify({ error, request_id: "r" }));
    }
    if (answers(response)) return;
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset") ?? 0)];
    const data = deliveries.slice(offset, offset + limit);
    response.end(JSON.stringify({ data, total: deliveries.length, limit, offset }));
  });
  return { url, asked };
}

let numbers = 0;
function delivery(eventType: string, payload: object = {}): Delivery {
  numbers += 1;
  const id = `wd_${String(numbers).padStart(4, "0")}`;
  return { id, eventType, payload: { id: `evt_${numbers}`, type: eventType, ...payload } };
}

/** Every pause ends at once, and the test is notified. */
function listening(url: string, pause: () => Promise<void> = () => Promise.resolve(), ...flags: string[]) {
  return begin(cli, ["listen", "--forward-to", receiver.url, "--base-url", url, ...flags], { pause });
}

describe("a host that is not an emulator", () => {
  it("is polled for its deliveries; new events are forwarded, oldest first, under their own ids", async () => {
    const deliveries = [delivery("charge.created")];
    const { url } = await remote(deliveries);
    const running = await listening(url);
    const [paid, done] = [delivery("charge.paid", { data: { n: 1 } }), delivery("payment.completed")];
    deliveries.unshift(done, paid);
    await receiver.waitFor(2);
    const { code, out, err } = await running.stop();
    expect(code).toBe(0);
    expect(receiver.received.map(({ body }) => body)).toEqual([paid.payload, done.payload]);
    expect(receiver.received.map(({ headers }) => headers["x-qa-delivery-id"])).toEqual([paid.id, done.id]);
    const secret = (await cli.run(["listen", "--print-secret", "--base-url", url])).out.trim();
    const legacy = receiver.received[1];
    expect(legacy?.headers["x-qa-signature"]).toBe(`sha256=${hmac(secret, legacy?.raw ?? "")}`);
    expect(out).toContain(`--> charge.paid ${paid.id}\n<-- 204 POST ${receiver.url}`);
    expect(err).toContain(`Listening to ${url} (polling every 2 seconds).`);
  });

  it("has one delivery for each endpoint and resend: the event is forwarded once", async () => {
    const deliveries: Delivery[] = [];
    const { url } = await remote(deliveries);
    const running = await listening(url);
    const once = delivery("charge.paid");
    const legacy = {
      id: "wd_a",
      eventType: "payment.completed",
      payload: { event: "payment.completed", data: { n: 1 } },
    };
    deliveries.unshift({ ...legacy, id: "wd_b" }, legacy, { ...once, id: "wd_c" }, once);
    await receiver.waitFor(2);
    deliveries.unshift(delivery("charge.failed"), { ...once, id: "wd_resent" });
    await receiver.waitFor(3);
    await running.stop();
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.paid", "payment.completed", "charge.failed"]);
  });

  it("can have more new deliveries than one page", async () => {
    const deliveries = Array.from({ length: 150 }, () => delivery("charge.created"));
    const { url } = await remote(deliveries);
    const running = await listening(url);
    const fresh = Array.from({ length: 230 }, () => delivery("charge.paid"));
    deliveries.unshift(...fresh.toReversed());
    await receiver.waitFor(fresh.length);
    await running.stop();
    expect(receiver.received.map(({ body }) => body.id)).toEqual(
      fresh.map(({ payload }) => (payload as { id: string }).id),
    );
  });

  it.each([
    ["away", (response: ServerResponse) => void response.destroy()],
    ["out of order", (response: ServerResponse) => void response.writeHead(502).end("<h1>Bad gateway</h1>")],
    ["asked too often", (response: ServerResponse) => void response.writeHead(429).end(NO_ROUTE)],
    ["odd", (response: ServerResponse) => void response.end("<h1>Back soon</h1>")],
  ])("that is %s for some time is polled again", async (_what, answer) => {
    const deliveries: Delivery[] = [];
    let bad = 0;
    let ready = false;
    const { url } = await remote(deliveries, (response) => {
      if (!ready || bad === 3) return false;
      bad += 1;
      answer(response);
      return true;
    });
    const running = await listening(url);
    ready = true;
    deliveries.unshift(delivery("charge.paid"));
    await receiver.waitFor(1);
    expect((await running.stop()).code).toBe(0);
    expect(bad).toBe(3);
  });

  it("is polled after each pause, until the command is stopped", async () => {
    const { url, asked } = await remote([]);
    let looks = 0;
    let goOn: () => void = () => undefined;
    const twice = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const running = await listening(url, async () => {
      looks += 1;
      if (looks === 3) goOn();
      if (looks >= 3) await new Promise<void>((resolve) => setImmediate(resolve));
    });
    await twice;
    await running.stop();
    const { length } = asked;
    expect(length).toBeGreaterThanOrEqual(3);
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(length);
  });
});

describe("a host that refuses", () => {
  const refusing = (status: number, text: string) =>
    host((request, response) => void response.writeHead(request.url === "/_sandbox" ? 404 : status).end(text));
  const denied = '{"error":{"type":"permission_error","code":"forbidden","message":"Not you."},"request_id":"r"}';

  it.each([
    ["403", 403, denied, 3, "Not you. (forbidden)"],
    ["404", 404, NO_ROUTE, 4, "No such route. (not_found)"],
    ["404 in HTML", 404, "<h1>Not found</h1>", 7, "The host answered 404 without an error envelope."],
    ["500", 500, "", 7, "The host answered 500 without an error envelope."],
    ["a redirect", 302, "", 7, "The host answered 302 without an error envelope."],
  ])("with %s ends the command", async (_what, status, text, exit, message) => {
    const { url } = await refusing(status, text);
    const { code, out, err } = await cli.run(["listen", "--forward-to", receiver.url, "--base-url", url]);
    expect([code, out]).toEqual([exit, ""]);
    expect(err).toContain(message);
  });

  it("the key ends the command with 3, before it listens and later", async () => {
    const { url } = await remote([]);
    const words = ["listen", "--forward-to", receiver.url, "--base-url", url, "--api-key", "qa_test_another-one"];
    expect(await cli.run(words)).toMatchObject({ code: 3, err: expect.stringContaining("Unknown key.") });
    let revoked = false;
    const other = await remote([], (response) => {
      if (revoked) response.writeHead(403).end(denied);
      return revoked;
    });
    const running = await listening(other.url);
    revoked = true;
    expect((await running.ended).code).toBe(3);
  });

  it("no request, but answers every path with a page, is not taken for an emulator", async () => {
    const { url } = await host((_request, response) => void response.end("<h1>Welcome</h1>"));
    const { code, err } = await cli.run(["listen", "--forward-to", receiver.url, "--base-url", url, "--json"]);
    expect(code).toBe(7);
    expect(JSON.parse(err).error.message).toBe("The host answered with something other than JSON.");
  });
});

describe("an emulator", () => {
  it("can send an event in its log and in its stream: it is forwarded once", async () => {
    const logged = ["evt_3", "evt_2", "evt_1"].map((id) => ({ id, type: "charge.paid", payload: { id } }));
    const streamed = [
      ...logged.slice(0, 2).toReversed(),
      { id: "evt_4", type: "charge.paid", payload: { id: "evt_4" } },
    ];
    const { url } = await host((request, response) => {
      if (request.url === "/_sandbox") return void response.end('{"emulator":"qa-pay"}');
      if (request.url === "/_sandbox/account") return void response.end(`{"signing_secret":"${"5".repeat(64)}"}`);
      if (request.headers.accept === "text/event-stream") {
        return void response.write(streamed.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
      }
      const data = request.url?.includes("limit=1&") || request.url?.endsWith("limit=1") ? logged.slice(2) : logged;
      response.end(JSON.stringify({ data, has_more: false, next_cursor: null }));
    });
    const running = await listening(url);
    await receiver.waitFor(3);
    await running.stop();
    expect(receiver.received.map(({ body }) => body.id)).toEqual(["evt_2", "evt_3", "evt_4"]);
  });

  it("can end a stream that is read too slowly: missed events are read from its log", async () => {
    const event = (n: number) => ({ id: `evt_${n}`, type: "charge.paid", payload: { id: `evt_${n}` } });
    const log = [event(1)];
    let streams = 0;
    const { url } = await host((request, response) => {
      if (request.url === "/_sandbox") return void response.end('{"emulator":"qa-pay"}');
      if (request.url === "/_sandbox/account") return void response.end(`{"signing_secret":"${"5".repeat(64)}"}`);
      if (request.headers.accept !== "text/event-stream") {
        return void response.end(JSON.stringify({ data: log, has_more: false, next_cursor: null }));
      }
      streams += 1;
      if (streams > 1) {
        log.unshift(event(4), event(3), event(2));
        return void response.write(": still here\n\n");
      }
      response.write(`event: event\nid: evt_2\ndata: ${JSON.stringify(event(2))}\n\n`);
      response.end('event: overflow\ndata: {"message":"too slow"}\n\n');
    });
    const running = await listening(url);
    await receiver.waitFor(3);
    await running.stop();
    expect(receiver.received.map(({ body }) => body.id)).toEqual(["evt_2", "evt_3", "evt_4"]);
  });
});
