import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Operation } from "../../../src/service/features/operation.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import { openCase } from "../../support/med.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** Query strings: every route that answers several objects refuses unknown parameters by name. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });

const operations: readonly Operation[] = registry;
const reads = operations.map(({ contract }) => contract).filter(({ method }) => method === "GET");

/** Operations that answer one object and have no parameters, so that none can be misspelt. */
const SINGLE = [
  "charges.get",
  "payments.get",
  "payments.provider-status",
  "payments.receipt",
  "med.get",
  "sandbox.show",
  "sandbox.clock.show",
  "sandbox.account",
  "sandbox.requests.get",
  "sandbox.refunds.get",
  "sandbox.payouts.get",
  "sandbox.events.get",
  "sandbox.emails.get",
  "sandbox.accounts.get",
  "sandbox.chaos.get",
];

const routes = reads.flatMap(({ id, path, aliases = [] }) => [path, ...aliases].map((route) => ({ id, route })));
const calls = new Map<string, Promise<Call>>();
/** The call of an operation that reads, which may be made many times. */
function callOf(id: string): Promise<Call> {
  const call = calls.get(id) ?? prepareCall(id, emulator);
  calls.set(id, call);
  return call;
}
const withQuery = (address: string, more: string) => `${address}${address.includes("?") ? "&" : "?"}${more}`;

describe("an unknown parameter", () => {
  it.each(routes.filter(({ id }) => !SINGLE.includes(id)))("is refused by name: GET $route", async ({ id, route }) => {
    const call = await callOf(id);
    for (const name of ["bogus", "Limit"]) {
      const answer = await emulator.call("GET", withQuery(addressOf(route, call), `${name}=1`), call);
      expectRefused(answer, "invalid_request", name);
    }
    expect((await emulator.call("GET", addressOf(route, call), call)).status).toBe(200);
  });

  it.each(["__proto__", "constructor", "limit "])("is refused as %j, by that name", async (name) => {
    const answer = await emulator.call("GET", `/v1/charges?${encodeURIComponent(name)}=1`);
    expectRefused(answer, "invalid_request", name);
  });

  it.each(routes.filter(({ id }) => SINGLE.includes(id)))(
    "is ignored where one object is answered: GET $route",
    async (given) => {
      const call = await callOf(given.id);
      const address = withQuery(addressOf(given.route, call), "bogus=1");
      expect((await emulator.call("GET", address, call)).status).toBe(200);
    },
  );

  const writes = operations.map(({ contract }) => contract).filter(({ method }) => method !== "GET");
  it.each(writes)("of a write counts like that of a read: $id", async ({ id, path, method, query, success }) => {
    const call = await prepareCall(id, emulator);
    const answer = await emulator.call(method, withQuery(addressOf(path, call), "bogus=1"), call);
    if (query === undefined) expect(answer.status).toBe(success.status);
    else expectRefused(answer, "invalid_request", "bogus");
    await emulator.sandbox("/clock/freeze");
  });

  it("is named together with all other unknown ones", async () => {
    const { id } = await openCase(emulator);
    const answer = await emulator.call("GET", `/v1/med/cases/${id}/evidence?status=FAILED&limit=zzz`);
    const { details } = expectRefused(answer, "invalid_request");
    expect(details.map(({ param }: { param: string }) => param)).toEqual(["status", "limit"]);
  });
});

it.each(reads.filter(({ query }) => query !== undefined))(
  "a parameter that is sent twice is refused: $id",
  async ({ id, path }) => {
    const call = await callOf(id);
    const address = addressOf(path, { ...call, query: "?limit=1&limit=2" });
    expectRefused(await emulator.call("GET", address, call), "invalid_request", "limit");
  },
);

const UUID = "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";

/** Ids of objects that a request can be about. */
const REQUEST_SUBJECTS = ["ch_", "tx_", "med_", "we_", "wd_", "key_", ""].map((prefix) => prefix + UUID);

/** Every parameter that takes an id, with forms of an id that are accepted and match nothing. */
const ID_FILTERS: readonly [path: string, param: string, ...forms: string[]][] = [
  ["/v1/webhooks/deliveries", "endpointId", `we_${UUID}`],
  ["/v1/med/cases", "charge_id", `ch_${UUID}`],
  ["/v1/infractions", "charge_id", `ch_${UUID}`],
  ["/_sandbox/med-cases", "charge_id", `ch_${UUID}`],
  ["/_sandbox/events", "subject", `ch_${UUID}`, `tx_${UUID}`, `po_${UUID}`, `med_${UUID}`, UUID],
  ["/_sandbox/requests", "subject", ...REQUEST_SUBJECTS],
  ["/_sandbox/requests/errors", "subject", ...REQUEST_SUBJECTS],
  ["/_sandbox/emails", "case_id"],
  ["/_sandbox/webhooks/deliveries", "subject", `ch_${UUID}`, `tx_${UUID}`, `po_${UUID}`, `med_${UUID}`, UUID],
  ["/_sandbox/clock/due", "subject", `ch_${UUID}`, `tx_${UUID}`, `rf_${UUID}`, `po_${UUID}`, `med_${UUID}`, UUID],
];

describe("a filter by id", () => {
  it("is every parameter whose name ends like an id", () => {
    const named = reads.flatMap(({ path, query }) =>
      Object.keys(query?.shape ?? {})
        .filter((name) => /(?:[iI]d|subject)$/.test(name))
        .map((name) => `${path} ${name}`),
    );
    // This parameter takes the customer's document, not an id.
    const known = ID_FILTERS.map(([path, param]) => `${path} ${param}`).filter((one) => !one.includes("infractions"));
    expect(named.sort()).toEqual([...known, "/v1/charges customer_id"].sort());
  });

  it.each(ID_FILTERS)("%s refuses a %s that is not an id of its kind", async (path, param, ...forms) => {
    const foreign = ["key_", "usr_", "evt_", "rf_", "CH_"]
      .map((prefix) => prefix + UUID)
      .filter((id) => !forms.includes(id));
    for (const text of ["zzz", "", "we_", "ch_zzz", UUID.toUpperCase(), ` ${UUID}`, ...foreign]) {
      const answer = await emulator.call("GET", `${path}?${param}=${encodeURIComponent(text)}`);
      const { message } = expectRefused(answer, "invalid_request", param);
      expect(message).toContain("must be the id of");
    }
    for (const text of forms) {
      const answer = await emulator.call("GET", `${path}?${param}=${text}`);
      expect([text, answer.status, answer.body.data]).toEqual([text, 200, []]);
    }
  });

  it("finds objects by every form of the id", async () => {
    const { id } = await subscribe(emulator, "http://127.0.0.1:9/", ["charge.created"]);
    await emulator.charge();
    for (const form of [id, id.slice("we_".length)]) {
      expect((await emulator.sandbox(`/webhooks/deliveries?endpoint=${form}`)).data).toHaveLength(1);
    }
  });
});

const CURSORS: readonly [path: string, param: string][] = [
  ["/v1/charges", "starting_after"],
  ["/v1/med/cases", "starting_after"],
  ["/_sandbox/med-cases", "starting_after"],
  ["/_sandbox/events", "after"],
  ["/_sandbox/requests", "after"],
  ["/_sandbox/emails", "after"],
  ["/_sandbox/audit", "after"],
  ["/_sandbox/snapshots", "after"],
  ["/_sandbox/webhooks/deliveries", "after"],
  ["/_sandbox/clock/due", "after"],
  ["/_sandbox/accounts", "after"],
  ["/_sandbox/ledger/journals", "after"],
  ["/_sandbox/payments", "after"],
  ["/_sandbox/payouts", "after"],
  ["/_sandbox/refunds", "after"],
];

describe("a cursor", () => {
  it("is a parameter of every list with pages", () => {
    const named = reads.flatMap(({ path, query }) =>
      Object.keys(query?.shape ?? {}).flatMap((name) => (/after$/.test(name) ? [`${path} ${name}`] : [])),
    );
    const known = CURSORS.map((one) => one.join(" "));
    // These parameters are instants, not cursors.
    const bounds = ["/v1/charges", "/v1/med/cases", "/_sandbox/med-cases"].map((path) => `${path} created_after`);
    // The first needs a text to look for, the second a collector. Their own tests have the refusal.
    const others = ["/_sandbox/search after", "/_sandbox/collectors/{id}/webhooks after"];
    expect(named.sort()).toEqual([...known, ...bounds, ...others].sort());
  });

  it.each(CURSORS)("%s refuses a %s that is not a cursor", async (path, param) => {
    for (const text of ["zzz", `ch_${UUID}`, `med_${UUID}`, UUID, ""]) {
      expectRefused(await emulator.call("GET", `${path}?${param}=${text}`), "invalid_request", param);
    }
  });
});
