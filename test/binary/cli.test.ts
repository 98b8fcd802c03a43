import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createServer, type Server as HttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Ended, newPlace, type Place, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";

const UNKNOWN = "ch_01980000-0000-7000-8000-000000000000";

let place: Place;
let server: Server;
/** A host that gives the same answer to every request. */
const others: HttpServer[] = [];

beforeAll(async () => {
  place = newPlace();
  server = await serve(place, ["--frozen"]);
});

afterAll(async () => {
  await server.stop();
  for (const other of others) {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }
  place.remove();
});

async function hostThat(answers: RequestListener): Promise<string> {
  const other = createServer(answers);
  others.push(other);
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

const cli = (...args: string[]): Promise<Ended> => run(place, args);

/** A failure with --json: nothing on standard output, one error envelope on standard error. */
function envelopeOf(ended: Ended): Loose {
  expect(ended.out).toBe("");
  const envelope = JSON.parse(ended.err);
  expect(envelope).toEqual({
    error: expect.objectContaining({
      type: expect.any(String),
      code: expect.any(String),
      message: expect.stringMatching(/./),
    }),
    request_id: envelope.request_id,
  });
  return envelope;
}

async function newCharge(): Promise<Loose> {
  const ended = await cli("charges", "create", "--amount", "1990", "--json");
  expect(ended).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ended.out);
}

describe("exit codes", () => {
  it("0: done", async () => {
    const ended = await cli("charges", "create", "--amount", "1990", "--json");
    expect([ended.code, JSON.parse(ended.out).status]).toEqual([0, "pending"]);
    const { code, out } = await cli("--version");
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
    expect((await cli("--help")).code).toBe(0);
  });

  it.each([
    ["an unknown command", ["nothing"]],
    ["an unknown action", ["charges", "destroy"]],
    ["an unknown flag", ["charges", "create", "--amount", "1", "--colour", "red"]],
    ["a missing flag", ["charges", "create"]],
    ["a missing argument", ["charges", "get"]],
    ["an argument too many", ["charges", "get", UNKNOWN, UNKNOWN]],
    ["no whole number", ["charges", "create", "--amount", "19,90"]],
    ["no JSON", ["charges", "create", "--amount", "1", "--metadata", "{"]],
    ["a file that is not there", ["charges", "create", "--amount", "1", "--metadata", "@nowhere.json"]],
    ["a value that is none of the choices", ["sandbox", "review", UNKNOWN, "--decision", "maybe"]],
    ["a profile that is not there", ["wallets", "list", "--profile", "nowhere"]],
    ["a host that is none", ["wallets", "list", "--base-url", "127.0.0.1:1"]],
  ])("2: %s", async (_what, args) => {
    const ended = await cli(...args);
    expect([ended.code, ended.out]).toEqual([2, ""]);
    expect(ended.err).not.toBe("");
    expect((await cli(...args, "--json")).code).toBe(2);
  });

  it("2: usage errors are an envelope too with --json", async () => {
    for (const args of [
      ["charges", "create"],
      ["charges", "get"],
      ["wallets", "list", "--nonsense"],
    ]) {
      const ended = await cli(...args, "--json");
      expect([ended.code, envelopeOf(ended).error.code]).toEqual([2, expect.stringMatching(/usage/)]);
    }
  });

  it("3: a key that is not valid", async () => {
    const ended = await cli("wallets", "list", "--api-key", "qa_test_nobody-knows-me", "--json");
    expect(ended.code).toBe(3);
    expect(envelopeOf(ended)).toMatchObject({
      error: { type: "authentication_error", code: "unauthorized" },
      request_id: expect.stringMatching(/^req_/),
    });
  });

  it("2: no key at all", async () => {
    const elsewhere = newPlace();
    const ended = await run(elsewhere, ["wallets", "list", "--base-url", server.url, "--json"]);
    elsewhere.remove();
    expect([ended.code, envelopeOf(ended).error.code]).toEqual([2, "no_api_key"]);
  });

  it("4: not found", async () => {
    const ended = await cli("charges", "get", UNKNOWN, "--json");
    expect([ended.code, envelopeOf(ended).error.code]).toEqual([4, "not_found"]);
  });

  it("5: refused by the service", async () => {
    const invalid = await cli("charges", "create", "--amount", "0", "--json");
    expect([invalid.code, envelopeOf(invalid).error]).toEqual([
      5,
      expect.objectContaining({ code: "invalid_amount", param: "amount" }),
    ]);
    const key = ["--idempotency-key", "cli-test-0001", "--json"];
    expect((await cli("charges", "create", "--amount", "100", ...key)).code).toBe(0);
    const reused = await cli("charges", "create", "--amount", "200", ...key);
    expect([reused.code, envelopeOf(reused).error.code]).toEqual([5, "idempotency_key_reused"]);
  });

  it("6: rate limited", async () => {
    const envelope = {
      error: { type: "rate_limit_error", code: "rate_limited", message: "slow down" },
      request_id: "r",
    };
    const url = await hostThat((_, response) => response.writeHead(429).end(JSON.stringify(envelope)));
    const ended = await cli("wallets", "list", "--base-url", url, "--api-key", server.ready.test_key, "--json");
    expect([ended.code, envelopeOf(ended)]).toEqual([6, envelope]);
  });

  it("7: no server answers", async () => {
    const ended = await cli(
      "wallets",
      "list",
      "--base-url",
      "http://127.0.0.1:9",
      "--api-key",
      server.ready.test_key,
      "--json",
    );
    expect([ended.code, envelopeOf(ended).error.code]).toEqual([7, "unreachable"]);
    const spoken = await cli("wallets", "list", "--base-url", "http://127.0.0.1:9", "--api-key", server.ready.test_key);
    expect([spoken.code, spoken.out]).toEqual([7, ""]);
    expect(spoken.err).toMatch(/qa-pay serve/);
  });

  it("7: a server error, with an envelope or without", async () => {
    const envelope = { error: { type: "api_error", code: "internal_error", message: "sorry" }, request_id: "r" };
    const url = await hostThat((_, response) => response.writeHead(500).end(JSON.stringify(envelope)));
    const ended = await cli("wallets", "list", "--base-url", url, "--api-key", server.ready.test_key, "--json");
    expect([ended.code, envelopeOf(ended)]).toEqual([7, envelope]);
    const html = await hostThat((_, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
    const bare = await cli("wallets", "list", "--base-url", html, "--api-key", server.ready.test_key, "--json");
    expect([bare.code, envelopeOf(bare).error.message]).toEqual([7, expect.stringContaining("502")]);
  });
});

describe("--json", () => {
  it("prints the bytes of the answer and nothing else", async () => {
    const charge = await newCharge();
    for (const [args, path] of [
      [["charges", "get", charge.id], `/v1/charges/${charge.id}`],
      [["wallets", "list"], "/v1/wallets"],
      [["wallets", "balance"], "/v1/wallets/balance"],
      [["webhooks", "events"], "/v1/webhooks/event-catalog"],
      [["webhooks", "stats"], "/v1/webhooks/stats"],
      [["webhooks", "deliveries", "--limit", "1"], "/v1/webhooks/deliveries?limit=1"],
      [["sandbox", "clock", "show"], "/_sandbox/clock"],
    ] as const) {
      const response = await fetch(server.url + path, { headers: { apikey: server.ready.test_key } });
      const ended = await cli(...args, "--json");
      expect(ended).toEqual({ code: 0, out: `${await response.text()}\n`, err: "" });
    }
  });

  it("prints nothing for an empty answer", async () => {
    const elsewhere = newPlace();
    const other = await serve(elsewhere);
    const ended = await run(elsewhere, ["sandbox", "reset", "--json"]);
    await other.stop();
    elsewhere.remove();
    expect(ended).toEqual({ code: 0, out: "", err: "" });
  });

  it("works before the command, too", async () => {
    expect(JSON.parse((await cli("--json", "wallets", "balance")).out).currency).toBe("BRL");
  });
});

describe("the output for a person", () => {
  it("is data on standard output, and everything else on standard error", async () => {
    const created = await cli("charges", "create", "--amount", "199000", "--description", "Pedido 42");
    expect(created.code).toBe(0);
    expect(created.out).toContain("R$ 1.990,00");
    expect(created.out).not.toContain("Idempotency");
    expect(created.err).toMatch(/Idempotency-Key: \S+/);
    const quiet = await cli("charges", "create", "--amount", "199000", "--quiet");
    expect([quiet.code, quiet.err]).toEqual([0, ""]);
    const empty = await cli("webhooks", "endpoints", "list");
    expect([empty.code, empty.out]).toEqual([0, ""]);
    for (const { out } of [created, quiet]) expect(out).not.toContain("\u001b[");
  });

  it("is a text on standard error when the service refuses", async () => {
    const ended = await cli("charges", "create", "--amount", "0");
    expect([ended.code, ended.out]).toEqual([5, ""]);
    expect(ended.err).toMatch(/^(Idempotency-Key: .*\n)?Error: .*amount/);
  });

  it("includes the request with --verbose", async () => {
    const ended = await cli("wallets", "balance", "--verbose");
    expect(ended.err).toContain(`GET ${server.url}/v1/wallets/balance`);
    expect(ended.err).not.toContain(server.ready.test_key);
  });
});

describe("the simulators", () => {
  it("pay a charge, with the payer that is asked for", async () => {
    const { id } = await newCharge();
    const paid = JSON.parse((await cli("sandbox", "pay", id, "--json")).out);
    expect(paid).toMatchObject({ outcome: "paid", charge: { id, status: "paid" } });
    const args = ["--customer-name", "Maria", "--expected-payer-tax-id", "52998224725"];
    const held = JSON.parse((await cli("charges", "create", "--amount", "5", ...args, "--json")).out);
    const unknown = JSON.parse((await cli("sandbox", "pay", held.id, "--payer-document", "null", "--json")).out);
    expect(unknown.outcome).toBe("processing");
    const reviewed = JSON.parse((await cli("sandbox", "review", held.id, "--decision", "approve", "--json")).out);
    expect(reviewed.charge.status).toBe("paid");
  });

  it("move the clock", async () => {
    const before = JSON.parse((await cli("sandbox", "clock", "show", "--json")).out);
    const after = JSON.parse((await cli("sandbox", "clock", "advance", "--seconds", "1.5", "--json")).out);
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(1_500);
  });

  it("register an endpoint and list its deliveries", async () => {
    const events = "charge.created,charge.paid";
    const args = ["webhooks", "endpoints", "create", "--url", "http://127.0.0.1:9/", "--events", events, "--json"];
    const endpoint = JSON.parse((await cli(...args)).out);
    expect(endpoint.events).toEqual(["charge.created", "charge.paid"]);
    await newCharge();
    await cli("sandbox", "clock", "advance", "--seconds", "0");
    const sent = JSON.parse((await cli("webhooks", "deliveries", "--endpoint-id", endpoint.id, "--json")).out);
    expect(sent.data).toMatchObject([{ eventType: "charge.created", status: "PENDING", attempts: 1 }]);
    const removed = await cli("webhooks", "endpoints", "delete", endpoint.id, "--json");
    expect(JSON.parse(removed.out)).toEqual({ deleted: true });
  });
});

describe("host and key", () => {
  const mode = async (args: string[], env: Record<string, string> = {}) => {
    const ended = await run(place, ["wallets", "list", "--json", ...args], { env });
    return ended.code;
  };

  it("come from the flag, else from the environment, else from the profile", async () => {
    const good = server.ready.test_key;
    const bad = "qa_test_nobody-knows-me";
    expect(await mode([])).toBe(0);
    expect(await mode([], { QA_PAY_API_KEY: bad })).toBe(3);
    expect(await mode(["--api-key", good], { QA_PAY_API_KEY: bad })).toBe(0);
    expect(await mode(["--api-key", bad], { QA_PAY_API_KEY: good })).toBe(3);
    expect(await mode([], { QA_PAY_BASE_URL: "http://127.0.0.1:9" })).toBe(2);
    expect(await mode(["--api-key", good], { QA_PAY_BASE_URL: "http://127.0.0.1:9" })).toBe(7);
    expect(await mode(["--base-url", server.url], { QA_PAY_BASE_URL: "http://127.0.0.1:9" })).toBe(0);
    expect(await mode([], { QA_PAY_PROFILE: "nowhere" })).toBe(2);
    expect(await mode(["--profile", "local"], { QA_PAY_PROFILE: "nowhere" })).toBe(0);
  });

  it("the key is read from standard input when it is -", async () => {
    const from = (input: string) => run(place, ["wallets", "list", "--json", "--api-key", "-"], { input });
    expect((await from(`${server.ready.test_key}\n`)).code).toBe(0);
    expect((await from("qa_test_nobody-knows-me")).code).toBe(3);
  });
});

describe("a request that needs a confirmation", () => {
  const create = (...args: string[]) => cli("charges", "create", "--amount", "1", "--json", ...args);

  it("is a change with a live key", async () => {
    const live = ["--api-key", server.ready.live_key];
    const refused = await create(...live);
    expect(refused.code).toBe(2);
    envelopeOf(refused);
    expect((await ask(server, server.ready.live_key, "GET", "/_sandbox/events")).body.data).toEqual([]);
    expect((await create(...live, "--yes")).code).toBe(0);
    expect((await cli("wallets", "list", "--json", ...live)).code).toBe(0);
  });

  it("is a change on another machine", async () => {
    const elsewhere = ["--base-url", "http://qa-pay.invalid", "--api-key", server.ready.test_key];
    expect((await create(...elsewhere)).code).toBe(2);
    expect((await create(...elsewhere, "--yes")).code).toBe(7);
    expect((await cli("wallets", "list", "--json", ...elsewhere)).code).toBe(7);
  });
});

describe("a host that is not an emulator", () => {
  it.each([
    ["pages", "<html><h1>404 Not Found</h1></html>"],
    ["nothing", ""],
    [
      "an envelope of its own",
      '{"error":{"type":"not_found_error","code":"not_found","message":"no"},"request_id":"r"}',
    ],
  ])("that answers 404 with %s is refused by sandbox commands", async (_what, body) => {
    const url = await hostThat((_, response) => response.writeHead(404).end(body));
    for (const args of [["pay", UNKNOWN], ["clock", "show"], ["reset"]]) {
      const ended = await cli("sandbox", ...args, "--base-url", url, "--api-key", server.ready.test_key, "--json");
      expect([args[0], ended.code, envelopeOf(ended).error.message]).toEqual([
        args[0],
        2,
        expect.stringMatching(/emulator/),
      ]);
    }
  });

  it("is recognized by other commands too", async () => {
    const url = await hostThat((_, response) => response.writeHead(404).end("<h1>404</h1>"));
    expect((await cli("wallets", "list", "--base-url", url, "--api-key", server.ready.test_key)).code).toBe(7);
  });
});

describe("--help", () => {
  it.each([["charges create"], ["webhooks test"], ["sandbox snapshots save"], ["med evidence add"], ["exec"]])(
    "of %s is what docs/CLI.md shows: the tree that the build made is that of the source",
    async (command) => {
      const { code, out } = await cli(...command.split(" "), "--help");
      expect(code).toBe(0);
      const shown = readFileSync("docs/CLI.md", "utf8")
        .split(`\`qa-pay ${command}\`\n\n\`\`\`\n`)[1]
        ?.split(/\n\n(?:Flags|Examples):/)[0];
      expect(out.startsWith(`${shown}\n`)).toBe(true);
      expect(out).toContain(`$ qa-pay ${command}`);
    },
  );
});

describe("standard output", () => {
  const printTo = (stdout: "pipe" | number) =>
    spawn(process.execPath, ["bin/qa-pay.js", "openapi"], { stdio: ["ignore", stdout, "pipe"] });
  const end = async (child: ReturnType<typeof printTo>) => {
    let err = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const [code] = await once(child, "close");
    return { code, err };
  };

  it("that its reader closes early is no error", async () => {
    const child = printTo("pipe");
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end(child)).toEqual({ code: 0, err: "" });
  });

  it.skipIf(!existsSync("/dev/full"))("that has no room left ends with 1 and says so", async () => {
    const full = openSync("/dev/full", "w");
    const ended = await end(printTo(full));
    closeSync(full);
    expect(ended).toEqual({ code: 1, err: "Error: Standard output cannot be written (ENOSPC).\n" });
  });
});

it("profiles that are added at the same moment are all kept", async () => {
  const shared = newPlace();
  const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
  const add = (name: string) =>
    run(shared, ["profiles", "add", name, "--base-url", "http://127.0.0.1:1", "--api-key", "qa_test_0123456789"]);
  for (const { code } of await Promise.all(names.map(add))) expect(code).toBe(0);
  const { out } = await run(shared, ["profiles", "list", "--json"]);
  shared.remove();
  expect(
    JSON.parse(out)
      .map(({ name }: Loose) => name)
      .sort(),
  ).toEqual(names);
});
