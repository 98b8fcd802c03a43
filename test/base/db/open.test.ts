import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import type { OpenDatabase } from "../../../src/base/db/open.js";
import { type DatabasePlace, newDatabasePlace } from "../../support/database-place.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { fresh, ownEmulator } from "../../support/shared.js";
import { openFile } from "../../support/sqlite.js";

let folder: string;
let file: string;
let open: DatabasePlace["open"];
let refusal: DatabasePlace["refusal"];
let foreign: DatabasePlace["foreign"];
const place = fresh(newDatabasePlace);

beforeEach(() => {
  ({ folder, file, open, refusal, foreign } = place);
});

const pragma = ({ db }: OpenDatabase, name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0];

describe("a new database", () => {
  it("is created with its folders, marked as ours and brought up to date", () => {
    const path = join(folder, "deep", "down", "qa.db");
    const database = open(path);
    expect(database.file).toBe(path);
    expect(pragma(database, "user_version")).toBe(MIGRATIONS.length);
    expect(pragma(database, "application_id")).toBe(0x71706131);
    expect(pragma(database, "journal_mode")).toBe("wal");
    expect(pragma(database, "foreign_keys")).toBe(1);
  });

  it("in memory is shared with nobody and leaves no file", () => {
    const [one, two] = [open(":memory:"), open(":memory:")];
    one.db.exec("INSERT INTO settings VALUES ('a', 'b')");
    expect((two.db.prepare("SELECT COUNT(*) AS n FROM settings").get() as Loose).n).toBe(0);
    expect([one.file, existsSync(":memory:")]).toEqual([":memory:", false]);
  });

  it("may be an empty file", () => {
    writeFileSync(file, "");
    expect(pragma(open(), "user_version")).toBe(MIGRATIONS.length);
  });
});

it("an existing database is opened as it was left: migrations are applied once", () => {
  const first = open();
  first.db.exec("INSERT INTO settings VALUES ('kept', 'yes')");
  first.close();
  const schema = () => {
    const plain = openFile(file, true);
    const rows = plain.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();
    plain.close();
    return rows;
  };
  const before = schema();
  const second = open();
  expect(second.db.prepare("SELECT value FROM settings WHERE name = 'kept'").get()).toEqual({ value: "yes" });
  second.close();
  expect(schema()).toEqual(before);
});

describe("a second server on the same file", () => {
  it("is refused as a whole emulator too, without touching what is there", async () => {
    const first = await ownEmulator({ db: file });
    const { id } = await first.charge();
    await expect(startEmulator({ db: file })).rejects.toThrow(/another qa-pay server is using it/);
    expect((await first.call("GET", `/v1/charges/${id}`)).status).toBe(200);
  });

  it("does not keep other tools from reading", () => {
    const first = open();
    first.db.exec("INSERT INTO settings VALUES ('a', 'b')");
    const reader = openFile(file, true);
    expect(reader.prepare("SELECT value FROM settings").all()).toEqual([{ value: "b" }]);
    reader.close();
  });
});

it("a file that is no database of ours is refused when it was written by a newer version, which is named", () => {
  open().close();
  foreign(`PRAGMA user_version = ${MIGRATIONS.length + 7}`);
  const message = refusal();
  expect(message).toMatch(/newer version of qa-pay/);
  expect(message).toContain(`schema ${MIGRATIONS.length + 7}, this one knows ${MIGRATIONS.length}`);
  foreign(`PRAGMA user_version = ${MIGRATIONS.length}`);
  expect(pragma(open(), "user_version")).toBe(MIGRATIONS.length);
});

describe("the same file by another way", () => {
  const inUse = /another qa-pay server is using it/;

  it.each([
    ["a symbolic link to it", () => symlinkSync(file, join(folder, "link.db")), "link.db"],
    ["a relative one", () => symlinkSync("qa.db", join(folder, "link.db")), "link.db"],
    [
      "a link to a link",
      () => [symlinkSync("b.db", join(folder, "a.db")), symlinkSync(file, join(folder, "b.db"))],
      "a.db",
    ],
    ["a symbolic link to its folder", () => symlinkSync(folder, join(folder, "here")), "here/qa.db"],
    ["a hard link", () => linkSync(file, join(folder, "hard.db")), "hard.db"],
  ])("is recognised as in use through %s, and no file is created there", (_way, link, name) => {
    const first = open();
    link();
    const before = readdirSync(folder);
    expect(refusal(join(folder, name))).toMatch(inUse);
    expect(readdirSync(folder).filter((one) => one !== `${name}-lock`)).toEqual(before);
    first.db.exec("INSERT INTO settings VALUES ('still', 'here')");
    first.close();
  });

  it("is one database, with one lock and one set of snapshots", () => {
    symlinkSync(file, join(folder, "link.db"));
    const first = open(join(folder, "link.db"));
    expect(first.file).toBe(file);
    first.db.exec("INSERT INTO settings VALUES ('a', 'b')");
    expect(refusal()).toMatch(inUse);
    first.close();
    expect(readdirSync(folder).sort()).toEqual(["link.db", "qa.db", "qa.db-lock"]);
    expect(open().db.prepare("SELECT value FROM settings").all()).toEqual([{ value: "b" }]);
  });

  it("is created where a symbolic link leads, also when nothing is there yet", () => {
    mkdirSync(join(folder, "data"));
    symlinkSync(join("data", "qa.db"), join(folder, "link.db"));
    expect(open(join(folder, "link.db")).file).toBe(join(folder, "data", "qa.db"));
    expect(refusal(join(folder, "data", "qa.db"))).toMatch(inUse);
  });

  it("is refused where links lead in a circle", () => {
    symlinkSync("b.db", join(folder, "a.db"));
    symlinkSync("a.db", join(folder, "b.db"));
    expect(refusal(join(folder, "a.db"))).toMatch(/cannot be written/);
  });

  it("with several names is refused under each of them, and works again when it has one name", () => {
    open().close();
    linkSync(file, join(folder, "hard.db"));
    for (const path of [file, join(folder, "hard.db")]) expect(refusal(path)).toMatch(/has 2 names \(hard links\)/);
    rmSync(join(folder, "hard.db"));
    expect(pragma(open(), "user_version")).toBe(MIGRATIONS.length);
  });

  it("is recognised as in use after its lock file was removed", () => {
    const first = open();
    first.db.exec("INSERT INTO settings VALUES ('a', 'b')");
    rmSync(`${file}-lock`);
    expect(refusal()).toMatch(inUse);
    first.close();
    rmSync(`${file}-lock`);
    expect(open().db.prepare("SELECT value FROM settings").all()).toEqual([{ value: "b" }]);
  });

  it("is independent of a copy of the file", () => {
    const first = open();
    first.db.exec("INSERT INTO settings VALUES ('a', 'b'); PRAGMA wal_checkpoint(TRUNCATE)");
    const copy = join(folder, "copy.db");
    first.db.prepare("VACUUM INTO ?").run(copy);
    expect(open(copy).db.prepare("SELECT value FROM settings").all()).toEqual([{ value: "b" }]);
  });
});

describe("a file that is no longer in its place", () => {
  it.each([
    ["was removed", () => rmSync(file)],
    ["was moved", () => renameSync(file, `${file}.moved`)],
    ["is in a folder that was moved", () => renameSync(dirname(file), `${dirname(file)}.moved`)],
    ["is in a folder that was removed", () => rmSync(dirname(file), { recursive: true })],
    ["gave way to another", () => [writeFileSync(`${file}.new`, "new"), renameSync(`${file}.new`, file)]],
  ])("is reported when it %s", (_what, happen) => {
    file = join(folder, "data", "qa.db");
    const database = open(file);
    database.checkPlace();
    happen();
    expect(() => database.checkPlace()).toThrow(`The database ${file} was removed, moved or replaced while`);
  });

  const values = (database = open()) => database.db.prepare("SELECT COUNT(*) AS count FROM settings").get();
  /** A database whose log holds one change of many pages. */
  const filled = () => {
    const first = open();
    const insert = first.db.prepare("INSERT INTO settings VALUES (?, ?)");
    insert.run("first", "kept");
    for (let count = 0; count < 300; count += 1) insert.run(`later ${count}`, "x".repeat(1_500));
    first.close();
    const database = open();
    database.db.exec("UPDATE settings SET value = value || value WHERE name LIKE 'later %'");
    database.checkPlace();
    return database;
  };

  it.each([
    ["nothing is left", () => 0],
    ["a part of the head is left", () => 20],
    ["half of it is left", (size: number) => Math.floor(size / 2)],
    ["its last bytes are missing", (size: number) => size - 1],
    ["the last page is missing", (size: number) => size - 4_120],
  ])("is reported when its log was cut, and is whole at the next start: %s", (_what, left) => {
    const database = filled();
    const { size } = statSync(`${file}-wal`);
    truncateSync(`${file}-wal`, left(size));
    expect(() => database.checkPlace()).toThrow(/-wal, a part of the database, was shortened while/);
    database.close();
    const again = open();
    expect(again.db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(again.db.prepare("SELECT value FROM settings WHERE name = 'first'").all()).toEqual([{ value: "kept" }]);
  });

  it("is reported when it was cut itself, and what its log holds stays there", () => {
    const database = filled();
    const log = statSync(`${file}-wal`).size;
    truncateSync(file, 8_192);
    expect(() => database.checkPlace()).toThrow(`The database ${file} was shortened while`);
    database.close();
    expect(statSync(`${file}-wal`).size).toBe(log);
  });

  it("is not reported when it only grows, shrinks its log never, and ends as usual", () => {
    const database = filled();
    database.db.exec("DELETE FROM settings; PRAGMA wal_checkpoint(RESTART); INSERT INTO settings VALUES ('a', 'b')");
    database.checkPlace();
    database.close();
    expect(values()).toEqual({ count: 1 });
  });

  it("can be used again when it is put back", () => {
    const database = open();
    renameSync(file, `${file}.moved`);
    expect(() => database.checkPlace()).toThrow(/put the file back/);
    renameSync(`${file}.moved`, file);
    database.checkPlace();
  });

  it("cannot occur in memory, where there is no file", () => {
    open(":memory:").checkPlace();
  });
});

describe("a place that cannot be written", () => {
  /** Nothing is read-only for root, so root tries as nobody. */
  function asNobody(work: () => void): void {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) {
      chmodSync(folder, 0o777);
      process.seteuid?.(65_534);
    }
    try {
      work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  it("is refused when it is a folder", () => {
    mkdirSync(file);
    expect(refusal()).toBe(
      `Cannot use the database ${file}: it is a folder. Name a file with --db, such as ${join(file, "qa-pay.db")}.`,
    );
  });

  it("is refused when a file stands where a folder is needed", () => {
    writeFileSync(join(folder, "file"), "");
    expect(refusal(join(folder, "file", "qa.db"))).toMatch(/cannot be written/);
  });

  it("is refused when the folder is read-only", () => {
    // Loads the driver while everything may still be read.
    open(":memory:");
    const locked = join(folder, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    asNobody(() => {
      expect(refusal(join(locked, "qa.db"))).toMatch(/cannot be written/);
      expect(refusal(join(locked, "deeper", "qa.db"))).toMatch(/cannot be written/);
    });
    expect(readdirSync(locked)).toEqual([]);
  });

  it("is refused when the file itself is read-only, at the start and not at the first change", () => {
    open().close();
    chmodSync(file, 0o444);
    chmodSync(`${file}-lock`, 0o666);
    asNobody(() => expect(refusal()).toMatch(/cannot be written/));
  });

  it("is refused when the lock file is read-only: several servers could lock it", () => {
    open().close();
    chmodSync(file, 0o666);
    chmodSync(`${file}-lock`, 0o444);
    asNobody(() => expect(refusal()).toMatch(/cannot be written/));
  });
});
