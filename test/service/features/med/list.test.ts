import { beforeAll, describe, expect, it } from "vitest";
import { MED_STATUSES, MED_TYPES } from "../../../../src/service/features/med/machine.js";
import type { Loose } from "../../../support/emulator.js";
import { act, caseIn, openCase, paidCharge, readCase } from "../../../support/med.js";
import { sharedEmulator } from "../../../support/shared.js";

/** GET /v1/med/cases and its alias; the cases are made once, no test changes them. */

const emulator = sharedEmulator({ frozen: true });
/** One of each status, then one of each type, oldest first; two of them opened at the same instant. */
const cases: Loose[] = [];
const instants: string[] = [];
let theirKey: string;

beforeAll(async () => {
  for (const status of MED_STATUSES) {
    cases.push(await caseIn(emulator, status));
    await emulator.sandbox("/clock/advance", { seconds: 60 });
  }
  for (const type of MED_TYPES) {
    cases.push(await openCase(emulator, { charge_id: (await paidCharge(emulator)).id, type }));
    if (type !== "dispute") await emulator.sandbox("/clock/advance", { seconds: 60 });
  }
  await openCase(emulator, {}, { key: emulator.live });
  theirKey = (await emulator.sandbox("/accounts", { name: "Outra Loja" })).test_key;
  await openCase(emulator, {}, { key: theirKey });
  instants.push(...cases.map((one) => one.created_at));
});

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

  it("has the customers of the payments in the list for people, whose pages and filters are the same", async () => {
    const charge = await paidCharge(emulator, { customer: { name: "Luíza Cavalcanti" } }, {}, { key: theirKey });
    const { id } = await openCase(emulator, { charge_id: charge.id }, { key: theirKey });
    const forPeople = (query: string, key = theirKey) => emulator.call("GET", `/_sandbox/med-cases${query}`, { key });
    const { data } = (await forPeople(`?charge_id=${charge.id}`)).body;
    expect(data).toStrictEqual([
      { ...(await readCase(emulator, id, { key: theirKey })), customer_name: "Luíza Cavalcanti" },
    ]);
    const query = `?status=open&type=med&limit=1&starting_after=${cases[5].id}`;
    const { object: _list, ...page } = (await list(query)).body;
    const named = page.data.map((one: Loose) => ({ ...one, customer_name: null }));
    expect((await forPeople(query, emulator.key)).body).toStrictEqual({ ...page, data: named });
  });
});
