import { existsSync, renameSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { tokenOf } from "../../support/access.js";
import { freshKey, startEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { fresh, freshEmulator } from "../../support/shared.js";
import { contentsOf } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";

/** Answers and log lines when the database cannot be written. */

const folder = fresh(newFolder);
let logged: { message: string; cause: unknown }[];

let emulator = freshEmulator(() => {
  logged = [];
  const log = {
    warn: () => undefined,
    error: (message: string, cause?: unknown) => void logged.push({ message, cause }),
  };
  return { db: folder.db, log, frozen: true, testKey: "qa_test_storage-answers" };
});
beforeEach(() => tokenOf(emulator));

const create = () =>
  emulator.call("POST", "/v1/charges", {
    body: { amount: 1990, payment_method: "pix" },
    headers: { "idempotency-key": freshKey() },
  });
const charges = () => contentsOf(folder.db).rows.transactions?.length;

/** The one line of the log about a failed request. */
function theLine(): { message: string; name: string; text: string } {
  const [line, ...others] = logged;
  if (line === undefined || others.length > 0 || !(line.cause instanceof Error))
    throw new Error(JSON.stringify(logged));
  return { message: line.message, name: line.cause.name, text: line.cause.message };
}

it("a disk that is full is named by the answer and by the log, and the server goes on when there is room", async () => {
  const other = openFile(folder.db);
  const full = "SELECT RAISE(ABORT, 'database or disk is full')";
  other.exec(`CREATE TRIGGER full BEFORE INSERT ON transactions BEGIN ${full}; END`);
  const { status, body } = await create();
  expect([status, body.error.type, body.error.code]).toEqual([500, "api_error", "internal_error"]);
  expect(body.error.message).toBe(
    "The disk is full, so nothing was changed. Make room where the emulator keeps its database, then try again with the same idempotency key.",
  );
  expect(theLine()).toEqual({
    message: `request ${body.request_id} failed`,
    name: "DatabaseError",
    text: "The disk is full, so nothing was changed. When there is room again, this server goes on by itself.",
  });
  other.exec("DROP TRIGGER full");
  other.close();
  expect((await create()).status).toBe(201);
});

describe("a database that is no longer in its place", () => {
  it.each([
    ["the database", "", /^The database .* was removed, moved or replaced.*put the file back/],
    ["its log", "-wal", /^The file .*-wal, a part of the database, was removed, moved or replaced.*start it again/],
  ])("is named by the answer and by the log: %s", async (_what, side, words) => {
    expect((await create()).status).toBe(201);
    renameSync(folder.db + side, `${folder.db}.moved`);
    const { status, body } = await create();
    expect([status, body.error.code, body.error.message]).toEqual([
      500,
      "internal_error",
      "The database of the emulator was removed, moved or replaced, so nothing was changed. Stop the emulator; its log says more.",
    ]);
    expect(theLine()).toMatchObject({ name: "DatabaseError", text: expect.stringMatching(words) });
    renameSync(`${folder.db}.moved`, folder.db + side);
    expect((await create()).status).toBe(201);
  });

  it("loses no acknowledged change when its log is removed and the server is stopped", async () => {
    for (let n = 0; n < 3; n++) expect((await create()).status).toBe(201);
    rmSync(`${folder.db}-wal`);
    expect((await create()).status).toBe(500);
    await emulator.close();
    expect([existsSync(`${folder.db}-wal`), charges()]).toEqual([false, 3]);
    emulator = await startEmulator({ db: folder.db, testKey: "qa_test_storage-answers" });
    expect((await create()).status).toBe(201);
  });
});
