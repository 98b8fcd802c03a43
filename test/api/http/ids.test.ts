import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { ID_PREFIX } from "../../../src/base/kernel/ids.js";
import type { Operation } from "../../../src/service/features/operation.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import { openConsole } from "../../support/console.js";
import type { Loose } from "../../support/emulator.js";
import { openCase, paidCharge } from "../../support/med.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** Which forms of ids are taken where (docs/service/requests.md#ids), for every operation with an id at once. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const bareOf = (id: string) => UUID.exec(id)?.[0] ?? "";
const contracts = (registry as readonly Operation[]).map(({ contract }) => contract);

/** Every id of every path: names of snapshots and numbers of requests are no ids. */
const places = contracts
  .filter(({ path }) => /\{(id|evidence_id)\}/.test(path))
  .flatMap(({ id: operation, method, surface, success, path, aliases = [] }) =>
    [path, ...aliases].flatMap((route) =>
      [...route.matchAll(/([\w-]+)\/\{(id|evidence_id)\}/g)].map(([, segment = "", name]) => ({
        ...{ operation, method, surface, status: success.status, route },
        ...{ segment, name: name as "id" | "evidence_id" },
      })),
    ),
  );

/** The segments behind which the service takes an id without its prefix. */
const WITHOUT_PREFIX = ["charges", "payments"];

describe("an id in a path", () => {
  it("is in the paths of charges, payments, cases, evidence, endpoints and keys of the service", () => {
    const segments = places.filter(({ surface }) => surface === "api").map(({ segment }) => segment);
    expect([...new Set(segments)].sort()).toEqual(
      ["api-keys", "cases", "charges", "endpoints", "evidence", "infractions", "payments"].sort(),
    );
  });

  const strict = places.filter(({ surface, segment }) => surface === "api" && !WITHOUT_PREFIX.includes(segment));
  it.each(strict)("needs its prefix: $method $route, $name", async ({ operation, method, route, name, status }) => {
    const call: Call = await prepareCall(operation as never, emulator);
    const id = String(call[name]);
    for (const other of [bareOf(id), ID_PREFIX.charge + bareOf(id), ID_PREFIX.user + bareOf(id), id.toUpperCase()]) {
      const answer = await emulator.call(method, addressOf(route, { ...call, [name]: other }), call);
      expectRefused(answer, "not_found");
    }
    expect((await emulator.call(method, addressOf(route, call), call)).status).toBe(status);
  });

  const lenient = places.filter(({ surface, segment }) => surface === "sandbox" || WITHOUT_PREFIX.includes(segment));
  it.each(lenient)(
    "is also taken without its prefix: $method $route",
    async ({ operation, method, route, name, status }) => {
      const call: Call = await prepareCall(operation as never, emulator);
      const without = { ...call, [name]: bareOf(String(call[name])) };
      expect((await emulator.call(method, addressOf(route, without), without)).status).toBe(status);
      await emulator.sandbox("/clock/freeze");
    },
  );
});

it("the console takes an id without its prefix, because people type addresses of its pages", async () => {
  const page = await openConsole(emulator);
  const { id } = await openCase(emulator);
  expect((await page.call("GET", `/v1/med/cases/${bareOf(id)}`)).body.id).toBe(id);
});

describe("an id as a filter", () => {
  /** Every field of a query that takes ids, found by what it says about a text that is none. */
  const filters = contracts.flatMap(({ id, path, surface, query }) =>
    Object.entries(query?.shape ?? {}).flatMap(([field, schema]) => {
      const refused = (schema as Loose).safeParse("nonsense");
      const isId = !refused.success && refused.error.issues[0].message.startsWith("must be the id of");
      return isId ? [{ id, path, surface, field, schema: schema as Loose }] : [];
    }),
  );
  const uuid = "0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";

  it("is in the lists of deliveries and of cases of the service", () => {
    const found = filters.filter(({ surface }) => surface === "api").map(({ path, field }) => `${path} ${field}`);
    expect(found).toEqual(["/v1/webhooks/deliveries endpointId", "/v1/med/cases charge_id"]);
  });

  it.each(filters)("is taken without a prefix where its kind may be: $path $field", ({ surface, schema }) => {
    expect(schema.safeParse(uuid).success).toBe(surface === "sandbox");
  });

  it("of a charge needs its prefix in the list of cases", async () => {
    const charge = await paidCharge(emulator);
    const { id } = await openCase(emulator, { charge_id: charge.id });
    const list = (value: string) => emulator.call("GET", `/v1/med/cases?charge_id=${value}`);
    expect((await list(charge.id)).body.data.map((one: Loose) => one.id)).toEqual([id]);
    for (const form of [bareOf(charge.id), `tx_${bareOf(charge.id)}`, charge.id.toUpperCase(), `${charge.id}%20`]) {
      expectRefused(await list(form), "invalid_request", "charge_id");
    }
  });
});

describe("an id as a cursor", () => {
  it("needs its prefix in the lists of the service", async () => {
    const cases = [(await openCase(emulator)).id, (await openCase(emulator)).id];
    const charges = [(await emulator.charge()).id, (await emulator.charge()).id];
    for (const [path, [, newest]] of [
      ["/v1/med/cases", cases],
      ["/v1/charges", charges],
    ] as const) {
      const page = (cursor: string) => emulator.call("GET", `${path}?starting_after=${cursor}`);
      expect((await page(newest)).status).toBe(200);
      expectRefused(await page(bareOf(newest)), "invalid_request", "starting_after");
    }
  });

  it("does not in those of the control interface", async () => {
    await openCase(emulator);
    for (const path of ["/emails", "/events"]) {
      const { data } = await emulator.sandbox(`${path}?limit=1`);
      const next = await emulator.sandbox(`${path}?after=${bareOf(data[0].id)}&limit=1`);
      expect(next.data).toEqual((await emulator.sandbox(`${path}?after=${data[0].id}&limit=1`)).data);
    }
  });
});
