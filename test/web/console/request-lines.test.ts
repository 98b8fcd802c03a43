import { describe, expect, it } from "vitest";
import { asSent, inputOf } from "../../../src/api/client/request-text.js";
import { allRoutes } from "../../../src/web/console/browser/facts/all-routes.js";
import { routes } from "../../../src/web/console/browser/facts/routes.js";
import { clientCall } from "../../../src/web/console/browser/words/client-code.js";
import {
  lastingPart,
  powerShellLine,
  powerShellText,
  reasonNotToSend,
  vitestText,
  withBodyKey,
} from "../../../src/web/console/browser/words/request-lines.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

/** A request of the log as text for other places. */

const emulator = sharedEmulator({ frozen: true });

const latest = async (): Promise<Loose> => (await emulator.sandbox("/requests?limit=1")).data[0];

async function logged(method: string, path: string, body?: unknown): Promise<Loose> {
  const headers = { "idempotency-key": freshKey() };
  await emulator.call(method, path, body === undefined ? {} : { body, headers });
  return latest();
}

const calledBy = (entry: Loose) => inputOf(entry, allRoutes);

function clientLine(entry: Loose): string | null {
  const called = calledBy(entry);
  return called === null ? null : clientCall(called.route.id, called.route, called.input);
}

const CHARGE = { amount: 1990, payment_method: "pix", customer: { name: "O'Hara ‘Zé’" } };

describe("the operation of a request", () => {
  it("is found with its parameters, query, body and key", async () => {
    const made = await logged("POST", "/v1/charges", CHARGE);
    expect(calledBy(made)).toMatchObject({
      route: { id: "charges.create" },
      input: { body: CHARGE, idempotencyKey: made.idempotency_key },
    });
    const read = await logged("GET", `/v1/charges/${made.subject}`);
    expect(calledBy(read)).toEqual({
      route: { id: "charges.get", ...routes["charges.get"] },
      input: { params: { id: made.subject } },
    });
    const list = await logged("GET", "/v1/payments?limit=3");
    expect(calledBy(list)?.input).toEqual({ query: { limit: "3" } });
  });

  it("is a route of fixed words rather than one with a parameter in their place", async () => {
    const metrics = await logged("GET", "/v1/payments/metrics");
    expect(calledBy(metrics)?.route.path).toBe("/v1/payments/metrics");
  });

  it("is null for an unknown path and for a body that is no object", async () => {
    expect(calledBy(await logged("GET", "/v1/nothing"))).toBeNull();
    const list = await logged("POST", "/v1/charges", [1]);
    expect([calledBy(list), clientLine(list)]).toEqual([null, null]);
  });
});

it("a call of the client has the body and a new idempotency key", async () => {
  const line = clientLine(await logged("POST", "/v1/charges", CHARGE));
  expect(line).toBe(
    `await client["charges.create"]({ body: { amount: 1990, payment_method: "pix", customer: { name: "O'Hara ‘Zé’" } }, idempotencyKey: crypto.randomUUID() });`,
  );
});

/** The value of a text in single quotes, as PowerShell reads it: two quotes of any kind in a row are the second one. */
function readByPowerShell(text: string): string {
  return text.slice(1, -1).replace(/['\u2018-\u201b](['\u2018-\u201b])/g, "$1");
}

describe("a line for PowerShell", () => {
  it("quotes every kind of single quote", () => {
    const text = "O'Hara ‘Zé’ ‛x‚ $env:PATH `n";
    expect(powerShellText(text)).toBe("'O''Hara ‘‘Zé’’ ‛‛x‚‚ $env:PATH `n'".replace("‚‚", "\u201a\u201a"));
    expect(readByPowerShell(powerShellText(text))).toBe(text);
  });

  it("sends the body as UTF-8 and has the key as a variable", async () => {
    const made = await logged("POST", "/v1/charges", CHARGE);
    const { line } = powerShellLine(asSent(made, allRoutes), "http://127.0.0.1:4600");
    expect(line).toBe(
      `Invoke-RestMethod -Method POST -Uri 'http://127.0.0.1:4600/v1/charges' -Headers @{ 'apikey' = $env:QA_PAY_API_KEY; ` +
        `'idempotency-key' = '${made.idempotency_key}' } -ContentType 'application/json; charset=utf-8' ` +
        `-Body ${powerShellText(JSON.stringify(CHARGE))}`,
    );
    expect(line).not.toContain(emulator.key);
  });

  it("has no body for a read", async () => {
    const { line } = powerShellLine(asSent(await logged("GET", "/v1/payments"), allRoutes), "http://127.0.0.1:4600");
    expect(line).toContain("-Method GET");
    expect(line).not.toContain("-Body");
  });
});

/** Runs the text of a test against this emulator, and answers what it expected. */
async function run(text: string): Promise<{ title: string; expected: unknown[] }> {
  const found: { title: string; test: () => Promise<void> }[] = [];
  const expected: unknown[] = [];
  const given = {
    createEmulator: async () => ({ url: emulator.url, testKey: emulator.key, close: async () => undefined }),
    test: (title: string, body: () => Promise<void>) => found.push({ title, test: body }),
    expect: (value: unknown) => ({
      toBe: (wanted: unknown) => expected.push([value, wanted]) && expect(value).toBe(wanted),
      toMatchObject: (wanted: object) => expected.push([value, wanted]) && expect(value).toMatchObject(wanted),
    }),
  };
  const code = text.replace(/^import .*$/gm, "");
  new Function(...Object.keys(given), code)(...Object.values(given));
  const [one] = found;
  await one?.test();
  return { title: one?.title ?? "", expected };
}

describe("a test for Vitest", () => {
  it("sends the same request and expects the lasting part of the answer", async () => {
    const made = await logged("POST", "/v1/charges", CHARGE);
    expect(lastingPart(made)).toEqual({ amount: 1990, object: "charge", payment_method: "pix", status: "pending" });
    const before = (await latest()).number;
    const { title, expected } = await run(vitestText(made, asSent(made, allRoutes)));
    expect(title).toBe("POST /v1/charges answers 201");
    expect(expected).toHaveLength(2);
    const again = await latest();
    expect(again.number).toBeGreaterThan(before);
    expect(again.request_body).toEqual(CHARGE);
  });

  it("expects type, code and field of an error", async () => {
    const refused = await logged("POST", "/v1/charges", { ...CHARGE, amount: 0 });
    expect(lastingPart(refused)).toEqual({
      error: { type: "invalid_request_error", code: "invalid_amount", param: "amount" },
    });
    expect((await run(vitestText(refused, asSent(refused, allRoutes)))).expected).toHaveLength(2);
  });
});

const reasonOf = (entry: Loose) => reasonNotToSend(asSent(entry, allRoutes));

it("a request that cannot be sent again had a body that was not kept, a secret, or no JSON", async () => {
  const good = await logged("POST", "/v1/charges", CHARGE);
  expect(reasonOf(good)).toBeNull();
  expect(reasonOf({ ...good, request_body: "[20000 characters, not kept]" })).toBe("not_kept");
  expect(reasonOf({ ...good, request_body: { password: "[not logged]" } })).toBe("secret");
  expect(reasonOf({ ...good, request_headers: { "content-type": "text/plain" } })).toBe("not_json");
  expect(reasonOf(await logged("GET", "/v1/payments"))).toBeNull();
});

it("an idempotency key in the body is replaced by a new one, and a key in the header leaves the body unchanged", () => {
  const body = { amount: 1, idempotencyKey: "old" };
  expect(withBodyKey(routes["payments.create"], body, "new")).toEqual({ amount: 1, idempotencyKey: "new" });
  expect(withBodyKey(routes["charges.create"], body, "new")).toBe(body);
});
