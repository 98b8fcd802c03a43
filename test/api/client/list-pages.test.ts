import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { type Client, createClient, type ListItem, type ListOperationId, ServiceError } from "../../../src/index.js";
import { scriptedClient } from "../../support/client.js";
import { freshKey } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

const emulator = sharedEmulator({ preview: new Set(["charge-list"]) });
let client: Client;
const created: string[] = [];

beforeAll(async () => {
  client = createClient({ baseUrl: emulator.url, apiKey: emulator.key });
  await client["webhooks.endpoints.create"]({ body: { url: "http://127.0.0.1:9/", events: ["charge.created"] } });
  for (let amount = 1; amount <= 7; amount++) {
    const body = { amount, payment_method: "pix" as const };
    created.unshift((await client["charges.create"]({ body, idempotencyKey: freshKey() })).id);
  }
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("the pages of a list", () => {
  it("are read to the end by a cursor", async () => {
    const charges = await all(client.pages("charges.list", { query: { limit: 3 } }));
    expect(charges.map(({ id }) => id)).toEqual(created);
    const events = await all(client.pages("sandbox.events", { query: { limit: 2, type: "charge.created" } }));
    expect(events.map(({ subject }) => `ch_${subject}`)).toEqual(created);
  });

  it("are read to the end by their number", async () => {
    const payments = await all(client.pages("payments.list", { query: { limit: 3 } }));
    expect(payments.map(({ id }) => id.replace("tx_", "ch_"))).toEqual(created);
  });

  it("are read to the end by an offset", async () => {
    const deliveries = await all(client.pages("webhooks.deliveries", { query: { limit: 3 } }));
    expect(deliveries).toHaveLength(7);
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(7);
  });

  it("are one page for a list that is an array, and none for an empty list", async () => {
    const wallets = await all(client.pages("wallets.list"));
    expect(wallets).toEqual(await client["wallets.list"]());
    expect(await all(client.pages("sandbox.payouts.list"))).toEqual([]);
  });

  it("have each object once, although a new one moves the others to later pages", async () => {
    const seen: number[] = [];
    for await (const { amount } of client.pages("payments.list", { query: { limit: 2 } })) {
      seen.push(amount);
      if (seen.length !== 1) continue;
      created.unshift(
        (await client["charges.create"]({ body: { amount: 8, payment_method: "pix" }, idempotencyKey: freshKey() })).id,
      );
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it("are requested only when they are needed", async () => {
    const page = { status: 200, body: { data: [{ id: "a" }, { id: "b" }], has_more: true, next_cursor: "b" } };
    const { client: counted, sent } = scriptedClient([page]);
    for await (const { id } of counted.pages("sandbox.events")) if (id === "b") break;
    expect(sent).toHaveLength(1);
  });

  it("fail as the operation does", async () => {
    const query = { sortBy: "colour" } as never;
    await expect(all(client.pages("payments.list", { query }))).rejects.toThrow(ServiceError);
    const { client: strange } = scriptedClient([{ status: 200, body: { hello: "world" } }]);
    await expect(all(strange.pages("sandbox.events"))).rejects.toMatchObject({ code: "unexpected_answer" });
  });

  it("are refused at once for an operation that lists nothing", () => {
    const loose = client.pages as (id: string) => unknown;
    expect(() => loose("charges.create")).toThrow(TypeError);
    expect(() => loose("payment.list")).toThrow(
      "payment.list is no operation that lists objects. Did you mean payments.list?",
    );
  });
});

describe("the types of pages", () => {
  it("name the operations that list objects, and these only", () => {
    const lists: Record<ListOperationId, true> = {
      "api-keys.list": true,
      "charges.list": true,
      "med.evidence.list": true,
      "med.list": true,
      "payments.list": true,
      "payments.refunds": true,
      "sandbox.accounts.list": true,
      "sandbox.audit": true,
      "sandbox.clock.due": true,
      "sandbox.clock.past": true,
      "sandbox.collectors.webhooks": true,
      "sandbox.deliveries.list": true,
      "sandbox.emails": true,
      "sandbox.events": true,
      "sandbox.faults.list": true,
      "sandbox.ledger.balances": true,
      "sandbox.ledger.list": true,
      "sandbox.med.list": true,
      "sandbox.payments.list": true,
      "sandbox.payouts.list": true,
      "sandbox.refunds.list": true,
      "sandbox.requests": true,
      "sandbox.requests.errors": true,
      "sandbox.search": true,
      "sandbox.snapshots.list": true,
      "sandbox.stream": true,
      "wallets.list": true,
      "webhooks.deliveries": true,
      "webhooks.endpoints.list": true,
      "webhooks.events": true,
    };
    const ids = registry.map(({ contract }) => contract.id);
    const loose = client.pages as (id: string) => unknown;
    const accepted = ids.filter((id) => {
      try {
        return loose(id) !== undefined;
      } catch {
        return false;
      }
    });
    expect(accepted.toSorted()).toEqual(Object.keys(lists).toSorted());
  });

  it("know the objects", () => {
    expectTypeOf<ListItem<"charges.list">["object"]>().toEqualTypeOf<"charge">();
    expectTypeOf<ListItem<"wallets.list">["balance"]>().toEqualTypeOf<number>();
  });
});
