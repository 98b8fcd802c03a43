import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { createCore } from "../../../src/programs/start/core.js";
import { newAccount, openAccount } from "../../../src/service/features/access/actions.js";
import { hashKey } from "../../../src/service/features/access/keys.js";
import { record } from "../../../src/service/features/history/actions.js";
import { completeSettings } from "../../../src/service/features/read-settings.js";
import type { Tx } from "../../../src/service/features/tx.js";
import { registerEndpoint } from "../../../src/service/features/webhooks/actions.js";

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
});

/** An emulator's database with one account, whose book of tests has the number 1. */
function start() {
  const database = openDatabase(":memory:");
  opened.push(database);
  const core = createCore(database, createRuntime(), completeSettings({}));
  const { account, testKey } = core.uow.alone((tx) => openAccount(tx, newAccount("Loja", tx)));
  const book = core.stores.accounts.ownerOf(hashKey(testKey))?.book_id ?? 0;
  return { ...core, account, testKey, book };
}

const addEndpoint = (tx: Tx, book: number) =>
  registerEndpoint(tx, book, { url: "http://127.0.0.1:9/", events: ["charge.paid"], origin: "api" });

describe("the rows that stores remember", () => {
  const changes: [string, (tx: Tx, started: ReturnType<typeof start>) => void][] = [
    ["a new signing secret", (tx, { account }) => tx.accounts.changeSigningSecret("ab".repeat(32), account.id)],
    [
      "a key that is revoked",
      (tx, { account }) => {
        for (const { id } of tx.accounts.activeKeys(account.id)) tx.accounts.revokeKey(1, id);
      },
    ],
    ["an account that is removed", (tx, { account }) => tx.accounts.removeKeysOf(account.id)],
    ["a new endpoint", (tx, { book }) => addEndpoint(tx, book)],
    ["a row of the history", (tx) => record(tx, { book_id: 1, noun: "payout", subject: "x", move: "create" })],
  ];
  const seen = ({ stores, testKey, book }: Pick<ReturnType<typeof start>, "stores" | "testKey" | "book">) => ({
    owner: stores.accounts.ownerOf(hashKey(testKey)),
    account: stores.accounts.byBook(book),
    endpoints: stores.webhooks.subscribers(book, "charge.paid"),
    last: stores.history.last(),
  });

  it.each(changes)("show %s at once", async (_name, change) => {
    const started = start();
    const before = seen(started);
    await started.uow.write((tx) => change(tx, started));
    expect(seen(started)).not.toEqual(before);
  });

  it.each(changes)("do not show %s of a unit of work that is undone", async (_name, change) => {
    const started = start();
    const before = seen(started);
    const other = started.uow.write((tx) => tx.accounts.first());
    const undone = started.uow.write((tx) => {
      change(tx, started);
      expect(seen(started)).not.toEqual(before);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await other;
    expect(seen(started)).toEqual(before);
  });

  it("know which endpoints want an event after each change of an endpoint", async () => {
    const { uow, stores, book } = start();
    const wanting = () => stores.webhooks.subscribers(book, "charge.paid");
    const { seq } = await uow.write((tx) => {
      const added = addEndpoint(tx, book);
      return tx.webhooks.endpoint(book, added.id) ?? { seq: 0 };
    });
    expect(wanting()).toEqual([seq]);
    await uow.write((tx) => tx.webhooks.changeEndpoint("http://127.0.0.1:9/", ",charge.paid,", "INACTIVE", 1, seq));
    expect(wanting()).toEqual([]);
    await uow.write((tx) => tx.webhooks.changeEndpoint("http://127.0.0.1:9/", ",charge.expired,", "ACTIVE", 1, seq));
    expect(wanting()).toEqual([]);
    await uow.write((tx) => tx.webhooks.changeEndpoint("http://127.0.0.1:9/", ",charge.paid,", "ACTIVE", 1, seq));
    expect(wanting()).toEqual([seq]);
    await uow.write((tx) => tx.webhooks.removeEndpoint(1, 1, seq));
    expect(wanting()).toEqual([]);
  });
});
