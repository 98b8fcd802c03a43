import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { DATE_TIME_PATTERN, INSTANT_PATTERN } from "../../../src/base/kernel/time.js";
import { issue, tokenOf } from "../../support/access.js";
import { addressOf, prepareCall } from "../../support/calls.js";
import type { Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/**
 * What holds for every list, by its contract: which values its parameters refuse, its pages, and that it shows nothing of
 * another mode. What each list holds, and what its filters mean, is tested beside its noun. Unknown parameters, repeated
 * ones, ids and texts that are no cursor: test/api/http/queries.test.ts.
 */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
beforeAll(async () => {
  await subscribe(emulator, "http://127.0.0.1:9/", ["charge.created"]);
  const token = await tokenOf(emulator);
  for (let made = 0; made < 5; made += 1) {
    const { id } = await paidPayment(emulator);
    await refund(emulator, id, { amount: 1 });
    await emulator.charge();
    await openCase(emulator);
    await emulator.sandbox("/payouts", { amount: 1 });
    await emulator.sandbox("/accounts", { name: `Shop ${made}` });
    await emulator.sandbox("/snapshots", { name: `made-${made}` });
    await issue(emulator, token);
  }
});

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

const reads = registry.map(({ contract }) => contract as Contract).filter(({ method }) => method === "GET");
const parameters = reads.flatMap(({ id, query }) => {
  if (query === undefined) return [];
  const { properties = {}, $defs = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, given]) => {
    const schema = given as Schema;
    return { id, name, schema: ($defs[schema.$ref?.split("/").at(-1) ?? ""] ?? schema) as Schema };
  });
});

const NO_NUMBERS = [
  "",
  "x",
  "010",
  "00",
  "%2B7",
  "-0",
  "1.0",
  "1_0",
  "%D9%A1",
  "1.5",
  "%201",
  "1e1",
  "0x1",
  "99999999999999999999",
];
const NO_INSTANTS = ["", "yesterday", "1767225600", "2026-02-30T00:00:00Z", "2026-13-01", "2026-01-01T25:00:00Z"];

/** Values of the kind that the parameter does not take; none for a text of any kind. */
function wrongValues({ enum: names, minimum, maximum = 0, pattern }: Schema): string[] {
  if (minimum !== undefined) return [...NO_NUMBERS, String(minimum - 1), String(maximum + 1)];
  const [first = ""] = names ?? [];
  const turned = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  if (names !== undefined) return ["", "nope", "toString", "__proto__", turned, `${first},${names.at(-1)}`];
  const isInstant = pattern === INSTANT_PATTERN || pattern === DATE_TIME_PATTERN;
  return isInstant ? [...NO_INSTANTS, "2026-01-01T00:00", "2026-01-01T00:00:00+00:00"] : [];
}

it.each(parameters.filter(({ schema }) => wrongValues(schema).length > 0))(
  "$id refuses a $name that is none",
  async ({ id, name, schema }) => {
    const { path } = reads.find((one) => one.id === id) as Contract;
    const { query: _query, ...call } = await prepareCall(id, emulator);
    for (const value of wrongValues(schema)) {
      expectRefused(
        await emulator.call("GET", `${addressOf(path, call)}?${name}=${value}`, call),
        "invalid_request",
        name,
      );
    }
  },
);

/** Lists of the emulator as a whole, which every key sees. */
const SHARED = ["sandbox.accounts.list", "sandbox.snapshots.list"];
/** Lists of an account, which both of its keys see. */
const OF_ACCOUNT = ["sandbox.audit"];
/** Lists whose cursor is a number, which says nothing about whose row it is of. */
const NUMBERED = ["sandbox.clock.due", "sandbox.collectors.webhooks", "sandbox.ledger.list", "sandbox.requests"];

const lists = parameters.filter(({ name }) => name === "limit").map(({ id }) => id);

/** The ids of the objects that lists are of, by the list. */
const objects = new Map<string, string>();

async function read(id: string, query: string, key = emulator.key): Promise<Loose> {
  const { path } = reads.find((one) => one.id === id) as Contract;
  if (path.includes("{id}") && !objects.has(id)) objects.set(id, String((await prepareCall(id, emulator)).id));
  return emulator.call("GET", `${path.replace("{id}", objects.get(id) ?? "")}?${query}`, { key });
}
const rowsOf = async (id: string, query: string, key = emulator.key): Promise<string[]> =>
  (await read(id, query, key)).body.data.map((row: Loose) => JSON.stringify(row));

/** The parameter with which the next page of a list is asked for. */
function nextOf(id: string): string {
  const names = parameters.filter((one) => one.id === id).map(({ name }) => name);
  return ["starting_after", "after", "offset", "page"].find((name) => names.includes(name)) ?? "";
}

describe("a list", () => {
  it.each(lists)("comes in pages without a gap or a repetition: %s", async (id) => {
    const next = nextOf(id);
    const { body: first } = await read(id, "limit=100");
    const whole: string[] = first.data.map((row: Loose) => JSON.stringify(row));
    expect(whole.length).toBeGreaterThan(4);
    expect(new Set(whole).size).toBe(whole.length);
    for (const limit of [1, 3, 100]) {
      const seen: string[] = [];
      for (let query = ""; seen.length < whole.length; ) {
        const { body } = await read(id, `limit=${limit}${query}`);
        seen.push(...body.data.map((row: Loose) => JSON.stringify(row)));
        const isLast = seen.length === whole.length && first.has_more !== true;
        if ("has_more" in body) expect([body.has_more, body.next_cursor === null]).toEqual([!isLast, isLast]);
        else expect(body.total).toBe(whole.length);
        expect(body.data.length).toBe(isLast ? whole.length % limit || limit : limit);
        const place = { page: seen.length / limit + 1, offset: seen.length }[next] ?? body.next_cursor;
        query = `&${next}=${encodeURIComponent(place)}`;
      }
      expect(seen.slice(0, whole.length)).toEqual(whole);
    }
  });

  // A list of one object is a 404 for others: test/service/features/owners.test.ts.
  const isOfObject = (id: string) => reads.some((one) => one.id === id && one.path.includes("{id}"));
  const apart = lists.filter((id) => !SHARED.includes(id) && !isOfObject(id));
  it.each(apart)("shows nothing of another mode or account, and takes none of it for a cursor: %s", async (id) => {
    const next = nextOf(id);
    const own = new Set(await rowsOf(id, "limit=100"));
    const { next_cursor } = (await read(id, "limit=1")).body;
    const { test_key } = await emulator.sandbox("/accounts", { name: "Another" });
    for (const key of [test_key, ...(OF_ACCOUNT.includes(id) ? [] : [emulator.live])]) {
      expect((await rowsOf(id, "limit=100", key)).filter((row) => own.has(row))).toEqual([]);
      if (!next_cursor || NUMBERED.includes(id)) continue;
      expectRefused(await read(id, `${next}=${next_cursor}`, key), "invalid_request", next);
    }
  });
});
