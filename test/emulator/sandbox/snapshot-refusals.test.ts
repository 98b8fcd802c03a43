import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { statusOf } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { expectRefused } from "../../support/refusals.js";
import { fresh } from "../../support/shared.js";
import { contentsOf, postRestore, postSave, restore, save, snapshotFile } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";

/** The list of snapshots, and files that cannot be restored. */

const KEY = "qa_test_snapshot-refusals";

const folder = fresh(newFolder);
let emulator: TestEmulator;

async function start(options: EmulatorOptions = {}): Promise<void> {
  emulator = await startEmulator({ frozen: true, testKey: KEY, log: { warn() {}, error() {} }, ...options });
}

afterEach(async () => {
  await emulator.close();
});

const NOTHING = {
  ...{ accounts: 0, charges: 0, refunds: 0, payouts: 0 },
  ...{ med_cases: 0, events: 0, deliveries: 0, emails: 0 },
};

const list = async (query = ""): Promise<Loose> => (await emulator.call("GET", `/_sandbox/snapshots${query}`)).body;
const names = async (query = "") => (await list(query)).data.map(({ name }: Loose) => name);
const fileOf = (name: string) => snapshotFile(folder.db, name);
const kept = () => readdirSync(`${folder.db}.snapshots`).sort();

describe.each([
  ["a file", () => ({ db: folder.db })],
  ["memory", () => ({})],
])("snapshots of a database in %s", (where, options) => {
  beforeEach(() => start(options()));

  it("are listed with their size and place, newest first", async () => {
    expect(await list()).toEqual({ data: [], has_more: false, next_cursor: null });
    const first = await save(emulator, "first");
    expect(first).toStrictEqual({
      object: "snapshot",
      name: "first",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      size: expect.any(Number),
      now: (await emulator.sandbox("/clock")).now,
      counts: { ...NOTHING, accounts: 1 },
      file: where === "memory" ? null : fileOf("first"),
    });
    expect(first.size).toBeGreaterThan(4_096);
    await save(emulator, "second");
    const { data } = await list();
    expect(data).toContainEqual(first);
    const times = data.map(({ created_at }: Loose) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await list()).data).toHaveLength(2);
  });

  it("cannot have names that differ in case alone, and are found under the name as it was written", async () => {
    await save(emulator, "Seed");
    expectRefused(await postSave(emulator, "seed"), "invalid_request", "name");
    expectRefused(await postRestore(emulator, "seed"), "not_found");
    expect(await names()).toEqual(["Seed"]);
  });

  it("belong to the whole server: both modes and every account see them", async () => {
    const { body: other } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Other" } });
    const { id } = await emulator.charge();
    expect((await postSave(emulator, "shared", other.live_key)).status).toBe(201);
    await emulator.sandbox(`/charges/${id}/pay`);
    expect((await postRestore(emulator, "shared", emulator.live)).status).toBe(200);
    expect(await statusOf(emulator, id)).toBe("pending");
  });
});

describe("a snapshot's file", () => {
  beforeEach(() => start({ db: folder.db }));

  it("is the only kind of file in the folder that the list shows", async () => {
    await save(emulator, "one");
    const place = dirname(fileOf("one"));
    for (const name of ["notes.txt", ".draft", ".draft-lock", ".hidden.db", "a b.db"])
      writeFileSync(`${place}/${name}`, "");
    mkdirSync(`${place}/folder.db`);
    expect(await names()).toEqual(["one"]);
    await save(emulator, "two");
    expect(kept()).not.toContain(".draft");
  });

  it("can be deleted by hand and put back under its name", async () => {
    await save(emulator, "one");
    rmSync(fileOf("one"));
    expect(await names()).toEqual([]);
    expectRefused(await postRestore(emulator, "one"), "not_found");
    await save(emulator, "one");
    expect(await names()).toEqual(["one"]);
    rmSync(dirname(fileOf("one")), { recursive: true });
    expect(await names()).toEqual([]);
  });

  const ruin: Record<string, () => void> = {
    "is empty": () => truncateSync(fileOf("seed")),
    "is cut off": () => truncateSync(fileOf("seed"), statSync(fileOf("seed")).size / 2),
    "is something else": () => writeFileSync(fileOf("seed"), "nonsense ".repeat(2_000)),
    "is overwritten in the middle": () => {
      const bytes = readFileSync(fileOf("seed"));
      writeFileSync(fileOf("seed"), bytes.fill(0xff, 4_096, bytes.length - 4_096));
    },
    "belongs to another program": () => change("PRAGMA application_id = 42"),
    "was saved before the first release": () => change(`PRAGMA application_id = ${0x71617079}`),
    "was saved by a newer version": () => change(`PRAGMA user_version = ${MIGRATIONS.length + 1}`),
    "lacks a table": () => change("PRAGMA foreign_keys = OFF; DROP TABLE refunds"),
    "holds what the schema refuses": () =>
      change("PRAGMA ignore_check_constraints = ON; UPDATE books SET mode = 'sideways' WHERE id = 2"),
    "holds no account": () =>
      change(
        "PRAGMA foreign_keys = OFF; DELETE FROM api_keys; DELETE FROM users; DELETE FROM books; DELETE FROM accounts",
      ),
  };

  function change(sql: string): void {
    const db = openFile(fileOf("seed"));
    db.exec(sql);
    db.close();
  }

  it.each(Object.entries(ruin))("that %s is refused, and nothing changes", async (why, spoil) => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    await save(emulator, "seed");
    const next = await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const before = contentsOf(folder.db);
    spoil();
    const { message } = expectRefused(await postRestore(emulator, "seed"), "unprocessable_entity");
    if (why.includes("before")) expect(message).toMatch(/development version of qa-pay.*Remove .*seed\.db/);
    if (why.includes("program")) expect(message).toContain("was not saved by qa-pay");
    expect(message).toMatch(
      why.includes("newer") ? /newer version.*Update qa-pay/ : /snapshot seed .*|holds no account/,
    );
    expect(contentsOf(folder.db)).toEqual(before);
    expect(kept()).toEqual(["seed.db"]);
    // The server goes on as before the refused restore.
    expect(await statusOf(emulator, next.id)).toBe("pending");
    expect((await emulator.sandbox("/clock")).frozen).toBe(true);
    await emulator.sandbox(`/charges/${next.id}/pay`);
    await save(emulator, "seed");
    await restore(emulator, "seed");
    expect(await statusOf(emulator, next.id)).toBe("paid");
  });

  it("can be a copy of a database that another server uses", async () => {
    const other = newFolder();
    const theirs = await startEmulator({ db: other.db, log: { warn() {}, error() {} } });
    const { id } = await theirs.charge();
    mkdirSync(dirname(fileOf("copy")));
    for (const side of ["", "-wal"]) copyFileSync(other.db + side, fileOf("copy") + side);
    await restore(emulator, "copy");
    expect(await statusOf(emulator, id)).toBe("pending");
    await theirs.close();
    other.remove();
  });
});

it("a disk that cannot be written to is named in the error, and no half-written file is left", async () => {
  await start({ db: folder.db });
  writeFileSync(`${folder.db}.snapshots`, "in the way");
  const { message } = expectRefused(await postSave(emulator, "seed"), "internal_error");
  expect(message).toMatch(/disk refuses it: .*snapshots/);
  expect(await names()).toEqual([]);
  expectRefused(await postRestore(emulator, "seed"), "not_found");
  expect(readFileSync(`${folder.db}.snapshots`, "utf8")).toBe("in the way");
});
