import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { asNew, curlLine, operationLine } from "../../../src/api/client/request-text.js";
import { addressOf, type Route } from "../../../src/api/client/route.js";
import { registry } from "../../../src/api/registry.js";
import { put } from "../../../src/base/kernel/pick.js";
import type { AnyInput } from "../../../src/web/console/browser/api/input.js";
import { type CommandFact, commands, type FlagFact } from "../../../src/web/console/browser/facts/commands.js";
import { routes } from "../../../src/web/console/browser/facts/routes.js";
import { userOf } from "../../support/access.js";
import type { Loose } from "../../support/emulator.js";
import { isNumber } from "../../support/every-command.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { readCurl, wordsOf } from "../../support/shell-lines.js";

/** The command and the curl line that the console shows for an operation: run as they are, they send the page's own request. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(() => ({ QA_PAY_API_KEY: emulator.key }));
beforeAll(async () => {
  const { email, password } = await userOf(emulator);
  const login = await cli.run(["login", "--email", email, "--base-url", emulator.url, "--password-stdin"], {
    input: password,
  });
  expect(login.err + login.out, login.err).toContain(email);
});

const TEXTS = [
  "Pedido 42",
  'it\'s "quoted" $HOME `id` \\ ;|&*?!#~',
  "-begins-with-a-dash",
  "--base-url",
  "line 1\nline 2 — açaí 🍇",
  "@file",
  "null",
  "true",
  "12",
  " spaces around ",
  "a,b",
  "https://example.com/?a=1&b=%27#c",
  "http://127.0.0.1:4600/console/charges/ch_1",
  "é",
];

const INSTANTS = ["2026-11-23T00:00:00Z", "2026-11-23T10:15:30.500-03:00", "2026-11-23", "2026-11-23T10:15", "next"];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ minLength: 1, maxLength: 12 }));
const id = fc.oneof(
  fc.constantFrom("ch_0198", "before-refund", "a@b.example"),
  text.filter((one) => !["", ".", ".."].includes(one)),
);
const json = fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), fc.oneof(text, fc.integer(), fc.boolean()), {
  maxKeys: 3,
  noNullPrototype: true,
});

function valuesOf({ type, place, choices, nullable }: FlagFact): fc.Arbitrary<unknown> {
  const plain = (): fc.Arbitrary<unknown> => {
    if (type === "integer") return fc.integer();
    if (type === "number") return fc.double({ min: 0, max: 1, noNaN: true }).filter((value) => !Object.is(value, -0));
    if (type === "boolean") return fc.boolean();
    if (type === "json") return json;
    if (type === "instant") return fc.oneof(fc.constantFrom(...INSTANTS), text);
    const one = choices === undefined || choices.length === 0 ? text : fc.constantFrom(...choices);
    if (type === "list") return fc.array(one, { maxLength: 3 });
    return place === "body" ? fc.oneof({ weight: 5, arbitrary: one }, text, fc.constant("")) : fc.oneof(one, text);
  };
  return nullable === true ? fc.oneof({ weight: 4, arbitrary: plain() }, fc.constant(null)) : plain();
}

/** Inputs of an operation, some of which no flag can give. */
function inputsOf(fact: CommandFact): fc.Arbitrary<AnyInput> {
  const isNeeded = ({ name, required }: FlagFact) => required || (fact.oneOf ?? [])[0] === name;
  const named = new Set(fact.arguments.flatMap(({ field }) => field ?? []));
  const flags = fact.flags.filter(({ field }) => !named.has(field));
  const values = fc.tuple(
    ...flags.map((flag) => (isNeeded(flag) ? valuesOf(flag) : fc.option(valuesOf(flag), { nil: undefined, freq: 2 }))),
  );
  const words = fc.tuple(...fact.arguments.map(() => id));
  const extra = fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true));
  return fc.tuple(values, words, extra).map(([given, ids, isOdd]) => {
    const [params, query, body]: Record<string, Loose>[] = [{}, {}, { ...fact.sends }];
    for (const [index, { field, place }] of flags.entries()) {
      const value = given[index];
      if (value === undefined) continue;
      if (place === "query") (query as Loose)[field] = value;
      else put(body as Loose, field, value);
    }
    for (const [index, { name, field }] of fact.arguments.entries()) {
      const inBody = fact.flags.some((flag) => flag.field === field && flag.place === "query") ? query : body;
      const holder = field === undefined ? params : inBody;
      (holder as Loose)[field ?? name] = ids[index];
    }
    const isRead = fact.flags.every(({ place }) => place === "query");
    if (isOdd) (isRead ? (query as Loose) : (body as Loose)).unknown_field = "x";
    return { params, query, body } as AnyInput;
  });
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: unknown;
}

/** The shortest input of an operation, of values that no shell and no flag reads in another way. */
function plainInput(fact: CommandFact): AnyInput {
  const [params, query, body]: Record<string, unknown>[] = [{}, {}, { ...fact.sends }];
  for (const { name, field } of fact.arguments) {
    const isInQuery = fact.flags.some((flag) => flag.field === field && flag.place === "query");
    const value = isNumber(fact.flags, field) ? 1 : "an-id";
    if (field === undefined) Object.assign(params ?? {}, { [name]: value });
    else Object.assign((isInQuery ? query : body) ?? {}, { [field]: value });
  }
  const values = { integer: 1, number: 1, boolean: true, list: ["one"], json: { a: 1 }, string: "one", instant: "one" };
  for (const { type, field, place, choices, required } of fact.flags) {
    if (!required) continue;
    const value = choices?.[0] ?? values[type];
    if (place === "query") Object.assign(query ?? {}, { [field]: value });
    else put(body ?? {}, field, type === "list" ? [value].flat() : value);
  }
  return { params, query, body } as AnyInput;
}

const KEY = "the idempotency key";

/** A request without its idempotency key in the body, whatever the order of its query. */
function essence({ key }: Route, method: string, address: string, body: unknown): Sent {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  const inBody = key === undefined || key === "header" ? {} : { [key]: KEY };
  const hasBody = method !== "GET" && method !== "DELETE";
  const plain = hasBody ? { ...(body as object), ...inBody } : {};
  return { method, path: pathname, query: [...searchParams].sort(), body: plain };
}

/** Requests of the page itself. */
function ofPage(route: Route, input: AnyInput): Sent {
  const body = JSON.parse(JSON.stringify(input.body ?? {}));
  return essence(route, route.method, addressOf(route.path, input), body);
}

async function ofCommand(route: Route, words: readonly string[]): Promise<Sent> {
  const own = words.slice(1).map((word) => (word === ADDRESS ? emulator.url : word));
  const { code, out, err } = await cli.run([...own, "--dry-run", "--json"]);
  expect(err, words.join(" ")).toBe("");
  expect(code).toBe(0);
  const { method, url, body, headers } = JSON.parse(out);
  expect(url.startsWith(`${emulator.url}/`)).toBe(true);
  if (route.key === "header") expect(headers["idempotency-key"]).toBeTruthy();
  if (route.key !== undefined && route.key !== "header") expect(body[route.key]).toBeTruthy();
  return essence(route, method, url, body ?? {});
}

function ofCurlLine(route: Route, words: readonly string[]) {
  const { method, address, headers, body = "{}" } = readCurl(words);
  expect(address.startsWith(`${ADDRESS}/`)).toBe(true);
  expect(address).not.toMatch(/[[\]{}]/);
  const parsed = JSON.parse(body);
  if (route.key !== undefined && route.key !== "header") expect(parsed[route.key]).toBe("made-anew");
  return { sent: essence(route, method, address, parsed), headers };
}

/** The headers with the credential of a route, as the shell of these tests fills them. */
function credentialsOf(name: string): Loose {
  const auth = registry.map(({ contract }) => contract).find((contract) => contract.id === name)?.auth;
  return { apikey: auth === "key" ? "a-key" : undefined, authorization: auth === "jwt" ? "Bearer a-token" : undefined };
}

const ADDRESS = "http://127.0.0.1:4999";
const RUNS = 12;

const OPERATIONS = Object.entries(commands).map(([name, fact]) => {
  const route = routes[name] ?? { method: "GET" as const, path: "", auth: "key" as const, key: undefined };
  const inputs = fc.sample(inputsOf(fact), { numRuns: RUNS, seed: 20_261_122 });
  const ofCli = inputs.map((input) => operationLine(fact, route, { input, baseUrl: ADDRESS }));
  const ofCurl = inputs.map((input) => curlLine(asNew(route, input), ADDRESS).line);
  return { name, fact, route, inputs, ofCli, ofCurl };
});
const LINES = OPERATIONS.flatMap((operation) => [...operation.ofCli, ...operation.ofCurl]);
const WORDS = new Map(
  wordsOf(LINES, { QA_PAY_API_KEY: "a-key", QA_PAY_TOKEN: "a-token" }).map((words, index) => [LINES[index], words]),
);

it("every operation with a command is looked at", () => {
  const known = registry.map(({ contract }) => contract).filter(({ cli: face }: Loose) => face !== undefined);
  expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(known.map((contract) => contract.id).sort());
});

describe.each(OPERATIONS)("$name", ({ name, fact, route, inputs, ofCli, ofCurl }) => {
  it("is shown as a command that sends what the page sends", async () => {
    for (const [index, input] of inputs.entries()) {
      const sent = await ofCommand(route, WORDS.get(ofCli[index]) ?? []);
      expect(sent, ofCli[index]).toEqual(ofPage(route, input));
    }
  });

  it("is shown as a curl line that sends what the page sends, with the credential that the route takes", () => {
    for (const [index, input] of inputs.entries()) {
      const { sent, headers } = ofCurlLine(route, WORDS.get(ofCurl[index]) ?? []);
      expect(sent, ofCurl[index]).toEqual(ofPage(route, input));
      const credential = { apikey: headers.apikey, authorization: headers.authorization };
      expect(credential).toEqual(credentialsOf(name));
      if (route.key === "header") expect(headers["idempotency-key"]).toBe("made-anew");
    }
  });

  it("is shown under its own words when its flags can make the request", () => {
    const line = operationLine(fact, route, { input: plainInput(fact), baseUrl: null });
    expect(line.startsWith(`qa-pay ${fact.command}`), line).toBe(true);
  });
});

it("an input that flags cannot express is shown as a call of the interface", () => {
  const { "charges.create": fact } = commands;
  const { "charges.create": route } = routes;
  if (fact === undefined || route === undefined) throw new Error("there is no charges.create");
  const line = (body: Record<string, unknown>) => operationLine(fact, route, { input: { body }, baseUrl: null });
  const charge = { amount: 1990, payment_method: "pix" };
  expect(line({ ...charge, description: "-x" })).toBe("qa-pay charges create --amount 1990 --description=-x");
  expect(line({ ...charge, metadata: { order: 42 } })).toBe(
    `qa-pay charges create --amount 1990 --metadata '{"order":42}'`,
  );
  expect(line({ ...charge, a: 1 })).toBe(
    `qa-pay api POST /v1/charges --data '{"amount":1990,"payment_method":"pix","a":1}'`,
  );
  expect(line({ amount: 1990 })).toBe(`qa-pay api POST /v1/charges --data '{"amount":1990}'`);
});
