import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startHost } from "../../support/running.js";
import { shared, sharedCli, sharedEmulator } from "../../support/shared.js";

/** Commands that send, at hosts that do not know the key, that do not answer, or that are no qa-pay service. */

const OF_ANOTHER = "qa_test_of-another-database";

const emulator = sharedEmulator({ frozen: true });
/** A host whose answer each test gives. `asked` has the requests that came to it. */
let answer: { status: number; text: string; headers?: Record<string, string> };
let asked: string[] = [];
const host = shared(() =>
  startHost((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => response.writeHead(answer.status, answer.headers).end(answer.text));
  }),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: OF_ANOTHER }));
beforeAll(() => {
  const steps = [{ name: "charge", request: "POST /v1/charges", body: { amount: 1, payment_method: "pix" } }];
  writeFileSync(join(cli.folder, "mine.json"), JSON.stringify({ steps }));
});

/** Commands that any service could take. */
const OF_ANY = [
  "wallets list",
  "charges create --amount 1",
  "fixtures run mine.json",
  "listen --forward-to http://127.0.0.1:9",
  "listen --print-secret",
  "trigger charge.paid --charge ch_1",
];
/** Commands that only an emulator can take. */
const OF_EMULATORS = ["sandbox events", "sandbox pay ch_1", "trigger charge.paid", "logs tail", "logs show req_1"];
const LINES = [...OF_ANY, ...OF_EMULATORS];
const atHost = () => ["--base-url", host.url, "--api-key", OF_ANOTHER];

/** Checks how a command ends, for a person and for a program. Returns what a person reads. */
async function ends(line: string, exit: number, code: string, flags: readonly string[] = [], env = {}) {
  asked = [];
  const words = [...line.split(" "), ...flags];
  const spoken = await cli.run(words, { env });
  expect([spoken.code, spoken.out]).toEqual([exit, ""]);
  const told = await cli.run([...words, "--json"], { env });
  expect([told.code, told.out, JSON.parse(told.err).error.code]).toEqual([exit, "", code]);
  return spoken.err;
}

describe.each(LINES)("%s", (line) => {
  it("with a key that the server does not know ends with 3: the error says where it is from and why it may be wrong", async () => {
    const cause = (from: string) =>
      `${emulator.url} does not know the key from ${from}: it belongs to another server or database, ` +
      "or was rotated or revoked. Pass a key of this host with --api-key or QA_PAY_API_KEY.\n";
    const err = await ends(line, 3, "unauthorized");
    expect(err).toContain(cause("QA_PAY_API_KEY"));
    expect(err).not.toMatch(/Start a server|of-another-database/);
    expect(await ends(line, 3, "unauthorized", ["--api-key", "qa_test_typed"])).toContain(cause("--api-key"));
  });

  it("without a key ends with 2, and without a server with 7", async () => {
    await ends(line, 2, "no_api_key", [], { QA_PAY_API_KEY: "" });
    const err = await ends(line, 7, "unreachable", ["--base-url", "http://127.0.0.1:9", "--api-key", emulator.key]);
    expect(err).toMatch(/Nobody answers at http:\/\/127\.0\.0\.1:9 .*ECONNREFUSED[\s\S]*`qa-pay serve`/);
  });
});

describe.each(OF_EMULATORS)("%s", (line) => {
  it.each([
    ["knows no such address", 404, '{"error":{"type":"t","code":"not_found","message":"No."},"request_id":"r"}'],
    ["answers everything with a page", 200, "<h1>Shop</h1>"],
    ["answers everything with JSON", 200, '{"data":[]}'],
    ["takes another method", 405, ""],
    ["redirects, which is not followed", 302, ""],
  ])("at a host that %s ends with 2, and sends no further request", async (_what, status, text) => {
    answer = { status, text, headers: { location: `${emulator.url}/_sandbox` } };
    const err = await ends(line, 2, "no_emulator", atHost());
    expect(err).toBe(`Error: ${host.url} is not a qa-pay emulator; this works only on one.\n`);
    expect(new Set(asked)).toEqual(new Set(["GET /_sandbox"]));
  });

  it.each([401, 403, 429, 500, 502, 503])(
    "at a host that answers %i without an envelope ends with 7",
    async (status) => {
      answer = { status, text: "no" };
      const err = await ends(line, 7, "unexpected_answer", atHost());
      expect(err).toContain(`Error: The host answered ${status} without an error envelope.\n`);
    },
  );
});

describe("what the service itself refuses ends with 5", () => {
  const known = (...words: string[]) => cli.run([...words, "--api-key", emulator.key]);

  it.each(["--status ok", "--status 99", "--method STEAL"])("logs tail %s", async (flags) => {
    const { code, out, err } = await known("logs", "tail", ...flags.split(" "));
    expect([code, out, err]).toEqual([5, "", expect.stringContaining(flags.split(" ")[0]?.slice(2) ?? "")]);
  });

  it("an event that is not there is answered with the nearest one, and nothing is registered", async () => {
    const words = ["webhooks", "endpoints", "create", "--url", "http://127.0.0.1:9/", "--events"];
    const { code, out, err } = await known(...words, "charge.paid,charge.expird");
    expect([code, out]).toEqual([5, ""]);
    expect(err).toMatch(/events\.1 must be one of .*\nDid you mean charge\.expired\?\n$/);
    expect((await emulator.call("GET", "/v1/webhooks/endpoints")).body.data).toEqual([]);
  });
});

it.each(["fixtures run zzzzzz", "payments list --status zzzzzz"])("%s gets no suggestion", async (line) => {
  const { code, err } = await cli.run(line.split(" "));
  expect([code, err.toLowerCase()]).toEqual([2, expect.not.stringContaining("did you mean")]);
});
