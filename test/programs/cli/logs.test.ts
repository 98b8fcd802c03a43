import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, postLogin, tokenOf, userOf } from "../../support/access.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { begin, type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `logs`: the requests to the emulator, live, or one request with all its details. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

/** The log as it is kept, oldest first. */
async function loggedBy(host: TestEmulator): Promise<Loose[]> {
  return (await host.sandbox("/requests?limit=100")).data.reverse();
}

const ENTRY = {
  ...{ id: "req_1", at: "2026-03-01T12:00:00.000Z", method: "GET", path: "/v1/wallets", status: 200, duration_ms: 3.4 },
  ...{ request_body: null, response_body: null, fault: null },
};

/** A host that answers like an emulator whose log holds one entry. */
function startHostWith(entry: object): Promise<Host> {
  return startHost(({ url, headers }, response) => {
    if (url === "/_sandbox") response.end('{"emulator":"qa-pay"}');
    else if (headers.accept !== "text/event-stream") response.end(JSON.stringify({ data: [entry], next_cursor: null }));
    else response.end(`: still here\n\ndata: ${JSON.stringify(entry)}\n\n`);
  });
}

const linesOf = (out: string) => out.trimEnd().split("\n");
const show = (...words: string[]) => cli.run(["logs", "show", ...words]);

/** Follows an emulator of its own until the emulator stops. Then all its messages have been printed. */
async function told(flags: readonly string[], happens: (host: TestEmulator) => Promise<unknown>) {
  const host = await startEmulator({ frozen: true });
  const running = await begin(cli, ["logs", "tail", "--base-url", host.url, "--api-key", host.key, ...flags]);
  await happens(host);
  const logged = await loggedBy(host);
  await host.close();
  return { ...(await running.ended), host, logged };
}

describe("logs tail", () => {
  it("prints a line for each request: time, status, method and path, duration, id", async () => {
    const { out, err, logged } = await told(["--utc"], async (host) => {
      await host.charge();
      await host.call("GET", "/v1/charges/unknown?expand=1", { headers: { "x-request-id": "mine:1" } });
      await host.call("GET", "/v1/wallets", { key: null });
    });
    expect(linesOf(out)).toEqual(
      logged.map(({ at, status, method, path, duration_ms, id }) => {
        const time = `${at.slice(0, 19).replace("T", " ")}Z`;
        return `${time} ${status} ${method} ${path} ${Math.round(duration_ms)} ms ${id}`;
      }),
    );
    expect(out).toMatch(/ 404 GET \/v1\/charges\/unknown\?expand=1 \d+ ms mine:1\n/);
    expect(err).toMatch(/^Following requests\. Ctrl-C stops\.\n/);
  });

  it("shows times in local time without --utc", async () => {
    const { out, logged } = await told([], (host) => host.charge());
    const at = new Date(logged[0]?.at);
    const [date = "", time = ""] = out.split(" ");
    expect(Date.parse(`${date}T${time}`)).toBe(Math.floor(at.getTime() / 1_000) * 1_000);
  });

  it("prints a line of JSON for each request with --json, as the log has it", async () => {
    const { out, logged } = await told(["--json"], async (host) => {
      await host.charge({ description: "line\nbreak" });
      await host.call("GET", "/v1/wallets");
    });
    expect(linesOf(out).map((line) => JSON.parse(line))).toEqual(logged);
    expect(logged).toHaveLength(2);
  });

  it.each([
    [["--method", "POST"], ["POST /v1/charges"]],
    [
      ["--method", "get"],
      ["GET /v1/wallets", "GET /v1/charges/unknown"],
    ],
    [
      ["--path", "/v1/charges"],
      ["POST /v1/charges", "GET /v1/charges/unknown"],
    ],
    [["--status", "404"], ["GET /v1/charges/unknown"]],
    [["--path", "/v1/charges", "--status", "201", "--method", "POST"], ["POST /v1/charges"]],
    [["--path", "/v1/charges", "--method", "DELETE"], []],
  ])("shows with %j only %j", async (flags, expected) => {
    const { out } = await told([...flags, "--json"], async (host) => {
      await host.charge();
      await host.call("GET", "/v1/wallets");
      await host.call("GET", "/v1/charges/unknown");
    });
    const asked = out === "" ? [] : linesOf(out).map((line) => JSON.parse(line));
    expect(asked.map(({ method, path }: Loose) => `${method} ${path}`)).toEqual(expected);
  });

  it("does not show earlier requests, the other mode or the control interface", async () => {
    const host = await startEmulator();
    await host.call("GET", "/v1/before");
    const running = await begin(cli, ["logs", "tail", "--base-url", host.url, "--api-key", host.key, "--json"]);
    await host.call("GET", "/v1/live", { key: host.live });
    await host.sandbox("/clock");
    await host.call("GET", "/v1/test");
    await host.close();
    expect(linesOf((await running.ended).out).map((line) => JSON.parse(line).path)).toEqual(["/v1/test"]);
  });

  it("ends with 7 and a sentence when the server goes away", async () => {
    const { code, err, host } = await told(["--quiet"], (one) => one.charge());
    expect([code, err]).toEqual([7, `Error: ${host.url} no longer answers.\n`]);
    const asJson = await told(["--json"], (one) => one.charge());
    expect(asJson.code).toBe(7);
    expect(JSON.parse(asJson.err).error.code).toBe("unreachable");
  });

  it("connects again when it has read too slowly, and says that requests are missing", async () => {
    const entry = (id: string) => ({
      id,
      at: "2026-07-01T00:00:00.000Z",
      method: "GET",
      path: `/${id}`,
      status: 200,
      duration_ms: 1,
    });
    const message = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    const streams = [
      message("request", entry("one")) + message("overflow", { message: "too slow" }),
      message("request", entry("two")),
    ];
    const host = await startHost((asked, response) => {
      const isStream = asked.headers.accept === "text/event-stream";
      response.end(isStream ? streams.shift() : JSON.stringify({ emulator: "qa-pay" }));
    });
    const { code, out, err } = await cli.run([
      "logs",
      "tail",
      "--base-url",
      host.url,
      "--api-key",
      "qa_test_x",
      "--json",
    ]);
    await host.close();
    expect([code, linesOf(out).map((line) => JSON.parse(line).id), streams]).toEqual([7, ["one", "two"], []]);
    const [said = "", ended = ""] = linesOf(err);
    expect(said).toBe(
      "Requests came faster than they could be shown, so some are missing here; `qa-pay sandbox requests` lists the latest.",
    );
    expect(JSON.parse(ended).error.code).toBe("unreachable");
  });
});

/** Sends requests with secrets in their own fields and in other places. Returns the secrets. */
async function leak(host: TestEmulator): Promise<string[]> {
  const [user, body] = [userOf(host), { url: "http://127.0.0.1:9/", events: ["charge.paid"] }];
  await host.charge({ description: `paid with ${host.key}` });
  const login = await postLogin(host, user);
  await host.call("GET", `/v1/wallets?apikey=${host.live}`);
  const endpoint = await host.call("POST", "/v1/webhooks/endpoints", { body });
  const secrets = [host.key, host.live, user.password, login.body.token, endpoint.body.secret];
  expect(secrets).toEqual(secrets.map(() => expect.stringMatching(/.{12}/)));
  return secrets;
}

describe("Ctrl-C", () => {
  it.each([
    [[], "Following requests. Ctrl-C stops.\n"],
    [["--quiet"], ""],
    [["--json"], ""],
  ])("ends logs tail %j with 0 after complete lines only", async (flags, said) => {
    const screen: string[] = [];
    const tail = await begin(cli, ["logs", "tail", ...flags], { screen });
    await emulator.call("GET", "/v1/wallets");
    await emulator.call("GET", "/v1/wallets/balance");
    await expect.poll(() => linesOf(screen.join("")).filter((line) => line !== said.trim()).length).toBe(2);
    const { code, out, err } = await tail.stop();
    expect([code, linesOf(out).length, err]).toEqual([0, 2, said]);
  });

  it("ends it before its first request, too", async () => {
    const running = await begin(cli, ["logs", "tail", "--quiet"]);
    expect(await running.stop()).toEqual({ code: 0, out: "", err: "" });
  });
});

describe("logs show", () => {
  it("names the fields that differ in a conflict of idempotency keys, and the error", async () => {
    const headers = { "idempotency-key": "the-same-key", "x-request-id": "order-2" };
    for (const amount of [1, 2]) {
      await emulator.call("POST", "/v1/charges", { body: { amount, payment_method: "pix" }, headers });
    }
    const { out } = await show("order-2");
    expect(out).toContain("Idempotency  conflict, differs in amount\nError        idempotency_key_reused\n");
  });

  it("prints one request with both bodies", async () => {
    const charge = await emulator.charge({ amount: 500 }, { headers: { "x-request-id": "order-1" } });
    const entry = (await loggedBy(emulator)).at(-1);
    const { code, out, err } = await show("order-1", "--utc");
    expect([code, err]).toEqual([0, ""]);
    const asked = JSON.stringify({ amount: 500, payment_method: "pix" }, null, 2);
    expect(out).toBe(
      `POST /v1/charges\n${entry.at.slice(0, 19).replace("T", " ")}Z  201  ${Math.round(entry.duration_ms)} ms\n` +
        `Number       ${entry.number}\nRequest id   order-1\nCaller       node\n` +
        `Subject      ${charge.id}\nIdempotency  new\n` +
        `\n> user-agent: node\n> content-type: application/json\n> content-length: 37\n> accept: */*\n` +
        `> accept-language: *\n> idempotency-key: ${entry.idempotency_key}\n> x-request-id: order-1\n` +
        `\n> ${asked}\n\n< content-type: application/json\n\n< ${JSON.stringify(charge, null, 2)}\n`,
    );
  });

  it("prints the request as the log has it with --json", async () => {
    await emulator.charge();
    const entry = (await loggedBy(emulator)).at(-1);
    expect(await show(entry.id, "--json")).toEqual({ code: 0, out: `${JSON.stringify(entry)}\n`, err: "" });
  });

  it("leaves out an empty body", async () => {
    await emulator.call("GET", "/v1/wallets", { headers: { "x-request-id": "read-1" } });
    expect((await show("read-1")).out).toMatch(/\n> x-request-id: read-1\n\n< content-type: application\/json\n\n< \[/);
    const token = await tokenOf(emulator);
    const asked = { ...bearer(token), headers: { ...bearer(token).headers, "x-request-id": "out-1" } };
    expect((await emulator.call("POST", "/v1/auth/logout", asked)).status).toBe(204);
    expect((await show("out-1")).out).toMatch(
      /^POST \S+\n[^\n]+ {2}204 {2}\d+ ms\n(?:\w[^\n]+\n)+\n(?:> [a-z-]+: [^\n]+\n)+$/,
    );
  });

  it("finds a request with many later ones, and the later one of two with the same id", async () => {
    for (const path of ["/v1/early", "/v1/late"]) {
      await emulator.call("GET", path, { headers: { "x-request-id": "twice" } });
    }
    await Promise.all(Array.from({ length: 101 }, () => emulator.call("GET", "/v1/wallets")));
    expect((await show("twice")).out).toMatch(/^GET \/v1\/late\n/);
  });

  it("of an unknown id, or one of the other mode, ends with 4", async () => {
    await emulator.call("GET", "/v1/wallets", { key: emulator.live, headers: { "x-request-id": "of-live" } });
    for (const id of ["req_01980000-0000-7000-8000-000000000000", "of-live", "../wallets"]) {
      const { code, out, err } = await show(id);
      expect([code, out]).toEqual([4, ""]);
      expect(err).toBe(`Error: The log has no request ${id}; it keeps only the latest ones.\n`);
    }
    const { code, err } = await show("nobody", "--json");
    expect([code, JSON.parse(err)]).toMatchObject([4, { error: { type: "not_found_error", code: "not_found" } }]);
  });

  it("shows no key, password or secret", async () => {
    const secrets = await leak(emulator);
    for (const { id } of (await loggedBy(emulator)).slice(-4)) {
      const { code, out } = await show(id);
      expect(code).toBe(0);
      for (const secret of secrets) expect(out).not.toContain(secret);
    }
  });
});

describe("a connection that a fault rule cut", () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHostWith({ ...ENTRY, status: 0, fault: "flt_1" });
  });
  afterAll(() => host.close());

  it("is shown as a cut connection, with the rule", async () => {
    const words = ["--base-url", host.url, "--api-key", emulator.key, "--utc"];
    expect((await cli.run(["logs", "tail", ...words])).out).toBe(
      "2026-03-01 12:00:00Z cut GET /v1/wallets 3 ms flt_1 req_1\n",
    );
    expect((await show("req_1", ...words)).out).toBe(
      "GET /v1/wallets\n2026-03-01 12:00:00Z  cut  3 ms flt_1\nRequest id   req_1\n",
    );
  });
});
