import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS, expectCharge } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";

let emulator: TestEmulator;
/** Oldest first, a minute apart, with the amounts 1 to 8. */
const charges: Loose[] = [];

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true, settings: { previews: new Set(["charge-list"]) } });
  const customers: Loose[] = [
    { document: DOCUMENTS.cpf },
    { document: DOCUMENTS.cpfPunctuated },
    { document: DOCUMENTS.alphanumericCnpjPunctuated },
    { document: DOCUMENTS.otherCpf },
  ];
  for (let amount = 1; amount <= 8; amount++) {
    const expected = amount > 6 ? { expected_payer_tax_id: DOCUMENTS.cpf } : {};
    const customer = { name: "Maria", ...(amount > 6 ? {} : customers[amount - 1]) };
    charges.push(await emulator.charge({ amount, expires_in: 86_400, customer, ...expected }));
    await emulator.sandbox("/clock/advance", { seconds: 60 });
  }
  await emulator.sandbox(`/charges/${charges[0].id}/pay`);
  await emulator.sandbox(`/charges/${charges[1].id}/fail`);
  await emulator.sandbox(`/charges/${charges[2].id}/expire`);
  await emulator.sandbox(`/charges/${charges[6].id}/pay`, { payer_document: null });
  await emulator.sandbox(`/charges/${charges[7].id}/pay`, { payer_document: DOCUMENTS.otherCpf });
  await emulator.charge({ amount: 99 }, { key: emulator.live });
});
afterAll(() => emulator.close());

const list = (query = "", key = emulator.key) => emulator.call("GET", `/v1/charges${query}`, { key });
const amounts = async (query = "") => (await list(query)).body.data.map(({ amount }: Loose) => amount);

describe("the list of charges", () => {
  it("is not served unless the server was started with its preview", async () => {
    const plain = await startEmulator();
    try {
      expectRefused(await plain.call("GET", "/v1/charges"), "not_found");
      expectRefused(await plain.call("GET", "/v1/charges?limit=nonsense"), "not_found");
      expectRefused(await plain.call("GET", "/v1/charges", { key: null }), "unauthorized");
    } finally {
      await plain.close();
    }
  });

  it("needs a key", async () => {
    expectRefused(await emulator.call("GET", "/v1/charges", { key: null }), "unauthorized");
  });

  it("is newest first, each charge as it is read alone", async () => {
    const { status, body } = await list();
    expect([status, Object.keys(body).sort()]).toEqual([200, ["data", "has_more", "next_cursor", "object"]]);
    expect([body.object, body.has_more, body.next_cursor]).toEqual(["list", false, null]);
    expect(body.data.map(({ amount }: Loose) => amount)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    for (const charge of body.data) {
      expect(expectCharge(charge)).toStrictEqual((await emulator.call("GET", `/v1/charges/${charge.id}`)).body);
    }
  });

  it("is of the key's own mode", async () => {
    const { body } = await list("", emulator.live);
    expect(body.data.map(({ amount }: Loose) => amount)).toEqual([99]);
  });

  it("is empty for an account that has none", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    const { body } = await list("", second.test_key);
    expect(body).toEqual({ object: "list", data: [], has_more: false, next_cursor: null });
  });
});

describe("pages", () => {
  it("are walked by the cursor, without a gap or a repetition", async () => {
    const seen: number[] = [];
    let query = "?limit=3";
    for (const size of [3, 3, 2]) {
      const { body } = await list(query);
      seen.push(...body.data.map(({ amount }: Loose) => amount));
      expect([body.data.length, body.has_more]).toEqual([size, size === 3]);
      expect(body.next_cursor).toBe(size === 3 ? body.data.at(-1).id : null);
      query = `?limit=3&starting_after=${body.next_cursor}`;
    }
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("know that nothing is left when the last one is full", async () => {
    const { body } = await list(`?limit=4&starting_after=${charges[4].id}`);
    expect([body.data.length, body.has_more, body.next_cursor]).toEqual([4, false, null]);
  });

  it("do not shift when charges arrive in the meantime, even at the same instant", async () => {
    const other = await startEmulator({ frozen: true, settings: { previews: new Set(["charge-list"]) } });
    try {
      for (let amount = 1; amount <= 6; amount++) await other.charge({ amount });
      const first = (await other.call("GET", "/v1/charges?limit=3")).body;
      await other.charge({ amount: 7 });
      const rest = (await other.call("GET", `/v1/charges?limit=3&starting_after=${first.next_cursor}`)).body;
      expect([...first.data, ...rest.data].map(({ amount }: Loose) => amount)).toEqual([6, 5, 4, 3, 2, 1]);
    } finally {
      await other.close();
    }
  });

  it("end behind the last charge", async () => {
    expect(await amounts(`?starting_after=${charges[0].id}`)).toEqual([]);
  });

  it("have 25 charges unless said otherwise, and up to 100", async () => {
    const other = await startEmulator({ settings: { previews: new Set(["charge-list"]) } });
    try {
      await Promise.all(Array.from({ length: 101 }, () => other.charge()));
      const sizes = await Promise.all(
        ["", "?limit=1", "?limit=100"].map(async (query) => (await other.call("GET", `/v1/charges${query}`)).body.data),
      );
      expect(sizes.map(({ length }) => length)).toEqual([25, 1, 100]);
    } finally {
      await other.close();
    }
  });
});

describe("filters", () => {
  it.each([
    ["pending", [6, 5, 4]],
    ["processing", [7]],
    ["paid", [1]],
    ["failed", [2]],
    ["expired", [3]],
    ["refunded", [8]],
    ["cancelled", []],
    ["disputed", []],
  ])("status=%s", async (status, expected) => {
    expect(await amounts(`?status=${status}`)).toEqual(expected);
  });

  it.each<[string, string, number[]]>([
    ["a CPF however it was sent", DOCUMENTS.cpf, [2, 1]],
    ["a punctuated CPF", DOCUMENTS.cpfPunctuated, [2, 1]],
    ["a CNPJ with letters", DOCUMENTS.alphanumericCnpj, [3]],
    ["the same in lower case", DOCUMENTS.alphanumericCnpj.toLowerCase(), [3]],
    ["nobody's document", DOCUMENTS.cnpj, []],
    ["what is no document", "nobody", []],
  ])("customer_id of %s", async (_what, document, expected) => {
    expect(await amounts(`?customer_id=${encodeURIComponent(document)}`)).toEqual(expected);
  });

  it("created_after and created_before include their instants", async () => {
    const at = (index: number) => encodeURIComponent(charges[index].created_at);
    expect(await amounts(`?created_after=${at(5)}`)).toEqual([8, 7, 6]);
    expect(await amounts(`?created_before=${at(2)}`)).toEqual([3, 2, 1]);
    expect(await amounts(`?created_after=${at(3)}&created_before=${at(4)}`)).toEqual([5, 4]);
    const next = encodeURIComponent(new Date(Date.parse(charges[5].created_at) + 1).toISOString());
    expect(await amounts(`?created_after=${next}`)).toEqual([8, 7]);
    expect(await amounts(`?created_after=${at(4)}&created_before=${at(3)}`)).toEqual([]);
  });

  it("take instants in any offset, and days", async () => {
    const local = new Date(Date.parse(charges[5].created_at) - 3 * 3_600_000).toISOString().replace("Z", "-03:00");
    expect(await amounts(`?created_after=${encodeURIComponent(local)}`)).toEqual([8, 7, 6]);
    expect(await amounts("?created_before=2020-01-01")).toEqual([]);
  });

  it("work together, and with the cursor", async () => {
    expect(await amounts(`?status=pending&customer_id=${DOCUMENTS.otherCpf}`)).toEqual([4]);
    expect(await amounts(`?status=pending&starting_after=${charges[4].id}&limit=1`)).toEqual([4]);
  });
});

describe("a query that is not understood", () => {
  it.each([
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", "ten"],
    ["limit", ""],
    ["limit", "1e1"],
    ["limit", " 5"],
    ["status", "PAID"],
    ["status", ""],
    ["status", "paid,failed"],
    ["created_after", "yesterday"],
    ["created_after", ""],
    ["created_after", "2026-02-30"],
    ["created_before", "2026-13-01T00:00:00Z"],
    ["created_before", "1790000000"],
    ["starting_after", "nonsense"],
    ["starting_after", "ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa"],
    ["starting_after", ""],
    ["page", "2"],
    ["offset", "10"],
    ["Limit", "5"],
    ["limit[]", "5"],
  ])("%s=%o is refused by name", async (name, value) => {
    expectRefused(await list(`?${encodeURIComponent(name)}=${encodeURIComponent(value)}`), "invalid_request", name);
  });

  it("may be one with a parameter given twice", async () => {
    expectRefused(await list("?limit=5&limit=5"), "invalid_request", "limit");
    expectRefused(await list("?status=paid&status=failed"), "invalid_request", "status");
  });

  it("may be one whose cursor is a charge of another account or mode, or a bare id", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Third Shop" });
    const foreign = await emulator.charge({}, { key: second.test_key });
    const live = await emulator.charge({}, { key: emulator.live });
    for (const cursor of [foreign.id, live.id, charges[0].id.slice(3)]) {
      expectRefused(await list(`?starting_after=${cursor}`), "invalid_request", "starting_after");
    }
  });
});
