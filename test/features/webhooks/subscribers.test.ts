import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../../src/db/open.js";
import { type Commit, createUnitOfWork, type UnitOfWork } from "../../../src/db/unit-of-work.js";
import type { Tx } from "../../../src/features/tx.js";
import { changeEndpoint, deleteEndpoint, registerEndpoint } from "../../../src/features/webhooks/actions.js";
import type { EventName } from "../../../src/features/webhooks/catalogue.js";
import { type EndpointRow, type WebhookStore, webhookStore } from "../../../src/features/webhooks/store.js";
import { createRuntime, realTime } from "../../../src/runtime.js";

/** The endpoints that want an event, which are kept in memory. */

const BOOK = 1;
const PAID = "charge.paid";

let database: OpenDatabase;
let webhooks: WebhookStore;
let uow: UnitOfWork<Tx>;

beforeEach(() => {
  database = openDatabase(":memory:");
  database.db.exec("INSERT INTO accounts VALUES ('a', 'A', 'SAO PAULO', 'key', 'secret', 0)");
  database.db.exec("INSERT INTO books VALUES (1, 'a', 'test'), (2, 'a', 'live')");
  webhooks = webhookStore(database.db);
  let made = 0;
  const next = () => {
    made += 1;
    return `endpoint-${made}`;
  };
  const { random } = createRuntime();
  const begin = ({ afterCommit, afterUndo }: Commit) =>
    ({
      ...{ afterCommit, afterUndo, webhooks, random, ids: { next }, now: 0 },
      notify: { delivery: () => undefined },
    }) as unknown as Tx;
  uow = createUnitOfWork(database, realTime, begin);
});
afterEach(() => database.close());

/** Whom a store would tell that remembers nothing. */
const stored = (type: EventName = PAID, book = BOOK) => webhookStore(database.db).subscribers(book, type);
const wanting = (type: EventName = PAID, book = BOOK) => webhooks.subscribers(book, type);
const register = (tx: Tx, events: readonly EventName[] = [PAID], book = BOOK) =>
  registerEndpoint(tx, book, { url: "http://127.0.0.1:9/", events, origin: "api" });

function theOnly(): EndpointRow {
  const [row] = webhooks.endpoints(BOOK);
  if (row === undefined) throw new Error("there is no endpoint");
  return row;
}

describe("the endpoints that want an event", () => {
  it("are those of its book that name it, the oldest first", async () => {
    await uow.write((tx) => [register(tx), register(tx, ["charge.expired"]), register(tx), register(tx, [PAID], 2)]);
    expect([wanting(), wanting("charge.expired"), wanting(PAID, 2), wanting("charge.created")]).toEqual([
      [1, 3],
      [2],
      [4],
      [],
    ]);
  });

  it("are read from the database once", async () => {
    await uow.write(register);
    const first = wanting();
    expect(wanting()).toBe(first);
    webhooks.forgetSubscribers();
    expect(wanting()).not.toBe(first);
  });

  it.each<[string, (tx: Tx) => unknown]>([
    ["a new one", register],
    ["one that is switched off", (tx) => changeEndpoint(tx, theOnly(), { status: "INACTIVE" })],
    ["one that wants other events", (tx) => changeEndpoint(tx, theOnly(), { events: ["charge.expired"] })],
    ["one that is deleted", (tx) => deleteEndpoint(tx, theOnly())],
  ])("are others after %s, and the same when that is undone", async (_, change) => {
    await uow.write(register);
    const before = wanting();
    const seen: (readonly number[])[] = [];
    const undone = uow.write((tx) => {
      change(tx);
      seen.push(wanting());
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect(seen).not.toEqual([before]);
    expect([wanting(), stored()]).toEqual([before, before]);
    await uow.write(change);
    expect(wanting()).not.toEqual(before);
    expect(wanting()).toEqual(stored());
  });

  it("are read each time where there are very many", async () => {
    await uow.write((tx) => Array.from({ length: 101 }, () => register(tx)));
    const first = wanting();
    expect(first).toHaveLength(101);
    expect(wanting()).not.toBe(first);
  });
});
