import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { VERSION } from "../../../src/base/platform/version.js";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { userOf } from "../../support/access.js";
import { addressOf, type Call } from "../../support/calls.js";
import { type TestCli, testCli } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import {
  contractOf,
  contracts,
  type Exchange,
  type OperationSpec,
  type Prepared,
  prepare,
  startWire,
} from "../../support/every-command.js";
import { shared, sharedEmulator } from "../../support/shared.js";

/** Each command that calls one operation: its request, its output, and its refusals. */

/** Words of a program that no person should see. */
const UGLY = /\[object|\b(undefined|NaN|null|Invalid Date)\b/;

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const wire = shared(() => startWire(emulator));
let cli: TestCli;
/** A user with the key who never logged in. */
let stranger: TestCli;

beforeAll(async () => {
  cli = testCli({ QA_PAY_BASE_URL: wire.url, QA_PAY_API_KEY: emulator.key });
  stranger = testCli({ QA_PAY_BASE_URL: wire.url, QA_PAY_API_KEY: emulator.key });
  await logIn();
});
afterAll(() => {
  for (const one of [cli, stranger]) one.remove();
});

const profilesOf = ({ folder }: TestCli) => join(folder, "config", "profiles.json");

async function logIn(): Promise<void> {
  const { email, password } = userOf(emulator);
  const { code, err } = await cli.run(["login", "--email", email, "--password-stdin"], { input: password });
  if (code !== 0) throw new Error(`no login: ${err}`);
}

/** The current token of the user. */
function token(): string {
  return JSON.parse(readFileSync(profilesOf(cli), "utf8")).logins[wire.url].token;
}

/** The headers with the only credential that a command must send. */
function credentialOf({ auth }: OperationSpec): Record<string, string> {
  if (auth === "none") return {};
  return auth === "key" ? { apikey: emulator.key } : { authorization: `Bearer ${token()}` };
}

const idempotencyKey = expect.stringMatching(/^[\w-]{8,128}$/);
const hasBody = ({ method }: OperationSpec) => method === "POST" || method === "PATCH";

/** The headers and the body that the contract of the operation requires. */
function expectedBody(spec: OperationSpec, { body = {} }: { readonly body?: Loose }): Loose {
  if (!hasBody(spec)) return null;
  const field = contractOf(spec).idempotency?.field;
  return field === undefined ? body : { ...body, [field]: idempotencyKey };
}

function expectedHeaders(spec: OperationSpec): Record<string, unknown> {
  const { idempotency } = contractOf(spec);
  return {
    accept: "application/json",
    ...credentialOf(spec),
    ...(idempotency === undefined || idempotency.field !== undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(hasBody(spec) ? { "content-type": "application/json" } : {}),
  };
}

/** Address and query in a form that does not depend on how characters are escaped. */
function plainAddress(url: string): [path: string, query: [string, string][]] {
  const { pathname, searchParams } = new URL(url, wire.url);
  return [pathname, [...searchParams]];
}

function expectRequest(spec: OperationSpec, call: Call, sent: Exchange): void {
  const { method, path } = contractOf(spec);
  const { host, connection, "user-agent": agent, "content-length": length, ...headers } = sent.headers;
  expect([sent.method, ...plainAddress(sent.url)]).toEqual([method, ...plainAddress(addressOf(path, call))]);
  expect(headers).toEqual(expectedHeaders(spec));
  expect(agent).toBe(`qa-pay/${VERSION} (${spec.command})`);
  expect(sent.body === "" ? null : JSON.parse(sent.body)).toEqual(expectedBody(spec, call));
}

/** An id that no object has, of the right form where ids have one. */
function unknownLike(id: string): string {
  const other = id.replace(/[0-9a-f]{12}$/, "0".repeat(12));
  return other === id ? "nonsense" : other;
}

/** Returns the requests since the last call, which must be so many. */
function taken(count: number): [Exchange, ...Exchange[]] {
  const [sent, ...others] = wire.taken();
  if (sent === undefined || others.length !== count - 1)
    throw new Error(`${others.length + (sent ? 1 : 0)} requests, not ${count}`);
  return [sent, ...others];
}

/** Returns the only request since the last call. */
const only = () => taken(1)[0];

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
const line = ({ words, ids, flags }: Prepared) => [...words, ...ids, ...flags];

function valueAt(value: Loose, path: string): Loose {
  return path.split(".").reduce((found, key) => found?.[key], value);
}

/** Standard error of a success: the idempotency key, the next step, the flag for the next page. Nothing else. */
function expectedNotes(spec: OperationSpec, { headers, body }: Exchange, answer: Loose): RegExp {
  const quoted = (text: unknown) => String(text).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const { idempotency } = contractOf(spec);
  const key = idempotency?.field === undefined ? headers["idempotency-key"] : JSON.parse(body)[idempotency.field];
  const next = spec.next?.replace(/\{([\w.]+)\}/g, (_match, path: string) => valueAt(answer, path));
  const more = spec.rows !== undefined && (answer.has_more || answer.total > answer.limit);
  const parts = [
    idempotency === undefined ? "" : `Idempotency-Key: ${quoted(key)}\n`,
    next === undefined ? "" : `${quoted(next)}\n`,
    more ? "\\d+ shown; for the next ones add --[a-z-]+ \\S+ \\(--all shows every one\\)\n" : "",
    typeof answer?.note === "string" && answer.note !== "" ? `${quoted(answer.note)}\n` : "",
    answer?.proof === null ? "No usual mistake was found: .+\\n" : "",
    answer?.state === "none" ? "No run belongs to this emulator\\. .+\n" : "",
  ];
  return new RegExp(`^${parts.join("")}$`);
}

/** Data of other requests that a person also sees, by the members below which columns find it. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  "charges get": ["payment"],
  "payments get": ["charge", "refunds"],
};

const isThere = (value: Loose) => value !== undefined && value !== null && value !== "";

/** A table has its heads and one line for each row. A single object has a line for every value that it has. */
function expectShown({ command, columns, rows, below }: OperationSpec, answer: Loose, out: string): void {
  expect(out).toMatch(/\S/);
  expect(out).not.toMatch(UGLY);
  if (columns.length === 0 || command === "sandbox timeline") return;
  const [object = "", table = ""] = below === undefined ? [out] : out.split("\n\n");
  if (below !== undefined) expect(table.trimEnd().split("\n")).toHaveLength(1 + answer[below.rows].length);
  const lines = object.trimEnd().split("\n");
  const firstOf = (text = "") => text.split(/ {2,}/);
  if (rows === undefined) {
    const shown = columns.filter(({ path }) => isThere(valueAt(answer, path)));
    expect(lines.map((text) => firstOf(text)[0])).toEqual(shown.map(({ header }) => header));
  } else {
    // The head of the first times also says their zone.
    expect(firstOf(lines[0]?.replace(/ \(UTC\S*\)/, ""))).toEqual(columns.map(({ header }) => header));
    expect(lines).toHaveLength(1 + (rows === "" ? answer : answer[rows]).length);
  }
}

type FlagSpec = OperationSpec["flags"][number];

/** A valid value for a flag of each type. */
const TYPICAL: Readonly<Record<FlagSpec["type"], string>> = {
  string: "text",
  integer: "1",
  number: "0.5",
  boolean: "true",
  list: "text",
  json: "{}",
  instant: "2030-01-02T03:04:05.000Z",
};

interface Shown {
  readonly url: string;
  readonly body: Loose;
}

/**
 * The field of a flag as its value is written. Of a list the last item, because a list holds the items of both flags.
 */
function written({ place, field }: FlagSpec, { url, body }: Shown): string {
  const value = place === "query" ? new URL(url).searchParams.get(field) : valueAt(body, field);
  if (Array.isArray(value)) return String(value.at(-1));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const FORM = new Set(["invalid_type", "invalid_union", "unrecognized_keys"]);

/** Checks only the form of a request by its schema. The service may still refuse a value of the right form. */
function complaintsAbout(contract: Contract, { place }: FlagSpec, { url, body }: Shown): string[] {
  const sent = place === "query" ? Object.fromEntries(new URL(url).searchParams) : body;
  const issues = contract[place]?.safeParse(sent).error?.issues ?? [];
  return issues.filter(({ code }) => FORM.has(code)).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

interface Refusal {
  readonly exit: number;
  readonly code: string;
  readonly by?: TestCli;
  readonly env?: Record<string, string>;
}

/**
 * Runs a command line that is refused: nothing on standard output, the envelope on standard error. Returns its requests. What a
 * person reads: exit-codes.test.ts.
 */
async function refused(words: readonly string[], { exit, code, by = cli, env = {} }: Refusal) {
  const program = await by.run([...words, "--json"], { env });
  expect([program.code, program.out, program.err]).toEqual([exit, "", expect.stringMatching(/^[^\n]+\n$/)]);
  const sent = wire.taken();
  if (sent[0] !== undefined) expect(program.err).toBe(`${sent[0].answer}\n`);
  const { error } = JSON.parse(program.err);
  expect(error).toMatchObject({ type: expect.any(String), code, message: expect.stringMatching(/\S/) });
  return sent;
}

/** A command line that is refused for its form, before anything is sent. What a person reads: wrong-usage.test.ts. */
async function misused(words: readonly string[], part: string): Promise<void> {
  const { code, out, err } = await cli.run([...words, "--json"]);
  expect([code, out, wire.taken()]).toEqual([2, "", []]);
  expect(JSON.parse(err)).toMatchObject({ error: { code: "usage", message: expect.stringContaining(part) } });
}

it("the command tree has every operation that has a command", () => {
  const named = contracts.flatMap(({ cli: face }) =>
    face === undefined || face.variant !== undefined ? [] : [face.command],
  );
  expect(operations.map(({ command }) => command)).toEqual(named);
  expect(new Set(named).size).toBe(named.length);
});

describe.each(operations)("$command", (spec) => {
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare(emulator, spec);
  });
  beforeEach(() => void wire.taken());

  it("with --dry-run shows its request without the key, and sends nothing", async () => {
    const words = [...line(prepared), "--dry-run"];
    const { code, out, err } = await cli.run([...words, "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const { headers, url, ...shown } = JSON.parse(out);
    const { method, path } = contractOf(spec);
    expect(shown).toEqual({ method, body: expectedBody(spec, prepared.call) });
    expect(plainAddress(url.slice(wire.url.length))).toEqual(plainAddress(addressOf(path, prepared.call)));
    expect(Object.keys(headers)).toEqual(Object.keys(expectedHeaders(spec)));
    for (const secret of Object.values(credentialOf(spec))) expect(out).not.toContain(secret.slice(0, 20));
    expect(wire.taken()).toEqual([]);
  });

  it("sends every flag as its field, in a type that the service accepts", async () => {
    const { words, ids, flags } = prepared;
    for (const flag of spec.flags) {
      // An argument of the body may be given by its flag instead.
      const others = ids.filter((_id, index) => spec.arguments[index]?.field !== flag.field);
      const base = [...words, ...others, ...flags, "--dry-run", "--json"];
      for (const value of [flag.choices?.[0] ?? TYPICAL[flag.type], ...(flag.nullable ? ["null"] : [])]) {
        const { code, out } = await cli.run([...base, `--${flag.name}`, value]);
        const shown = JSON.parse(out);
        const complaints = complaintsAbout(contractOf(spec), flag, shown);
        expect([flag.name, code, ...complaints, written(flag, shown)]).toEqual([flag.name, 0, value]);
      }
    }
  });

  it(`lets in ${spec.auth === "none" ? "anyone" : "nobody else, and ends with 3, or with 2 without a key"}`, async () => {
    const words = line(prepared);
    if (spec.auth === "none") {
      expect((await stranger.run(words, { env: { QA_PAY_API_KEY: "" } })).code).toBe(0);
    } else if (spec.auth === "key") {
      const wrong = await refused([...words, "--api-key", "qa_test_wrong000"], { exit: 3, code: "unauthorized" });
      expect(wrong.map(({ headers }) => headers.apikey)).toEqual(["qa_test_wrong000"]);
      const keyless = await refused(words, { exit: 2, code: "no_api_key", env: { QA_PAY_API_KEY: "" } });
      expect(keyless).toEqual([]);
    } else {
      expect(await refused(words, { exit: 3, code: "unauthorized", by: stranger })).toEqual([]);
    }
  });

  it.each(namesIn(spec.path))("ends with 4 for an unknown %s", async (name) => {
    const { words, ids, flags } = prepared;
    const at = namesIn(spec.path).indexOf(name);
    const unknown = unknownLike(String(ids[at]));
    const sent = await refused([...words, ...ids.with(at, unknown), ...flags], { exit: 4, code: "not_found" });
    expect(sent[0]?.url).toContain(`/${unknown}`);
  });

  it("ends with 2 for unknown words and flags, and sends nothing", async () => {
    const { words, ids, flags } = prepared;
    await misused([...line(prepared), "--nonsense"], "--nonsense");
    const others = spec.arguments.slice(ids.length).map(() => "next");
    await misused([...words, ...ids, ...others, "superfluous", ...flags], "does not take the word superfluous.");
  });

  it.each(spec.arguments.filter(({ optional }) => !optional))("ends with 2 without its $name", async ({ name }) => {
    const { words, ids, flags } = prepared;
    const at = spec.arguments.findIndex((argument) => argument.name === name);
    await misused([...words, ...ids.slice(0, at), ...flags], `<${name}> is missing`);
  });

  it.each(spec.flags.filter(({ required }) => required))("ends with 2 without --$name", async ({ name }) => {
    const { words, ids, flags } = prepared;
    const at = flags.indexOf(`--${name}`);
    await misused([...words, ...ids, ...flags.toSpliced(at, 2)], `--${name} is required.`);
  });

  // The refused and the rehearsed commands before this test changed nothing, so the same line still succeeds.
  it("sends the one request of its operation, and --json prints the answer byte for byte", async () => {
    const { code, out, err } = await cli.run([...line(prepared), "--json"]);
    const sent = only();
    expect([code, err, sent.status]).toEqual([0, "", contractOf(spec).success.status]);
    expectRequest(spec, prepared.call, sent);
    expect(out).toBe(sent.status === 204 ? "" : `${sent.answer}\n`);
    // The memory of this process is another one at every request.
    if (spec.method !== "GET" || spec.command === "sandbox settings") return;
    const direct = await fetch(emulator.url + sent.url, { headers: credentialOf(spec) });
    expect(await direct.text()).toBe(sent.answer.toString());
  });

  it("prints the same for a person in words", async () => {
    const { code, out, err } = await cli.run(line(await prepare(emulator, spec)));
    const beside = BESIDE[spec.command] ?? [];
    const [sent, ...others] = taken(1 + beside.length);
    expect([code, sent.status]).toEqual([0, contractOf(spec).success.status]);
    const own = sent.status === 204 ? undefined : JSON.parse(sent.answer.toString());
    const read = beside.map((name, index) => [name, JSON.parse(String(others[index]?.answer))]);
    const answer = read.length === 0 ? own : { ...own, ...Object.fromEntries(read) };
    expect(err).toMatch(expectedNotes(spec, sent, answer));
    expect(err).not.toMatch(UGLY);
    expectShown(spec, answer, out);
  });
});
