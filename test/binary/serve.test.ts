import { existsSync, linkSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, newPlace, type Place, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { type Receiver, startReceiver } from "../support/receiver.js";

let place: Place;
let receiver: Receiver;
const running: Server[] = [];

beforeEach(async () => {
  place = newPlace();
  receiver = await startReceiver();
});

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.signal("SIGKILL");
    await server.ended;
  }
  await receiver.close();
  place.remove();
});

async function started(args: readonly string[] = [], json = true): Promise<Server> {
  const server = await serve(place, args, json);
  running.push(server);
  return server;
}

describe("the ready line", () => {
  it("is printed when requests are answered, with exactly these fields", async () => {
    const { ready, lines } = await started();
    expect(Object.keys(ready)).toEqual([
      "event",
      "url",
      "test_key",
      "live_key",
      "users",
      "signing_secret",
      "forward",
      "console_url",
      "pid",
    ]);
    expect(ready).toMatchObject({
      event: "ready",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      test_key: expect.stringMatching(/^qa_test_[A-Za-z0-9_-]{32}$/),
      live_key: expect.stringMatching(/^qa_live_[A-Za-z0-9_-]{32}$/),
      users: expect.any(Array),
      signing_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      forward: null,
      console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/open\?k=[\w-]{32}$/),
      pid: expect.any(Number),
    });
    expect(lines).toHaveLength(1);
    expect((await ask(ready, ready.test_key, "GET", "/_sandbox")).body.mode).toBe("test");
    expect((await ask(ready, ready.live_key, "GET", "/_sandbox")).body.mode).toBe("live");
  });

  it("has the forward endpoint, which receives signed events", async () => {
    const { ready, url } = await started(["--forward-to", receiver.url, "--events", "charge.created,charge.paid"]);
    expect(ready.forward).toStrictEqual({
      endpoint_id: expect.stringMatching(/^we_/),
      url: receiver.url,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { body } = await ask({ url }, ready.test_key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    await receiver.waitFor(1);
    expect(receiver.received[0]?.body.data.object.id).toBe(body.id);
  });

  it("is followed only by lines of JSON, one per attempt", async () => {
    receiver.replies.push({ status: 500, body: "no" });
    const server = await started(["--forward-to", receiver.url, "--events", "charge.created", "--retry-base", "1ms"]);
    const key = server.ready.test_key;
    await ask(server, key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    await server.line((line) => line.includes('"DELIVERED"'));
    const { code, out, err } = await server.stop();
    expect([code, err]).toEqual([0, ""]);
    const lines: Loose[] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ event }) => event === "delivery")).toMatchObject([
      { type: "charge.created", attempt: 1, status: "PENDING", status_code: 500, response_body: "no" },
      { type: "charge.created", attempt: 2, status: "DELIVERED", status_code: 204 },
    ]);
    expect(out).not.toContain("listhen");
  });

  it("has the given keys", async () => {
    const { ready } = await started(["--test-key", "qa_test_for-our-ci", "--live-key", "qa_live_for-our-ci"]);
    expect([ready.test_key, ready.live_key]).toEqual(["qa_test_for-our-ci", "qa_live_for-our-ci"]);
    expect((await ask(ready, "qa_test_for-our-ci", "GET", "/v1/wallets")).status).toBe(200);
  });
});

describe("a restart on the same file", () => {
  it("keeps keys secret and working, for the profile too", async () => {
    const first = await started();
    const { test_key, live_key, signing_secret } = first.ready;
    const charge = (await ask(first, test_key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" })).body;
    expect((await first.stop()).code).toBe(0);
    const second = await started();
    expect(second.ready).toMatchObject({ test_key: null, live_key: null, signing_secret });
    for (const key of [test_key, live_key]) expect((await ask(second, key, "GET", "/v1/wallets")).status).toBe(200);
    const shown = await run(place, ["charges", "get", charge.id, "--json"]);
    expect([shown.code, JSON.parse(shown.out).id]).toEqual([0, charge.id]);
  });

  it("keeps the forward endpoint under its id and secret, INACTIVE while it has no target", async () => {
    const forward = ["--forward-to", receiver.url, "--events", "charge.created"];
    const first = await started(forward);
    const { test_key } = first.ready;
    await first.stop();
    const without = await started();
    expect(without.ready.forward).toBeNull();
    const listed = (await ask(without, test_key, "GET", "/v1/webhooks/endpoints")).body.data;
    expect(listed).toMatchObject([{ id: first.ready.forward.endpoint_id, status: "INACTIVE" }]);
    await ask(without, test_key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    await without.stop();
    const again = await started(forward);
    expect(again.ready.forward).toEqual(first.ready.forward);
    const { body } = await ask(again, test_key, "POST", "/v1/charges", { amount: 600, payment_method: "pix" });
    await receiver.waitFor(1);
    expect(receiver.received[0]?.body.data.object.id).toBe(body.id);
    expect((await ask(again, test_key, "GET", "/v1/webhooks/deliveries")).body.total).toBe(1);
  });

  it("sends the deliveries that were still pending", async () => {
    const target = receiver.url;
    receiver.respond = () => ({ status: 500 });
    const first = await started(["--forward-to", target, "--events", "charge.created", "--retry-base", "200ms"]);
    const { test_key } = first.ready;
    await ask(first, test_key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    await first.line((line) => line.includes('"PENDING"'));
    await first.stop();
    receiver.respond = null;
    const second = await started(["--forward-to", target, "--events", "charge.created", "--retry-base", "200ms"]);
    await second.line((line) => line.includes('"DELIVERED"'));
    expect(new Set(receiver.received.map(({ headers }) => headers["x-qa-delivery-id"])).size).toBe(1);
  });
});

describe("stopping", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("by %s ends with 0", async (name) => {
    const server = await started();
    server.signal(name);
    const { code, err } = await server.ended;
    expect([code, err]).toEqual([0, ""]);
  });

  it("lets open requests finish, and does not wait for idle clients", async () => {
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
    await ask(server, test_key, "GET", "/_sandbox/clock");
    server.signal("SIGTERM");
    await server.line((line) => line.includes('"stopping"'));
    open.end(body.slice(10));
    expect(await answered).toBe(201);
    expect((await server.ended).code).toBe(0);
  });

  it("does not wait for a client that follows a stream", async () => {
    const server = await started();
    const headers = { apikey: server.ready.test_key, accept: "text/event-stream" };
    const ended = new Promise<void>((resolve, reject) => {
      const following = request(`${server.url}/_sandbox/events`, { headers }, (response) => {
        response.on("end", resolve).on("error", reject).resume();
        server.signal("SIGTERM");
      });
      following.on("error", reject).end();
    });
    await ended;
    expect((await server.ended).code).toBe(0);
  });
});

describe("a database that is removed under a running server", () => {
  it("refuses charges; the server says what to do, and ends on a signal", async () => {
    const server = await started();
    const { test_key } = server.ready;
    const charge = { amount: 500, payment_method: "pix" };
    expect((await ask(server, test_key, "POST", "/v1/charges", charge)).status).toBe(201);
    for (const side of ["", "-wal", "-shm", "-lock"]) rmSync(place.db + side);
    expect((await ask(server, test_key, "POST", "/v1/charges", charge)).status).toBe(500);
    const { code, err } = await server.stop();
    expect(code).toBe(0);
    expect(err).toMatch(
      /^Error: request req_\S+ failed: DatabaseError: The database \S+ was removed, moved or replaced/m,
    );
    expect(err).toMatch(/Stop this server; then put the file back, or start without it\./);
  });
});

describe("a refusal to start", () => {
  it("because the port is in use is exit 1", async () => {
    const { url } = await started();
    const { port } = new URL(url);
    const second = await run(place, ["serve", "--port", port, "--db", ":memory:"]);
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toMatch(new RegExp(`${port} is in use`));
  });

  it("because another server has the database is exit 1", async () => {
    await started();
    const second = await run(place, ["serve", "--port", "0", "--db", place.db]);
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toMatch(/another qa-pay server/);
  });

  it.each([
    ["a symbolic link", symlinkSync],
    ["a hard link", linkSync],
  ])("because another server has the database under another name, through %s, is exit 1", async (_way, link) => {
    await started();
    const other = join(place.folder, "other.db");
    link(place.db, other);
    const second = await run(place, ["serve", "--port", "0", "--db", other]);
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toMatch(/another qa-pay server is using it/);
  });

  it("because the port is in use leaves the database alone for the next start", async () => {
    const { url } = await started();
    const { port } = new URL(url);
    const other = join(place.folder, "other.db");
    expect((await run(place, ["serve", "--port", port, "--db", other, "--json"])).code).toBe(1);
    const next = await serve({ ...place, db: other });
    running.push(next);
    expect(next.ready.event).toBe("ready");
  });

  // All other values that it refuses: test/cli/serve-refusals.test.ts.
  it.each([[["--port", "x"]], [["--forward-to", "nonsense"]]])("because of %j is exit 2", async (args) => {
    const ended = await run(place, ["serve", "--port", "0", "--db", ":memory:", ...args]);
    expect({ code: ended.code, out: ended.out }).toEqual({ code: 2, out: "" });
    expect(ended.err).toMatch(new RegExp(`${args[0]}`));
  });
});

describe("the output for a person", () => {
  it("is a banner and a line per event and answer", async () => {
    receiver.replies.push({ status: 422, body: '{"error":\n "not today"}' });
    const args = ["--forward-to", receiver.url, "--events", "charge.created", "--test-key", "qa_test_for-people"];
    const server = await started([...args, "--retry-base", "1ms"], false);
    await ask(server, "qa_test_for-people", "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    await server.line((line) => line.startsWith("<-- 204 "));
    const { code, out, err } = await server.stop();
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
});

describe("the guards", () => {
  it("are set by their flags, and end a refused command with 6 or 3", async () => {
    const limits = ["--rate-limit", "3", "--customer-velocity", "1/1m", "--account-velocity", "2/1m"];
    await started(["--frozen", ...limits]);
    const create = (email: string) =>
      run(place, ["charges", "create", "--amount", "100", "--customer-email", email, "--json"]);
    const outcomes: [code: number | null, error: string | null][] = [];
    for (const email of ["a@example.com", "A@example.com", "b@example.com", "c@example.com"]) {
      const { code, err } = await create(email);
      outcomes.push([code, code === 0 ? null : JSON.parse(err.slice(err.indexOf("{"))).error.code]);
    }
    expect(outcomes).toEqual([
      [0, null],
      [3, "fraud.customer_velocity_exceeded"],
      [0, null],
      [6, "rate_limited"],
    ]);
    await run(place, ["sandbox", "clock", "advance", "--seconds", "59.999"]);
    expect((await create("c@example.com")).code).toBe(6);
  });

  it("limit an account to the value of the flag", async () => {
    const { ready } = await started(["--frozen", "--account-velocity", "1/500ms"]);
    const create = () => ask(ready, ready.test_key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    expect([(await create()).status, (await create()).status]).toEqual([201, 403]);
    await run(place, ["sandbox", "clock", "advance", "--seconds", "0.5"]);
    expect((await create()).status).toBe(201);
  });
});

describe("the profile local", () => {
  it("is written for the owner alone, and points at the newest server", async () => {
    const { ready } = await started();
    const file = join(place.folder, "config", "profiles.json");
    expect(existsSync(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8")).profiles.local).toEqual({
      base_url: ready.url,
      api_key: ready.test_key,
    });
    const balance = await run(place, ["wallets", "balance", "--json"]);
    expect([balance.code, JSON.parse(balance.out).currency]).toEqual([0, "BRL"]);
  });

  it("does not make a start fail when it cannot be written", async () => {
    const server = await serve({ ...place, env: { ...place.env, QA_PAY_CONFIG_DIR: "/dev/null/nowhere" } });
    running.push(server);
    const { code, err } = await server.stop();
    expect(code).toBe(0);
    expect(err).toMatch(/^Warning: the profile local could not be written/);
  });
});

describe("a project", () => {
  const own = ["--db", join(".qa-pay", "qa-pay.db")];
  const serverFile = () => join(place.folder, ".qa-pay", "server.json");

  it("whose server was killed has no server until it is started again", async () => {
    const first = await started(own);
    const { test_key, url, pid } = first.ready;
    expect(JSON.parse(readFileSync(serverFile(), "utf8"))).toMatchObject({ url, test_key, pid });
    expect((await run(place, ["wallets", "list"])).code).toBe(0);
    first.signal("SIGKILL");
    await first.ended;
    const gone = await run(place, ["wallets", "list"]);
    expect([gone.code, gone.err]).toEqual([7, expect.stringContaining("The server of this project is not running")]);
    const second = await started(own);
    expect(second.ready.test_key).toBe(test_key);
    expect((await run(place, ["wallets", "list"])).code).toBe(0);
    await second.stop();
    expect(JSON.parse(readFileSync(serverFile(), "utf8"))).toMatchObject({ test_key, pid: null });
  });

  it("gets the address of its server in the error when another one is started", async () => {
    const { ready } = await started(own);
    const second = await run(place, ["serve", "--port", "0"]);
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toContain(`That server listens at ${ready.url} (process ${ready.pid}).`);
  });
});
