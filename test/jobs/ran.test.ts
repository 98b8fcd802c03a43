import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/db/open.js";
import { RanWork } from "../../src/jobs/ran.js";
import { SERVICE } from "../../src/kernel/cause.js";
import { createBackground } from "../../src/service/background.js";
import { type Core, createCore } from "../../src/service/core.js";

/** A job that fails is not done. Its next try was created during the advance. */

let database: OpenDatabase;
let core: Core;
let failed: () => void;

beforeEach(async () => {
  database = openDatabase(":memory:");
  failed = () => undefined;
  core = createCore(database, { log: { warn: () => undefined, error: () => failed() } });
  database.db.exec(`
    INSERT INTO accounts VALUES ('acc', 'Loja', 'SAO PAULO', 'key', 'secret', 0);
    INSERT INTO books VALUES (1, 'acc', 'test');
    INSERT INTO tranches (book_id, transaction_id, currency, amount, release_at) VALUES (1, 't', 'BRL', 5, 2000);
    CREATE TRIGGER no_release BEFORE UPDATE ON tranches BEGIN SELECT RAISE(ABORT, 'not now'); END;
  `);
  await core.uow.write((tx) => {
    core.clock.freezeAt(1_000, tx);
    tx.later("wallet.release", "1", { at: 2_000, bookId: 1, history: 1 });
  });
});
afterEach(() => database.close());

const RELEASED = { kind: "wallet.release", subject: "ch_t", text: "R$ 0,05 of the charge becomes available" };

it("is left out of the report", async () => {
  const ran = new RanWork(1);
  await createBackground(core, {}).scheduler.advance(3_000, SERVICE, ran);
  expect([ran.count, ran.entries]).toEqual([0, []]);
});

it("is reported when a later try does it", async () => {
  failed = () => void database.db.exec("DROP TRIGGER IF EXISTS no_release");
  const ran = new RanWork(1);
  await createBackground(core, {}).scheduler.advance(100_000, SERVICE, ran);
  expect(ran.entries).toEqual([{ at: 62_000, ...RELEASED, madeOnTheWay: true }]);
});
