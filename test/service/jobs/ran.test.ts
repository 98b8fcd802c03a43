import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { SERVICE } from "../../../src/base/kernel/cause.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { createBackground } from "../../../src/programs/start/background.js";
import { type Core, createCore } from "../../../src/programs/start/core.js";
import { completeSettings } from "../../../src/service/features/read-settings.js";
import { RanWork } from "../../../src/service/jobs/ran.js";
import { fresh } from "../../support/shared.js";

/** A job that fails is not done. Its next try was created during the advance. */

const database = fresh(() => openDatabase(":memory:"));
let core: Core;
let failed: () => void;

beforeEach(async () => {
  failed = () => undefined;
  core = createCore(database, createRuntime({ warn: () => undefined, error: () => failed() }), completeSettings({}));
  database.db.exec(`
    INSERT INTO accounts VALUES ('acc', 'Loja', 'SAO PAULO', 'key', 'secret', 0);
    INSERT INTO books VALUES (1, 'acc', 'test');
    INSERT INTO tranches (book_id, transaction_id, currency, amount, release_at) VALUES (1, 't', 'BRL', 5, 2000);
    CREATE TRIGGER no_release BEFORE UPDATE ON tranches BEGIN SELECT RAISE(ABORT, 'not now'); END;
  `);
  await core.uow.write((tx) => {
    core.clock.freezeAt(1_000, tx);
    tx.schedule("wallet.release", "1", { at: 2_000, bookId: 1, history: 1 });
  });
});

const RELEASED = {
  kind: "wallet.release",
  subject: "ch_t",
  code: "money_released",
  params: { amount: 5, currency: "BRL" },
};

it("is left out of the report", async () => {
  const ran = new RanWork(1);
  await createBackground(core).scheduler.advance(3_000, SERVICE, ran);
  expect([ran.count, ran.entries]).toEqual([0, []]);
});

it("is reported when a later try does it", async () => {
  failed = () => void database.db.exec("DROP TRIGGER IF EXISTS no_release");
  const ran = new RanWork(1);
  await createBackground(core).scheduler.advance(100_000, SERVICE, ran);
  expect(ran.entries).toEqual([{ at: 62_000, ...RELEASED, madeOnTheWay: true }]);
});
