import { rmSync } from "node:fs";
import { request } from "node:http";
import { afterEach, expect, it } from "vitest";
import { ask, newPlace, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { fresh, freshReceiver } from "../support/shared.js";

const place = fresh(newPlace);
const receiver = freshReceiver();
const running: Server[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.signal("SIGKILL");
    await server.ended;
  }
});

async function started(args: readonly string[] = [], json = true): Promise<Server> {
  const server = await serve(place, args, json);
  running.push(server);
  return server;
}

it("the ready line comes when requests are answered, with exactly these fields, and then one line of JSON per attempt", async () => {
  receiver.replies.push({ status: 500, body: "no" });
  const server = await started(["--forward-to", receiver.url, "--events", "charge.created", "--retry-base", "1ms"]);
  const { ready } = server;
  expect(ready).toStrictEqual({
    event: "ready",
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    test_key: expect.stringMatching(/^qa_test_[A-Za-z0-9_-]{32}$/),
    live_key: expect.stringMatching(/^qa_live_[A-Za-z0-9_-]{32}$/),
    users: expect.any(Array),
    signing_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    forward: {
      endpoint_id: expect.stringMatching(/^we_/),
      url: receiver.url,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/open\?k=[\w-]{32}$/),
    random_seed: null,
    pid: expect.any(Number),
  });
  expect((await ask(ready, ready.live_key, "GET", "/_sandbox")).body.mode).toBe("live");
  const charge = { amount: 500, payment_method: "pix" };
  const { body } = await ask(ready, ready.test_key, "POST", "/v1/charges", charge);
  await server.says(/"DELIVERED"/);
  expect(receiver.received[0]?.body.data.object.id).toBe(body.id);
  const { code, out, err } = await server.stop();
  expect([code, err]).toEqual([0, ""]);
  const lines: Loose[] = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toEqual(ready);
  expect(lines.filter(({ event }) => event === "delivery")).toMatchObject([
    { type: "charge.created", attempt: 1, status: "PENDING", status_code: 500, response_body: "no" },
    { type: "charge.created", attempt: 2, status: "DELIVERED", status_code: 204 },
  ]);
  expect(out).not.toContain("listhen");
});

it("a server that stops lets open requests finish, ends streams, and does not wait for idle clients", async () => {
  const server = await started();
  const { test_key } = server.ready;
  const headers = { apikey: test_key, "content-type": "application/json", "idempotency-key": "half-a-request" };
  const body = JSON.stringify({ amount: 500, payment_method: "pix" });
  const open = request(`${server.url}/v1/charges`, { method: "POST", headers });
  const answered = new Promise<number>((resolve, reject) => {
    open.on("response", (response) => resolve(response.resume().statusCode ?? 0)).on("error", reject);
  });
  open.write(body.slice(0, 10));
  // The first half is being read once another request, sent after it, was answered.
  const followed = await fetch(`${server.url}/_sandbox/events`, {
    headers: { apikey: test_key, accept: "text/event-stream" },
  });
  server.signal("SIGTERM");
  await server.says(/"stopping"/);
  open.end(body.slice(10));
  expect(await answered).toBe(201);
  await followed.text();
  expect((await server.ended).code).toBe(0);
});

it("a database that is removed under a running server refuses charges; the server says what to do, and ends on a signal", async () => {
  const server = await started();
  const { test_key } = server.ready;
  const charge = { amount: 500, payment_method: "pix" };
  expect((await ask(server, test_key, "POST", "/v1/charges", charge)).status).toBe(201);
  for (const side of ["", "-wal", "-shm", "-lock"]) rmSync(place.db + side);
  expect((await ask(server, test_key, "POST", "/v1/charges", charge)).status).toBe(500);
  const { code, err } = await server.stop();
  expect(code).toBe(0);
  expect(err).toMatch(/^Error: request req_\S+ failed: The database \S+ was removed, moved or replaced/m);
  expect(err).toMatch(/Stop this server; then put the file back, or start without it\./);
});

it("the output for a person is a banner and a line per event and answer, and Ctrl-C ends with 0", async () => {
  receiver.replies.push({ status: 422, body: '{"error":\n "not today"}' });
  const args = ["--forward-to", receiver.url, "--events", "charge.created", "--test-key", "qa_test_for-people"];
  const server = await started([...args, "--retry-base", "1ms"], false);
  await ask(server, "qa_test_for-people", "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
  await server.says(/^<-- 204 /m);
  server.signal("SIGINT");
  const { code, out, err } = await server.ended;
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(server.url);
  expect(out).toContain("qa_test_for-people");
  const id = receiver.received[0]?.body.id;
  const lines = out.split("\n");
  expect(lines.filter((line) => line === `--> charge.created ${id}`)).toHaveLength(2);
  const failed = lines.findIndex((line) => line.startsWith(`<-- 422 POST ${receiver.url} `));
  expect(lines[failed]).toMatch(/ \d+ ms charge\.created evt_/);
  expect(lines[failed + 1]).toContain('{"error": "not today"}');
  expect(out).not.toContain("\u001b[");
});
