import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MED_STATUSES, MED_TYPES } from "../../../src/features/med/machine.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { act, caseIn, openCase, paidCharge } from "../../support/med.js";
import { expectRefused } from "../../support/refusals.js";

/** GET /v1/med/cases and its alias; the cases are made once, no test changes them. */

let emulator: TestEmulator;
/** One of each status, then one of each type, oldest first; two of them opened at the same instant. */
const cases: Loose[] = [];
const instants: string[] = [];
let live: Loose;
let theirs: Loose;
let theirKey: string;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  for (const status of MED_STATUSES) {
    cases.push(await caseIn(emulator, status));
    await emulator.sandbox("/clock/advance", { seconds: 60 });
  }
  for (const type of MED_TYPES) {
    cases.push(await openCase(emulator, { charge_id: (await paidCharge(emulator)).id, type }));
    if (type !== "dispute") await emulator.sandbox("/clock/advance", { seconds: 60 });
  }
  live = await openCase(emulator, {}, { key: emulator.live });
  theirKey = (await emulator.sandbox("/accounts", { name: "Outra Loja" })).test_key;
  theirs = await openCase(emulator, {}, { key: theirKey });
  instants.push(...cases.map((one) => one.created_at));
});
afterAll(() => emulator.close());

const list = (query = "", key = emulator.key) => emulator.call("GET", `/v1/med/cases${query}`, { key });
const newestFirst = (some: Loose[]) => some.map(({ id }) => id).reverse();
const idsOf = async (query: string) => {
  const { status, body } = await list(query);
  expect([status, body.object]).toEqual([200, "list"]);
  return body.data.map(({ id }: Loose) => id);
};

describe("the list of cases", () => {
  it("is every case, whole, newest first", async () => {
    const { status, body } = await list();
    expect([status, body]).toStrictEqual([
      200,
      { object: "list", data: [...cases].reverse(), has_more: false, next_cursor: null },
    ]);
  });

  it.each([1, 2, 4, 8, 9])("comes in pages of %i, without a gap or a repetition", async (limit) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: Loose = await list(`?limit=${limit}${cursor === null ? "" : `&starting_after=${cursor}`}`);
      expect(body.has_more).toBe(body.next_cursor !== null);
      if (body.has_more) expect([body.data.length, body.next_cursor]).toEqual([limit, body.data.at(-1).id]);
      seen.push(...body.data.map(({ id }: Loose) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(newestFirst(cases));
  });

  it("has 25 on a page unless it is asked for another number", async () => {
    const many = await startEmulator({ frozen: true });
    try {
      for (let made = 0; made < 26; made += 1) await openCase(many);
      const { data, has_more } = (await many.call("GET", "/v1/med/cases")).body;
      expect([data.length, has_more]).toEqual([25, true]);
      expect((await many.call("GET", "/v1/med/cases?limit=100")).body).toMatchObject({ has_more: false });
    } finally {
      await many.close();
    }
  });

  it("is empty where nothing was contested", async () => {
    const { body } = await list("?status=open&type=fraud&limit=1&created_after=2099-01-01T00:00:00Z");
    expect(body).toStrictEqual({ object: "list", data: [], has_more: false, next_cursor: null });
  });

  it.each(MED_STATUSES)("holds only the cases that are %s, on request", async (status) => {
    expect(await idsOf(`?status=${status}`)).toEqual(newestFirst(cases.filter((one) => one.status === status)));
  });

  it.each(MED_TYPES)("holds only the cases of type %s, on request", async (type) => {
    expect(await idsOf(`?type=${type}`)).toEqual(newestFirst(cases.filter((one) => one.type === type)));
  });

  it("holds only the cases of one charge, on request", async () => {
    for (const { id, charge_id } of cases) expect(await idsOf(`?charge_id=${charge_id}`)).toEqual([id]);
  });

  it("holds every case that a charge ever had", async () => {
    const { id: charge_id } = await paidCharge(emulator, {}, {}, { key: theirKey });
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { id } = await openCase(emulator, { charge_id }, { key: theirKey });
      await act(emulator, id, "withdraw", { key: theirKey });
      ids.unshift(id);
    }
    const { data } = (await list(`?charge_id=${charge_id}`, theirKey)).body;
    expect(data.map(({ id }: Loose) => id)).toEqual(ids);
  });

  it("takes bounds that exclude their own instant", async () => {
    const [, from, , to] = instants as [string, string, string, string];
    expect(await idsOf(`?created_after=${from}&created_before=${to}`)).toEqual([cases[2].id]);
    const before = new Date(Date.parse(from) - 1).toISOString();
    const after = new Date(Date.parse(to) + 1).toISOString();
    expect(await idsOf(`?created_after=${before}&created_before=${after}`)).toEqual(newestFirst(cases.slice(1, 4)));
    expect(await idsOf(`?created_after=${from}&created_before=${from}`)).toEqual([]);
  });

  it("takes bounds with an offset", async () => {
    const instant = String(instants[1]);
    const shifted = `${new Date(Date.parse(instant) - 3 * 3_600_000).toISOString().slice(0, -1)}-03:00`;
    expect(await idsOf(`?created_before=${shifted}`)).toEqual([cases[0].id]);
  });

  it("narrows by everything at once, the cursor too", async () => {
    const open = cases.filter((one) => one.status === "open" && one.type === "med");
    const query = `?status=open&type=med&limit=1&created_after=2000-01-01T00:00:00Z&created_before=2100-01-01T00:00:00Z`;
    const first = (await list(query)).body;
    expect(first).toMatchObject({ data: [{ id: open[1].id }], has_more: true, next_cursor: open[1].id });
    const second = (await list(`${query}&starting_after=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ data: [{ id: open[0].id }], has_more: false, next_cursor: null });
    // Any case of one's own is a cursor, also one that the filter leaves out.
    expect(await idsOf(`?type=fraud&starting_after=${cases[8].id}`)).toEqual([]);
    expect(await idsOf(`?type=med&starting_after=${cases[3].id}`)).toEqual(newestFirst(cases.slice(0, 3)));
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=abc", "limit"],
    ["limit=", "limit"],
    ["status=won", "status"],
    ["status=OPEN", "status"],
    ["status=", "status"],
    ["status=open,closed", "status"],
    ["status=open&status=closed", "status"],
    ["type=complaint", "type"],
    ["type=", "type"],
    ["created_after=yesterday", "created_after"],
    ["created_after=2026-02-30T00:00:00Z", "created_after"],
    ["created_after=2026-01-01T00:00:00", "created_after"],
    ["created_after=", "created_after"],
    ["created_before=1767225600", "created_before"],
    ["created_before=2026-13-01T00:00:00Z", "created_before"],
    ["charge_id=nonsense", "charge_id"],
    ["charge_id=", "charge_id"],
    ["charge_id=ch_123", "charge_id"],
    ["charge_id=med_018f0000-0000-7000-8000-000000000000", "charge_id"],
    ["page=2", "page"],
    ["offset=10", "offset"],
    ["Status=open", "Status"],
    ["ending_before=x", "ending_before"],
  ])("is refused with ?%s", async (query, param) => {
    expectRefused(await list(`?${query}`), "invalid_request", param);
  });

  it("is refused with a cursor that is no case of the caller's own", async () => {
    const unknown = "med_018f0000-0000-7000-8000-000000000000";
    const [{ id, charge_id }] = cases;
    for (const cursor of ["", "x", unknown, theirs.id, live.id, id.slice(4), charge_id, `${id}0`]) {
      expectRefused(await list(`?starting_after=${cursor}`), "invalid_request", "starting_after");
    }
  });

  it("says every parameter that is wrong", async () => {
    const { error } = (await list("?limit=0&status=x&created_after=y&nope=1")).body;
    expect(error.details.map(({ param }: Loose) => param).sort()).toEqual(["created_after", "limit", "nope", "status"]);
  });
});
