import { beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS, expectCharge } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
/** Oldest first, a minute apart, with the amounts 1 to 8. */
const charges: Loose[] = [];

beforeAll(async () => {
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

const list = (query = "", key = emulator.key) => emulator.call("GET", `/v1/charges${query}`, { key });
const amounts = async (query = "") => (await list(query)).body.data.map(({ amount }: Loose) => amount);

describe("the list of charges", () => {
  it("is not served unless the server was started with its preview", async () => {
    const plain = await ownEmulator();
    expectRefused(await plain.call("GET", "/v1/charges"), "not_found");
    expectRefused(await plain.call("GET", "/v1/charges?limit=nonsense"), "not_found");
    expectRefused(await plain.call("GET", "/v1/charges", { key: null }), "unauthorized");
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
});

it("the list of charges has payments by every method, each as it is read alone", async () => {
  const other = await ownEmulator({ frozen: true, preview: new Set(["charge-list"]) });
  const made: string[] = [];
  for (const request of Object.values(REQUESTS)) made.push(`ch_${(await payment(other, request)).id}`);
  const { data } = (await other.call("GET", "/v1/charges")).body;
  expect(data.map(({ id }: Loose) => id)).toEqual(made.reverse());
  for (const charge of data) {
    expect(expectCharge(charge)).toStrictEqual((await other.call("GET", `/v1/charges/${charge.id}`)).body);
  }
});

describe("pages", () => {
  it("do not shift when charges arrive in the meantime, even at the same instant", async () => {
    const other = await ownEmulator({ frozen: true, preview: new Set(["charge-list"]) });
    for (let amount = 1; amount <= 6; amount++) await other.charge({ amount });
    const first = (await other.call("GET", "/v1/charges?limit=3")).body;
    await other.charge({ amount: 7 });
    const rest = (await other.call("GET", `/v1/charges?limit=3&starting_after=${first.next_cursor}`)).body;
    expect([...first.data, ...rest.data].map(({ amount }: Loose) => amount)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it("have 25 charges unless said otherwise, and up to 100", async () => {
    const other = await ownEmulator({ preview: new Set(["charge-list"]) });
    await Promise.all(Array.from({ length: 101 }, () => other.charge()));
    const sizes = await Promise.all(
      ["", "?limit=1", "?limit=100"].map(async (query) => (await other.call("GET", `/v1/charges${query}`)).body.data),
    );
    expect(sizes.map(({ length }) => length)).toEqual([25, 1, 100]);
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
