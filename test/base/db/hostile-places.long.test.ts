import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { writeSample } from "../../support/hostile-database.js";
import { fresh, shared } from "../../support/shared.js";
import { postRestore, snapshotFile } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";

/** Folders as a clone may bring them, and databases of other programs: refused or harmless, and nothing else is touched. */

const samples = shared(newFolder);
let project: string;
let own: string;
let db: string;
let victim: string;
const folder = fresh(newFolder);
let sample: string;

beforeAll(async () => {
  sample = join(samples.path, "export");
  await writeSample(samples.path, sample);
});

beforeEach(() => {
  project = join(folder.path, "project");
  own = join(project, ".qa-pay");
  db = join(own, "qa-pay.db");
  victim = join(folder.path, "victim");
  mkdirSync(own, { recursive: true });
  mkdirSync(join(victim, "bin"), { recursive: true });
  writeFileSync(join(victim, "bin", "tool"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(victim, "bin", ".received-mail"), "letter", { mode: 0o644 });
  writeFileSync(join(victim, "bin", ".received-1"), "letter", { mode: 0o644 });
  writeFileSync(join(victim, "bin", "notes.db"), "notes", { mode: 0o644 });
  writeFileSync(join(victim, "empty.txt"), "", { mode: 0o644 });
  foreign(join(victim, "cookies.db"));
  chmodSync(victim, 0o755);
});

/** A database of another program. */
function foreign(file: string, sql = ""): void {
  const other = openFile(file);
  other.exec(`CREATE TABLE cookies (name TEXT); INSERT INTO cookies VALUES ('kept'); ${sql}`);
  other.close();
}

/** Name, kind, mode, content and time of everything in a folder. */
function treeOf(path: string): string[] {
  const { mode, mtimeNs, ino } = lstatSync(path, { bigint: true });
  const about = `${path.slice(folder.path.length)} ${mode.toString(8)} ${mtimeNs} ${ino}`;
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return [`${about} -> ${readlinkSync(path)}`];
  if (found.isDirectory())
    return [
      about,
      ...readdirSync(path)
        .sort()
        .flatMap((name) => treeOf(join(path, name))),
    ];
  if (!found.isFile()) return [about];
  return [`${about} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`];
}

async function startOn(file: string): Promise<string> {
  try {
    const started = await startEmulator({ db: file, testKey: "qa_test_sample-of-all" });
    await started.charge();
    await started.close();
    return "it started";
  } catch (error) {
    return (error as Error).name === "DatabaseError" ? (error as Error).message : `thrown: ${error}`;
  }
}

const takeSample = () => copyFileSync(sample, db);

describe.skipIf(process.platform === "win32")("a link or a special file in the place of our own", () => {
  const PLACES: readonly (readonly [string, () => void])[] = [
    ["the folder is a link", () => [rmSync(own, { recursive: true }), symlinkSync(join(victim, "bin"), own)]],
    [
      "the folder is a link to nothing",
      () => [rmSync(own, { recursive: true }), symlinkSync(join(victim, "new"), own)],
    ],
    ["the database is a link to another program's", () => symlinkSync(join(victim, "cookies.db"), db)],
    ["the database is a link to nothing", () => symlinkSync(join(victim, "new.db"), db)],
    ["the lock is a link to a file", () => symlinkSync(join(victim, "empty.txt"), `${db}-lock`)],
    ["the lock is a link to nothing", () => symlinkSync(join(victim, "new"), `${db}-lock`)],
    ["the journal of the lock is a link", () => symlinkSync(join(victim, "empty.txt"), `${db}-lock-journal`)],
    ["the log is a link", () => [takeSample(), symlinkSync(join(victim, "empty.txt"), `${db}-wal`)]],
    ["the index of the log is a link", () => [takeSample(), symlinkSync(join(victim, "empty.txt"), `${db}-shm`)]],
    ["the journal is a link", () => symlinkSync(join(victim, "empty.txt"), `${db}-journal`)],
    ["the folder of snapshots is a link", () => symlinkSync(join(victim, "bin"), `${db}.snapshots`)],
    ["the folder of snapshots is a link to nothing", () => symlinkSync(join(victim, "new"), `${db}.snapshots`)],
    ["the folder of snapshots is a file", () => writeFileSync(`${db}.snapshots`, "")],
    ["the database is a pipe", () => execFileSync("mkfifo", [db])],
    ["the lock is a pipe", () => execFileSync("mkfifo", [`${db}-lock`])],
  ];

  it.each(PLACES)("is refused, and nothing is touched: %s", async (_what, make) => {
    make();
    const before = treeOf(folder.path);
    expect(await startOn(db)).toMatch(/^Cannot use .* it is (a link|no regular file|no folder).*--db/);
    expect(treeOf(folder.path)).toEqual(before);
  });

  it.each([
    ["a snapshot that is a link", () => symlinkSync(join(victim, "cookies.db"), join(`${db}.snapshots`, "one.db"))],
    [
      "a received file that is a link",
      () => symlinkSync(join(victim, "bin", "tool"), join(`${db}.snapshots`, ".received-1")),
    ],
    ["a draft that is a link", () => symlinkSync(join(victim, "bin", "tool"), join(`${db}.snapshots`, ".draft"))],
    ["a folder with the name of a snapshot", () => mkdirSync(join(`${db}.snapshots`, "one.db"))],
  ])("is harmless among the snapshots: %s", async (_what, make) => {
    mkdirSync(`${db}.snapshots`);
    make();
    const before = treeOf(victim);
    expect(await startOn(db)).toBe("it started");
    expect(treeOf(victim)).toEqual(before);
  });

  it("leaves files among the snapshots alone that have other names", async () => {
    cpSync(join(victim, "bin"), `${db}.snapshots`, { recursive: true });
    expect(await startOn(db)).toBe("it started");
    const mode = (name: string) => (lstatSync(join(`${db}.snapshots`, name)).mode & 0o777).toString(8);
    expect(["tool", ".received-mail"].map(mode)).toEqual(["755", "644"]);
    // These are names of ours.
    expect([mode("notes.db"), readdirSync(`${db}.snapshots`).includes(".received-1")]).toEqual(["600", false]);
  });

  it.each(["-lock", "-wal", "-shm"])("is refused when it is a second name of a foreign file: %s", async (side) => {
    takeSample();
    linkSync(join(victim, "empty.txt"), db + side);
    const before = treeOf(folder.path);
    expect(await startOn(db)).toMatch(/^Cannot use .* several names \(hard links\).*--db/);
    expect(treeOf(folder.path)).toEqual(before);
  });
});

describe("a file that is no database of ours", () => {
  const WRITTEN: readonly (readonly [string, (file: string) => void])[] = [
    ["another program's", (file) => foreign(file)],
    ["another program's with a log", (file) => foreign(file, "PRAGMA journal_mode = WAL")],
    ["another program's that never frees pages", (file) => foreign(file, "PRAGMA auto_vacuum = FULL; VACUUM")],
    [
      "another program's that was killed in the midst of a change",
      (file) => [foreign(file), writeFileSync(`${file}-journal`, Buffer.from("d9d505f920a163d7".repeat(200), "hex"))],
    ],
    ["another program's with our version", (file) => foreign(file, "PRAGMA user_version = 1")],
    ["another program's with its own mark", (file) => foreign(file, "PRAGMA application_id = 7")],
    ["text", (file) => writeFileSync(file, "Dear diary, ".repeat(500))],
    ["one byte", (file) => writeFileSync(file, "x")],
    ["a picture", (file) => writeFileSync(file, Buffer.from("89504e470d0a1a0a".repeat(600), "hex"))],
    ["the beginning of a database", (file) => writeFileSync(file, readFileSync(sample).subarray(0, 5_000))],
    [
      "a database with noise behind its head",
      (file) => {
        const bytes = readFileSync(sample);
        writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
      },
    ],
    [
      "a database with noise in its pages",
      (file) => {
        const bytes = readFileSync(sample);
        bytes.fill(0xff, 40_000, 120_000);
        writeFileSync(file, bytes);
      },
    ],
    [
      "a database that says that it is larger",
      (file) => {
        copyFileSync(sample, file);
        const handle = openSync(file, "r+");
        ftruncateSync(handle, 8_192);
        closeSync(handle);
      },
    ],
  ];

  it.each(WRITTEN)("is refused, and not a byte of it changes: %s", async (what, write) => {
    const file = join(project, "app.db");
    write(file);
    const before = [readFileSync(file).toString("base64"), lstatSync(file).mtimeMs, readdirSync(project)];
    const reason = what.startsWith("another program's") ? "(belongs to another program|names another file)" : "damaged";
    expect(await startOn(file)).toMatch(new RegExp(`^Cannot use the database .*${reason}.*--db`));
    expect([readFileSync(file).toString("base64"), lstatSync(file).mtimeMs, readdirSync(project)]).toEqual(before);
  });

  it("is refused while its own program uses it, with the log of that program", async () => {
    const file = join(project, "app.db");
    const other = openFile(file);
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE cookies (name TEXT); INSERT INTO cookies VALUES ('kept')");
    const before = treeOf(project).map((line) => line.replace(/ \d{19} /, " "));
    expect(await startOn(file)).toMatch(/belongs to another program/);
    expect(readdirSync(project).sort()).toEqual([".qa-pay", "app.db", "app.db-shm", "app.db-wal"]);
    expect(treeOf(project).map((line) => line.replace(/ \d{19} /, " ")).length).toBe(before.length);
    expect(other.prepare("SELECT name FROM cookies").all()).toEqual([{ name: "kept" }]);
    other.close();
  });
});

describe("what another server or a clone left beside a database", () => {
  it.each([
    ["an index of the log that is cut short", "-shm", Buffer.alloc(100, 1)],
    ["an index of the log that is noise", "-shm", Buffer.alloc(40_000, 0xff)],
    ["an index of the log that is empty", "-shm", Buffer.alloc(0)],
    ["a log that is noise", "-wal", Buffer.alloc(40_000, 0xff)],
    ["a log that is cut short", "-wal", Buffer.from("377f0682", "hex")],
    ["a journal that is noise", "-journal", Buffer.alloc(40_000, 0xff)],
    ["a journal of the lock that is noise", "-lock-journal", Buffer.alloc(4_000, 0xff)],
  ])("does no harm: %s", async (_what, side, bytes) => {
    takeSample();
    writeFileSync(db + side, bytes);
    const before = treeOf(victim);
    expect(await startOn(db)).toBe("it started");
    expect(treeOf(victim)).toEqual(before);
  });

  it.each(["nothing", "an empty file"])("does no harm: the log of another database beside %s", async (what) => {
    const other = openFile(join(victim, "other.db"));
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE extra (a); CREATE VIEW transactions AS SELECT * FROM extra");
    copyFileSync(join(victim, "other.db-wal"), `${db}-wal`);
    other.close();
    if (what !== "nothing") writeFileSync(db, "");
    expect(await startOn(db)).toBe("it started");
  });

  it("is refused when the lock is no lock", async () => {
    takeSample();
    writeFileSync(`${db}-lock`, "not a lock ".repeat(100));
    expect(await startOn(db)).toMatch(/^Cannot use the database/);
    expect(readFileSync(`${db}-lock`, "utf8")).toBe("not a lock ".repeat(100));
  });
});

/**
 * A journal that SQLite plays back when it opens the database to write. It restores no page. Its end names a file, which
 * SQLite takes for a list of journals and removes (readSuperJournal and pager_delsuper in SQLite).
 */
function journalNaming(named: string, database: string): Buffer {
  const magic = Buffer.from("d9d505f920a163d7", "hex");
  const [sectorSize, pageSize] = [512, 4_096];
  const header = Buffer.alloc(sectorSize);
  magic.copy(header);
  header.writeUInt32BE(lstatSync(database).size / pageSize, 16);
  header.writeUInt32BE(sectorSize, 20);
  header.writeUInt32BE(pageSize, 24);
  const name = Buffer.from(named);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(name.length, 0);
  numbers.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  return Buffer.concat([header, Buffer.alloc(4), name, numbers, magic]);
}

describe("a journal that names a file for SQLite to remove", () => {
  const named = () => join(victim, "bin", "tool-mj0123459AB");
  const addJournal = (file: string) => {
    // Newer versions of SQLite remove only a file that has such a name and lists the journal.
    writeFileSync(named(), `${realpathSync(file)}-journal\0`);
    writeFileSync(`${file}-journal`, journalNaming(named(), file));
  };

  it("makes SQLite remove that file, where nothing keeps it from it", () => {
    takeSample();
    addJournal(db);
    const unguarded = openFile(db);
    unguarded.exec("BEGIN EXCLUSIVE; ROLLBACK");
    unguarded.close();
    expect(existsSync(named())).toBe(false);
  });

  const WAYS: readonly (readonly [string, () => void])[] = [
    ["of a lock", () => [takeSample(), foreign(`${db}-lock`), addJournal(`${db}-lock`)]],
    ["of a lock, and there is no database", () => [foreign(`${db}-lock`), addJournal(`${db}-lock`)]],
    ["of a database of ours", () => [takeSample(), addJournal(db)]],
    ["of a database of ours with a lock", () => [takeSample(), writeFileSync(`${db}-lock`, ""), addJournal(db)]],
    ["of a database of ours with a log", () => [takeSample(), writeFileSync(`${db}-wal`, ""), addJournal(db)]],
    ["of a database with two names", () => [takeSample(), linkSync(db, join(own, "other")), addJournal(db)]],
    ["of a file of zeros", () => [writeFileSync(db, Buffer.alloc(8_192)), addJournal(db)]],
    ["of an empty file", () => [writeFileSync(db, ""), addJournal(db)]],
  ];

  it.each(WAYS)("is refused, and nothing is touched: %s", async (_what, make) => {
    make();
    const before = treeOf(folder.path);
    expect(await startOn(db)).toMatch(/^Cannot use the database .*: its (lock|journal) .*--db/);
    expect(treeOf(folder.path)).toEqual(before);
  });

  it.skipIf(process.platform === "win32")("is refused where a link leads to the database", async () => {
    const file = join(project, "data.db");
    copyFileSync(sample, file);
    addJournal(file);
    symlinkSync(file, join(folder.path, "link.db"));
    expect(await startOn(join(folder.path, "link.db"))).toMatch(/its journal .*data\.db-journal names another file/);
    expect(existsSync(named())).toBe(true);
  });

  it("is played back when it names none, as a killed server leaves it", async () => {
    takeSample();
    writeFileSync(`${db}-journal`, journalNaming(named(), db).subarray(0, 512));
    writeFileSync(db, Buffer.concat([readFileSync(db), Buffer.alloc(4_096, 0xff)]));
    expect(await startOn(db)).toBe("it started");
  });

  it("makes a snapshot unusable, and nothing else is touched", async () => {
    mkdirSync(`${db}.snapshots`);
    copyFileSync(sample, snapshotFile(db, "sample"));
    addJournal(snapshotFile(db, "sample"));
    const before = treeOf(victim);
    const started = await startEmulator({ db, testKey: "qa_test_sample-of-all" });
    const answer = await postRestore(started, "sample");
    await started.close();
    expect([answer.status, treeOf(victim)]).toEqual([422, before]);
    expect(answer.body.error.message).toMatch(/^The snapshot sample is damaged: it cannot be read\./);
  });
});

describe("a database that a server of this user has closed", () => {
  it.each([
    [
      "a trigger",
      "CREATE TRIGGER extra AFTER UPDATE ON settings BEGIN SELECT 1; END",
      /holds "trigger extra", which qa-pay/,
    ],
    ["no table of jobs", "DROP TABLE jobs", /it has no (table|index) jobs/],
  ])("is refused at the next start when its schema has changed since: %s", async (_what, sql, why) => {
    takeSample();
    expect(await startOn(db)).toBe("it started");
    const other = openFile(db);
    other.exec(sql);
    other.close();
    expect(await startOn(db)).toMatch(why);
  });
});
