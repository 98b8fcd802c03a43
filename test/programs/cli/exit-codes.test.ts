import type { RequestListener, ServerResponse } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { ApiError, ERROR_CATALOGUE, type ErrorCode, toEnvelope } from "../../../src/base/kernel/errors.js";
import { EXIT } from "../../../src/programs/cli/terminal/failure.js";
import type { CliOptions, CliOutcome } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { shared } from "../../support/shared.js";
import { type Situations, startSituations } from "../../support/situations.js";

/** The exit codes of commands, with their messages: words for a person, the error envelope for a program. */

const NONE = "01980000-0000-7000-8000-000000000000";

let wires: Situations["wires"];
let cli: Situations["cli"];
let host: Situations["host"];
let answering: Situations["answering"];
let at: Situations["at"];
const situations = shared(startSituations);

beforeAll(() => {
  ({ wires, cli, host, answering, at } = situations);
});

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { "content-length": "50" });
  response.write("{", () => response.destroy());
}

async function provoke(line: string, options: CliOptions, ...flags: string[]): Promise<CliOutcome> {
  const words = await situations.wordsOf(line);
  for (const wire of wires) wire.taken();
  return cli.run([...flags, ...words], options);
}

/** A situation, the command line in it, the text that a person must be able to read, and options. */
type Row = [title: string, line: string, says: string | RegExp, options?: CliOptions];

/**
 * Checks that a command ends in the same way with and without `--json`, with empty standard output. Returns the error.
 */
async function fails(exit: number, [, line, says, options = {}]: Row): Promise<Loose> {
  const spoken = await provoke(line, options);
  expect([spoken.code, spoken.out]).toEqual([exit, ""]);
  expect(spoken.err).toMatch(
    /^((LIVE|TEST) · \S+\n)?([A-Z]+ \/\S+ on .*\n)?(Idempotency-Key: \S+\n)?Error: [^\n]*\S[.)…]\n/,
  );
  expect(spoken.err).toMatch(says);
  expect(spoken.err).not.toMatch(/undefined|\[object|^ +at /m);
  const told = await provoke(line, options, "--json");
  expect([told.code, told.out]).toEqual([exit, ""]);
  expect(told.err).toMatch(/^\{.*\}\n$/);
  return { envelope: JSON.parse(told.err), bytes: told.err.slice(0, -1), seen: wires.flatMap((wire) => wire.taken()) };
}

/** The error types of refusals by the command line itself. */
const OWN_TYPES: Readonly<Record<number, string>> = {
  [EXIT.usage]: "invalid_request_error",
  [EXIT.denied]: "authentication_error",
  [EXIT.notFound]: "not_found_error",
};

/**
 * Checks a refusal by the command line itself, without an envelope of a service. Returns the requests that were sent.
 */
async function failsItself(exit: number, code: string, row: Row): Promise<Loose[]> {
  const { envelope, seen } = await fails(exit, row);
  const error = { type: OWN_TYPES[exit] ?? "api_error", code, message: expect.stringMatching(/^\S.*\S$/s) };
  const { hint = "said", ...rest } = envelope.error;
  expect([rest, envelope.request_id, hint]).toStrictEqual([error, null, expect.stringMatching(/^\S.*\S$/s)]);
  return seen;
}

/** Checks that the envelope of the service is printed byte for byte. */
async function isRefused(exit: number, status: number, code: string, row: Row): Promise<void> {
  const { envelope, bytes, seen } = await fails(exit, row);
  expect([seen[0]?.status, envelope.error.code]).toEqual([status, code]);
  expect(bytes).toBe(seen[0]?.answer.toString());
}

it.each<[title: string, line: string, options?: CliOptions]>([
  ["a request that the service fulfils", "charges create --amount 1990"],
  ["a list with nothing in it", "webhooks endpoints list"],
  ["an answer without a body", "sandbox faults clear"],
  ["a document that needs no server", "openapi"],
  ["a status that was waited for", "charges get {paid} --wait-for paid"],
  ["a stream that a person stops", "logs tail {direct}", { onStop: (stop) => stop("SIGINT") }],
  ["a program that ends with 0", "exec -- true"],
  ["help that was asked for", "charges --help"],
])("0: done %s", async (_title, line, options = {}) => {
  const spoken = await provoke(line, options);
  expect([spoken.code, spoken.err]).toEqual([0, expect.not.stringContaining("Error")]);
  const told = await provoke(line, options, "--json");
  expect([told.code, told.err]).toEqual([0, ""]);
});

describe("1: unexpected", () => {
  let now = 0;
  const passing = { now: () => (now += 1_000) };
  const stopped: CliOptions = { onStop: (stop) => stop("SIGINT") };
  const waiting = "charges get {pending} --wait-for paid";

  it.each<[code: string, ...Row]>([
    ["unexpected", "a port that is in use", "serve --db :memory: --port {port}", /\d+ is in use.*port/],
    ["wait_timeout", "a status that does not come", `${waiting} --timeout 9s`, "still pending after 9s", passing],
    ["cancelled", "Ctrl-C while waiting", waiting, "Stopped while it was pending, not paid.", stopped],
    ["state_unreachable", "one that cannot come", "charges get {expired} --wait-for paid", "paid cannot come after"],
  ])("%s: %s", async (code, ...row) => {
    await failsItself(1, code, row);
  });

  const forged = `webhooks verify --secret s --signature sha256=${"0".repeat(64)}`;
  const small = "webhooks test {a broken receiver} --secret s --only charge.paid --quiet";

  it.each<[title: string, line: string, says: RegExp, result: object]>([
    ["a webhook that is not genuine", forged, /^✗ refused: the secret is another/, { valid: false }],
    ["a machine that is not in order", "doctor --api-key nobodys", /^✗ server .*--api-key/m, { healthy: false }],
    ["a receiver that answers wrongly", small, /^0 of 1 answered correctly\.$/m, { passed: false }],
  ])("%s: a finding is a result, so it is on standard output", async (_title, line, says, result) => {
    expect(await provoke(line, {})).toEqual({ code: 1, out: expect.stringMatching(says), err: "" });
    const told = await provoke(line, {}, "--json");
    expect([told.code, told.err]).toEqual([1, ""]);
    expect(JSON.parse(told.out)).toMatchObject(result);
  });

  it("an assertion that does not hold: it is on standard error, because standard output belongs to the program", async () => {
    const words = ["exec", "--assert", "charge.paid delivered", "--", process.execPath, "-e", ""];
    expect(await cli.run(words)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^✗ charge\.paid delivered: /),
    });
    expect(JSON.parse((await cli.run(["--json", ...words])).err)).toMatchObject({ assertions: [{ holds: false }] });
  });
});

/** Wrong command lines are in wrong-usage.test.ts. */
describe("2: refused before anything was sent", () => {
  const no = { answers: [false] };
  const charge = "charges create --amount 1990";

  it.each<[code: string, ...Row]>([
    ["confirmation_required", "with a live key", `${charge} --api-key {live key}`, "Add --yes to confirm it"],
    ["confirmation_required", "by a script", "trigger charge.paid --api-key {live key}", "Add --yes"],
    [
      "confirmation_required",
      "elsewhere",
      `${charge} --base-url http://pay.invalid --api-key qa_test_00000000`,
      "Add --yes",
    ],
    ["cancelled", "that a person thinks better of", `${charge} --api-key {live key}`, "Nothing was sent.", no],
    [
      "no_api_key",
      "without a key",
      charge,
      /^Error: No API key is known for .*\n.*--api-key/,
      { env: { QA_PAY_API_KEY: "" } },
    ],
    ["no_emulator", "of a clock that is none", "sandbox clock freeze {at a stranger}", "is not a qa-pay emulator;"],
    ["no_emulator", "where there is no log", "logs tail {at a stranger}", "this works only on one."],
  ])("%s: a change %s", async (code, ...row) => {
    expect(await failsItself(2, code, row)).toEqual([]);
  });
});

describe("3: authentication and permission", () => {
  it.each<[status: number, code: string, ...Row]>([
    [401, "unauthorized", "a wrong key", "wallets list --api-key qa_test_nobodys", "--api-key or QA_PAY_API_KEY."],
    [401, "unauthorized", "a wrong password", "login --email a@b.test --password-stdin", "password is wrong"],
    [401, "unauthorized", "a stale login", "keys list {with a stale login}", "Log in with `qa-pay login`"],
    [403, "API_KEY_ROLE_REQUIRED", "a role that may not", "keys issue --test {as a MEMBER}", "an OWNER or ADMIN"],
    [403, "fraud.customer_velocity_exceeded", "a guard", "charges create --amount 7 {by a busy customer}", "1 charge"],
  ])("%i %s: %s", async (status, code, ...row) => {
    await isRefused(3, status, code, row);
  });

  it.each<Row>([
    ["nobody who could be shown", "whoami {as nobody}", "Log in with `qa-pay login`"],
    ["nobody who could have keys", "keys list {as nobody}", "Log in with `qa-pay login`"],
    ["nobody who could log out", "logout {as nobody}", "Log in with `qa-pay login`"],
  ])("%s: the service gets no request", async (...row) => {
    expect(await failsItself(3, "unauthorized", row)).toEqual([]);
  });
});

describe("4: not found", () => {
  it.each<Row>([
    ["an unknown charge", `charges get ch_${NONE}`, "No such charge in this account and mode. (not_found)"],
    [
      "an unknown charge: what to do next",
      `charges get ch_${NONE}`,
      "Check the id and the key: `qa-pay payments list`",
    ],
    [
      "an order instead of a payment: what to do next",
      "payments refunds 8005",
      "If it is an order, a name or an amount: `qa-pay payments find 8005`",
    ],
    [
      "an order instead of a charge of the emulator: what to do next",
      "sandbox timeline 8005",
      "If it is an order, a name or an amount: `qa-pay payments find 8005`",
    ],
    ["an unknown case: what to do next", `med get med_${NONE}`, "`qa-pay med list` lists what this key sees."],
    [
      "an unknown refund: what to do next",
      "sandbox refunds get rf_none",
      "Check the id: `qa-pay sandbox refunds list`",
    ],
    [
      "what names its list itself",
      "sandbox snapshots restore none --yes",
      /^Error: .*`qa-pay sandbox snapshots list`.*\n$/,
    ],
    ["one that is waited for", `charges get ch_${NONE} --wait-for paid`, "No such charge"],
    ["one that is to be paid", `sandbox pay ch_${NONE}`, "(not_found)"],
    ["an unknown case for a file", `med evidence add med_${NONE} proof.png`, "(not_found)"],
    ["a route behind a closed door", "charges list", "start the server with `qa-pay serve --preview charge-list`"],
  ])("%s", async (...row) => {
    await isRefused(4, 404, "not_found", row);
  });

  it("an object that the command line itself did not find", async () => {
    await failsItself(4, "not_found", ["", "logs show req_none", "it keeps only the latest ones"]);
    await failsItself(4, "not_found", ["", "trigger charge.paid --charge ch_none", "There is no charge ch_none."]);
  });
});

it.each<[status: number, code: string, ...Row]>([
  [400, "invalid_amount", "an amount", "charges create --amount 0", "amount must be"],
  [400, "invalid_request", "several", "payments list --page 0 --limit 0", /\n {2}(page|limit) .*\n {2}(limit|page) /],
  [409, "idempotency_key_reused", "a key", "charges create --amount 5 --idempotency-key {used key}", "Use a new key"],
  [409, "EVIDENCE_NOT_UPLOADED", "a file that never came", "med evidence complete {unsent}", "to the address of a"],
  [413, "payload_too_large", "a large body", "charges create --amount 1 --metadata @{large}", "larger than 1 MiB"],
  [422, "unprocessable_entity", "a method", "payments create --amount 7 --payment-methods MULTIBANCO", "it is for EUR"],
])("5: refused by the service %i %s: %s", async (status, code, ...row) => {
  await isRefused(5, status, code, row);
});

describe("6: rate limited", () => {
  it("by the service itself, with the time to wait", async () => {
    const line = "wallets list {with a busy key}";
    await isRefused(6, 429, "rate_limited", ["", line, /\(rate_limited\)\nRetry-After is 60 seconds\.\n$/]);
  });

  it("not by a host without an envelope, although it sends Retry-After", async () => {
    const line = `wallets list ${at(await answering(429, "no", { "retry-after": "Sat, 21 Nov 2026 12:00:00 GMT" }))}`;
    await failsItself(7, "unexpected_answer", ["", line, "Retry-After is Sat, 21 Nov 2026 12:00:00 GMT.\n"]);
  });
});

/** Hosts where nobody listens are in wrong-hosts.test.ts. */
describe("7: no server answers, or the server cannot work", () => {
  it.each<[what: string, answers: RequestListener]>([
    ["hangs up", (_request, response) => void response.destroy()],
    ["breaks off", (_request, response) => breakOff(response)],
    ["speaks no HTTP", (_request, response) => void response.socket?.end("who is there?\r\n\r\n")],
  ])("a host that %s", async (_what, answers) => {
    const line = `wallets list ${at(await host(answers))}`;
    await failsItself(7, "unreachable", [
      "",
      line,
      /^Error: .*http:\S+ .*\(.+\)\.\n(Try it again|Is the server running)/,
    ]);
  });

  const NO_ENVELOPES = ["", "<h1>Bad Gateway</h1>", '{"error":"no"}', '{"error":{"message":"no"}}', "null"];

  it.each([
    ...[302, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 504].map((status) => [status, "<h1>No</h1>"] as const),
    ...NO_ENVELOPES.map((text) => [404, text] as const),
  ])("%i without an envelope: %s", async (status, text) => {
    const url = await answering(status, text);
    const says = `The host answered ${status} without an error envelope.\nNo qa-pay service answers like that.`;
    await failsItself(7, "unexpected_answer", ["", `wallets list ${at(url)}`, says]);
    const told = await cli.run(["api", "GET", "/v1/wallets", ...at(url).split(" "), "--json"]);
    expect([told.code, told.out, JSON.parse(told.err).error.code]).toEqual([7, "", "unexpected_answer"]);
  });

  it.each<Row>([
    ["a page", "wallets list {at a page}", "answered with something other than JSON."],
    ["another object", "charges get ch_1 {at an object}", "The host answered 200 with an object that has no id."],
    ["an object instead of a balance", "wallets balance {at an object}", "with an object that has no "],
    ["an object instead of figures", "payments stats {at an object}", "with an object that has no "],
    ["half an answer", "wallets list {at half an answer}", "something other than JSON."],
    ["a page while waiting", `charges get ch_1 --wait-for paid {at a page}`, "other than JSON."],
    ["a page for an upload", "med evidence add med_1 proof.png {at a page}", "other than JSON."],
  ])("%s that is not an answer of the service", async (...row) => {
    await failsItself(7, "unexpected_answer", row);
  });

  it("a storage that accepts a file and breaks the connection", async () => {
    const url = await host((request, response) => {
      const ticket = { id: "ev_1", upload_url: `http://${request.headers.host}/storage`, upload_headers: {} };
      if (request.method === "POST") response.writeHead(201).end(JSON.stringify(ticket));
      else request.resume().on("end", () => breakOff(response));
    });
    const line = `med evidence add med_1 proof.png ${at(url)}`;
    await failsItself(7, "unreachable", [
      "",
      line,
      /^Error: The upload to http:\S+ failed \(the connection was closed/,
    ]);
  });

  it("a receiver that does not answer a test webhook in time", async () => {
    const url = await host(() => undefined);
    const line = `webhooks test ${url} --secret s --only charge.paid --timeout 50ms --quiet`;
    await failsItself(7, "unreachable", ["", line, "no answer within 0.05 seconds"]);
  });
});

describe("an error envelope ends a command by its status alone", () => {
  const exits: Readonly<Record<number, number>> = {
    ...{
      302: 7,
      400: 5,
      401: 3,
      402: 5,
      403: 3,
      404: 4,
      405: 5,
      409: 5,
      413: 5,
      415: 5,
      418: 5,
      422: 5,
      429: 6,
      431: 5,
    },
    ...{ 500: 7, 501: 7, 502: 7, 503: 7, 504: 7 },
  };

  it.each(Object.keys(ERROR_CATALOGUE) as ErrorCode[])("%s", async (code) => {
    const refusal = new ApiError(code);
    const text = JSON.stringify(toEnvelope(refusal, "req_1"));
    const line = `wallets list ${at(await answering(refusal.status, text))}`;
    expect((await fails(exits[refusal.status] ?? -1, ["", line, `(${code})`])).bytes).toBe(text);
  });

  it.each(Object.entries(exits))("%s ends with %i; its message cannot control a terminal", async (status, exit) => {
    const error = { type: "api_error", code: "some_code", message: "No\u001b[2J\nway." };
    const text = JSON.stringify({ error, request_id: "r" });
    const url = await answering(Number(status), text);
    const { bytes } = await fails(exit, ["", `wallets list ${at(url)}`, "Error: No\\u001b[2J\\nway. (some_code)\n"]);
    expect(bytes).toBe(text);
  });
});
